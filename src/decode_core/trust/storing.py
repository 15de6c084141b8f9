"""Our own changes to a project's rules: trust stays with what the person trusted (permissions.md §3.2, §9).

In a folder that counts, a rule goes into `.decode/settings.json` and the new content is trusted in place of the old. In
one that is not trusted it goes into the person's data directory instead: a file that others brought is none of ours.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from decode_core.permissions.rules import RuleList
from decode_core.settings.files import project_settings_file
from decode_core.settings.grants import GrantedRules
from decode_core.settings.replace import BeforeWrite, SettingsWriteError
from decode_core.settings.writing import remove_rule, store_rule, store_rules
from decode_core.trust.content import SETTINGS_FILE, FolderContent, read_content
from decode_core.trust.folder import look_at
from decode_core.trust.record import TrustError, TrustRecord


@dataclass(frozen=True)
class KeptRule:
    """Where a rule stands now, or stood."""

    file: Path
    changed: bool
    line: int | None = None
    is_private: bool = False
    """Whether it is kept in the person's data directory, since the folder is not trusted."""


def rules_place(root: Path) -> Path:
    """The file that a new rule of this project goes to."""
    return project_settings_file(root) if look_at(root).counts else GrantedRules().file


def keep_rule(root: Path, in_list: RuleList, text: str) -> KeptRule:
    """Store a rule for this folder. Raises SettingsWriteError."""
    file = project_settings_file(root)
    if not look_at(root).counts:
        grants = GrantedRules()
        return KeptRule(grants.file, grants.add(file, in_list, text), is_private=True)
    result = store_rule(file, in_list, text, before_write=trust_stamp(root))
    return KeptRule(result.file, result.changed, result.line)


def keep_rules(root: Path, rules: Sequence[tuple[RuleList, str]]) -> tuple[Path, tuple[tuple[RuleList, str], ...]]:
    """Store many rules for this folder; gives the file, and those that were not there before.

    Raises SettingsWriteError; where the folder counts, nothing is stored then.
    """
    file = project_settings_file(root)
    if look_at(root).counts:
        return file, store_rules(file, rules, before_write=trust_stamp(root))
    grants = GrantedRules()
    return grants.file, tuple(rule for rule in rules if grants.add(file, *rule))


def drop_rule(root: Path, in_list: RuleList, text: str) -> KeptRule:
    """Take a rule of this folder away, wherever it is kept. Raises SettingsWriteError."""
    grants, file = GrantedRules(), project_settings_file(root)
    was_private = grants.remove(file, in_list, text)
    changed = file.exists() and remove_rule(file, in_list, text, before_write=trust_stamp(root)).changed
    return KeptRule(file, changed=True) if changed else KeptRule(grants.file, was_private, is_private=True)


def trust_stamp(root: Path, name: str = SETTINGS_FILE) -> BeforeWrite:
    """Trusts the content that our own change of a project's file is about to make, if it is trusted as it stands.

    Told of every write beforehand, while the file is locked, so that of two writers each finds the other's content
    trusted. Judged on the very bytes: whatever somebody else changed is not blessed. Raises SettingsWriteError when the
    trust cannot be stored, so that nothing is written.
    """

    return lambda before, after: stamp_change(root, name, before, after)


def stamp_change(root: Path, name: str, before: bytes | None, after: bytes | None) -> None:
    """The same for one change, of `before` to `after`; None is no file."""
    content = read_content(root)
    record = TrustRecord()
    try:
        changed = content.with_file(name, after)
        if _counts(content.with_file(name, before), record) and not changed.is_empty:
            record.trust(changed)
    except TrustError as error:
        raise SettingsWriteError(f"{root / name} was not changed: {error}") from error


def _counts(content: FolderContent, record: TrustRecord) -> bool:
    return content.is_empty or record.is_trusted(content)
