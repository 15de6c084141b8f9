"""enter_plan_mode and exit_plan_mode: into plan mode, and out of it by the person's word alone (plan-mode.md §1)."""

from dataclasses import replace

from pydantic import Field

from decode_core.events import PlanStep
from decode_core.permissions.modes import ToolKind
from decode_core.permissions.request import SubjectKind
from decode_core.tools.spec import PlanAnswer, ToolArgs, ToolContext, ToolResult, ToolSpec, failed

MAX_PLAN_CHARS = 200_000
NO_PLAN_MODE = "Plan mode was left meanwhile, but nothing of the plan is approved"
"""What a refusal says where somebody changed the mode while the plan was read."""


class EnterPlanArgs(ToolArgs):
    """enter_plan_mode takes no arguments."""


class ExitPlanArgs(ToolArgs):
    """Arguments of exit_plan_mode."""

    plan: str = Field(
        min_length=1,
        max_length=MAX_PLAN_CHARS,
        description='The plan as Markdown, with its steps as a list under a heading "Steps".',
    )
    title: str | None = Field(default=None, max_length=120, description="What the plan is for, in a few words.")


async def run_enter_plan_mode(args: EnterPlanArgs, ctx: ToolContext) -> ToolResult:
    """Remember the mode in force and set plan; from bypass, too."""
    if ctx.control.in_plan_mode():
        return ToolResult("Plan mode is on already. Present the plan with exit_plan_mode.", "plan mode")
    ctx.control.enter_plan_mode()
    return ToolResult(
        "Plan mode is on: read and investigate, change nothing. Present the plan with exit_plan_mode.", "plan mode"
    )


async def run_exit_plan_mode(args: ExitPlanArgs, ctx: ToolContext) -> ToolResult:
    """Put the plan before the person, wait, and tell the answer."""
    if not ctx.control.in_plan_mode():
        return failed(
            "The session is not in plan mode, so there is no plan to review; go on, or call enter_plan_mode first.",
            "not in plan mode",
        )
    if not args.plan.strip():
        return failed("The plan is blank; write down its goal and its steps.", "blank plan")
    answer = await ctx.control.review_plan(ctx.call_id, args.plan, (args.title or "").strip())
    return _result(answer, args.plan, stays="Plan mode stays on" if ctx.control.in_plan_mode() else NO_PLAN_MODE)


ENTER_PLAN_MODE = ToolSpec(
    name="enter_plan_mode",
    description="Switch to plan mode, in which you read and investigate but change nothing, to plan a larger change.",
    kind=ToolKind.CONTROL,
    args=EnterPlanArgs,
    run=run_enter_plan_mode,
)

EXIT_PLAN_MODE = ToolSpec(
    name="exit_plan_mode",
    description="Present the finished plan to the person, who approves it, sends it back with comments, or rejects it.",
    kind=ToolKind.CONTROL,
    args=ExitPlanArgs,
    run=run_exit_plan_mode,
    subject="title",
    subject_kind=SubjectKind.TEXT,
    asks_person=True,
)


def _result(answer: PlanAnswer, proposed: str, *, stays: str) -> ToolResult:
    detail = {
        "answer": answer.answer,
        "approved": [step.number for step in answer.approved],
        "refused": [step.number for step in answer.refused],
    }
    match answer.answer:
        case "approve" | "approve_ask" if answer.refused and not answer.approved:
            return ToolResult(_none_approved(answer, stays), "no step approved", detail=detail)
        case "approve" | "approve_ask":
            steps = len(answer.approved) + len(answer.refused)
            summary = f"{len(answer.approved)} of {steps} steps approved" if answer.refused else "approved"
            return ToolResult(_approved(answer, proposed), summary, detail=detail)
        case "refine":
            return ToolResult(_refined(answer, proposed, stays), "sent back", detail=detail)
        case "reject":
            note = f" The person says: {answer.note.strip()}" if answer.note.strip() else ""
            on_lines = _comments(replace(answer, note=""))
            text = "\n\n".join([f"The plan was rejected. {stays}; stop here.{note}", *on_lines])
            return ToolResult(text, "rejected", detail=detail, ends_turn=True)
        case _:
            return failed(
                "Nobody can review the plan here, so plan mode stays on; give the plan as your answer instead.",
                "nobody to review it",
            )


def _approved(answer: PlanAnswer, proposed: str) -> str:
    # what mode holds now is not told: the person may have changed it while the plan was read
    head = "The plan is approved in part." if answer.refused else "The plan is approved."
    asks = " The person wants to be asked before each edit." if answer.answer == "approve_ask" else ""
    parts = [f"{head} Carry it out now.{asks}"]
    if answer.message:
        parts.append(answer.message)
    if answer.refused:
        parts.append("\n".join(["Approved steps:", *_listed(answer.approved)]))
        parts.append("\n".join(["Refused steps, leave them out:", *_listed(answer.refused)]))
    parts += _edited(answer, proposed, "The person edited it; this text holds:")
    return "\n\n".join([*parts, *_comments(answer)])


def _none_approved(answer: PlanAnswer, stays: str) -> str:
    head = f"The person refused every step of the plan. {stays}. Do none of them; ask what to do instead."
    return "\n\n".join([head, *_comments(answer)])


def _refined(answer: PlanAnswer, proposed: str, stays: str) -> str:
    said = _edited(answer, proposed, "The person edited it; go on from this text:")
    if answer.refused:
        said.append("\n".join(["Steps that the person would not approve as they stand:", *_listed(answer.refused)]))
    said += _comments(answer)
    if not said:
        return (
            f"The person sent the plan back without a comment. {stays}. Ask what should be different, then present a "
            "new plan with exit_plan_mode."
        )
    return "\n\n".join([f"The person sent the plan back. {stays}; present a new plan with exit_plan_mode.", *said])


def _edited(answer: PlanAnswer, proposed: str, head: str) -> list[str]:
    text = answer.text.strip()
    return [f"{head}\n\n{text}"] if text and text != proposed.strip() else []


def _comments(answer: PlanAnswer) -> list[str]:
    """The person's words, each with the line it stands at: one paragraph, or nothing."""
    rows = [f"- On the whole plan: {_indented(answer.note)}"] if answer.note.strip() else []
    rows += [f"- On “{' '.join(line.split())}”: {_indented(comment)}" for line, comment in answer.comments]
    return ["\n".join(["Comments:", *rows])] if rows else []


def _indented(text: str) -> str:
    return text.strip().replace("\n", "\n  ")


def _listed(steps: tuple[PlanStep, ...]) -> list[str]:
    return [f"{step.number}. {step.text}" for step in steps]
