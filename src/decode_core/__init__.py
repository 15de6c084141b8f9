"""decode_core: the headless core of decode. What is named here is the public surface; nothing else is.

Names are loaded on first use, so that importing the package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from decode_core.decisions import Allow, AllowScope, AnswerResult, Deny, PlanReview, Reply
    from decode_core.opening import open_session
    from decode_core.permissions.modes import PermissionMode, PermissionOutcome, ToolKind
    from decode_core.session import ModelError, Session, TurnRunning, UnknownAgent

_PLACES = {
    "Allow": "decisions",
    "AllowScope": "decisions",
    "AnswerResult": "decisions",
    "Deny": "decisions",
    "ModelError": "session",
    "PermissionMode": "permissions.modes",
    "PermissionOutcome": "permissions.modes",
    "PlanReview": "decisions",
    "Reply": "decisions",
    "Session": "session",
    "ToolKind": "permissions.modes",
    "TurnRunning": "session",
    "UnknownAgent": "session",
    "open_session": "opening",
}

__all__ = [
    "Allow",
    "AllowScope",
    "AnswerResult",
    "Deny",
    "ModelError",
    "PermissionMode",
    "PermissionOutcome",
    "PlanReview",
    "Reply",
    "Session",
    "ToolKind",
    "TurnRunning",
    "UnknownAgent",
    "open_session",
]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
