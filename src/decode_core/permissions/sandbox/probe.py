"""Finds out whether commands can be run in a sandbox on this machine. I/O: it starts one short process."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import Path

from decode_core.permissions.sandbox.bubblewrap import bubblewrap_arguments
from decode_core.permissions.sandbox.places import PROGRAMS
from decode_core.permissions.sandbox.profile import Host, Profile, read_only_profile
from decode_core.permissions.sandbox.seatbelt import PROGRAM as SEATBELT, seatbelt_arguments
from decode_core.permissions.sandbox.standing import Standing

PROBE_TIMEOUT_S = 5.0


class Mechanism(StrEnum):
    """What makes the sandbox."""

    BUBBLEWRAP = "bubblewrap"
    SEATBELT = "sandbox-exec"


@dataclass(frozen=True)
class Found:
    """A mechanism that works here, or why there is none."""

    mechanism: Mechanism | None
    program: Path | None = None
    why_not: str = ""
    """A clause for people, and what they could do."""

    def under(self, wishes: Standing) -> Standing:
        """What the person wants, together with what there is."""
        return replace(wishes, mechanism=self.mechanism or "", why_not=self.why_not)


@cache
def find_sandbox(folders: tuple[str, ...] = PROGRAMS) -> Found:
    """Look once and remember. `folders` are where the program may lie: never in PATH, which others may have set."""
    if sys.platform == "darwin":
        return _try(Mechanism.SEATBELT, SEATBELT, lambda: seatbelt_arguments(_smallest()))
    if sys.platform != "linux":
        return Found(None, why_not=f"there is no sandbox for {sys.platform}")
    found = shutil.which("bwrap", path=os.pathsep.join(folders))
    if found is None:
        return Found(None, why_not="bubblewrap is not installed; install the package bubblewrap of your system")
    return _try(Mechanism.BUBBLEWRAP, Path(found), lambda: bubblewrap_arguments(_smallest(), start=Path("/")))


def _try(mechanism: Mechanism, program: Path, arguments: Callable[[], list[str]]) -> Found:
    command = [str(program), *arguments(), "/bin/sh", "-c", "exit 42"]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PROBE_TIMEOUT_S,
            check=False,
            env={"PATH": os.defpath},
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Found(None, why_not=f"{mechanism} does not run here ({type(error).__name__})")
    if done.returncode == 42:
        return Found(mechanism, program)
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or [f"exit code {done.returncode}"]
    return Found(None, why_not=f"{mechanism} does not work here ({lines[-1][:120]}); are user namespaces switched off?")


def _smallest() -> Profile:
    return read_only_profile(Host(home=Path("/")), [])
