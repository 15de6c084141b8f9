"""The walls around a plan's gates: the sandbox that commands of `bash` run in, *workspace* profile (delegation.md §3).

A gate needs no session, so that a sandbox is opened for the one command. The plan's records are read-only in it.
"""

import os
import secrets
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from decode_core.permissions.sandbox.profile import Limits, ProfileKind
from decode_core.plans.errors import PlanError
from decode_core.plans.gate_process import Inside
from decode_core.plans.verbs.gate import Walls, no_walls
from decode_core.settings.schema import SandboxSettings
from decode_core.workspace import Workspace

if TYPE_CHECKING:
    from decode_core.tools.guarded_state import Difference


def gate_walls(workspace: Workspace, wishes: SandboxSettings, environment: Mapping[str, str]) -> Walls:
    """The walls by the person's settings; none where they want none, or where there is none and they do not insist.

    Raises PlanError where the settings require a sandbox and there is none.
    """
    from dataclasses import replace

    from decode_core.permissions.sandbox import probe
    from decode_core.tools.shell_sandbox import open_sandbox

    # in the system's own folder and with a name of its own: what a gate leaves in it is nobody's
    place = Path(tempfile.gettempdir()) / f"decode-gate-{secrets.token_hex(8)}"
    standing = wishes.standing()
    sandbox = open_sandbox(workspace, place, standing, wishes.writable)
    if sandbox is None:
        return no_walls(environment)
    found = probe.find_sandbox()
    if found.mechanism is None:
        refusal = replace(standing, why_not=found.why_not).refusal
        if refusal is not None:
            raise PlanError(refusal.rstrip("."))
        return no_walls(environment)

    @contextmanager
    def walls() -> Iterator[Inside]:
        from decode_core.tools.shell import find_bash

        bash = find_bash(workspace)
        if bash is None:
            raise PlanError("there is no bash outside the workspace, and the sandbox needs it; install it")
        try:
            place.mkdir(mode=0o700)
            with sandbox.around(found, ProfileKind.WORKSPACE, workspace.root) as prepared:
                wrapped = prepared.wrapped
                before = (
                    *wrapped.argv,
                    str(bash),
                    "--noprofile",
                    "--norc",
                    "-c",
                    f'{_limits(wrapped.limits)}exec "$@"',
                    "bash",
                )
                seen = prepared.environment(environment)
                yield Inside(seen, before, wrapped.descriptors, wrapped.must_not_be, prepared.blocked)
        except OSError as error:
            raise PlanError(f"the sandbox could not be set up: {error.strerror or error}; nothing was run") from None
        finally:
            _tidy(place)
        if prepared.differences:
            raise PlanError(_told(prepared.differences[0], workspace))

    return walls


def _limits(limits: Limits) -> str:
    """Shell text that sets the limits for what follows; a limit that is lower already stays."""
    memory = f"ulimit -d {limits.memory_kib}; " if limits.memory_kib else ""
    return f"{{ ulimit -c 0; ulimit -u {limits.processes}; {memory}}} 2>/dev/null; "


def _told(difference: "Difference", workspace: Workspace) -> str:
    name = workspace.relative(difference.path)
    what = "made" if difference.came else "changed"
    end = "it was put back as it was" if difference.restored else "it could not be put back"
    kept = f", and the changed one lies in {difference.kept_as}" if difference.kept_as is not None else ""
    return f"the gate {what} {name}, which is protected; {end}{kept}; nothing is recorded"


def _tidy(place: Path) -> None:
    """Remove what was private to the command, but not a changed version that was kept aside."""
    import shutil

    shutil.rmtree(place / "tmp", ignore_errors=True)
    with suppress(OSError):
        os.rmdir(place)  # noqa: PTH106 - only if it is empty
