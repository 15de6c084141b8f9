"""Reasons as people read them. Pure."""

_PLAIN_BEGINNINGS = frozenset({"it", "the", "a", "an", "in"})


def sentence(clause: str) -> str:
    """A clause as a sentence. One that begins with a path or a host keeps it as it is written: names have a case."""
    first, _, rest = clause.partition(" ")
    return f"{first.capitalize() if first in _PLAIN_BEGINNINGS else first} {rest}."
