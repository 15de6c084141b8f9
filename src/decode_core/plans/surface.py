"""Touched surfaces: files, folders and globs of a repository, and whether two of them can meet."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import PurePosixPath

_GLOB = re.compile(r"[*?\[]")


def overlap(first: Iterable[str], second: Iterable[str]) -> tuple[str, str] | None:
    """The first pair of entries that can name the same file, or None.

    A folder covers what lies below it; two globs meet unless their fixed beginnings part. When in doubt they overlap.
    """
    others = list(second)
    for one in first:
        for other in others:
            if _meet(_normal(one), _normal(other)):
                return one, other
    return None


@cache
def _normal(entry: str) -> tuple[str, ...]:
    parts: list[str] = []
    for part in PurePosixPath(entry).parts:
        if part == ".." and parts:
            parts.pop()
        elif part not in (".", ".."):
            parts.append(part)
    return tuple(parts)


def _meet(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    if not one or not other:
        # one is the other, or a folder above it
        return True
    if "**" in (one[0], other[0]):
        return True
    return _parts_meet(one[0], other[0]) and _meet(one[1:], other[1:])


def _parts_meet(left: str, right: str) -> bool:
    """Whether two names can be the same; with wildcards, judged by what stands before and after them."""
    if not _GLOB.search(left) and not _GLOB.search(right):
        return left.casefold() == right.casefold()
    left_head, left_tail = _ends(left)
    right_head, right_tail = _ends(right)
    heads = left_head.startswith(right_head) or right_head.startswith(left_head)
    tails = left_tail.endswith(right_tail) or right_tail.endswith(left_tail)
    return heads and tails


def _ends(part: str) -> tuple[str, str]:
    if not _GLOB.search(part):
        return part.casefold(), part.casefold()
    pieces = re.split(r"[*?]|\[[^\]]*\]?", part.casefold())
    return pieces[0], pieces[-1]
