"""decode_core: the headless core of decode. What is named here is the public surface; nothing else is.

Names are loaded on first use, so that importing the package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from decode_core.config import ConfigError
    from decode_core.decisions import Allow, AllowScope, AnswerResult, Deny, DenyScope, PlanReview, Reply
    from decode_core.events import (
        AgentSelected,
        AssistantMessage,
        CallOutcome,
        CatalogReloaded,
        CheckpointCreated,
        CompactionDone,
        DecisionAnswered,
        DecisionRequested,
        DelegationChanged,
        Event,
        EventBase,
        ModeCause,
        ModeChanged,
        ModelChanged,
        NoticeLevel,
        NoticeRaised,
        PermissionDecided,
        Plan,
        PlanDecided,
        PlanProposed,
        PlanStep,
        QuestionKind,
        RetryScheduled,
        SessionOpened,
        SettingsReloaded,
        ShellLineFinished,
        ShellLineStarted,
        SteeringTaken,
        TextDelta,
        ThinkingDelta,
        TodoChanged,
        TodoItem,
        TodoStatus,
        ToolCallFinished,
        ToolCallProgress,
        ToolCallStarted,
        TurnEnd,
        TurnFinished,
        TurnResumed,
        TurnStarted,
        UsageUpdated,
        dump_event,
        parse_event,
    )
    from decode_core.guards import Block, Guard, GuardedCall, Rewrite, guard
    from decode_core.opening import open_session
    from decode_core.permissions.modes import DecidedBy, PermissionMode, PermissionOutcome, ToolKind
    from decode_core.permissions.request import SubjectKind
    from decode_core.permissions.tighten import Tighten
    from decode_core.session import ModelError, NoSuspendedTurn, Session, TurnRunning, UnknownAgent
    from decode_core.tools.custom import tool
    from decode_core.tools.spec import ToolContext, ToolResult, ToolSpec
    from decode_core.workspace import WorkspaceError

__all__ = [
    "AgentSelected",
    "Allow",
    "AllowScope",
    "AnswerResult",
    "AssistantMessage",
    "Block",
    "CallOutcome",
    "CatalogReloaded",
    "CheckpointCreated",
    "CompactionDone",
    "ConfigError",
    "DecidedBy",
    "DecisionAnswered",
    "DecisionRequested",
    "DelegationChanged",
    "Deny",
    "DenyScope",
    "Event",
    "EventBase",
    "Guard",
    "GuardedCall",
    "ModeCause",
    "ModeChanged",
    "ModelChanged",
    "ModelError",
    "NoSuspendedTurn",
    "NoticeLevel",
    "NoticeRaised",
    "PermissionDecided",
    "PermissionMode",
    "PermissionOutcome",
    "Plan",
    "PlanDecided",
    "PlanProposed",
    "PlanReview",
    "PlanStep",
    "QuestionKind",
    "Reply",
    "RetryScheduled",
    "Rewrite",
    "Session",
    "SessionOpened",
    "SettingsReloaded",
    "ShellLineFinished",
    "ShellLineStarted",
    "SteeringTaken",
    "SubjectKind",
    "TextDelta",
    "ThinkingDelta",
    "Tighten",
    "TodoChanged",
    "TodoItem",
    "TodoStatus",
    "ToolCallFinished",
    "ToolCallProgress",
    "ToolCallStarted",
    "ToolContext",
    "ToolKind",
    "ToolResult",
    "ToolSpec",
    "TurnEnd",
    "TurnFinished",
    "TurnResumed",
    "TurnRunning",
    "TurnStarted",
    "UnknownAgent",
    "UsageUpdated",
    "WorkspaceError",
    "dump_event",
    "guard",
    "open_session",
    "parse_event",
    "tool",
]

_ELSEWHERE = {
    "config": ("ConfigError",),
    "decisions": ("Allow", "AllowScope", "AnswerResult", "Deny", "DenyScope", "PlanReview", "Reply"),
    "guards": ("Block", "Guard", "GuardedCall", "Rewrite", "guard"),
    "opening": ("open_session",),
    "permissions.modes": ("DecidedBy", "PermissionMode", "PermissionOutcome", "ToolKind"),
    "permissions.request": ("SubjectKind",),
    "permissions.tighten": ("Tighten",),
    "session": ("ModelError", "NoSuspendedTurn", "Session", "TurnRunning", "UnknownAgent"),
    "tools.custom": ("tool",),
    "tools.spec": ("ToolContext", "ToolResult", "ToolSpec"),
    "workspace": ("WorkspaceError",),
}
_PLACES = {name: module for module, names in _ELSEWHERE.items() for name in names}
"""Where a public name is defined; the ones that are not listed are events."""


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PLACES.get(name, 'events')}"), name)
