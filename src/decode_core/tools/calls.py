"""From a tool and valid arguments to the request that the gate judges."""

import logging
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from decode_core.permissions.modes import PermissionOutcome
from decode_core.permissions.request import PermissionRequest
from decode_core.permissions.resolve import resolve
from decode_core.permissions.tighten import Tighten
from decode_core.tools.spec import ToolArgs, ToolSpec
from decode_core.workspace import Workspace

logger = logging.getLogger(__name__)


def freeze_call(
    spec: ToolSpec,
    args: ToolArgs,
    workspace: Workspace,
    *,
    call_id: str,
    agent_path: tuple[str, ...] = (),
    offers_exit_plan_mode: bool = False,
    named_hosts: Collection[str] = (),
    folder: Path | None = None,
    refused: str | None = None,
) -> PermissionRequest:
    """Look at whatever the call touches and freeze it. Reads file facts; never raises.

    `folder` is where a command begins (default: the root of the workspace). `refused` says why the call is out of the
    question, as one sentence: the active agent has no such tool.
    """
    dumped = args.model_dump(mode="json", exclude_none=True)
    request = resolve(
        call_id=call_id,
        tool=spec.name,
        kind=spec.kind,
        subject=str(dumped.get(spec.subject, "")) if spec.subject else "",
        subject_kind=spec.subject_kind,
        args=dumped,
        workspace=workspace,
        asks_person=spec.asks_person,
        agent_path=agent_path,
        offers_exit_plan_mode=offers_exit_plan_mode,
        named_hosts=named_hosts,
        folder=folder,
    )
    if refused is not None:
        return replace(request, refused_by_tool=refused)
    return _with_wish(request, spec, args)


def _with_wish(request: PermissionRequest, spec: ToolSpec, args: ToolArgs) -> PermissionRequest:
    """The request with the tool's own `needs_approval`; one that fails, or gives back something else, denies."""
    wish: object = spec.needs_approval
    if callable(spec.needs_approval):
        try:
            wish = spec.needs_approval(args)
        except Exception as error:
            logger.exception("needs_approval of %s raised", spec.name)
            why = f"{type(error).__name__}: {error}"
            return replace(request, unjudged=f"needs_approval of {spec.name} failed ({why}), so the call does not run.")
    match wish:
        case None | bool():
            return replace(request, needs_approval=wish)
        case Tighten(PermissionOutcome.DENY, reason):
            return replace(request, refused_by_tool=reason)
        case Tighten():
            return replace(request, needs_approval=True)
        case _:
            why = f"needs_approval of {spec.name} gave {type(wish).__name__}, which is no answer"
            return replace(request, unjudged=f"{why}, so the call does not run.")
