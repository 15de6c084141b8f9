"""The rules of a session at the person's word: where each is kept, and how one is stored or taken away (permissions.md
§3.2). What is stored holds at once; an open question may be settled by it.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from decode_core.permissions.gate import PermissionGate
from decode_core.permissions.rules import Rule, RuleError, RuleList, RuleSource, parse_rule
from decode_core.settings.files import user_settings_file
from decode_core.settings.replace import BeforeWrite, SettingsWriteError
from decode_core.settings.writing import remove_rule, store_rule
from decode_core.trust.storing import drop_rule, keep_rule, rules_place
from decode_core.workspace import Workspace

PLACES = (RuleSource.PROJECT, RuleSource.USER, RuleSource.SESSION)
"""Where a person can keep a rule: in the project's settings, in their own, or until the session ends."""


class RuleNotChanged(Exception):  # noqa: N818 - told to the person; what they answered still counts once
    """A rule could not be stored or taken away; the message is one sentence."""


class RuleBook:
    """Stores and removes rules, in a file and in the gate. Methods that write a file block for some milliseconds."""

    def __init__(
        self,
        gate: PermissionGate,
        workspace: Workspace,
        on_changed: Callable[[], None],
        note_own_write: BeforeWrite | None = None,
    ) -> None:
        self._gate = gate
        self._workspace = workspace
        self._on_changed = on_changed
        self._note_own_write = note_own_write
        """Told of every change of the person's own file, so that it is not taken for somebody else's."""

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All rules in force, by source."""
        return self._gate.rules

    def file_of(self, source: RuleSource) -> Path | None:
        """The file that keeps the rules of a source; None where no settings file does. Looks at the folder's trust."""
        match source:
            case RuleSource.PROJECT:
                return rules_place(self._workspace.root)
            case RuleSource.USER:
                return user_settings_file()
            case _:
                return None

    def place_of(self, source: RuleSource) -> str:
        """Where rules of a source are kept, for people: a file's name, or `this session`."""
        file = self.file_of(source)
        if file is None:
            return "this session" if source is RuleSource.SESSION else f"the {source}"
        home = Path.home()
        text = self._workspace.relative(file)
        return f"~/{file.relative_to(home).as_posix()}" if text.startswith("/") and home in file.parents else text

    def store(self, in_list: RuleList, text: str, source: RuleSource) -> Rule:
        """Store a rule at one of `PLACES`; one that is there already is left as it stands. Raises RuleNotChanged."""
        try:
            rule = parse_rule(text, in_list, source)
        except RuleError as error:
            raise RuleNotChanged(str(error)) from error
        try:
            match source:
                case RuleSource.PROJECT:
                    rule = replace(rule, line=keep_rule(self._workspace.root, in_list, rule.text).line)
                case RuleSource.USER:
                    stored = store_rule(user_settings_file(), in_list, rule.text, before_write=self._note_own_write)
                    rule = replace(rule, line=stored.line)
                case RuleSource.SESSION:
                    pass
                case _:
                    raise RuleNotChanged(f"rules of the {source} are not kept in settings")
        except SettingsWriteError as error:
            raise RuleNotChanged(str(error)) from error
        self._gate.remove_rule(rule)
        self._gate.add_rule(rule)
        self._on_changed()
        return rule

    def remove(self, rule: Rule) -> None:
        """Take a rule away, from its file too. Raises RuleNotChanged, also for one that an agent's file holds."""
        try:
            match rule.source:
                case RuleSource.PROJECT:
                    drop_rule(self._workspace.root, rule.list, rule.text)
                case RuleSource.USER:
                    file, note = user_settings_file(), self._note_own_write
                    if not remove_rule(file, rule.list, rule.text, before_write=note).changed:
                        # one that is kept for this folder alone
                        drop_rule(self._workspace.root, rule.list, rule.text)
                case RuleSource.SESSION:
                    pass
                case _:
                    raise RuleNotChanged(f"{rule.text} is a rule of the {rule.source}; change it there")
        except SettingsWriteError as error:
            raise RuleNotChanged(str(error)) from error
        self._gate.remove_rule(rule)
        self._on_changed()
