"""The permission log: every verdict, answer and change of mode, newest first."""

from collections import deque
from dataclasses import dataclass, replace

from textual import on
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList

from decode_core.events import DecisionAnswered, EventBase, ModeChanged, PermissionDecided, ToolCallStarted
from decode_core.neutral import neutralise_line
from decode_core.permissions.modes import DecidedBy, PermissionOutcome
from decode_ui.actions import PERMISSIONS, bindings
from decode_ui.panes.list_pane import ListPane, Row
from decode_ui.wording import ANSWERS, CAUSES, seconds, short_reason

WINDOW = 500
"""Records that the pane holds; older ones stay in the session."""

COLOURS = {
    PermissionOutcome.ALLOW: "$verdict-allow",
    PermissionOutcome.ASK: "$verdict-ask",
    PermissionOutcome.DENY: "$verdict-deny",
    PermissionOutcome.NOT_FOUND: "$verdict-deny",
    PermissionOutcome.INVALID: "$verdict-deny",
}
WORDS = {PermissionOutcome.NOT_FOUND: "none", PermissionOutcome.INVALID: "bad"}
"""Outcomes whose own name is too long for the column."""
FILTERS = (None, PermissionOutcome.ASK, PermissionOutcome.DENY, PermissionOutcome.ALLOW)


@dataclass(frozen=True)
class Record:
    """One verdict or change of mode, and the answer that settled it."""

    event: PermissionDecided | ModeChanged
    answer: DecisionAnswered | None = None
    label: str = ""
    """What the call is about, for people."""


class PermissionsPane(ListPane):
    """The log of this session."""

    TITLE = "Permissions"
    EMPTY = "no calls yet"
    KEYS = "enter why · o filter"
    BINDINGS = bindings(PERMISSIONS)

    class OpenRequested(Message):
        """The person wants a record explained."""

        def __init__(self, record: Record) -> None:
            super().__init__()
            self.record = record

    def __init__(self, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id)
        self._records: deque[Record] = deque(maxlen=WINDOW)
        self._labels: dict[str, str] = {}
        self._filter: PermissionOutcome | None = None
        self._counts: dict[PermissionOutcome, int] = {}
        self._is_stale = False

    @property
    def title_text(self) -> str:
        """The title, and the filter in force."""
        return self.TITLE if self._filter is None else f"{self.TITLE} · {self._filter}"

    def take(self, event: EventBase) -> None:
        """Note an event; the rows are drawn once per refresh, however many came."""
        match event:
            case ToolCallStarted():
                self._labels[event.call_id] = event.subject
                return
            case PermissionDecided(by=DecidedBy.HUMAN, question_id=str()):
                return  # the row of the question tells the answer
            case PermissionDecided():
                self._records.appendleft(Record(event, label=self._labels.pop(event.call_id, event.subject)))
                self._counts[event.outcome] = self._counts.get(event.outcome, 0) + 1
            case ModeChanged():
                self._records.appendleft(Record(event))
            case DecisionAnswered():
                self._note_answer(event)
            case _:
                return
        if not self._is_stale:
            self._is_stale = True
            self.call_after_refresh(self._draw)

    def count(self, outcome: PermissionOutcome) -> int:
        """How many verdicts of this outcome there were."""
        return self._counts.get(outcome, 0)

    def record_of(self, call_id: str) -> Record | None:
        """The newest record of a call."""
        for record in self._records:
            if isinstance(record.event, PermissionDecided) and record.event.call_id == call_id:
                return record
        return None

    def action_outcome(self) -> None:
        """Filter: all, ask, deny, allow."""
        self._filter = FILTERS[(FILTERS.index(self._filter) + 1) % len(FILTERS)]
        self._draw()

    def action_open(self) -> None:
        """Explain the record under the cursor."""
        if self.row is not None:
            seq = int(self.row.key)
            record = next((record for record in self._records if record.event.seq == seq), None)
            if record is not None:
                self.post_message(self.OpenRequested(record))

    @on(OptionList.OptionSelected)
    def _open(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_open()

    def _note_answer(self, answer: DecisionAnswered) -> None:
        for index, record in enumerate(self._records):
            event = record.event
            if not isinstance(event, PermissionDecided) or event.call_id != answer.call_id:
                continue
            if event.outcome is PermissionOutcome.ASK:
                self._records[index] = replace(record, answer=answer)
                return

    def _draw(self) -> None:
        self._is_stale = False
        shown = [record for record in self._records if self._passes(record)]
        order = (PermissionOutcome.ALLOW, PermissionOutcome.ASK, PermissionOutcome.DENY)
        summary = " · ".join(f"{self._counts[outcome]} {outcome}" for outcome in order if outcome in self._counts)
        self.show_title()
        self.show_rows([_row(record) for record in shown], summary)

    def _passes(self, record: Record) -> bool:
        if self._filter is None:
            return True
        return isinstance(record.event, PermissionDecided) and record.event.outcome is self._filter


def _row(record: Record) -> Row:
    event = record.event
    time = (f"{event.ts:%H:%M:%S}", "$muted")
    if isinstance(event, ModeChanged):
        head = Content.assemble(time, (" mode  ", "$mode-plan"), f"{event.from_mode} → {event.to_mode}")
        return _two_lines(event.seq, head, CAUSES[event.cause])
    word = f" {WORDS.get(event.outcome, event.outcome.value):<5} "
    tool, subject = neutralise_line(event.tool), neutralise_line(record.label)
    head = Content.assemble(time, (word, COLOURS[event.outcome]), f"{tool:<5} {subject}")
    if record.answer is not None:
        waited = f" · {seconds(record.answer.waited_ms)}" if record.answer.waited_ms else ""
        return _two_lines(event.seq, head, f"you: {ANSWERS.get(record.answer.answer, record.answer.answer)}{waited}")
    if event.outcome is PermissionOutcome.ALLOW:
        return Row(str(event.seq), head, head.plain)
    return _two_lines(event.seq, head, short_reason(event))


def _two_lines(seq: int, head: Content, below: str) -> Row:
    tail = Content.styled(f"         └ {neutralise_line(below)}", "$muted")
    return Row(str(seq), Content("\n").join([head, tail]), f"{head.plain} ({below})")
