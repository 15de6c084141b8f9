"""Verdicts over calls that nobody makes: a call with other arguments, or earlier calls under a rule that is being
written (keys.md §5.2, ui.md §4). Reads facts of files, so that it belongs on a thread of its own.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from decode_core.events import EventBase, ToolCallStarted
from decode_core.permissions.request import PermissionDecision, PermissionRequest
from decode_core.state import SessionState
from decode_core.tools.calls import freeze_call
from decode_core.tools.registry import Registry
from decode_core.tools.spec import ToolArgs
from decode_core.workspace import Workspace

MAX_EARLIER = 500
"""Earlier calls of a tool that a rule is tried on, the latest of them, each subject once."""


@dataclass(frozen=True)
class Rehearsed:
    """What a call would come to. `decision` is None where the arguments cannot be used, for the reason `problem`."""

    request: PermissionRequest
    decision: PermissionDecision | None = None
    problem: str | None = None


class Rehearsal:
    """Judges as the session would, under the rules and the mode in force, and records nothing."""

    def __init__(
        self, registry: Registry, workspace: Workspace, state: SessionState, events: Callable[[], Sequence[EventBase]]
    ) -> None:
        self._registry = registry
        self._workspace = workspace
        self._state = state
        self._events = events

    @property
    def tools(self) -> tuple[str, ...]:
        """The names of all tools."""
        return tuple(self._registry.names)

    def judge(self, tool: str, args: Mapping[str, Any]) -> Rehearsed:
        """The verdict over a call with these arguments. Guards are not heard: they may have effects."""
        spec = self._registry.get(tool)
        if spec is None:
            return Rehearsed(PermissionRequest("rehearsal", tool, None), problem=f"There is no tool named {tool!r}.")
        valid = self._registry.validate(tool, args)
        if not isinstance(valid, ToolArgs):
            return Rehearsed(PermissionRequest("rehearsal", tool, spec.kind, invalid=valid), problem=valid)
        request = freeze_call(
            spec,
            valid,
            self._workspace,
            call_id="rehearsal",
            named_hosts=self._state.named_hosts,
            agent_path=(self._state.agent.name,),
        )
        return Rehearsed(request, self._state.gate.check(request))

    def about(self, tool: str, subject: str) -> Rehearsed:
        """The verdict over a call of `tool` about `subject`, whatever else its arguments are."""
        spec = self._registry.get(tool)
        args: dict[str, Any] = {} if spec is None or spec.subject is None else {spec.subject: subject}
        fields = {} if spec is None else spec.args.model_fields
        for name, info in fields.items():
            if info.is_required() and name not in args:
                args[name] = "…"
        return self.judge(tool, args)

    def earlier(self, tool: str, *, but: str = "") -> tuple[PermissionRequest, ...]:
        """The calls of a tool in this session, oldest first, each subject once; without the call `but`."""
        found: dict[str, PermissionRequest] = {}
        for event in reversed(self._events()):
            if isinstance(event, ToolCallStarted) and event.tool == tool and event.call_id != but:
                request = self.judge(tool, event.args).request
                if request.invalid is None:
                    found.setdefault(request.subject, replace(request, args={}))
            if len(found) == MAX_EARLIER:
                break
        return tuple(found.values())[::-1]
