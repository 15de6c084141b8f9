"""Bytes of a file as text and back: encodings, line ends, and what is no text at all. Pure."""

from dataclasses import dataclass
from enum import StrEnum

SNIFFED_BYTES = 65_536
"""How much of a file that is not UTF-8 is looked at to tell Latin-1 from binary."""


class Encoding(StrEnum):
    """How a text file is stored; the value is the name for people and models."""

    UTF_8 = "UTF-8"
    UTF_8_BOM = "UTF-8 with BOM"
    UTF_16_LE = "UTF-16 LE"
    UTF_16_BE = "UTF-16 BE"
    LATIN_1 = "Latin-1"


class UnencodableError(ValueError):
    """A text cannot be stored in a file's encoding. The message is one sentence without the file's name."""


@dataclass(frozen=True)
class FileText:
    """The text of a file without its byte order mark, and how it is stored."""

    text: str
    encoding: Encoding


def decode(data: bytes) -> FileText | None:
    """Return the text of a file, or None where it is binary.

    A byte order mark decides first, then UTF-8; what is left is Latin-1 unless it holds a NUL or is full of controls.
    """
    for encoding, (mark, codec) in _MARKED.items():
        if data.startswith(mark):
            try:
                return FileText(data[len(mark) :].decode(codec), encoding)
            except UnicodeDecodeError:
                return None
    if b"\0" in data:
        return None
    try:
        return FileText(data.decode("utf-8"), Encoding.UTF_8)
    except UnicodeDecodeError:
        sample = data[:SNIFFED_BYTES]
        controls = len(sample) - len(sample.translate(None, _CONTROLS))
        return None if controls * 200 > len(sample) else FileText(data.decode("latin-1"), Encoding.LATIN_1)


def encode(text: str, encoding: Encoding) -> bytes:
    """Return the bytes of `text`; the inverse of `decode`. Raises UnencodableError with the character in question."""
    mark, codec = _MARKED.get(encoding, (b"", "latin-1" if encoding is Encoding.LATIN_1 else "utf-8"))
    try:
        return mark + text.encode(codec)
    except UnicodeEncodeError as error:
        char, line = text[error.start], text.count("\n", 0, error.start) + 1
        raise UnencodableError(f"{encoding} cannot hold U+{ord(char):04X} of line {line} of the text") from None


def unix_ends(text: str) -> str:
    """`text` with every CR LF as one newline; a lone CR stays part of its line."""
    return text.replace("\r\n", "\n")


def fit_line_ends(before: str, after: str, *, default: str = "\n") -> str:
    """Give the lines of `after` (newlines only) the ends that the same lines had in `before`, line by line.

    Lines that both texts begin or end with keep theirs; a changed line takes that of the line whose place it has, an
    added one that of the line above it. `default` counts where `before` holds no line end.
    """
    if "\r\n" not in before and not ("\n" not in before and default == "\r\n"):
        return after
    old, new = before.split("\n"), after.split("\n")
    ends = ["\r\n" if line.endswith("\r") else "\n" for line in old[:-1]]
    bare = [line.removesuffix("\r") for line in old[:-1]] + old[-1:]
    tail = common_tail(bare, new, common_head(bare, new))
    fitted: list[str] = []
    end = ends[0] if ends else default
    for index, line in enumerate(new[:-1]):
        from_end = len(new) - index
        place = len(old) - from_end if from_end <= tail else index
        if 0 <= place < len(ends) and (from_end <= tail or place < len(old) - tail):
            end = ends[place]
        fitted.append(line + end)
    return "".join([*fitted, new[-1]])


def common_head(old: list[str], new: list[str]) -> int:
    """How many lines both lists begin with."""
    count = 0
    while count < min(len(old), len(new)) and old[count] == new[count]:
        count += 1
    return count


def common_tail(old: list[str], new: list[str], head: int) -> int:
    """How many lines both lists end with, the first `head` ones aside."""
    count = 0
    while count < min(len(old), len(new)) - head and old[-1 - count] == new[-1 - count]:
        count += 1
    return count


_MARKED = {
    Encoding.UTF_8_BOM: (b"\xef\xbb\xbf", "utf-8"),
    Encoding.UTF_16_LE: (b"\xff\xfe", "utf-16-le"),
    Encoding.UTF_16_BE: (b"\xfe\xff", "utf-16-be"),
}
_CONTROLS = bytes([*range(0x09), *range(0x0E, 0x1B), *range(0x1C, 0x20), 0x7F])
