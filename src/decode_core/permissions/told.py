"""A verdict in words, step by step: the same for `decode permissions check`, the question and the log. Pure.

What the call is about is foreign text: front ends neutralise every line.
"""

from collections.abc import Iterator, Sequence


def verdict_lines(
    *, outcome: str, tool: str, subject: str, reason: str, by: str, mode: str, steps: Sequence[str]
) -> Iterator[str]:
    """The verdict, its reason, and the steps of permissions.md §2 that had something to say, numbered."""
    yield f"{outcome}  {tool} {subject}".rstrip()
    yield f"{reason} (by {by}, mode {mode})"
    yield from (f"  {number}. {step}" for number, step in enumerate(steps, 1))
