"""Core events as entries of the transcript. Pure."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from decode_core.events import (
    AgentSelected,
    CallOutcome,
    CatalogReloaded,
    DecisionAnswered,
    EventBase,
    ModeChanged,
    ModelChanged,
    NoticeLevel,
    NoticeRaised,
    PermissionDecided,
    PlanDecided,
    RetryScheduled,
    ShellLineFinished,
    ShellLineStarted,
    SteeringTaken,
    ToolCallFinished,
    ToolCallStarted,
    TurnEnd,
    TurnFinished,
    TurnResumed,
    TurnStarted,
)
from decode_core.permissions.modes import DecidedBy, PermissionMode, PermissionOutcome
from decode_ui.transcript.diff import diff_lines
from decode_ui.transcript.entry import (
    ArgumentLine,
    CallState,
    DetailLine,
    Entry,
    HintEntry,
    NoteEntry,
    NoticeEntry,
    OutputLine,
    Role,
    ToolEntry,
    UserEntry,
)
from decode_ui.wording import CAUSES, answer_words, plan_words, why

MAX_OUTPUT_LINES = 2_000
"""Lines of output that an entry keeps."""

SHELL_SIGN = "!"
"""What stands in place of a tool before a line of the person's own."""

_STATES = {CallOutcome.OK: CallState.OK, CallOutcome.FAILED: CallState.FAILED, CallOutcome.DENIED: CallState.DENIED}
_FREEDOM = {
    PermissionMode.DEFAULT: "nothing changes without asking",
    PermissionMode.PLAN: "nothing changes at all",
    PermissionMode.EDIT: "files are edited without asking, commands ask",
    PermissionMode.BYPASS: "everything runs without asking",
    PermissionMode.DONT_ASK: "whatever would ask is refused",
}
"""What each mode lets through, said at the start."""
_SHOWN_ELSEWHERE = frozenset({"content", "old", "new", "plan", "items"})
"""Arguments whose text the result shows better."""


def entry_of(event: EventBase) -> Entry | None:
    """The entry that an event adds to the chat, or None where it adds none."""
    match event:
        case TurnStarted(prompt=prompt):
            return UserEntry(prompt)
        case SteeringTaken(text=text):
            return UserEntry(text)
        case ToolCallStarted():
            body = tuple(_arguments(event.args))
            return ToolEntry(event.call_id, event.tool, event.subject, CallState.RUNNING, body=body)
        case ShellLineStarted(line_id=line_id, command=command):
            return ToolEntry(line_id, SHELL_SIGN, command, CallState.RUNNING, why="you ran it")
        case ModeChanged():
            until = " for this turn" if event.this_turn_only else ""
            return NoteEntry(f"mode {event.from_mode} → {event.to_mode}{until} · {CAUSES[event.cause]}")
        case AgentSelected():
            return NoteEntry(f"agent {event.agent} · mode {event.mode}")
        case ModelChanged():
            return NoteEntry(f"model {event.model}")
        case CatalogReloaded():
            return _reloaded(event)
        case PlanDecided():
            return NoteEntry(plan_words(event))
        case NoticeRaised():
            return NoticeEntry(event.level, event.text, event.hint)
        case RetryScheduled():
            return NoteEntry(f"{event.reason} Trying again in {event.delay_s:g} s (attempt {event.attempt + 1}).")
        case TurnFinished(end=TurnEnd.COMPLETED):
            return None
        case TurnFinished(end=TurnEnd.CANCELLED):
            return NoteEntry("stopped")
        case TurnFinished(end=TurnEnd.SUSPENDED):
            return NoticeEntry(NoticeLevel.INFO, event.reason, event.hint)
        case TurnResumed():
            return NoteEntry("the turn goes on")
        case TurnFinished():
            return NoticeEntry(NoticeLevel.ERROR, event.reason or f"the turn ended: {event.end}", event.hint)
        case _:
            return None


def _reloaded(event: CatalogReloaded) -> NoteEntry | None:
    """Which agents another program or the person changed; broken ones are a notice, and what waits is a question."""
    found = (("new", event.added), ("changed", event.changed), ("gone", event.removed))
    words = [f"{word} {', '.join(names[:5])}" + (" …" if len(names) > 5 else "") for word, names in found if names]
    return NoteEntry(f"agents · {' · '.join(words)}") if words else None


