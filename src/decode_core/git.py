"""The one place where decode itself starts git (permissions.md §6 and §9).

A repository is hostile: its configuration may name programs that git runs for a mere status. So before git is started
its files of configuration are read; what would run a program is switched off, and what cannot be switched off refuses
the call. Nothing is taken from the environment but a few names, and the program is never one of the workspace.
"""

import os
import shutil
import stat
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from decode_core.permissions.git_repository import INERT_KEYS, MAX_CONFIG_BYTES, config_keys, read_index
from decode_core.search_path import trusted_path

TIMEOUT_S = 60.0
MAX_SUBMODULES = 50
_MAX_DEPTH = 5

_KEPT = frozenset({"HOME", "USER", "LOGNAME", "LANG", "TZ", "XDG_CONFIG_HOME"})
_HELD_STILL = {
    "safe.bareRepository": "explicit",
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.pager": "cat",
    "core.editor": "false",
    "core.askPass": "",
    "core.quotePath": "true",
    "log.showSignature": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "protocol.ext.allow": "never",
}
"""What git is told whatever the repository says."""

_FILTER_PARTS = {"clean": "", "smudge": "", "process": "", "required": "false"}
_COMPARING = frozenset({"diff", "log", "show", "diff-tree", "diff-index", "diff-files"})
_LOOKING_INTO_SUBMODULES = frozenset({"status", "diff", "diff-index", "diff-files"})


class GitError(Exception):
    """Git was not started, or did not end well. The message is one sentence."""


@dataclass(frozen=True)
class _Configuration:
    """What the files of a repository's configuration say."""

    problem: str = ""
    """Why git may not be started here, as a clause."""
    overrides: Mapping[str, str] = field(default_factory=dict)
    is_inert: bool = True
    """Whether no key may run anything."""


def run_git(folder: Path, *words: str, timeout_s: float = TIMEOUT_S, check: bool = True) -> bytes:
    """What `git words…` prints in `folder`, which may be any folder of a repository, or of none.

    Raises GitError: there is no git, the repository's configuration runs programs that cannot be switched off, the
    time is over, or, with `check`, git ended with a fault.
    """
    configuration = _configuration(folder)
    if configuration.problem:
        raise GitError(f"git was not started in {folder}: {configuration.problem}")
    environment = _environment(folder, configuration.overrides)
    program = shutil.which("git", path=environment["PATH"])
    if program is None:
        raise GitError("git was not found outside the workspace; install it")
    argv = [program, "--no-pager", "--no-optional-locks", words[0], *_switches(folder, words[0]), *words[1:]]
    return _run(argv, folder, environment, timeout_s, check=check)


def _switches(folder: Path, command: str) -> list[str]:
    """Options that keep a command from running what attributes and submodules name."""
    switches = ["--no-ext-diff", "--no-textconv"] if command in _COMPARING else []
    if command in _LOOKING_INTO_SUBMODULES and not _submodules_are_inert(folder, MAX_SUBMODULES):
        switches.append("--ignore-submodules=dirty")
    return switches


