"""What the mode decides where no rule did: the table of permissions.md §2, step 9."""

from dataclasses import dataclass

from decode_core.permissions.modes import DecidedBy, PermissionMode, PermissionOutcome, ToolKind
from decode_core.permissions.request import PermissionRequest, SubjectKind
from decode_core.permissions.rules import Rule

PLAN_REASON = "The agent is in plan mode: it may read but not change anything. Describe the change instead."
DONT_ASK_REASON = "The agent is in dontAsk mode: calls that need approval are refused."


@dataclass(frozen=True)
class Verdict:
    """An outcome and whose it is; `effective_kind` None means: that of the call."""

    outcome: PermissionOutcome
    by: DecidedBy
    reason: str
    rule: Rule | None = None
    effective_kind: ToolKind | None = None


def by_mode(request: PermissionRequest, kind: ToolKind, mode: PermissionMode, reading: Rule | None) -> Verdict:
    """The verdict of `mode` on a call of this kind; `reading` is the readonly rule under which it is proven to read."""
    allow, ask, deny = PermissionOutcome.ALLOW, PermissionOutcome.ASK, PermissionOutcome.DENY
    match kind, mode:
        case ToolKind.READ_ONLY, _ if reading is not None:
            reason = f"It is proven to only read, and the readonly rule {reading.text} ({reading.source}) covers it."
            return Verdict(allow, DecidedBy.MODE, reason, reading)
        case ToolKind.READ_ONLY, _:
            return Verdict(allow, DecidedBy.MODE, "Read-only calls run in every mode.")
        case ToolKind.CONTROL, PermissionMode.DONT_ASK if request.asks_person:
            return Verdict(deny, DecidedBy.MODE, DONT_ASK_REASON)
        case ToolKind.CONTROL, _ if request.asks_person:
            return Verdict(ask, DecidedBy.MODE, "The tool puts its own question to you.")
        case ToolKind.CONTROL, _:
            return Verdict(allow, DecidedBy.MODE, "The tool only steers the session and needs nobody.")
        case _, PermissionMode.BYPASS:
            return Verdict(allow, DecidedBy.MODE, "Mode bypass runs everything that no rule stops.")
        case ToolKind.FILE_EDIT, PermissionMode.EDIT:
            return Verdict(allow, DecidedBy.MODE, "Mode edit runs file edits inside the workspace.")
        case _, PermissionMode.DONT_ASK:
            return Verdict(deny, DecidedBy.MODE, DONT_ASK_REASON)
        case _, PermissionMode.PLAN:
            # reached only with the plan ceiling switched off in user settings
            return Verdict(deny, DecidedBy.MODE, PLAN_REASON)
        case ToolKind.FILE_EDIT, _:
            return Verdict(ask, DecidedBy.MODE, f"Mode {mode} asks before file edits.")
        case _:
            return Verdict(ask, DecidedBy.MODE, f"Mode {mode} asks before {_what(request)}.")


def _what(request: PermissionRequest) -> str:
    return "commands" if request.subject_kind is SubjectKind.COMMAND else f"calls of {request.tool}"
