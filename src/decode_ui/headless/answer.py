"""`decode sessions answer`: answers the question that a suspended turn waits for, and goes on with the turn."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import click

from decode_core.decisions import Allow, Answer, Deny, PlanReview, Reply
from decode_core.events import DecisionRequested, EventBase, QuestionKind
from decode_core.neutral import neutralise_line
from decode_core.opening import SessionOptions
from decode_core.resuming import Resumed, take_up
from decode_core.session import Session
from decode_ui.headless.reports import Output
from decode_ui.headless.run import run_headless
from decode_ui.headless.waiting import answer_commands, question_line, question_row, question_text


@dataclass(frozen=True)
class Given:
    """What stands on the command line."""

    allow: bool = False
    deny: bool = False
    refine: bool = False
    ask_edits: bool = False
    note: str = ""
    args: dict[str, Any] | None = None
    steps: tuple[int, ...] | None = None
    choose: tuple[str, ...] = ()
    text: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was answered."""
        return not (self.allow or self.deny or self.refine or self.choose or self.text)


def _steps(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, ...] | None:
    if value is None:
        return None
    try:
        return tuple(int(part) for part in value.split(","))
    except ValueError:
        raise click.BadParameter("give the numbers of the steps, such as 1,3") from None


def _arguments(ctx: click.Context, param: click.Parameter, value: str | None) -> dict[str, Any] | None:
    if value is None:
        return None
    try:
        read = json.loads(value)
    except ValueError as error:
        raise click.BadParameter(f"no JSON ({error})") from None
    if not isinstance(read, dict):
        raise click.BadParameter('the arguments are an object, such as {"path": "a.txt"}')
    return read


@click.command("answer")
@click.argument("session_id", metavar="ID")
@click.option("--allow", is_flag=True, help="Let the call run once; approve the plan.")
@click.option("--deny", is_flag=True, help="Refuse the call; reject the plan; decline the question.")
@click.option("--note", default="", help="What the model is told with it.")
@click.option("--args", callback=_arguments, metavar="JSON", help="With --allow: other arguments, judged anew.")
@click.option("--refine", is_flag=True, help="Send the plan back, with --note.")
@click.option("--steps", callback=_steps, metavar="N,N", help="With --allow: only these steps of the plan.")
@click.option("--ask-edits", is_flag=True, help="With --allow: the plan goes on in mode default, which asks.")
@click.option("--choose", multiple=True, metavar="OPTION", help="An option of the question, or its number.")
@click.option("--text", default="", help="An answer of your own to the question.")
@click.option("--question", "wanted", metavar="ID", help="Only if this question is the one that waits.")
@click.option("--model", help="Go on with another model.")
@click.option("--output", type=click.Choice([it.value for it in Output]), default="text", show_default=True)
def answer_command(session_id: str, *, wanted: str | None, model: str | None, output: str, **answered: Any) -> None:
    """Answer the question that session ID waits for, and go on with its turn; without an answer, show it.

    The call is judged again, on today's rules, mode and files. A further question suspends the turn anew (exit 3).
    """
    given = Given(**answered)
    resumed = take_up(session_id, None)
    asked = None
    try:
        asked = _open_question(resumed, wanted)
        if given.is_empty:
            _show(asked, resumed.id, Output(output))
            resumed.give_back()
            return
        answer = answer_to(asked, given)
    except click.ClickException:
        resumed.give_back()
        raise
    options = SessionOptions(model=model, resumed=resumed)
    sys.exit(
        asyncio.run(
            run_headless(resumed.workspace, options, Output(output), lambda session: _answer(session, asked, answer))
        )
    )


def answer_to(asked: DecisionRequested, given: Given) -> Answer:
    """The answer that the command line gives to this question. Raises UsageError where it does not fit."""
    if sum((given.allow, given.deny, given.refine, bool(given.choose or given.text))) > 1:
        raise click.UsageError("choose one answer")
    if given.deny and asked.kind is not QuestionKind.PLAN_REVIEW:
        return Deny(given.note)
    match asked.kind:
        case QuestionKind.PERMISSION if given.allow:
            return Allow(args=given.args, note=given.note)
        case QuestionKind.PLAN_REVIEW if given.allow:
            return PlanReview("approve_ask" if given.ask_edits else "approve", given.steps, given.note)
        case QuestionKind.PLAN_REVIEW if given.deny or given.refine:
            return PlanReview("refine" if given.refine else "reject", note=given.note)
        case QuestionKind.ASK_USER if given.choose or given.text:
            return _reply(asked.payload, given)
        case _:
            ways = "\n  ".join(answer_commands(asked.session_id, asked))
            raise click.UsageError(f"that is no answer to this question:\n  {ways}")


def _reply(payload: dict[str, Any], given: Given) -> Reply:
    options = [str(option) for option in payload.get("options", ())]
    chosen: list[str] = []
    for word in given.choose:
        if word in options:
            chosen.append(word)
        elif word.isdecimal() and 0 < int(word) <= len(options):
            chosen.append(options[int(word) - 1])
        else:
            raise click.UsageError(f"there is no option {word!r}; there are: {', '.join(options) or 'none'}")
    if len(chosen) > 1 and not payload.get("multiple"):
        raise click.UsageError("this question takes one option")
    if given.text and not payload.get("allow_free_text", True):
        raise click.UsageError("this question takes only its options; use --choose")
    return Reply(tuple(chosen), given.text, given.note)


def _open_question(resumed: Resumed, wanted: str | None) -> DecisionRequested:
    if resumed.held_by:
        raise click.ClickException(resumed.held_by)
    asked = resumed.question
    if wanted is not None and (asked is None or asked.id != wanted):
        raise click.ClickException(f"{_what_became_of(wanted, resumed)}{_waiting_now(asked)}")
    if asked is None:
        hint = f"decode --resume {resumed.id} opens it"
        raise click.ClickException(f"no question of the session {resumed.id} waits for an answer; {hint}")
    return asked


def _what_became_of(wanted: str, resumed: Resumed) -> str:
    before = resumed.state.answered.get(wanted)
    if before is not None:
        return f"the question {wanted} was settled before ({before.answer}, {before.ts:%Y-%m-%d %H:%M} UTC)"
    if wanted in resumed.state.asked:
        return f"the question {wanted} does not wait any more"
    return f"there is no question {wanted!r} in the session {resumed.id}"


def _waiting_now(asked: DecisionRequested | None) -> str:
    return "" if asked is None else f"; {asked.id} waits now: {question_line(asked)}"


def _show(asked: DecisionRequested, session_id: str, output: Output) -> None:
    if output is not Output.TEXT:
        click.echo(json.dumps(question_row(asked), ensure_ascii=False))
        return
    for line in (*question_text(asked), "", *answer_commands(session_id, asked)):
        click.echo(neutralise_line(line))


async def _answer(session: Session, asked: DecisionRequested, answer: Answer) -> AsyncIterator[EventBase]:
    """Go on with the turn: its question gets the answer, a further one suspends it."""
    is_open = True
    async for event in session.resume():
        yield event
        if isinstance(event, DecisionRequested) and event.call_id is not None:
            if is_open and event.id == asked.id:
                is_open = False
                session.answer(event.id, answer)
            else:
                await session.suspend()
