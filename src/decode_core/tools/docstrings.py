"""What a docstring says: a summary, and a description for each parameter. Pure."""

import re
from dataclasses import dataclass, field

_GOOGLE_HEAD = re.compile(r"(?:Args|Arguments|Parameters):\s*")
_OTHER_HEAD = re.compile(r"(?:Returns?|Raises|Yields?|Examples?|Notes?|Attributes|See Also):\s*")
_GOOGLE_ITEM = re.compile(r"(?P<indent>\s+)\*{0,2}(?P<name>\w+)\s*(?:\([^)]*\))?:\s*(?P<text>.*)")
_SPHINX_ITEM = re.compile(r":param\s+(?:[^:]*\s)?(?P<name>\w+):\s*(?P<text>.*)")


@dataclass(frozen=True)
class Docstring:
    """The text before any section, and the descriptions of parameters by name."""

    summary: str
    parameters: dict[str, str] = field(default_factory=dict)


def read_docstring(text: str) -> Docstring:
    """Read a docstring, its common indentation removed, that lists parameters under `Args:` or as `:param name:`."""
    summary: list[str] = []
    parameters: dict[str, list[str]] = {}
    inside_args, inside_other, indent = False, False, ""
    current: list[str] | None = None
    for line in text.splitlines():
        if _GOOGLE_HEAD.fullmatch(line) or _OTHER_HEAD.fullmatch(line):
            inside_args, current, indent = _GOOGLE_HEAD.fullmatch(line) is not None, None, ""
            inside_other = not inside_args
        elif item := _SPHINX_ITEM.match(line):
            current = parameters.setdefault(item["name"], [])
            current.append(item["text"])
            inside_args, inside_other = False, True
        elif line.startswith(":"):
            current, inside_other = None, True
        elif inside_args and (item := _GOOGLE_ITEM.match(line)) and (not indent or item["indent"] == indent):
            indent = item["indent"]
            current = parameters.setdefault(item["name"], [])
            current.append(item["text"])
        elif inside_args and line.strip() and not line[0].isspace():
            inside_args, current = False, None
            summary.append(line)
        elif current is not None:
            current.append(line)
        elif not inside_args and not inside_other:
            summary.append(line)
    found = {name: " ".join(" ".join(lines).split()) for name, lines in parameters.items()}
    return Docstring("\n".join(summary).strip(), {name: text for name, text in found.items() if text})
