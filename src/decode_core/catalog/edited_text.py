"""A file's bytes as a text that can be edited, and back, so that only what the person changed is written.

The text has LF line ends, no BOM, and everything that acts or hides as a visible sign. On the way back a line that was
not touched keeps its very bytes, and a line that was touched keeps them up to and behind what was changed. Pure.
"""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass

from decode_core.catalog.places import Lines
from decode_core.neutral import neutralise

MAX_COMPARED = 3_000
"""Lines that are matched one by one where they differ; in a longer stretch lines are matched by their number."""

_BOM = "\ufeff"


@dataclass(frozen=True)
class _Line:
    raw: str
    end: str

    @property
    def shown(self) -> str:
        return neutralise(self.raw)


def editable_text(data: bytes) -> str:
    """The text to edit. Raises UnicodeDecodeError for bytes that are not UTF-8."""
    return "\n".join(line.shown for line in _lines(data.decode()))


def edited_bytes(data: bytes, text: str) -> bytes:
    """The bytes of a file that held `data` and whose text is now `text`, lines ending in LF.

    Line ends of new lines are those of the line before. Raises UnicodeDecodeError as `editable_text` does.
    """
    decoded = data.decode()
    old, new = list(_lines(decoded)), text.split("\n")
    pairs = _paired([line.shown for line in old], new)
    usual = next((line.end for line in old if line.end), "\n")
    out = [_BOM] if decoded.startswith(_BOM) else []
    for index, shown in enumerate(new):
        before = pairs[index]
        line = None if before is None else old[before]
        out.append(shown if line is None else _kept(line, shown))
        if index < len(new) - 1:
            usual = (line.end if line is not None else "") or usual
            # behind a lone CR an LF would make one line end of two
            out.append("\r\n" if usual == "\n" and "".join(out[-2:]).endswith("\r") else usual)
    return "".join(out).encode()


def _lines(text: str) -> Iterator[_Line]:
    lines = Lines(text.removeprefix(_BOM))
    for index in range(len(lines)):
        raw = lines[index]
        end = lines.starts[index + 1] if index + 1 < len(lines) else len(lines.text)
        yield _Line(raw, lines.text[lines.starts[index] + len(raw) : end])


def _paired(old: list[str], new: list[str]) -> list[int | None]:
    """For each new line the old one that it was, or that it took the place of; None for one that was put in."""
    same_before = _common(old, new)
    same_after = _common(old[same_before:][::-1], new[same_before:][::-1])
    pairs: list[int | None] = [*range(same_before), *([None] * (len(new) - same_before))]
    for back in range(1, same_after + 1):
        pairs[-back] = len(old) - back
    left, right = old[same_before : len(old) - same_after], new[same_before : len(new) - same_after]
    for old_from, old_to, new_from, new_to in _blocks(left, right):
        for step in range(min(old_to - old_from, new_to - new_from)):
            pairs[same_before + new_from + step] = same_before + old_from + step
    return pairs


def _blocks(left: list[str], right: list[str]) -> list[tuple[int, int, int, int]]:
    if max(len(left), len(right)) > MAX_COMPARED:
        return [(0, len(left), 0, len(right))]
    matcher = difflib.SequenceMatcher(None, left, right, autojunk=False)
    return [block for tag, *block in matcher.get_opcodes() if tag in ("equal", "replace")]  # type: ignore[misc]


def _kept(line: _Line, shown: str) -> str:
    """The raw text of a line that reads `shown` now: what stands before and behind the change stays as it was."""
    if shown == line.shown:
        return line.raw
    signs = [neutralise(character) for character in line.raw]
    begin = at = 0
    while begin < len(signs) and shown.startswith(signs[begin], at):
        at += len(signs[begin])
        begin += 1
    end, until = len(signs), len(shown)
    while end > begin and until - len(signs[end - 1]) >= at and shown.endswith(signs[end - 1], at, until):
        until -= len(signs[end - 1])
        end -= 1
    return line.raw[:begin] + shown[at:until] + line.raw[end:]


def _common(one: list[str], other: list[str]) -> int:
    together = enumerate(zip(one, other, strict=False))
    return next((index for index, (a, b) in together if a != b), min(len(one), len(other)))
