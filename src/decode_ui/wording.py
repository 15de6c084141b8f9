"""Short words for verdicts: why a call was allowed, who said so. Pure; foreign text is neutralised by the caller."""

from decode_core.events import DecisionAnswered, ModeCause, PermissionDecided, PlanDecided
from decode_core.neutral import neutralise_line
from decode_core.permissions.modes import DecidedBy, PermissionOutcome, ToolKind

ONE_LINE_CHARACTERS = 80

ANSWERS = {
    "once": "once",
    "session": "for this session",
    "always": "always",
    "edited": "with changes",
    "denied": "denied",
    "declined": "declined",
    "answered": "answered",
    "withdrawn": "nobody answered",
    "approve": "approved",
    "approve_ask": "approved, one by one",
    "refine": "sent back",
    "reject": "rejected",
}
"""The words of an answer."""

CAUSES = {
    ModeCause.KEY: "you",
    ModeCause.COMMAND: "you",
    ModeCause.FLAG: "command line",
    ModeCause.AGENT_SELECTED: "agent selected",
    ModeCause.ENTER_PLAN_MODE: "the agent wants to plan",
    ModeCause.EXIT_PLAN_MODE: "plan approved",
    ModeCause.API: "program",
}
"""Who or what changed the mode."""


def short_reason(event: PermissionDecided) -> str:
    """A few words on what settled the verdict: `read-only`, `mode edit`, `rule bash(git *)`."""
    match event.by:
        case DecidedBy.RULE | DecidedBy.REMEMBERED if event.rule is not None:
            return f"rule {event.rule.text}"
        case DecidedBy.MODE if event.kind is ToolKind.READ_ONLY:
            return "read-only"
        case DecidedBy.MODE if event.kind is ToolKind.CONTROL:
            return "steers only"
        case DecidedBy.MODE:
            return f"mode {event.mode}"
        case DecidedBy.PLAN_CEILING:
            return "plan changes nothing"
        case DecidedBy.PROTECTED:
            return "protected"
        case DecidedBy.REGISTRY:
            return "no such tool"
        case DecidedBy.ARGUMENTS:
            return "arguments"
        case DecidedBy.DEGRADED:
            return "settings are broken"
        case _:
            return event.by.value


def why(event: PermissionDecided) -> str:
    """Why a call runs or not, for its line in the chat."""
    match event.outcome:
        case PermissionOutcome.ALLOW:
            return f"allowed: {short_reason(event)}"
        case PermissionOutcome.ASK:
            return "asks you"
        case PermissionOutcome.DENY:
            return f"denied: {short_reason(event)}"
        case _:
            return short_reason(event)


def answer_words(event: DecisionAnswered) -> str:
    """What the person answered, for the call's line: `asked you: allowed once`."""
    word = ANSWERS.get(event.answer, event.answer)
    if event.answer in ("once", "session", "always", "edited"):
        return f"asked you: allowed {word}"
    return f"asked you: {word}"


def plan_words(event: PlanDecided) -> str:
    """What became of a plan: `plan version 2 approved, 3 of 4 steps · .decode/plans/2026-03-04-retries.md`."""
    plan, word = event.plan, ANSWERS.get(event.answer, event.answer)
    part = plan.approved is not None and len(plan.approved) < len(plan.steps)
    count = f", {len(plan.approved or ())} of {len(plan.steps)} steps" if part else ""
    said = f" · {len(event.comments)} comment{'s' if len(event.comments) > 1 else ''}" if event.comments else ""
    return f"plan version {plan.version} {word}{count}{said}" + (f" · {event.file}" if event.file else "")


def seconds(milliseconds: int) -> str:
    """A time in as few signs as it takes: `2.1 s`, `38 s`, `3 min`."""
    value = milliseconds / 1000
    if value < 10:
        return f"{value:.1f} s".replace(".0 s", " s")
    return f"{value:.0f} s" if value < 120 else f"{value / 60:.0f} min"


def one_line(text: str) -> str:
    """A foreign text on one short inert line."""
    line = neutralise_line(text.strip().replace("\n", " "))
    return line if len(line) <= ONE_LINE_CHARACTERS else line[: ONE_LINE_CHARACTERS - 1] + "…"
