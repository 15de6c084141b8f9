"""What a person does with the permission log and the rules on the work screen (ui.md §4).

Rules are written and removed in a thread: their files are locked, written and synced to the disk.
"""

import asyncio
from collections.abc import Callable
from itertools import islice

from textual import on, work

from decode_core.decision_log import Record, records
from decode_core.events import ModeChanged, PermissionDecided
from decode_core.neutral import neutralise_line
from decode_core.permissions.modes import PermissionOutcome
from decode_core.permissions.remembering import exact_rule
from decode_core.permissions.rules import Rule, RuleList, RuleSource
from decode_core.rule_book import PLACES, RuleNotChanged
from decode_ui import explain
from decode_ui.panes.permissions import WINDOW, Act, PermissionsPane, RuleAct
from decode_ui.screens.reader import ReaderScreen
from decode_ui.screens.work_planning import WorkPlanning


class WorkRules(WorkPlanning, inherit_bindings=False):
    """Answers the wishes of the permission log and of its rules tab."""

    @on(PermissionsPane.Wanted)
    def _want_of_record(self, event: PermissionsPane.Wanted) -> None:
        record = event.record
        match event.act:
            case Act.OPEN:
                self.app.push_screen(ReaderScreen("Record", explain.record_lines(record)))
            case Act.EXPLAIN:
                self.app.push_screen(ReaderScreen("Why", explain.why_lines(record)))
            case Act.MAKE_RULE:
                self.run_worker(self._make_rule(record), group="rules")
            case Act.REMOVE_RULE:
                self._remove_rule_of(record)

    @on(PermissionsPane.RuleWanted)
    def _want_of_rule(self, event: PermissionsPane.RuleWanted) -> None:
        match event.act, event.rule:
            case RuleAct.NEW, _:
                self._write_rule("", RuleList.ALLOW, RuleSource.PROJECT)
            case RuleAct.EDIT, Rule() as rule if rule.source in PLACES:
                self._write_rule(rule.text, rule.list, rule.source, replaces=rule)
            case RuleAct.EDIT, Rule() as rule:
                self.tell(f"a rule of the {rule.source} is changed in its own file")
            case RuleAct.DELETE, Rule() as rule:
                self._delete_rule(rule)
            case RuleAct.TEST, _:
                from decode_ui.screens.call_trial import CallTrial

                self.app.push_screen(CallTrial(self.session.rehearsal))
            case _:
                pass

    @on(PermissionsPane.RulesRequested)
    def _show_rules(self) -> None:
        self._fill_rules()

    @on(PermissionsPane.Sought)
    def _seek(self, event: PermissionsPane.Sought) -> None:
        self._find_records(event.words, event.before)

    @work(group="rules-shown", exclusive=True)
    async def _fill_rules(self) -> None:
        book = self.session.rule_book

        def look() -> dict[str, str]:
            return {place: book.place_of(place) for place in (RuleSource.USER, RuleSource.PROJECT)}

        places = await asyncio.to_thread(look)
        places[RuleSource.AGENT] = self.session.agent.name
        self.query_one(PermissionsPane).show_rules(book.rules, places)

    @work(group="log", exclusive=True)
    async def _find_records(self, words: tuple[str, ...], before: int | None) -> None:
        events = self.session.events
        found = await asyncio.to_thread(lambda: list(islice(records(events, before=before, words=words), WINDOW)))
        self.query_one(PermissionsPane).show_found(words, found)

    async def _make_rule(self, record: Record) -> None:
        """A rule for exactly the call of the record, to be edited: deny where it ran, allow where it did not."""
        event = record.event
        if isinstance(event, ModeChanged):
            self.tell("a change of the mode makes no rule")
            return
        in_list = RuleList.DENY if event.outcome is PermissionOutcome.ALLOW else RuleList.ALLOW
        judged = await asyncio.to_thread(self.session.rehearsal.about, event.tool, event.subject)
        rule = exact_rule(judged.request, in_list)
        self._write_rule(rule.text if rule is not None else event.tool, in_list, RuleSource.PROJECT)

    def _write_rule(self, text: str, in_list: RuleList, place: RuleSource, *, replaces: Rule | None = None) -> None:
        from decode_ui.screens.rule_editor import RuleEditor, WrittenRule

        if not text.isprintable():
            # a field of one line would show another text than it stores
            self.tell("this text has lines or signs that cannot be edited here; change the settings file")
            return
        book = self.session.rule_book

        def store(written: WrittenRule | None) -> None:
            if written is None:
                return

            def change() -> None:
                kept = book.store(written.in_list, written.text, written.place)
                if replaces is not None and (replaces.list, replaces.text, replaces.source) != (
                    kept.list,
                    kept.text,
                    kept.source,
                ):
                    book.remove(replaces)

            where = {RuleSource.SESSION: "until the session ends"}.get(
                written.place, f"in the {written.place} settings"
            )
            self._change_rules(change, f"stored {written.in_list} {neutralise_line(written.text)} {where}")

        first = WrittenRule(text, in_list, place)
        self.app.push_screen(RuleEditor(first, book, self.session.rehearsal, replaces=replaces), store)

    def _remove_rule_of(self, record: Record) -> None:
        event = record.event
        ref = event.rule if isinstance(event, PermissionDecided) else None
        if ref is None:
            self.tell("no rule decided this")
            return
        rules = self.session.rule_book.rules
        found = next((r for r in rules if (r.text, r.list, r.source) == (ref.text, ref.list, ref.source)), None)
        if found is None:
            self.tell("the rule that decided this is not in force any more")
        else:
            self._delete_rule(found)

    def _delete_rule(self, rule: Rule) -> None:
        if rule.source not in PLACES:
            self.tell(f"a rule of the {rule.source} is changed in its own file")
            return
        self.run_worker(self._confirm_removal(rule), group="rules")

    async def _confirm_removal(self, rule: Rule) -> None:
        from decode_ui.screens.confirm import Confirmation, ConfirmScreen

        book = self.session.rule_book
        place = await asyncio.to_thread(book.place_of, rule.source)
        follows = "What it refused asks or runs again." if rule.list.is_wide else "What it let through asks again."

        def remove(answer: Confirmation | None) -> None:
            if answer is Confirmation.YES:
                self._change_rules(lambda: book.remove(rule), f"removed {rule.list} {neutralise_line(rule.text)}")

        question = f"Remove {rule.list} {rule.text} from {place}?"
        self.app.push_screen(ConfirmScreen(question, follows, yes="remove", no="keep"), remove)

    def _change_rules(self, change: Callable[[], object], done: str) -> None:
        async def write() -> None:
            try:
                await asyncio.to_thread(change)
            except RuleNotChanged as error:
                self.report(f"The rules are as they were: {error}.")
            else:
                self.tell(done)
            self._fill_rules()

        self.run_worker(write(), group="rules")