def decided(entry: ToolEntry, event: PermissionDecided) -> ToolEntry:
    """A call's entry after its verdict."""
    if entry.tool == SHELL_SIGN:
        return entry  # nobody decided: the person ran it
    asked = entry.why.startswith("asked you")
    if asked and (event.outcome is PermissionOutcome.ASK or event.by is DecidedBy.HUMAN):
        return entry  # the answer is what counts, and it is shown
    state = CallState.ASKED if event.outcome is PermissionOutcome.ASK else entry.state
    return replace(entry, why=why(event), state=state)


def answered(entry: ToolEntry, event: DecisionAnswered) -> ToolEntry:
    """A call's entry after the person's answer."""
    return replace(entry, why=answer_words(event), state=CallState.RUNNING)


def finished(entry: ToolEntry, event: ToolCallFinished) -> ToolEntry:
    """A call's entry with its result."""
    arguments = tuple(line for line in entry.body if isinstance(line, ArgumentLine))
    return replace(
        entry,
        state=_STATES[event.outcome],
        summary=event.summary,
        elapsed_ms=None if event.outcome is CallOutcome.DENIED else event.elapsed_ms,
        body=(*arguments, *_result(event)),
    )


def line_finished(entry: ToolEntry, event: ShellLineFinished) -> ToolEntry:
    """The entry of a line of the person's own with its output, unfolded: it was asked for to be read."""
    state = CallState.OK if event.exit_code == 0 else CallState.FAILED
    lines = event.text.rstrip("\n").split("\n")[:MAX_OUTPUT_LINES] if event.text else []
    summary = f"{event.summary} · goes with your next prompt" if event.for_model else event.summary
    body = tuple(OutputLine(line) for line in lines)
    return replace(entry, state=state, summary=summary, elapsed_ms=event.elapsed_ms, body=body, unfolded=True)


def with_output(entry: ToolEntry, text: str) -> ToolEntry:
    """A running call's entry with more live output, its newest lines."""
    kept = [line for line in entry.body if not isinstance(line, OutputLine)]
    old = [line.text for line in entry.body if isinstance(line, OutputLine)]
    lines = ("\n".join(old) + text if old else text).split("\n")
    return replace(entry, body=(*kept, *(OutputLine(line) for line in lines[-MAX_OUTPUT_LINES:])))


def first_lines(*, offline: bool, mode: PermissionMode) -> HintEntry:
    """The four lines of a new session (keys.md §12)."""
    plain, dim, key = Role.PLAIN, Role.DIM, Role.KEY
    real = (": read, search, edit, run by simple requests · or ", plain)
    if offline:
        first = (("offline model", Role.STRONG), real, ("/model", key))
    else:
        first = (("ready", Role.STRONG), (": say what is to be done, or choose a model: ", plain), ("/model", key))
    tries = (
        ("try  ", dim),
        ("list the python files", plain),
        (" · ", dim),
        ("find TODO", plain),
        (" · ", dim),
        ("plan a change to README", plain),
    )
    modes = (
        (f"{_FREEDOM[mode]}: mode ", plain),
        (mode.value.upper(), Role.STRONG),
        (" (", plain),
        ("shift+tab", key),
        (")", plain),
    )
    pairs = (("enter", "send"), ("shift+tab", "mode"), ("esc", "stop"), ("^O", "jump"), ("?", "keys"))
    keys: list[tuple[str, Role]] = []
    for sign, label in pairs:
        keys += [(sign, key), (f" {label}", dim), (" · ", dim)]
    return HintEntry((first, tries, modes, tuple(keys[:-1])))


def _arguments(args: dict[str, Any]) -> Iterable[ArgumentLine]:
    for name, value in args.items():
        if name not in _SHOWN_ELSEWHERE:
            yield ArgumentLine(name, value if isinstance(value, str) else repr(value))


def _result(event: ToolCallFinished) -> Iterable[DetailLine]:
    detail = event.detail
    after = detail.get("after")
    if isinstance(after, str):
        before = detail.get("before")
        yield from diff_lines(before if isinstance(before, str) else None, after)
        return
    for line in event.text.split("\n")[:MAX_OUTPUT_LINES]:
        yield OutputLine(line)
