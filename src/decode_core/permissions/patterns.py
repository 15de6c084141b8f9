"""Pattern matching for rules: wide for deny and ask, narrow for allow and readonly (permissions.md §3).

Patterns know `*` and, for paths, `**`; `[…]` is a set of literal characters, so `[*]` is a star (the `glob.escape`
way). Matching is linear in time: no regular expression, no backtracking beyond the last star.
"""

from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache


class Wild(Enum):
    """A wildcard token of a compiled pattern."""

    STAR = auto()
    """Any run of characters but `/` where slashes matter, else any run."""
    DOUBLE_STAR = auto()
    """Any run of characters, slashes included."""
    ONE = auto()
    """Exactly one character."""


@dataclass(frozen=True)
class Pattern:
    """A compiled pattern: wildcards and the sets of characters that stand between them."""

    text: str
    tokens: tuple[Wild | frozenset[str] | str, ...]

    @property
    def is_literal(self) -> bool:
        """Whether the pattern holds no wildcard at all, so that it matches exactly one text."""
        return not any(isinstance(token, Wild) for token in self.tokens)

    @property
    def literal(self) -> str:
        """The one text that a literal pattern matches."""
        return "".join(
            token if isinstance(token, str) else min(token) for token in self.tokens if not isinstance(token, Wild)
        )


def escape(text: str) -> str:
    """Return a pattern that matches `text` and nothing else."""
    return "".join(f"[{char}]" if char in "*?[" else char for char in text)


@lru_cache(maxsize=8192)
def compile_pattern(text: str) -> Pattern:
    """Compile `text`. A `[` without a `]` stands for itself."""
    tokens: list[Wild | frozenset[str] | str] = []
    index = 0
    while index < len(text):
        char = text[index]
        if text.startswith("**", index):
            while index < len(text) and text[index] == "*":
                index += 1
            tokens.append(Wild.DOUBLE_STAR)
            continue
        if char == "*":
            tokens.append(Wild.STAR)
        elif char == "?":
            tokens.append(Wild.ONE)
        elif char == "[" and (end := text.find("]", index + 2)) != -1:
            tokens.append(frozenset(text[index + 1 : end]))
            index = end
        else:
            tokens.append(char)
        index += 1
    return Pattern(text, tuple(tokens))


def matches(pattern: Pattern, text: str, *, star_crosses_slash: bool) -> bool:
    """Whether the whole of `text` matches. Time grows with len(pattern) × len(text) at worst, without recursion."""
    states = _closure(pattern, {0})
    for char in text:
        following: set[int] = set()
        for state in states:
            if state == len(pattern.tokens):
                continue
            match pattern.tokens[state]:
                case Wild.STAR:
                    if star_crosses_slash or char != "/":
                        following.add(state)
                case Wild.DOUBLE_STAR:
                    following.add(state)
                case Wild.ONE:
                    if star_crosses_slash or char != "/":
                        following.add(state + 1)
                case str() as literal:
                    if literal == char:
                        following.add(state + 1)
                case frozenset() as chars:
                    if char in chars:
                        following.add(state + 1)
        if not following:
            return False
        states = _closure(pattern, following)
    return len(pattern.tokens) in states


def _closure(pattern: Pattern, states: set[int]) -> set[int]:
    reached = set(states)
    waiting = list(states)
    while waiting:
        state = waiting.pop()
        if (
            state < len(pattern.tokens)
            and pattern.tokens[state] in (Wild.STAR, Wild.DOUBLE_STAR)
            and state + 1 not in reached
        ):
            reached.add(state + 1)
            waiting.append(state + 1)
    return reached
