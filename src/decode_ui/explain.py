"""Records and changes as lines to read. Every foreign text is neutralised here."""

from collections.abc import Iterator, Sequence

from textual.content import Content

from decode_core.decision_log import Record
from decode_core.events import ModeChanged
from decode_core.neutral import neutralise, neutralise_line
from decode_core.permissions.told import verdict_lines
from decode_ui.panes.changed_files import FileChange
from decode_ui.panes.permissions import COLOURS
from decode_ui.transcript.diff import Sign, diff_lines
from decode_ui.transcript.entry import Entry, plain_text
from decode_ui.wording import ANSWERS, CAUSES, seconds


def record_lines(record: Record) -> list[Content]:
    """One record of the permission log, whole."""
    event = record.event
    if isinstance(event, ModeChanged):
        return [_pair("mode", f"{event.from_mode} → {event.to_mode}"), _pair("by", CAUSES[event.cause])]
    lines = [
        Content.assemble(
            (f"{event.outcome}  ", f"bold {COLOURS[event.outcome]}"), (neutralise_line(event.tool), "bold")
        ),
        Content(),
        *_pairs("subject", event.subject),
        _pair("why", event.reason),
        _pair("decided by", event.by.value.replace("_", " ")),
        _pair("mode", event.mode.value + ("  (it made the difference)" if event.mode_changed_outcome else "")),
        _pair("kind", event.kind.value.replace("_", " ") if event.kind else "unknown"),
        _pair("agent", " › ".join(event.agent_path)),
        _pair("time", f"{event.ts:%Y-%m-%d %H:%M:%S} UTC"),
    ]
    if event.rule is not None:
        place = f"{event.rule.source}" + (f", line {event.rule.line}" if event.rule.line else "")
        lines.append(_pair("rule", f"{event.rule.list}: {event.rule.text} ({place})"))
    if record.answer is not None:
        answer = record.answer
        lines.append(_pair("you", f"{ANSWERS.get(answer.answer, answer.answer)} after {seconds(answer.waited_ms)}"))
        if answer.note:
            lines.extend(_pairs("your note", answer.note))
    if event.steps:
        lines += [Content(), Content.styled("step by step", "$muted"), *_numbered(event.steps)]
    return lines


def why_lines(record: Record) -> list[Content]:
    """The verdict of a record as `decode permissions check` tells it."""
    event = record.event
    if isinstance(event, ModeChanged):
        return record_lines(record)
    told = verdict_lines(
        outcome=event.outcome,
        tool=event.tool,
        subject=event.subject,
        reason=event.reason,
        by=event.by,
        mode=event.mode,
        steps=event.steps,
    )
    lines = [Content(neutralise_line(line)) for line in told]
    return lines if event.steps else [*lines, Content.styled("  no steps were recorded", "$muted")]


def _numbered(steps: Sequence[str]) -> Iterator[Content]:
    yield from (Content(f"  {number}. {neutralise_line(step)}") for number, step in enumerate(steps, 1))


def change_lines(change: FileChange) -> list[Content]:
    """The change of a file as a unified diff."""
    if change.after is None:
        return [Content.styled("the texts of this file were too large to keep", "$muted")]
    return text_lines(change.before, change.after)


def text_lines(before: str | None, after: str) -> list[Content]:
    """Two texts as a unified diff; `before` is None where there was none."""
    styles = {Sign.ADDED: "$added on $added-ground", Sign.REMOVED: "$removed on $removed-ground"}
    lines = []
    for line in diff_lines(before, after):
        number = "" if line.number is None else str(line.number)
        text = f"{number:>5} {line.sign.value} {neutralise_line(line.text)}"
        lines.append(Content.styled(text, styles.get(line.sign, "$muted")))
    return lines or [Content.styled("no difference", "$muted")]


def _pair(name: str, text: str) -> Content:
    return Content.assemble((f"{name:<12}", "$muted"), neutralise_line(text))


def _pairs(name: str, text: str) -> Iterator[Content]:
    for number, line in enumerate(neutralise(text).split("\n")):
        yield Content.assemble((f"{name if number == 0 else '':<12}", "$muted"), line)


def entry_lines(entry: Entry) -> list[Content]:
    """A message of the chat, whole and unfolded."""
    return [Content(line) for line in neutralise(plain_text(entry)).split("\n")]
