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
from decode_core.settings.replace import SettingsWriteError

RULE = "bash(npm test)"


def in_force(project_file: Path, *, trusted: bool = False) -> list[str]:
    found = load_settings(None, project_file, project_trusted=trusted, grants=GrantedRules())
    return [f"{rule.source} {rule.text}" for rule in found.rules]


def test_the_persons_rules_for_a_folder_hold_in_it_and_the_repositorys_own_do_not(project_file: Path) -> None:
    """permissions.md §3.2: in a folder that is not trusted, the person's own grants stand in their data directory."""
    grants = GrantedRules()
    project_file.write_text('{"permissions": {"allow": ["bash(curl *)"]}}')
    assert in_force(project_file) == []
    assert grants.add(project_file, RuleList.ALLOW, RULE)
    assert in_force(project_file) == [f"user {RULE}"]
    assert in_force(project_file, trusted=True) == [f"user {RULE}", "project bash(curl *)"]
    assert not grants.add(project_file, RuleList.ALLOW, RULE)
    assert grants.remove(project_file, RuleList.ALLOW, RULE)
    assert not grants.remove(project_file, RuleList.ALLOW, RULE)
    assert in_force(project_file) == []
    project_file.write_text(json.dumps({"permissions": {"allow": [RULE]}}))
    assert in_force(project_file) == [], "a removed rule that the repository brings back is the repository's"


def test_a_rule_that_both_have_is_the_persons_and_no_warning(project_file: Path) -> None:
    GrantedRules().add(project_file, RuleList.ALLOW, RULE)
    project_file.write_text(json.dumps({"permissions": {"allow": [RULE]}}))
    found = load_settings(None, project_file, project_trusted=False, grants=GrantedRules())
    assert [rule.source.value for rule in found.rules] == ["user"]
    assert not found.warnings


def test_the_record_of_grants_is_private_and_by_real_path(project_file: Path, tmp_path: Path) -> None:
    grants = GrantedRules()
    grants.add(project_file, RuleList.ALLOW, RULE)
    assert grants.file.parent == data_dir()
    assert stat.S_IMODE(grants.file.stat().st_mode) == 0o600
    (tmp_path / "alias").symlink_to(project_file.parent.parent)
    assert grants.of(tmp_path / "alias" / ".decode" / "settings.json") == ((RuleList.ALLOW, RULE),)
    assert grants.of(tmp_path / "other" / ".decode" / "settings.json") == ()


def test_a_repository_that_links_to_another_projects_settings_gets_none_of_its_grants(
    project_file: Path, tmp_path: Path
) -> None:
    GrantedRules().add(project_file, RuleList.ALLOW, RULE)
    project_file.write_text("{}")
    hostile = tmp_path / "hostile"
    hostile.mkdir()
    (hostile / ".decode").symlink_to(project_file.parent)
    assert in_force(project_settings_file(hostile)) == []


@pytest.mark.parametrize("rule", ["", "bash()", "bash(\ud800)", "a b"])
def test_what_is_no_rule_is_not_kept(rule: str, project_file: Path) -> None:
    with pytest.raises(SettingsWriteError, match="not stored"):
        GrantedRules().add(project_file, RuleList.ALLOW, rule)


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
    found = load_settings(None, project_file, project_trusted=False, grants=grants)
    assert found.is_degraded, "a deny may have stood in it"
