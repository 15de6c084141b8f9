"""A gate's command under the person's own permission rules: a contract never lifts a deny."""

from pathlib import Path


def denial_of(command: str, root: Path) -> str | None:
    """Why the permission gate denies a command as a call of `bash`, or None.

    What it would ask is answered: a person approved exactly this text in the contract, and runs the verb.
    """
    # settings, tools and agents are read for a gate alone; `status` answers without them
    from decode_core.opening import make_gate, survey
    from decode_core.permissions.modes import PermissionMode, PermissionOutcome
    from decode_core.workspace import Workspace
    from decode_ui.headless.permissions import request_for

    around = survey(Workspace.open(root))
    request = request_for(around.registry, around.workspace, "bash", {"command": command})
    decision = make_gate(around.settings, PermissionMode.DEFAULT).check(request)
    return None if decision.outcome in (PermissionOutcome.ALLOW, PermissionOutcome.ASK) else decision.reason
