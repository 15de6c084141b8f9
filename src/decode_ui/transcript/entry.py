"""What the transcript holds: plain, frozen data. How it looks is the business of `render.py`."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, StrEnum

from decode_core.events import NoticeLevel
from decode_ui.transcript.diff import DiffLine, Sign


class CallState(StrEnum):
    """Where a tool call stands."""

    RUNNING = "running"
    ASKED = "asked"
    OK = "ok"
    FAILED = "failed"
    DENIED = "denied"


class Role(Enum):
    """How a piece of a hint is drawn."""

    PLAIN = "plain"
    DIM = "dim"
    KEY = "key"
    STRONG = "strong"


@dataclass(frozen=True)
class ArgumentLine:
    """One argument of a call: its name, and its value as text."""

    name: str
    value: str


@dataclass(frozen=True)
class OutputLine:
    """One line that a tool wrote."""

    text: str


DetailLine = ArgumentLine | DiffLine | OutputLine


@dataclass(frozen=True)
class UserEntry:
    """What the person wrote; a long one is folded."""

    text: str
    unfolded: bool = False


@dataclass(frozen=True)
class AnswerEntry:
    """The model's answer in Markdown; `live` while it streams."""

    markdown: str
    live: bool = False


@dataclass(frozen=True)
class ThinkingEntry:
    """The model's thinking, folded at first. `seconds`: how long it took."""

    text: str
    seconds: float = 0.0
    live: bool = False
    unfolded: bool = False


@dataclass(frozen=True)
class ToolEntry:
    """One tool call: a line with result, time and why it was allowed, and detail below it.

    `elapsed_ms` is None until it is known; `why` is a short reason such as `allowed: mode edit`.
    """

    call_id: str
    tool: str
    subject: str
    state: CallState = CallState.RUNNING
    summary: str = ""
    elapsed_ms: int | None = None
    why: str = ""
    body: tuple[DetailLine, ...] = ()
    unfolded: bool = False


@dataclass(frozen=True)
class NoteEntry:
    """One dim line: a switch of mode, agent or model, the end of a turn."""

    text: str


@dataclass(frozen=True)
class NoticeEntry:
    """Something the person should know, and what to do about it."""

    level: NoticeLevel
    text: str
    hint: str = ""


@dataclass(frozen=True)
class HintEntry:
    """Lines of the first start, each a row of pieces with a role."""

    lines: tuple[tuple[tuple[str, Role], ...], ...]


Entry = UserEntry | AnswerEntry | ThinkingEntry | ToolEntry | NoteEntry | NoticeEntry | HintEntry
Foldable = UserEntry | ThinkingEntry | ToolEntry


class Fold(Enum):
    """The two states of an entry with detail."""

    FOLDED = "folded"
    UNFOLDED = "unfolded"


def fold_of(entry: Entry) -> Fold | None:
    """Return whether `entry` is folded, or None when it has nothing to fold."""
    match entry:
        case UserEntry() | ThinkingEntry() | ToolEntry():
            return Fold.UNFOLDED if entry.unfolded else Fold.FOLDED
        case _:
            return None


def folded(entry: Entry, fold: Fold) -> Entry:
    """Return `entry` in the given state of folding, itself when it cannot be folded."""
    match entry:
        case UserEntry() | ThinkingEntry() | ToolEntry():
            return replace(entry, unfolded=fold is Fold.UNFOLDED)
        case _:
            return entry


def stands_close(above: Entry, below: Entry) -> bool:
    """Return whether no blank line separates the two: lines of work (thinking, calls, notes) form one block."""
    lines_of_work = (ThinkingEntry, ToolEntry, NoteEntry)
    return isinstance(above, lines_of_work) and isinstance(below, lines_of_work)


def plain_text(entry: Entry) -> str:
    """Return everything an entry says, folded parts included, as it came: for search, copying and estimates."""
    match entry:
        case UserEntry(text) | ThinkingEntry(text) | NoteEntry(text):
            return text
        case AnswerEntry(markdown):
            return markdown
        case ToolEntry():
            head = " ".join(part for part in (entry.tool, entry.subject, entry.summary) if part)
            return "\n".join([head, *(detail_text(line) for line in entry.body)])
        case NoticeEntry(_, text, hint):
            return f"{text}\n{hint}" if hint else text
        case HintEntry(lines):
            return "\n".join("".join(text for text, _ in line) for line in lines)


def detail_text(line: DetailLine) -> str:
    """Return one detail line as plain text."""
    match line:
        case ArgumentLine(name, value):
            return f"{name}: {value}"
        case OutputLine(text):
            return text
        case DiffLine(_, sign, text):
            return f"{'-' if sign is Sign.REMOVED else sign.value}{text}"


def code_blocks(markdown: str) -> list[str]:
    """Return the text of every fenced code block, in order; a fence that was never closed counts."""
    blocks: list[str] = []
    lines: list[str] | None = None
    for line, fence in fence_lines(markdown):
        match fence:
            case Fence.OPENS:
                lines = []
            case Fence.CLOSES if lines is not None:
                blocks.append("\n".join(lines))
                lines = None
            case Fence.INSIDE if lines is not None:
                lines.append(line)
            case _:
                pass
    if lines is not None:
        blocks.append("\n".join(lines))
    return blocks


class Fence(Enum):
    """What a line of Markdown has to do with fenced code."""

    OUTSIDE = "outside"
    OPENS = "opens"
    INSIDE = "inside"
    CLOSES = "closes"


def fence_lines(markdown: str) -> Iterator[tuple[str, Fence]]:
    """Say of each line whether it opens, fills or closes a code fence, or stands outside of one."""
    mark = ""
    for line in markdown.split("\n"):
        bare = line.strip()
        if mark:
            closes = bare.startswith(mark) and not bare.strip(mark[0])
            yield line, Fence.CLOSES if closes else Fence.INSIDE
            mark = "" if closes else mark
        elif opening := fence_mark(line):
            mark = opening
            yield line, Fence.OPENS
        else:
            yield line, Fence.OUTSIDE


def fence_mark(line: str) -> str:
    """Return the run of backticks or tildes with which `line` opens a fence, or an empty string."""
    bare = line.strip()
    for sign in "`~":
        run = bare[: len(bare) - len(bare.lstrip(sign))]
        if len(run) >= 3 and not (sign == "`" and "`" in bare[len(run) :]):
            return run
    return ""
