"""Whether something of a plan may be started here: trust in the folder and the contract, and the rules for `bash`.

Source: delegation.md §3, "Before anything of a plan in an untrusted folder runs". A clone can bring a plan that says of
itself that it was approved. So a contract counts here when a person approved just this one on this machine; that is
remembered as trust in the plan's folder, by the identities of its contracts.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from decode_core.plans.addon_descriptors import Descriptor
from decode_core.plans.addon_detection import Detection, Probe, machine_probe
from decode_core.plans.errors import PlanError
from decode_core.plans.folder import LoadedPlan
from decode_core.plans.verbs.gate import Permit, Walls

if TYPE_CHECKING:
    from decode_core.trust.content import FolderContent


@dataclass(frozen=True)
class GateQuestion:
    """What a person is asked before a command of a contract runs."""

    plan: str
    """The plan's name."""
    command: str
    reason: str
    """Why it does not run unasked: one sentence."""


Confirm = Callable[[GateQuestion], bool]
"""Asks a person; False where there is nobody, and for no."""

NOBODY: Confirm = lambda _: False  # noqa: E731 - a constant of this kind
"""There is no person to ask."""


def approve_here(plan: LoadedPlan) -> None:
    """Remember that a person approved the plan's contracts on this machine. Raises PlanError."""
    from decode_core.trust.record import TrustError, TrustRecord

    try:
        TrustRecord().trust(_contracts_of(plan))
    except TrustError as error:
        raise PlanError(str(error)) from None


def is_approved_here(plan: LoadedPlan) -> bool:
    """Whether just these contracts were approved on this machine."""
    from decode_core.trust.record import TrustError, TrustRecord

    try:
        return TrustRecord().is_trusted(_contracts_of(plan))
    except TrustError:
        return False


def gate_permit(confirm: Confirm = NOBODY) -> Permit:
    """The permit of this machine for gates: trust, then the rules for `bash`, in its environment and its sandbox.

    A deny is never lifted. What the rules would ask by themselves is answered by the approval, since a person approved
    exactly this text; what the person wants to be asked about, by an `ask` rule, is asked every time.
    """

    def permit(plan: LoadedPlan, command: str) -> Walls:
        distrust = folder_distrust(plan.folder.root)
        if distrust is not None:
            raise PlanError(distrust)
        walls, question = _judge(plan, command)
        is_new = not is_approved_here(plan)
        if question is None and is_new:
            question = "the contract was not approved on this machine"
        if question is not None and not confirm(GateQuestion(plan.folder.name, command, question)):
            raise PlanError(f"{question}; run the gate at a terminal, read what is asked there, and confirm it")
        if is_new:
            approve_here(plan)
        return walls

    return permit


def trusting_probe(root: Path, home: Path) -> Probe:
    """The probe of this machine, which starts nothing for a folder that is not trusted."""
    distrust = folder_distrust(root)
    if distrust is None:
        return machine_probe(root, home)

    def refuse(_: Descriptor) -> Detection:
        return Detection(present=False, reason=distrust)

    return refuse


def folder_distrust(root: Path) -> str | None:
    """Why nothing of a plan is started in a folder, or None: what it brings must have been trusted."""
    # looked at for a gate or a detection alone; `status` answers without it
    from decode_core.trust.folder import look_at

    trust = look_at(root)
    if trust.counts:
        return None
    return trust.problem or (
        f"{root} is not trusted, so nothing is started for its plans; look at it and run `decode trust` there"
    )


def _judge(plan: LoadedPlan, command: str) -> tuple[Walls, str | None]:
    """How the command may run by the rules for `bash`, and what a person is still to be asked. Raises PlanError."""
    from decode_core.opening import make_gate, survey
    from decode_core.permissions.modes import DecidedBy, PermissionMode, PermissionOutcome
    from decode_core.tools.calls import freeze_call
    from decode_core.tools.shell import BASH, BashArgs
    from decode_core.tools.shell_environment import shell_environment
    from decode_core.work_plans.gate_walls import gate_walls
    from decode_core.workspace import Workspace

    around = survey(Workspace.open(plan.folder.root))
    request = freeze_call(BASH, BashArgs(command=command), around.workspace, call_id="gate")
    decision = make_gate(around.settings, PermissionMode.DEFAULT).check(request)
    environment = shell_environment(os.environ, around.settings.values.env.passed)
    walls = gate_walls(around.workspace, around.settings.values.sandbox, environment)
    match decision.outcome:
        case PermissionOutcome.ALLOW:
            return walls, None
        case PermissionOutcome.ASK:
            insists = decision.by in (DecidedBy.RULE, DecidedBy.DEGRADED)
            return walls, decision.reason.rstrip(".") if insists else None
        case _:
            raise PlanError(f"your permission rules do not let this gate run: {decision.reason}")


def _contracts_of(plan: LoadedPlan) -> "FolderContent":
    from decode_core.trust.content import ContentFile, FolderContent

    place = plan.folder.path.resolve()
    files = tuple(ContentFile(f"contract.r{one.model.revision:06}", one.id.encode()) for one in plan.contracts)
    return FolderContent(place, place.stat().st_uid, files)
