"""Pattern matching for rules: wide for deny and ask, narrow for allow and readonly (permissions.md §3).

Patterns know `*` and, for paths, `**`; `[…]` is a set of literal characters, so `[*]` is a star (the `glob.escape`
way). Matching never backtracks: where `*` crosses slashes, the shortest run that reaches the next literal text is as
good as any, so that atomic groups do; where it does not, all readings are followed at once.
"""

import re
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property, lru_cache
from itertools import takewhile


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

    @cached_property
    def prefix(self) -> str:
        """The literal text that everything which matches begins with."""
        return _literal_run(self.tokens)

    @cached_property
    def suffix(self) -> str:
        """The literal text that everything which matches ends with."""
        return _literal_run(self.tokens[::-1])[::-1]

    @cached_property
    def longest_literal(self) -> str:
        """The longest literal text that stands in everything which matches."""
        best, run = "", ""
        for token in self.tokens:
            text = _literal(token)
            run = "" if text is None else run + text
            best = max(best, run, key=len)
        return best

    @cached_property
    def crossing(self) -> re.Pattern[str]:
        """The pattern as a regular expression in which every wildcard crosses slashes; it never backtracks."""
        return re.compile(_expression(self.tokens), re.DOTALL)


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
    if not text.startswith(pattern.prefix) or not text.endswith(pattern.suffix):
        return False
    if star_crosses_slash:
        return pattern.crossing.fullmatch(text) is not None
    states = _closure(pattern, {0})
    for char in text:
        following: set[int] = set()
        for state in states:
            if state == len(pattern.tokens):
                continue
            match pattern.tokens[state]:
                case Wild.STAR:
                    if char != "/":
                        following.add(state)
                case Wild.DOUBLE_STAR:
                    following.add(state)
                case Wild.ONE:
                    if char != "/":
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


def _literal(token: Wild | frozenset[str] | str) -> str | None:
    """The one character that a token stands for, or None."""
    match token:
        case str():
            return token
        case frozenset() if len(token) == 1:
            return min(token)
        case _:
            return None


def _literal_run(tokens: tuple[Wild | frozenset[str] | str, ...]) -> str:
    """The text that `tokens` begin with."""
    return "".join(text for text in takewhile(lambda text: text is not None, map(_literal, tokens)) if text)


def _expression(tokens: tuple[Wild | frozenset[str] | str, ...]) -> str:
    """One piece of the expression for each star and what follows it; the last star takes what is left."""
    pieces: list[list[str]] = [[]]
    for token in tokens:
        match token:
            case Wild.STAR | Wild.DOUBLE_STAR:
                pieces.append([])
            case Wild.ONE:
                pieces[-1].append(".")
            case str():
                pieces[-1].append(re.escape(token))
            case frozenset():
                pieces[-1].append(f"[{''.join(re.escape(char) for char in sorted(token))}]")
    first, *between = ("".join(piece) for piece in pieces)
    if not between:
        return first
    *middle, last = between
    return first + "".join(f"(?>.*?{piece})" for piece in middle if piece) + f".*{last}"
