"""Splits an agent's file into its front matter and the text below, every fault with its line and column."""

from dataclasses import dataclass, field

from decode_core.catalog.places import Fault, Lines, Place
from decode_core.catalog.yamlvalues import Entry, read_mapping

MAX_BYTES = 256 * 1024

_FENCE = "---"


@dataclass
class FrontMatter:
    """The keys of the front matter in order, the text below it, and what is wrong."""

    entries: dict[str, Entry] = field(default_factory=dict)
    body: str = ""
    """The text below the closing fence, lines ending in LF."""
    body_place: Place = field(default_factory=Place)
    faults: list[Fault] = field(default_factory=list)


def read_front_matter(data: bytes) -> FrontMatter:
    """Split and read a file of at most 256 KiB, in UTF-8 with or without a BOM, lines ending in LF, CR LF or CR.

    Never raises: whatever is wrong stands in `faults`.
    """
    result = FrontMatter()
    if len(data) > MAX_BYTES:
        hint = "move long texts into files that the agent can read"
        result.faults.append(Fault(Place(), f"the file is larger than {MAX_BYTES // 1024} KiB", hint))
        return result
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # what stands before the first bad byte is good, so its end is the place as an editor counts it
        before = data[: error.start].decode("utf-8-sig", errors="ignore")
        result.faults.append(Fault(Lines(before).place(len(before)), "the file is not UTF-8", "save it as UTF-8"))
        return result
    _split(Lines(text), result)
    return result


def _split(lines: Lines, result: FrontMatter) -> None:
    if not _is_fence(lines[0]):
        result.faults.append(Fault(Place(), "there is no front matter", f"begin the file with a line {_FENCE}"))
        return
    end = next((index for index in range(1, len(lines)) if _is_fence(lines[index])), None)
    if end is None:
        hint = f"end it with a line {_FENCE}"
        result.faults.append(Fault(Place(), "the front matter is not closed", hint))
        return
    below = min(end + 1, len(lines) - 1)
    result.body_place = Place(below + 1)
    if below > end:
        result.body = lines.text[lines.starts[below] :].replace("\r\n", "\n").replace("\r", "\n")
    start, stop = lines.starts[1], lines.starts[end]
    result.entries, faults = read_mapping(lines.text[start:stop], lambda offset: lines.place(start + offset))
    result.faults += faults


def _is_fence(line: str) -> bool:
    return line.rstrip(" \t") == _FENCE
