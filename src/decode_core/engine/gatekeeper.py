"""The gatekeeper: the innermost capability of the agent. What it does not clear does not run.

It hides tools per request, gives unknown names a stand-in, judges every call through the authoriser, runs the tool
and turns whatever the tool raises into a failed result: an exception of a tool never ends the run.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_ai import ModelResponse, ModelRetry, RunContext, ToolCallPart, ToolDefinition, ToolDenied, ToolFailed
from pydantic_ai.capabilities import AbstractCapability, CapabilityOrdering
from pydantic_ai.models import ModelRequestContext

from decode_core.call_progress import CallSoFar
from decode_core.decisions import Suspended
from decode_core.engine.authorise import Authoriser
from decode_core.engine.clearance import Cleared, Refused, TurnControl
from decode_core.engine.deps import TurnDeps
from decode_core.engine.running_calls import RunningCalls
from decode_core.engine.sandboxing import Sandboxing
from decode_core.engine.toolset import UNREADABLE, RegistryToolset
from decode_core.event_log import EventLog
from decode_core.events import CallOutcome, ToolCallFinished, ToolCallProgress, ToolCallStarted
from decode_core.permissions.modes import PermissionMode, ToolKind
from decode_core.state import SessionState
from decode_core.tools.registry import Registry
from decode_core.tools.shell import CWD, PASSED_NAMES
from decode_core.tools.spec import FileMemory, Limits, SessionControl, ToolContext, ToolResult
from decode_core.workspace import Workspace

logger = logging.getLogger(__name__)


class Gatekeeper(AbstractCapability[TurnDeps]):
    """Clears, runs and reports every call of a session's agent."""

    def __init__(
        self,
        *,
        registry: Registry,
        toolset: RegistryToolset,
        authoriser: Authoriser,
        state: SessionState,
        workspace: Workspace,
        control: SessionControl,
        spill_folder: Path,
        limits: Limits,
        env_pass: tuple[str, ...] = (),
        files: FileMemory | None = None,
        shell_folder: Path | None = None,
        sandboxing: Sandboxing | None = None,
    ) -> None:
        """`files` is what a resumed session has read, `shell_folder` where its shell was."""
        super().__init__()
        self.id = "gatekeeper"
        self._registry = registry
        self._toolset = toolset
        self._authoriser = authoriser
        self._state = state
        self._log: EventLog = state.log
        self._workspace = workspace
        self._control = control
        self._spill_folder = spill_folder
        self._limits = limits
        self._sandboxing = sandboxing
        self._files = files or FileMemory()
        self.running = RunningCalls()
        self._shell_state: dict[str, Any] = {PASSED_NAMES: env_pass, CWD: shell_folder}
        authoriser.shell_state = self._shell_state

    def get_ordering(self) -> CapabilityOrdering:
        """Innermost: nothing may change the arguments after the verdict."""
        return CapabilityOrdering(position="innermost")

    async def prepare_model_request(
        self, ctx: RunContext[TurnDeps], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """Show the model the tools that the active agent offers and the mode does not always refuse."""
        parameters = request_context.model_request_parameters
        shown = [tool for tool in parameters.function_tools if self._is_shown(tool.name)]
        return replace(request_context, model_request_parameters=replace(parameters, function_tools=shown))

    async def after_model_request(
        self, ctx: RunContext[TurnDeps], *, request_context: ModelRequestContext, response: ModelResponse
    ) -> ModelResponse:
        """Give every unknown name of the response a stand-in for this step, so that its call is recorded."""
        tools = ctx.tool_manager.tools if ctx.tool_manager else None
        if tools is not None:
            self._toolset.add_stand_ins(tools, response)
        return response

    async def on_tool_validate_error(
        self,
        ctx: RunContext[TurnDeps],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: str | dict[str, Any],
        error: ValidationError | ModelRetry,
    ) -> dict[str, Any]:
        """Arguments that are no JSON object go on to the gate, which records them as invalid."""
        return {UNREADABLE: "The arguments are not a JSON object; send one that fits the tool's schema."}

    async def wrap_tool_execute(
        self,
        ctx: RunContext[TurnDeps],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
        handler: Callable[[dict[str, Any]], Awaitable[Any]],
    ) -> Any:
        """Clear the call and run it; `handler` stays unused, since nothing may run past the gate."""
        spec = self._registry.get(call.tool_name)
        raw: dict[str, Any] | str = args.get(UNREADABLE, args)
        before = ctx.deps.suspended.pop(call.tool_call_id, None)
        if before is not None and not before.waits and before.verdict is not None:
            return self._given_back(before)
        if before is None:
            self._log.append(
                ToolCallStarted(
                    call_id=call.tool_call_id,
                    tool=call.tool_name,
                    kind=spec.kind if spec else None,
                    subject=spec.label(args) if spec else "",
                    args=raw if isinstance(raw, dict) else {},
                )
            )
        begun: float | None = None
        try:
            cleared = await self._authoriser.clear(call.tool_call_id, call.tool_name, raw, ctx.deps.control, before)
            if isinstance(cleared, Refused):
                self._finished(call, ToolResult(cleared.text, cleared.summary, cleared.outcome), begun)
                if cleared.outcome is CallOutcome.DENIED:
                    return ToolDenied(cleared.text)
                raise ToolFailed(cleared.text)
            begun = time.monotonic()
            result = await self._run(cleared)
            if result.blocked is not None:
                result = await self._maybe_outside(call, cleared, result, ctx.deps.control, begun)
        except Suspended:
            ctx.deps.control.suspended = True
            # what runs beside it ends first: its result is on the disk, and is not fetched a second time
            await self.running.none_left()
            raise
        except asyncio.CancelledError:
            if not ctx.deps.control.suspended or begun is not None:
                self._finished(call, ToolResult("Stopped by the person.", "stopped", CallOutcome.FAILED), begun)
            raise
        self._finished(call, result, begun)
        if result.ends_turn:
            ctx.deps.control.stop("the plan was rejected")
        return _for_model(result.outcome, result.text)

    def _given_back(self, before: CallSoFar) -> Any:
        """The result of a call of a suspended turn that ended, or that nobody can tell how it ended: not run again."""
        end = before.finished
        if end is None:
            end = self._log.append(before.as_closed())
        return _for_model(end.outcome, end.text)

    async def _maybe_outside(
        self, call: ToolCallPart, cleared: Cleared, result: ToolResult, turn: TurnControl, begun: float
    ) -> ToolResult:
        """Run a call that the sandbox blocked once more outside of it, if the person says so."""
        if self._sandboxing is not None:
            self._sandboxing.note_blocked(cleared.request)
        try:
            again = await self._authoriser.clear_outside(cleared, result.blocked or "", turn)
        except Suspended:
            self._finished(call, result, begun)
            raise
        match again:
            case Cleared():
                outside = await self._run(again, outside=True)
                text = f"{outside.text}\n(Run once outside the sandbox, as the person allowed; inside it had failed.)"
                return replace(outside, text=text)
            case Refused():
                return replace(result, text=f"{result.text}\n({again.text})")
            case None:
                return result

    async def _run(self, cleared: Cleared, *, outside: bool = False) -> ToolResult:
        call_id = cleared.request.call_id

        def progress(text: str) -> None:
            self._log.append(ToolCallProgress(call_id=call_id, text=text))

        context = ToolContext(
            workspace=self._workspace,
            request=cleared.request,
            files=self._files,
            control=self._control,
            limits=self._limits,
            progress=progress,
            spill_folder=self._spill_folder,
            shell_state=self._shell_state,
            sandbox=self._sandboxing.sandbox if self._sandboxing is not None else None,
            outside=outside,
        )
        try:
            return await self.running.run(cleared.request, _body(cleared, context))
        except Suspended:
            raise
        except Exception as error:
            logger.exception("the tool %s raised", cleared.spec.name)
            text = f"{cleared.spec.name} failed unexpectedly ({type(error).__name__}: {error})."
            return ToolResult(text, "failed", CallOutcome.FAILED)

    def _finished(self, call: ToolCallPart, result: ToolResult, begun: float | None) -> None:
        """Report the end; the time is that of the tool alone, without the wait for the person."""
        self._log.append(
            ToolCallFinished(
                call_id=call.tool_call_id,
                tool=call.tool_name,
                outcome=result.outcome,
                summary=result.summary,
                text=result.text,
                detail=dict(result.detail),
                elapsed_ms=0 if begun is None else int((time.monotonic() - begun) * 1000),
                seen=self._files.take_fresh(),
            )
        )

    def _is_shown(self, name: str) -> bool:
        spec = self._registry.get(name)
        if spec is None or not self._state.agent.offers(name):
            return False
        in_plan = self._state.mode is PermissionMode.PLAN
        if name == "exit_plan_mode":
            return in_plan
        if name == "enter_plan_mode":
            return not in_plan
        if in_plan and self._state.gate.plan_ceiling and spec.kind in (ToolKind.FILE_EDIT, ToolKind.OTHER):
            # bash stays in view where a readonly rule may prove a command harmless (plan-mode.md §4)
            return self._state.gate.may_prove(name)
        return True


async def _body(cleared: Cleared, context: ToolContext) -> ToolResult:
    return await cleared.spec.run(cleared.args, context)


def _for_model(outcome: CallOutcome, text: str) -> Any:
    """A result as the model library takes it."""
    match outcome:
        case CallOutcome.OK:
            return text
        case CallOutcome.DENIED:
            return ToolDenied(text)
        case CallOutcome.FAILED:
            raise ToolFailed(text)
