"""Which abilities there are now: what the host declares, and what enabled addons provide that are really there.

Computed anew at every call and never written into a plan. The detect command of a disabled addon is not run.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from decode_core.plans.addon_descriptors import Ability, Descriptor, read_descriptor
from decode_core.plans.addon_registry import Registry
from decode_core.plans.canonical import NotJsonError, parse_object
from decode_core.plans.errors import PlanError

DETECT_TIMEOUT_S = 10
_MAX_OUTPUT = 1 << 16


@dataclass(frozen=True)
class Detection:
    """What the machine says about an addon."""

    present: bool
    interface: int | None = None
    reason: str = ""
    """Why it cannot be used; empty if it can."""


Probe = Callable[[Descriptor], Detection]
"""Looks for an addon on this machine."""


@dataclass(frozen=True)
class Abilities:
    """Every ability with its sources (`host`, `addon:<key>`), and what stood in the way of others."""

    sources: Mapping[Ability, tuple[str, ...]]
    warnings: tuple[str, ...] = ()
    deferred: tuple[str, ...] = ()
    """Addons that are enabled, not there, and whose entry says so."""
    obstacles: Mapping[str, str] = field(default_factory=dict)
    """Why an enabled addon cannot be used, by its key."""


def effective_abilities(registry: Registry, probe: Probe, caps: Mapping[Ability, bool] | None = None) -> Abilities:
    """Unite the host's declaration (`caps` wins over the files) with what usable addons provide."""
    sources: dict[Ability, list[str]] = {}
    host = {**registry.host, **(caps or {})}
    for ability in Ability:
        if host.get(ability):
            sources.setdefault(ability, []).append("host")
    warnings, deferred, obstacles = list(registry.warnings), [], {}
    for key, entry in sorted(registry.addons.items()):
        if not entry.enabled:
            continue
        try:
            descriptor = read_descriptor(key)
        except PlanError as error:
            warnings.append(str(error))
            continue
        if descriptor is None:
            warnings.append(f"addon {key} is enabled, but this program knows no such addon; it is ignored")
            continue
        found = probe(descriptor)
        if found.reason:
            obstacles[key] = found.reason
        if found.present and not found.reason:
            for ability in descriptor.provides_abilities:
                sources.setdefault(ability, []).append(f"addon:{key}")
        elif not found.present and entry.note:
            deferred.append(key)
        else:
            warnings.append(f"addon {key} is enabled and cannot be used: {found.reason}")
    by_ability = {one: tuple(names) for one, names in sources.items()}
    return Abilities(by_ability, tuple(warnings), tuple(deferred), obstacles)


def machine_probe(root: Path, home: Path) -> Probe:
    """The probe of this machine; `root` and `home` are where paths of descriptors count from."""
    return lambda descriptor: _probe(descriptor, root, home)


def _probe(descriptor: Descriptor, root: Path, home: Path) -> Detection:
    detect = descriptor.detect
    output = ""
    if detect.command is not None:
        words = detect.command.split()
        program = find_program(words[0])
        if program is None:
            return Detection(present=False, reason=f"{words[0]} is not installed")
        result = _run([program, *words[1:]], home)
        if result is None:
            return Detection(present=False, reason=f"{detect.command!r} failed")
        output = result
    elif not any(_is_there(path, root, home) for path in detect.paths or ()):
        return Detection(present=False, reason="none of its files is there")
    wanted = descriptor.product.interface if descriptor.product else None
    if wanted is None:
        return Detection(present=True)
    interface = read_interface(detect.interface_from, output, home)
    if interface != wanted:
        return Detection(
            present=True, interface=interface, reason=f"it speaks interface {interface or 'unknown'}, not {wanted}"
        )
    return Detection(present=True, interface=interface)


def find_program(name: str) -> str | None:
    """The absolute path of a program on PATH or beside this one; a relative entry of PATH is not looked at."""
    entries = [entry for entry in os.environ.get("PATH", "").split(os.pathsep) if Path(entry).is_absolute()]
    own = str(Path(sys.executable).parent)
    return shutil.which(name, path=os.pathsep.join([*entries, own]))


def read_interface(where: str | None, output: str, home: Path) -> int | None:
    """The interface number that a detection shows, or None."""
    kind, _, rest = (where or "").partition(":")
    try:
        match kind:
            case "json":
                value = parse_object(output).get(rest)
            case "regex":
                found = re.search(rest, output)
                value = int(found[1]) if found else None
            case "file-json":
                path, _, field = rest.partition("#")
                value = parse_object((home / path.removeprefix("~/")).read_bytes()).get(field)
            case _:
                return None
    except (NotJsonError, OSError, ValueError, IndexError, re.error):
        return None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _run(argv: list[str], home: Path) -> str | None:
    try:
        done = subprocess.run(
            argv,
            cwd=home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=DETECT_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout[:_MAX_OUTPUT].decode("utf-8", errors="replace") if done.returncode == 0 else None


def _is_there(path: str, root: Path, home: Path) -> bool:
    place = home / path.removeprefix("~/") if path.startswith("~/") else root / path
    return place.is_file()
