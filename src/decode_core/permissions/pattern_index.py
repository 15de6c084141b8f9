"""Finds the few patterns that may match a text, without trying each one. Pure.

A pattern begins and ends with literal text or with a wildcard; the longer of its two literal ends is looked up in a
table. What is found still has to be matched: an index only leaves out what cannot match.
"""

from collections.abc import Iterable

from decode_core.permissions.patterns import Pattern


class PatternIndex:
    """Numbered patterns. `always` are numbers that every text finds, such as rules without a pattern."""

    def __init__(self, patterns: Iterable[tuple[int, Pattern]], always: Iterable[int] = ()) -> None:
        self._always = frozenset(always)
        self._anywhere: list[tuple[int, str]] = []
        """Patterns with a wildcard at both ends, and the longest text that must stand between."""
        self._prefixes: dict[str, list[int]] = {}
        self._suffixes: dict[str, list[int]] = {}
        for number, pattern in patterns:
            if not pattern.prefix and not pattern.suffix:
                self._anywhere.append((number, pattern.longest_literal))
            elif len(pattern.prefix) >= len(pattern.suffix):
                self._prefixes.setdefault(pattern.prefix, []).append(number)
            else:
                self._suffixes.setdefault(pattern.suffix, []).append(number)
        self._prefix_lengths = _lengths_by((prefix[0], len(prefix)) for prefix in self._prefixes)
        self._suffix_lengths = _lengths_by((suffix[-1], len(suffix)) for suffix in self._suffixes)

    def find(self, texts: Iterable[str]) -> list[int]:
        """Numbers of all patterns that may match one of `texts`, in ascending order."""
        found = set(self._always)
        for text in texts:
            for length in self._prefix_lengths.get(text[:1], ()):
                found.update(self._prefixes.get(text[:length], ()))
            for length in self._suffix_lengths.get(text[-1:], ()):
                found.update(self._suffixes.get(text[-length:], ()))
            for number, literal in self._anywhere:
                if literal in text:
                    found.add(number)
        return sorted(found)


def _lengths_by(ends: Iterable[tuple[str, int]]) -> dict[str, tuple[int, ...]]:
    """The lengths of the ends that share their outermost character: most texts share it with none."""
    lengths: dict[str, set[int]] = {}
    for character, length in ends:
        lengths.setdefault(character, set()).add(length)
    return {character: tuple(sorted(found)) for character, found in lengths.items()}
