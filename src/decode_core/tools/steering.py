"""Tools that steer the session and touch no file: the to-do list, a question for the person, a pause."""

import asyncio
import math
from collections import Counter

from pydantic import Field

from decode_core.events import TodoItem, TodoStatus
from decode_core.permissions.modes import ToolKind
from decode_core.permissions.request import SubjectKind
from decode_core.tools.spec import ToolArgs, ToolContext, ToolResult, ToolSpec, failed

MAX_TODOS = 200
MAX_OPTIONS = 50


class TodoArgs(ToolArgs):
    """Arguments of todo_write."""

    items: list[TodoItem] = Field(description="The whole list; it replaces the old one.", max_length=MAX_TODOS)


class AskArgs(ToolArgs):
    """Arguments of ask_user."""

    question: str = Field(description="One question, complete in itself.", min_length=1, max_length=4_000)
    options: list[str] = Field(default=[], description="Concrete answers to choose from.", max_length=MAX_OPTIONS)
    multiple: bool = Field(default=False, description="Whether several options may be chosen.")
    allow_free_text: bool = Field(default=True, description="Whether the person may write an answer of their own.")


class SleepArgs(ToolArgs):
    """Arguments of sleep."""

    seconds: float = Field(description="How long to wait.")


async def write_todos(args: TodoArgs, context: ToolContext) -> ToolResult:
    """Replace the to-do list (plan-mode.md §1)."""
    items = tuple(args.items)
    twice = [name for name, count in Counter(item.id for item in items).items() if count > 1]
    if twice:
        return failed(f"Two items have the id {twice[0]!r}; give every item an id of its own.")
    if any(not item.content.strip() for item in items):
        return failed("An item has no content; say in a few words what is to be done.")
    running = [item.id for item in items if item.status is TodoStatus.IN_PROGRESS]
    if len(running) > 1:
        return failed(f"Only one item may be in progress, not {len(running)}: {', '.join(running)}.")
    context.control.set_todos(items)
    strange = _strange_steps(items, context.control.approved_steps())
    done = sum(item.status is TodoStatus.COMPLETED for item in items)
    return ToolResult(f"The list has {len(items)} items, {done} of them done.{strange}", f"{done} of {len(items)}")


def _strange_steps(items: tuple[TodoItem, ...], approved: tuple[int, ...] | None) -> str:
    """A hint where items name steps that nobody approved; the list stands all the same."""
    named = sorted({item.step for item in items if item.step is not None} - set(approved or ()))
    if not named:
        return ""
    there = f"the approved steps are {', '.join(map(str, approved))}" if approved else "no plan is approved"
    return f" No approved step has the number {', '.join(map(str, named))}: {there}."


async def ask_user(args: AskArgs, context: ToolContext) -> ToolResult:
    """Put the question before the person and wait for the answer."""
    options = tuple(dict.fromkeys(option.strip() for option in args.options if option.strip()))
    if not options and not args.allow_free_text:
        return failed("The question has no options and allows no free text; give one or the other.")
    answer = await context.control.ask_user(
        context.call_id, args.question, options, multiple=args.multiple, allow_free_text=args.allow_free_text
    )
    if answer.nobody:
        return failed("Nobody can answer here. Go on with the most careful assumption and say which one you made.")
    if answer.declined:
        return ToolResult("The person does not want to answer. Go on without it, or stop.", "declined")
    parts = []
    if answer.chosen:
        parts.append(f"The person chose: {'; '.join(answer.chosen)}")
    if answer.text:
        parts.append(f"The person wrote: {answer.text}")
    return ToolResult("\n".join(parts), "answered")


async def sleep(args: SleepArgs, context: ToolContext) -> ToolResult:
    """Wait; more than the limit is clamped, Esc cuts it short."""
    if not math.isfinite(args.seconds) or args.seconds < 0:
        return failed("seconds must be a number of at least 0.")
    seconds = min(args.seconds, context.limits.sleep_max_s)
    await asyncio.sleep(seconds)
    clamped = f" (clamped from {args.seconds:g} s, the most is {seconds:g} s)" if seconds < args.seconds else ""
    return ToolResult(f"Waited {seconds:g} s{clamped}.", f"{seconds:g} s")


TODO_WRITE = ToolSpec(
    name="todo_write",
    description=(
        "Replace the to-do list that the person sees. Use it for work of three or more steps; keep exactly one item "
        "in progress and mark items completed as soon as they are. `step` names the step of the approved plan."
    ),
    kind=ToolKind.READ_ONLY,
    args=TodoArgs,
    run=write_todos,
)

ASK_USER = ToolSpec(
    name="ask_user",
    description=(
        "Ask the person one question and wait for the answer. Ask when the answer changes what you do and the "
        "repository does not tell; offer concrete options where you can."
    ),
    kind=ToolKind.CONTROL,
    args=AskArgs,
    run=ask_user,
    subject="question",
    subject_kind=SubjectKind.TEXT,
    asks_person=True,
)

SLEEP = ToolSpec(
    name="sleep",
    description="Wait some seconds, for instance until a server that you have started answers.",
    kind=ToolKind.CONTROL,
    args=SleepArgs,
    run=sleep,
)
