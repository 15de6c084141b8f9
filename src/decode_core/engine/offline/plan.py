"""Planning: look at the real files, write a plan, put it before the person, carry out what was approved."""

from collections.abc import Generator, Mapping
from dataclasses import replace

from decode_core.engine.local_model import Call
from decode_core.engine.offline.carry_out import Doable, carry_out
from decode_core.engine.offline.investigation import first_draft
from decode_core.engine.offline.markdown import one_line
from decode_core.engine.offline.plan_review import read_review
from decode_core.engine.offline.plan_text import Draft, Review, Step, Verdict, step_for
from decode_core.engine.offline.requests import MakePlan, Replace
from decode_core.engine.offline.turn import Result
from decode_core.engine.offline.understanding import understand
from decode_core.engine.offline.work import Desk, StoppedError, Work, attempt, failure
from decode_core.events import CallOutcome, TodoStatus

MOST_VERSIONS = 20


def make_plan(request: MakePlan, desk: Desk) -> Work:
    """Plan, ask, revise as often as the person wishes, and carry out what was approved."""
    # the tool is offered only outside plan mode; once it was called, the history says so
    if desk.next_tool == "enter_plan_mode" or (desk.next_tool is None and "enter_plan_mode" in desk.offer.tools):
        yield from attempt("enter_plan_mode")
    draft = yield from first_draft(request.goal)
    for _ in range(MOST_VERSIONS):
        try:
            result = yield from attempt("exit_plan_mode", plan=draft.markdown, title=draft.title)
        except StoppedError as denied:
            raise StoppedError(_unreviewed(draft, str(denied))) from None
        if result.outcome is CallOutcome.FAILED:
            return _unreviewed(draft, failure(result))
        review = read_review(result.text, tuple(step.text for step in draft.steps))
        match review.verdict:
            case Verdict.APPROVED:
                return (yield from _carry_out(draft, review, desk))
            case Verdict.REJECTED:
                return "The plan is rejected. Nothing was changed."
            case Verdict.REFINE if not review.remarks:
                return (
                    "The plan came back without a comment. Say what should be different: `plan …`. Nothing was changed."
                )
            case Verdict.REFINE:
                draft = revised(draft, review.remarks)
    return f"After {MOST_VERSIONS} versions I stop; nothing was changed. Start anew with `plan …` and what we know now."


def revised(draft: Draft, remarks: tuple[str, ...]) -> Draft:
    """The next version: remarks that are requests become steps in place of the open ones; the rest are kept as said."""
    added: list[Step] = []
    for remark in remarks:
        request = understand(remark)
        if isinstance(request, Replace) and request.where is None and draft.files:
            request = replace(request, where=draft.files[0])
        added.append(step_for(request) if isinstance(request, Doable) else Step(f"As you said: {remark}"))
    kept = [step for step in draft.steps if step.request is not None]
    if not any(step.request for step in added):
        kept = list(draft.steps)
    # reading comes last: it shows what the changes made
    reads = [step for step in kept if step.text.startswith(("Read ", "Search "))]
    changes = [step for step in kept if step not in reads]
    steps = tuple(dict.fromkeys([*changes, *added, *reads]))
    return replace(draft, steps=steps, remarks=(*draft.remarks, *remarks))


def _carry_out(draft: Draft, review: Review, desk: Desk) -> Work:
    planned = {step.text: step.request for step in draft.steps}
    texts = review.steps
    done: list[str] = []
    left: list[str] = []
    states = dict.fromkeys(range(len(texts)), TodoStatus.PENDING)
    for index, text in enumerate(texts):
        request = planned[text] if text in planned else understand(text)
        if not isinstance(request, Doable):
            left.append(text)
            continue
        states[index] = TodoStatus.IN_PROGRESS
        yield from _note(review, states, desk)
        try:
            done.append((yield from carry_out(request)))
        except StoppedError as stopped:
            raise StoppedError("\n\n".join([*done, str(stopped), *_rest(texts, text)])) from None
        states[index] = TodoStatus.COMPLETED
    if done:
        yield from _note(review, states, desk)
    answer = ["The plan is approved." if texts else "No step of the plan is approved; nothing was changed.", *done]
    if left:
        answer += ["I work by rules and cannot do these; they are yours:", "\n".join(f"- {text}" for text in left)]
    if review.remarks:
        noted = "\n".join(f"- {one_line(remark)}" for remark in review.remarks)
        answer += ["You also said; send me as a request what I shall do of it:", noted]
    return "\n\n".join(answer)


def _note(
    review: Review, states: Mapping[int, TodoStatus], desk: Desk
) -> Generator[tuple[Call, ...], tuple[Result, ...], None]:
    """Write the to-do list: each approved step is an item that names it."""
    if desk.next_tool != "todo_write" and (desk.next_tool is not None or "todo_write" not in desk.offer.tools):
        return
    numbers = review.numbers or range(1, len(review.steps) + 1)
    yield from attempt(
        "todo_write",
        items=[
            {"id": str(number), "content": text.replace("`", ""), "status": states[index].value, "step": number}
            for index, (number, text) in enumerate(zip(numbers, review.steps, strict=True))
        ],
    )


def _rest(texts: tuple[str, ...], last: str) -> list[str]:
    rest = texts[texts.index(last) + 1 :]
    return ["Not begun:\n\n" + "\n".join(f"- {text}" for text in rest)] if rest else []


def _unreviewed(draft: Draft, reason: str) -> str:
    return f"The plan was not reviewed: {reason}\n\nThis is the plan; nothing was changed.\n\n{draft.markdown}"
