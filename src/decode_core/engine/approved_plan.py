"""The approved plan for the model: the paragraph that goes with every request while the plan is carried out.

The plan's text is in the history, as the arguments of exit_plan_mode or as the text that the person edited. Once it is
not (compaction, a history that could not be read back), the paragraph brings it along (plan-mode.md §2).
"""

from collections.abc import Sequence

from pydantic_ai import ModelMessage, ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart

from decode_core.event_values import Plan

TOOL = "exit_plan_mode"


def approved_paragraph(plan: Plan, messages: Sequence[ModelMessage]) -> str:
    """What the model is told of an approved plan; `messages` is the history that goes with the request."""
    named = f" “{' '.join(plan.title.split())}”" if plan.title.strip() else ""
    approved = plan.approved or ()
    steps = [f"{step.number}. {step.text}" for step in plan.steps if step.number in approved]
    parts = [
        f"The person approved the plan{named} (version {plan.version}). Of the plan carry out these steps and no "
        "others; items of the to-do list name the step that they serve (`step`):\n" + "\n".join(steps)
    ]
    if not holds_plan(messages, plan):
        parts.append(f"The whole plan, for reference:\n\n{plan.text.strip()}")
    return "\n\n".join(parts)


def holds_plan(messages: Sequence[ModelMessage], plan: Plan) -> bool:
    """Whether the text of `plan` stands in the history, proposed or edited; the newest messages are looked at first."""
    text = plan.text.strip()
    for message in reversed(messages):
        match message:
            case ModelResponse(parts=parts):
                calls = (part for part in parts if isinstance(part, ToolCallPart) and part.tool_name == TOOL)
                if any(_proposed(call) == text for call in calls):
                    return True
            case ModelRequest(parts=parts):
                results = (part for part in parts if isinstance(part, ToolReturnPart) and part.tool_name == TOOL)
                if any(text in str(result.content) for result in results):
                    return True
    return False


def _proposed(call: ToolCallPart) -> str:
    try:
        plan = call.args_as_dict().get("plan", "")
    except ValueError:
        return ""  # arguments that are no JSON: never a plan that was reviewed
    return plan.strip() if isinstance(plan, str) else ""
