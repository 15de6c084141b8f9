"""From a tool and valid arguments to the request that the gate judges."""

from collections.abc import Collection

from decode_core.permissions.request import PermissionRequest
from decode_core.permissions.resolve import resolve
from decode_core.tools.spec import ToolArgs, ToolSpec
from decode_core.workspace import Workspace


def freeze_call(
    spec: ToolSpec,
    args: ToolArgs,
    workspace: Workspace,
    *,
    call_id: str,
    agent_path: tuple[str, ...] = (),
    offers_exit_plan_mode: bool = False,
    named_hosts: Collection[str] = (),
) -> PermissionRequest:
    """Look at whatever the call touches and freeze it. Reads file facts; never raises."""
    dumped = args.model_dump(mode="json", exclude_none=True)
    return resolve(
        call_id=call_id,
        tool=spec.name,
        kind=spec.kind,
        subject=str(dumped.get(spec.subject, "")) if spec.subject else "",
        subject_kind=spec.subject_kind,
        args=dumped,
        workspace=workspace,
        asks_person=spec.asks_person,
        needs_approval=spec.needs_approval(args) if callable(spec.needs_approval) else spec.needs_approval,
        agent_path=agent_path,
        offers_exit_plan_mode=offers_exit_plan_mode,
        named_hosts=named_hosts,
    )
