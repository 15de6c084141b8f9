"""The permission log: every verdict, answer and change of mode, newest first; and, as a second tab, the rules in force.

The pane holds a window of the session's log. What is older, and what a search wants, it asks for by a message; a rule
is written and removed by whoever hears its messages.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from enum import Enum, auto

from textual import on
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList

from decode_core.decision_log import Record, is_record
from decode_core.events import DecisionAnswered, EventBase, ModeChanged, PermissionDecided, ToolCallStarted
from decode_core.neutral import neutralise_line
from decode_core.permissions.modes import PermissionOutcome
from decode_core.permissions.rules import Rule
from decode_ui.actions import PERMISSIONS, bindings
from decode_ui.keys.rules import RULES
from decode_ui.panes.list_pane import ListPane, Row
from decode_ui.panes.rule_rows import rule_rows
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

RULE_ACTS = frozenset(action.does for action in RULES)
LOG_ACTS = frozenset(action.does for action in PERMISSIONS)


class Tab(Enum):
    """What the pane shows."""

    LOG = auto()
    RULES = auto()


class Act(Enum):
    """What a person wants of a record."""

    OPEN = auto()
    EXPLAIN = auto()
    MAKE_RULE = auto()
    REMOVE_RULE = auto()


class RuleAct(Enum):
    """What a person wants of a rule, or of the rules."""

    NEW = auto()
    EDIT = auto()
    DELETE = auto()
    TEST = auto()


class PermissionsPane(ListPane):
    """The log of this session, and the rules in force."""

    TITLE = "Permissions"
    BINDINGS = [*bindings(PERMISSIONS), *bindings(RULES)]

    class Wanted(Message):
        """The person wants something of a record."""

        def __init__(self, act: Act, record: Record) -> None:
            super().__init__()
            self.act = act
            self.record = record

    class RuleWanted(Message):
        """The person wants something of a rule; `rule` is None where it is about none."""

        def __init__(self, act: RuleAct, rule: Rule | None = None) -> None:
            super().__init__()
            self.act = act
            self.rule = rule

    class RulesRequested(Message):
        """The rules tab wants to be filled by `show_rules`."""

    class Sought(Message):
        """Records are wanted: those before the event `before`, or those with all `words`; `show_found` takes them."""

        def __init__(self, words: tuple[str, ...] = (), before: int | None = None) -> None:
            super().__init__()
            self.words = words
            self.before = before

    def __init__(self, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id)
        self._tab = Tab.LOG
        self._records: deque[Record] = deque(maxlen=WINDOW)
        self._older: list[Record] = []
        """Records behind the window, as far as they were asked for."""
        self._found: tuple[tuple[str, ...], list[Record]] | None = None
        """Words, and the records of the whole session that hold them."""
        self._total = 0
        self._labels: dict[str, str] = {}
        self._filter: PermissionOutcome | None = None
        self._counts: dict[PermissionOutcome, int] = {}
        self._rules: dict[str, Rule] = {}
        self._is_stale = False

    @property
    def title_text(self) -> str:
        """The title, and the filter in force."""
        if self._tab is Tab.RULES:
            return "Rules"
        return self.TITLE if self._filter is None else f"{self.TITLE} · {self._filter}"

    @property
    def empty_text(self) -> str:
        """Who fills it."""
        return "no rules: the mode decides" if self._tab is Tab.RULES else "no calls yet"

    @property
    def keys_text(self) -> str:
        """The keys of the tab."""
        return "n new · e edit · t test · l log" if self._tab is Tab.RULES else "enter open · m rule · r rules"

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only the keys of the tab that is shown."""
        other = LOG_ACTS if self._tab is Tab.RULES else RULE_ACTS
        return action not in other

    def take(self, event: EventBase) -> None:
        """Note an event; the rows are drawn once per refresh, however many came."""
        if isinstance(event, ToolCallStarted):
            self._labels[event.call_id] = event.subject
            return
        if isinstance(event, DecisionAnswered):
            self._note_answer(event)
        elif is_record(event):
            label = ""
            if isinstance(event, PermissionDecided):
                label = self._labels.pop(event.call_id, event.subject)
                self._counts[event.outcome] = self._counts.get(event.outcome, 0) + 1
            if len(self._records) == WINDOW and self._older:
                self._older.insert(0, self._records[-1])
            self._records.appendleft(Record(event, label=label))
            self._total += 1
        else:
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

    def show_rules(self, rules: Sequence[Rule], places: dict[str, str]) -> None:
        """Fill the rules tab; `places` says for each layer where its rules are kept."""
        rows, self._rules = rule_rows(rules, places)
        if self._tab is Tab.RULES:
            self.show_title()
            self.show_rows(rows, "1 rule" if len(self._rules) == 1 else f"{len(self._rules)} rules")
            if self.row is None or self.row.is_heading:
                self._highlight_first()

    def show_found(self, words: tuple[str, ...], found: Sequence[Record]) -> None:
        """Take what was asked for by `Sought`."""
        if words:
            self._found = (words, list(found))
        else:
            self._older.extend(found)
        self._draw()

    def show_tab(self, tab: Tab) -> None:
        """Show the log or the rules."""
        self._tab = tab
        self.clear_filter()
        if tab is Tab.RULES:
            self.show_title()
            self.show_rows(())
        self._draw()

    def action_rules(self) -> None:
        """The second tab."""
        self.show_tab(Tab.RULES)

    def action_log(self) -> None:
        """The first tab."""
        self.show_tab(Tab.LOG)

    def action_outcome(self) -> None:
        """Filter: all, ask, deny, allow."""
        self._filter = FILTERS[(FILTERS.index(self._filter) + 1) % len(FILTERS)]
        self._draw()

    def action_open(self) -> None:
        """The whole record under the cursor."""
        self._want_of_record(Act.OPEN)

    def action_why(self) -> None:
        """The verdict, step by step."""
        self._want_of_record(Act.EXPLAIN)

    def action_make_rule(self) -> None:
        """A rule from the record under the cursor."""
        self._want_of_record(Act.MAKE_RULE)

    def action_remove_rule(self) -> None:
        """Take away the rule that decided."""
        self._want_of_record(Act.REMOVE_RULE)

    def action_new_rule(self) -> None:
        """Write a rule."""
        self.post_message(self.RuleWanted(RuleAct.NEW))

    def action_edit_rule(self) -> None:
        """Change the rule under the cursor."""
        if self.rule is not None:
            self.post_message(self.RuleWanted(RuleAct.EDIT, self.rule))

    def action_delete_rule(self) -> None:
        """Take the rule under the cursor away."""
        if self.rule is not None:
            self.post_message(self.RuleWanted(RuleAct.DELETE, self.rule))

    def action_test_call(self) -> None:
        """What the rules say of a call."""
        self.post_message(self.RuleWanted(RuleAct.TEST))

    def action_last(self) -> None:
        """The last row; what is older than it comes when it is asked for."""
        super().action_last()
        if self._tab is Tab.LOG and not self.is_filtered and self._total > len(self._records) + len(self._older):
            oldest = self._older[-1] if self._older else self._records[-1]
            self.post_message(self.Sought(before=oldest.event.seq))

    @property
    def rule(self) -> Rule | None:
        """The rule under the cursor of the rules tab."""
        return self._rules.get(self.row.key) if self.row is not None else None

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if self._tab is Tab.RULES:
            self.action_edit_rule()
        else:
            self.action_open()

    def _want(self, words: str) -> None:
        """A search looks at the whole session, where that is more than the pane holds."""
        super()._want(words)
        wanted = tuple(words.split())
        if self._tab is Tab.LOG and wanted and self._total > len(self._records):
            self.post_message(self.Sought(words=wanted))

    def _want_of_record(self, act: Act) -> None:
        record = self._record_under_cursor()
        if record is not None:
            self.post_message(self.Wanted(act, record))

    def _record_under_cursor(self) -> Record | None:
        if self.row is None:
            return None
        return next((record for record in self._held() if str(record.event.seq) == self.row.key), None)

    def _held(self) -> list[Record]:
        """The records that can be shown: what a search found, else the window and what is behind it."""
        if self._found is not None and self._found[0] == tuple(self._wanted.split()):
            return self._found[1]
        return [*self._records, *self._older]

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
        if self._tab is Tab.RULES:
            self.post_message(self.RulesRequested())
            return
        shown = [record for record in self._held() if self._passes(record)]
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
        return _two_lines(record, head, CAUSES[event.cause])
    word = f" {WORDS.get(event.outcome, event.outcome.value):<5} "
    tool, subject = neutralise_line(event.tool), neutralise_line(record.label)
    head = Content.assemble(time, (word, COLOURS[event.outcome]), f"{tool:<5} {subject}")
    if record.answer is not None:
        waited = f" · {seconds(record.answer.waited_ms)}" if record.answer.waited_ms else ""
        return _two_lines(record, head, f"you: {ANSWERS.get(record.answer.answer, record.answer.answer)}{waited}")
    if event.outcome is PermissionOutcome.ALLOW:
        return Row(str(event.seq), head, head.plain, record.words)
    return _two_lines(record, head, short_reason(event))


def _two_lines(record: Record, head: Content, below: str) -> Row:
    tail = Content.styled(f"         └ {neutralise_line(below)}", "$muted")
    text = f"{head.plain} ({below})"
    return Row(str(record.event.seq), Content("\n").join([head, tail]), text, record.words)
