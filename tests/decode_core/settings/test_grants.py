"""Only what the application itself stored loosens anything in a folder that nobody trusted."""

import json
import stat
from pathlib import Path

import pytest

from decode_core.config import data_dir
from decode_core.permissions.rules import RuleList
from decode_core.settings.files import SettingsReadError, project_settings_file
from decode_core.settings.grants import GrantedRules
from decode_core.settings.layers import load_settings
from decode_core.settings.writing import SettingsWriteError, remove_rule, store_rule

RULE = "bash(npm test)"


def test_what_is_stored_loosens_an_untrusted_folder_and_the_repositorys_own_rules_do_not(project_file: Path) -> None:
    grants = GrantedRules()
    project_file.write_text('{"permissions": {"allow": ["bash(curl *)"]}}')

    def in_force() -> list[str]:
        found = load_settings(None, project_file, project_trusted=False, grants=grants)
        return [rule.text for rule in found.rules]

    assert in_force() == []
    store_rule(project_file, RuleList.ALLOW, RULE, grants=grants)
    assert in_force() == [RULE]
    remove_rule(project_file, RuleList.ALLOW, RULE, grants=grants)
    assert in_force() == []
    project_file.write_text(json.dumps({"permissions": {"allow": [RULE]}}))
    assert in_force() == [], "a removed rule that the repository brings back is the repository's"


def test_saying_always_to_a_rule_that_the_repository_brought_makes_it_the_persons(project_file: Path) -> None:
    grants = GrantedRules()
    project_file.write_text(json.dumps({"permissions": {"allow": [RULE]}}))
    assert not store_rule(project_file, RuleList.ALLOW, RULE, grants=grants).changed
    assert grants.of(project_file) == {(RuleList.ALLOW, RULE)}


def test_the_record_of_grants_is_private_and_by_real_path(project_file: Path, tmp_path: Path) -> None:
    grants = GrantedRules()
    grants.add(project_file, RuleList.ALLOW, RULE)
    assert grants.file.parent == data_dir()
    assert stat.S_IMODE(grants.file.stat().st_mode) == 0o600
    (tmp_path / "alias").symlink_to(project_file.parent.parent)
    assert grants.of(tmp_path / "alias" / ".decode" / "settings.json") == {(RuleList.ALLOW, RULE)}
    assert grants.of(tmp_path / "other" / ".decode" / "settings.json") == frozenset()


def test_a_repository_that_links_to_another_projects_settings_gets_none_of_its_grants(
    project_file: Path, tmp_path: Path
) -> None:
    grants = GrantedRules()
    store_rule(project_file, RuleList.ALLOW, RULE, grants=grants)
    hostile = tmp_path / "hostile"
    hostile.mkdir()
    (hostile / ".decode").symlink_to(project_file.parent)
    found = load_settings(None, project_settings_file(hostile), project_trusted=False, grants=grants)
    assert not found.rules


def test_user_settings_and_tightening_rules_need_no_grant(user_file: Path, project_file: Path) -> None:
    grants = GrantedRules()
    store_rule(user_file, RuleList.ALLOW, RULE, grants=grants)
    store_rule(project_file, RuleList.DENY, RULE, grants=grants)
    assert not grants.file.exists()


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "{}",
        '{"version": 2, "files": {}}',
        '{"version": 1, "files": {"x": []}}',
        '{"version": 1, "files": {"x": {"allow": "y"}}}',
        '{"version": 1, "files": {"x": {"bogus": []}}}',
    ],
)
def test_a_broken_record_of_grants_grants_nothing_and_is_not_overwritten(text: str, project_file: Path) -> None:
    grants = GrantedRules()
    grants.file.parent.mkdir(parents=True)
    grants.file.write_text(text)
    with pytest.raises(SettingsReadError, match="delete it to start anew"):
        grants.of(project_file)
    with pytest.raises(SettingsWriteError, match="delete it to start anew"):
        grants.add(project_file, RuleList.ALLOW, RULE)
    assert grants.file.read_text() == text
