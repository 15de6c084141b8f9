"""The names of the workspace's files, and finding some of them by a few letters: what completion offers after `@`.

Names are listed by ripgrep, so ignore files are honoured and no git process is started. Finding is bounded: it looks at
each name once, in slices between which it can be cancelled, and keeps no more than it was asked for.
"""

import asyncio
import os
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

from decode_core.permissions.protected import is_secret
from decode_core.tools.ripgrep import LIST_FILES, RipgrepError, find_ripgrep, run_ripgrep
from decode_core.workspace import Workspace

MAX_FILES = 200_000
"""Files that are listed; a larger workspace is told to be cut."""
MAX_QUERY = 200
"""Letters of a query that are looked at."""
SLICE = 2_000
"""Names that are looked at between two chances to be cancelled."""


@dataclass(frozen=True)
class FileIndex:
    """The names in a workspace: POSIX paths from its root, folders with a slash behind, the nearest and shortest first.

    `problem` is one sentence on what is missing, empty where nothing is.
    """

    paths: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    """Files that may hold secrets: found by their whole name only."""
    problem: str = ""


async def list_files(workspace: Workspace, most: int = MAX_FILES) -> FileIndex:
    """List the files below the root. What stands in the way is the index's `problem`, never an exception."""
    program = find_ripgrep(workspace)
    if program is None:
        return FileIndex(problem="ripgrep (rg) is not installed, so files cannot be listed")
    found: list[str] = []

    def take(record: bytes) -> bool:
        found.append(os.fsdecode(record.removeprefix(b"./")))
        return len(found) < most

    try:
        folder = os.open(workspace.root, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        return FileIndex(problem=f"the workspace cannot be listed ({error.strerror})")
    try:
        ended = await run_ripgrep(program, LIST_FILES, folder, b"\0", take)
    except RipgrepError as error:
        return FileIndex(problem=str(error).rstrip("."))
    finally:
        os.close(folder)
    cut = ended.stopped or ended.timed_out
    return index_of(found, f"only the first {len(found):,} files are listed" if cut else "")


def index_of(files: Iterable[str], problem: str = "") -> FileIndex:
    """Put names in order, with the folders they lie in; what may hold secrets stands apart."""
    public: list[str] = []
    secrets: list[str] = []
    for path in files:
        (secrets if is_secret(path) else public).append(path)
    return FileIndex(tuple(_nearest_first(chain(public, _folders(public)))), tuple(_nearest_first(secrets)), problem)


async def find_files(index: FileIndex, query: str, most: int) -> tuple[str, ...]:
    """Return up to `most` names for a query, the best first.

    Best is a name that begins with it, then one that holds it, then a path that holds it, then letters in their order.
    Capitals do not matter. A file that may hold secrets is found only by its whole name.
    """
    wanted = _Wanted.of(query)
    ranks: tuple[list[str], ...] = tuple([] for _ in range(_Wanted.RANKS))
    ranks[0].extend([path for path in index.secrets if wanted.names(path)][:most])
    for start in range(0, len(index.paths), SLICE):
        for path in index.paths[start : start + SLICE]:
            rank = wanted.rank(path)
            if rank is not None and len(ranks[rank]) < most:
                ranks[rank].append(path)
        if len(ranks[0]) >= most:
            break
        await asyncio.sleep(0)
    return tuple([path for rank in ranks for path in rank][:most])


@dataclass(frozen=True)
class _Wanted:
    """A query, ready to be held against many names."""

    RANKS = 5

    letters: str
    in_order: re.Pattern[str]

    @classmethod
    def of(cls, query: str) -> "_Wanted":
        letters = query[:MAX_QUERY].casefold()
        # each letter is taken where it comes first, and never given back: linear, whatever a name looks like
        pattern = "".join(f"[^{re.escape(letter)}]*+{re.escape(letter)}" for letter in letters)
        return cls(letters, re.compile(pattern, re.DOTALL))

    def rank(self, path: str) -> int | None:
        """How well a path fits, 0 the best; None where it does not."""
        lower = path.casefold()
        name = lower[lower.rfind("/", 0, -1) + 1 :]
        if name.startswith(self.letters) or lower.startswith(self.letters):
            return 0
        if self.letters in name:
            return 1
        if self.letters in lower:
            return 2
        if not self.in_order.match(lower):
            return None
        return 3 if self.in_order.match(name) else 4

    def names(self, path: str) -> bool:
        """Whether the query is the whole name, or the whole path, of a file."""
        lower = path.casefold()
        return self.letters in (lower, lower.rpartition("/")[2])


def _folders(paths: Iterable[str]) -> set[str]:
    """The folders that the paths lie in, each with a slash behind."""
    folders: set[str] = set()
    for path in paths:
        end = path.rfind("/")
        while end > 0 and path[: end + 1] not in folders:
            folders.add(path[: end + 1])
            end = path.rfind("/", 0, end)
    return folders


def _nearest_first(paths: Iterable[str]) -> list[str]:
    """By depth, length and name. In many small sorts: one large one would hold up every other thread."""
    groups: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for path in paths:
        groups[path.rstrip("/").count("/"), len(path)].append(path)
    return [path for group in sorted(groups) for path in sorted(groups[group])]
