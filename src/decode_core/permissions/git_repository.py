"""Reads a repository's configuration and index without starting git (permissions.md §6). I/O, no process."""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from decode_core.permissions.protected import is_secret

MAX_CONFIG_BYTES = 256 * 1024
MAX_INDEX_BYTES = 32 * 1024 * 1024

INERT_KEYS = re.compile(
    r"core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol"
    r"|safecrlf|quotepath|abbrev|untrackedcache|preloadindex|compression|checkstat|trustctime|hidedotfiles|longpaths"
    r"|sharedrepository|whitespace)"
    r"|extensions\.objectformat"
    r"|user\.(?:name|email)|author\.(?:name|email)|committer\.(?:name|email)|init\.defaultbranch"
    r"|remote\.[^\n]*\.(?:url|pushurl|fetch|push|tagopt|prune|pruneTags|gh-resolved)"
    r"|branch\.[^\n]*\.(?:remote|merge|rebase|description|pushremote|vscode-merge-base|gh-merge-base|github-pr-owner-number)"
    r"|branch\.(?:autosetupmerge|autosetuprebase|sort)|remote\.pushdefault"
    r"|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote|followtags)|fetch\.(?:prune|prunetags)|merge\.(?:ff|conflictstyle)"
    r"|rebase\.(?:autostash|autosquash|updaterefs)|rerere\.(?:enabled|autoupdate)|gc\.(?:auto|autodetach)"
    r"|color\.[^\n]*|column\.[^\n]*|advice\.[^\n]*|gui\.[^\n]*"
    r"|status\.(?:short|branch|showuntrackedfiles|showstash)|log\.(?:date|decorate|follow|abbrevcommit)"
    r"|diff\.(?:algorithm|renames|renamelimit|mnemonicprefix|noprefix|colormoved|context|interhunkcontext|statgraphwidth)"
    r"|commit\.(?:verbose|cleanup)|tag\.sort|submodule\.[^\n]*\.(?:url|active)",
    re.IGNORECASE,
)
"""Keys that make git run nothing and read nothing else. Any other key in the repository's own files asks."""

_SECTION = re.compile(r'\[\s*(?P<name>[A-Za-z0-9.-]+)(?:\s+"(?P<sub>(?:[^"\\\n]|\\.)*)")?\s*\]')
_KEY = re.compile(r"(?P<name>[A-Za-z][A-Za-z0-9-]*)\s*(?:=(?P<value>.*))?")


@dataclass(frozen=True)
class Index:
    """What the index says, as far as proofs need it."""

    secrets: tuple[str, ...]
    """Tracked paths that may hold a secret."""
    has_submodules: bool


def repository_problem(root: Path) -> str | None:
    """Why git in `root` may run or read something unseen, or None: a clause for people."""
    folder = root / ".git"
    if folder.is_symlink() or not folder.is_dir():
        return "the workspace is not the main work tree of a repository of its own"
    if (folder / "objects" / "info" / "alternates").exists() or (folder / "commondir").exists():
        return "the repository takes its objects from elsewhere"
    for name in ("objects", "refs", "index", "HEAD", "config", "info"):
        if (folder / name).is_symlink():
            return f".git/{name} is a link"
    for file in (folder / "config", folder / "config.worktree"):
        if problem := _config_problem(file):
            return problem
    return _personal_config_problem(root)


def read_index(root: Path) -> Index | None:
    """The index of the repository at `root`; None where it cannot be read in full."""
    file = root / ".git" / "index"
    try:
        info = file.stat()
    except FileNotFoundError:
        return Index((), has_submodules=False)
    except OSError:
        return None
    if info.st_size > MAX_INDEX_BYTES:
        return None
    return _index_of(file, info.st_mtime_ns, info.st_size, info.st_ino)


def _config_problem(file: Path) -> str | None:
    try:
        info = file.stat()
    except FileNotFoundError:
        return None
    except OSError as error:
        return f"the repository's configuration cannot be read ({error.strerror})"
    if info.st_size > MAX_CONFIG_BYTES:
        return "the repository's configuration is too long to check"
    return _checked_config(file, info.st_mtime_ns, info.st_ctime_ns, info.st_size, info.st_ino)


@lru_cache(maxsize=64)
def _checked_config(file: Path, changed_ns: int, touched_ns: int, size: int, inode: int) -> str | None:
    try:
        keys = list(config_keys(file.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return "the repository's configuration cannot be read"
    for key, value in keys:
        if not INERT_KEYS.fullmatch(key):
            return f"the repository's configuration sets {key}, which may run a program"
        if key.lower() == "core.bare" and (value or "true").strip().lower() not in ("false", "no", "off", "0"):
            return "the repository is bare"
    return None


def config_keys(text: str) -> Iterator[tuple[str, str | None]]:
    """Every key of a file of git's configuration with its value. Raises ValueError for a line that is none."""
    section = ""
    continues = False
    for line in text.splitlines():
        stripped = line.strip()
        if continues:
            continues = stripped.endswith("\\")
            continue
        while found := _SECTION.match(stripped):
            sub = f".{found['sub']}" if found["sub"] is not None else ""
            section = f"{found['name'].lower()}{sub}"
            stripped = stripped[found.end() :].strip()
        if not stripped or stripped[0] in "#;":
            continue
        key = _KEY.fullmatch(stripped)
        if key is None or not section:
            raise ValueError(f"not a line of configuration: {stripped[:40]!r}")
        continues = stripped.endswith("\\")
        yield f"{section}.{key['name'].lower()}", key["value"]


def _personal_config_problem(root: Path) -> str | None:
    """The person's own configuration is theirs, but no file of it may lie in the workspace."""
    home = Path.home()
    for file in (home / ".gitconfig", home / ".config" / "git" / "config"):
        try:
            real = file.resolve()
            exists = real.is_file()
        except (OSError, RuntimeError):
            return "your own git configuration cannot be read"
        if exists and root in real.parents:
            return "your own git configuration lies in the workspace"
    return None


@lru_cache(maxsize=16)
def _index_of(file: Path, changed_ns: int, size: int, inode: int) -> Index | None:
    try:
        data = file.read_bytes()
        return _parse_index(data)
    except (OSError, ValueError, struct.error, IndexError):
        return None


def _parse_index(data: bytes) -> Index:
    """Versions 2 and 3 of the format; raises ValueError for others, for split and for sparse indexes."""
    signature, version, count = struct.unpack_from(">4sII", data)
    if signature != b"DIRC" or version not in (2, 3):
        raise ValueError("an index of another format")
    position = 12
    secrets: list[str] = []
    has_submodules = False
    for _ in range(count):
        mode = struct.unpack_from(">I", data, position + 24)[0]
        flags = struct.unpack_from(">H", data, position + 60)[0]
        start = position + 62 + (2 if flags & 0x4000 else 0)
        end = data.index(b"\0", start)
        path = data[start:end].decode("utf-8", "surrogateescape")
        kind = mode >> 12
        if kind == 0o4:
            raise ValueError("a sparse index")
        has_submodules = has_submodules or kind == 0o16
        if is_secret(path):
            secrets.append(path)
        position += (end - position + 8) // 8 * 8
    while position + 8 <= len(data) - 20:
        name, length = struct.unpack_from(">4sI", data, position)
        if name in (b"link", b"sdir"):
            raise ValueError("a split or sparse index")
        position += 8 + length
    return Index(tuple(secrets), has_submodules)