def _run(argv: list[str], folder: Path, environment: Mapping[str, str], timeout_s: float, *, check: bool) -> bytes:
    try:
        done = subprocess.run(
            argv,
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise GitError(f"git {argv[3]} took longer than {timeout_s:g} s") from None
    except (OSError, ValueError) as error:
        raise GitError(f"git could not be started: {error}") from None
    if check and done.returncode != 0:
        told = done.stderr.decode("utf-8", errors="replace").strip().splitlines()
        raise GitError(f"git {argv[3]} failed: {told[-1] if told else f'exit code {done.returncode}'}")
    return done.stdout


def _environment(folder: Path, overrides: Mapping[str, str]) -> dict[str, str]:
    root = Path(os.path.realpath(folder))
    kept = {name: value for name, value in os.environ.items() if name in _KEPT or name.startswith("LC_")}
    told = {**_HELD_STILL, **overrides}
    git = {"GIT_CONFIG_COUNT": str(len(told))}
    for number, (key, value) in enumerate(told.items()):
        git |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return {
        **kept,
        **git,
        "PATH": trusted_path(os.environ.get("PATH", os.defpath), lambda real: real == root or root in real.parents),
        "TERM": "dumb",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ATTR_NOSYSTEM": "1",
    }


def _configuration(folder: Path) -> _Configuration:
    """The configuration of the repository that holds `folder`; nothing to say where there is none."""
    marker = next((each / ".git" for each in (folder, *folder.parents) if (each / ".git").exists()), None)
    if marker is None:
        return _Configuration()
    try:
        files = list(_config_files(marker))
        keys = [key for file in files for key in _keys_of(file)]
    except (OSError, ValueError) as error:
        return _Configuration(f"its configuration cannot be read ({error})")
    overrides: dict[str, str] = {}
    for key in keys:
        section, _, rest = key.partition(".")
        if section in ("include", "includeif"):
            return _Configuration(f"its configuration takes more from another file ({key})")
        if key == "core.worktree":
            return _Configuration("its configuration points at another work tree (core.worktree)")
        name, _, part = rest.rpartition(".")
        if section == "filter" and part in _FILTER_PARTS:
            overrides |= {f"filter.{name}.{each}": value for each, value in _FILTER_PARTS.items()}
    return _Configuration("", overrides, all(INERT_KEYS.fullmatch(key) for key in keys))


def _config_files(marker: Path) -> Iterator[Path]:
    """The files of configuration that git reads for a `.git` folder, or for the file that stands for one."""
    place = marker
    if marker.is_file():
        text = _text(marker)
        if not text.startswith("gitdir:"):
            raise ValueError(".git is no folder and names none")
        place = Path(os.path.normpath(marker.parent / text.removeprefix("gitdir:").strip()))
    common = place
    if (place / "commondir").exists():
        common = Path(os.path.normpath(place / _text(place / "commondir").strip()))
    yield common / "config"
    yield place / "config.worktree"
    if common != place:
        yield common / "config.worktree"


def _keys_of(file: Path) -> Iterator[str]:
    if not file.exists():
        return
    for key, _ in config_keys(_text(file)):
        yield key


def _text(file: Path) -> str:
    """A small regular file as text. Raises OSError or ValueError."""
    descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as opened:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError(f"{file.name} is no regular file")
        data = opened.read(MAX_CONFIG_BYTES + 1)
    if len(data) > MAX_CONFIG_BYTES:
        raise ValueError(f"{file.name} is too long to check")
    return data.decode("utf-8")


def _submodules_are_inert(folder: Path, left: int, depth: int = 0) -> bool:
    """Whether git may look into every submodule, since none of them configures anything that runs."""
    index = read_index(folder) if (folder / ".git").is_dir() else None
    if index is not None and not index.has_submodules:
        return True
    if depth > _MAX_DEPTH:
        return False
    environment = _environment(folder, {})
    program = shutil.which("git", path=environment["PATH"])
    if program is None:
        return False
    argv = [program, "--no-pager", "--no-optional-locks", "ls-files", "--stage", "-z", "--full-name", ":/"]
    try:
        listed = _run(argv, folder, environment, TIMEOUT_S, check=True).split(b"\0")
        top = _run([*argv[:3], "rev-parse", "--show-toplevel"], folder, environment, TIMEOUT_S, check=True)
    except GitError:
        return not depth  # no work tree here: there is nothing to look into
    base = Path(os.fsdecode(top.rstrip(b"\n")))
    places = [base / os.fsdecode(entry.partition(b"\t")[2]) for entry in listed if entry.startswith(b"160000 ")]
    if len(places) > left:
        return False
    for place in places:
        if not (place / ".git").exists():
            continue
        configuration = _configuration(place)
        if configuration.problem or not configuration.is_inert:
            return False
        if not _submodules_are_inert(place, left - len(places), depth + 1):
            return False
    return True
