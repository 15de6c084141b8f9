"""Work as a generator: it yields calls of tools, is sent their results, and returns the answer.

The offline model keeps no state between requests. Each time it is asked, it starts the work of the turn anew and plays
the results that the history holds into it; where they run out, the calls it yields next are the next response.
"""

import re
from collections import deque
from collections.abc import Generator
from dataclasses import dataclass

from decode_core.engine.local_model import Call, Offer
from decode_core.engine.offline.markdown import code, one_line
from decode_core.engine.offline.turn import Result
from decode_core.events import CallOutcome

Work = Generator[tuple[Call, ...], tuple[Result, ...], str]
"""A whole piece of work; its value is the answer, as Markdown."""

Ask = Generator[tuple[Call, ...], tuple[Result, ...], Result]
"""One call; its value is the result."""


class StoppedError(Exception):
    """The work cannot go on. Its text is the answer."""


@dataclass
class Desk:
    """What a piece of work may look at: the offer of the present request, and the results that are still to be played.

    Work that depends on the offer has to look at `next_tool` first: what was called in an earlier request was called,
    whatever is offered now.
    """

    offer: Offer
    played: deque[tuple[Result, ...]]

    @property
    def next_tool(self) -> str | None:
        """The tool that the history says was called next; None where this request decides."""
        return self.played[0][0].tool if self.played else None


def attempt(tool: str, **args: object) -> Ask:
    """Call a tool; its failure is the caller's business. Raises StoppedError where the call was denied."""
    results = yield (Call(tool, {name: value for name, value in args.items() if value is not None}),)
    result = results[0]
    if result.outcome is CallOutcome.DENIED:
        raise StoppedError(denial(result))
    return result


def must(tool: str, **args: object) -> Ask:
    """Call a tool that has to succeed. Raises StoppedError where it failed or was denied."""
    result = yield from attempt(tool, **args)
    if result.outcome is CallOutcome.FAILED:
        raise StoppedError(failure(result))
    return result


def advance(work: Work, played: deque[tuple[Result, ...]]) -> tuple[Call, ...] | str:
    """Play results into `work`. Returns the calls that it wants next, or its answer."""
    try:
        calls = next(work)
        while played:
            results = played.popleft()
            if [result.tool for result in results] != [call.tool for call in calls]:
                return "I cannot go on with what another model began. Please send your request again."
            calls = work.send(results)
    except StopIteration as end:
        return str(end.value)
    except StoppedError as stopped:
        return str(stopped)
    return calls


def denial(result: Result) -> str:
    """Say that a call was denied, and why; nothing is tried again."""
    refused = re.match(r"The person refused this call(?: and says: (?P<note>.*))?", result.text, re.DOTALL)
    if refused is None:
        return f"{_call(result)} was not allowed: {_reason(result.text)}"
    note = refused["note"]
    return f"You refused {_call(result)}" + (f" and said: {one_line(note)}" if note else "; I stopped there.")


def failure(result: Result) -> str:
    """Say that a call failed, and why."""
    return f"{_call(result)} failed: {_reason(result.text)}"


def _reason(text: str) -> str:
    """The reason alone, without what the tools say to models."""
    text = text.removeprefix("Not permitted: ").removeprefix("Not run: ").removesuffix(" Find it with glob.")
    return one_line(text) or "no reason was given"


def _call(result: Result) -> str:
    subject = next((result.args[name] for name in ("path", "command", "pattern") if name in result.args), "")
    return code(f"{result.tool} {one_line(str(subject), 120)}".strip())
