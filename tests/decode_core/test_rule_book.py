"""Rules at the person's word: stored and taken away in a file and in the gate at once (permissions.md §3.2)."""

import json
from pathlib import Path

import pytest

from decode_core.permissions.gate import PermissionGate
from decode_core.permissions.rules import RuleList, RuleSource, parse_rule
from decode_core.rule_book import RuleBook, RuleNotChanged
from decode_core.settings.files import project_settings_file, user_settings_file
from decode_core.workspace import Workspace


class Bench:
    def __init__(self, root: Path) -> None:
        self.gate = PermissionGate(rules=[parse_rule("bash(git *)", RuleList.READONLY, RuleSource.AGENT)])
        self.changes = 0
        self.book = RuleBook(self.gate, Workspace(root), self._changed)

    def _changed(self) -> None:
        self.changes += 1

    def texts(self, source: RuleSource) -> list[str]:
        return [f"{rule.list}: {rule.text}" for rule in self.book.rules if rule.source is source]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path.resolve())


@pytest.mark.parametrize("source", [RuleSource.PROJECT, RuleSource.USER])
def test_a_rule_goes_to_its_file_with_its_line_and_holds_at_once(
    bench: Bench, tmp_path: Path, source: RuleSource
) -> None:
    rule = bench.book.store(RuleList.DENY, " bash(curl *) ", source)
    assert (rule.text, rule.source) == ("bash(curl *)", source)
    assert rule.line is not None
    path = project_settings_file(tmp_path.resolve()) if source is RuleSource.PROJECT else user_settings_file()
    assert json.loads(path.read_text())["permissions"] == {"deny": ["bash(curl *)"]}
    assert bench.texts(source) == ["deny: bash(curl *)"]
    assert bench.changes == 1
    bench.book.store(RuleList.DENY, "bash(curl *)", source)
    assert bench.texts(source) == ["deny: bash(curl *)"]
    bench.book.remove(rule)
    assert bench.texts(source) == []
    assert "curl" not in path.read_text()


def test_a_rule_for_the_session_touches_no_file(bench: Bench, tmp_path: Path) -> None:
    rule = bench.book.store(RuleList.ALLOW, "bash(make)", RuleSource.SESSION)
    assert bench.texts(RuleSource.SESSION) == ["allow: bash(make)"]
    assert not project_settings_file(tmp_path).exists()
    bench.book.remove(rule)
    assert bench.texts(RuleSource.SESSION) == []


def test_an_agents_rule_is_neither_stored_nor_removed_here(bench: Bench) -> None:
    (rule,) = bench.book.rules
    with pytest.raises(RuleNotChanged, match="agent"):
        bench.book.remove(rule)
    with pytest.raises(RuleNotChanged, match="agent"):
        bench.book.store(RuleList.ALLOW, "bash(make)", RuleSource.AGENT)
    assert bench.changes == 0


def test_what_cannot_be_written_changes_nothing(bench: Bench) -> None:
    file = user_settings_file()
    file.parent.mkdir(parents=True)
    file.write_text("{broken")
    for in_list, text in ((RuleList.ALLOW, "bash(make)"), (RuleList.DENY, "bash(")):
        with pytest.raises(RuleNotChanged):
            bench.book.store(in_list, text, RuleSource.USER)
    with pytest.raises(RuleNotChanged):
        bench.book.remove(parse_rule("bash(make)", RuleList.ALLOW, RuleSource.USER))
    assert bench.texts(RuleSource.USER) == []
    assert bench.changes == 0
    assert file.read_text() == "{broken"


def test_in_a_folder_that_is_not_trusted_a_rule_is_kept_with_the_persons_own_data(bench: Bench, tmp_path: Path) -> None:
    file = project_settings_file(tmp_path.resolve())
    file.parent.mkdir()
    file.write_text('{"permissions": {"allow": ["bash"]}}')
    assert bench.book.place_of(RuleSource.PROJECT) == "~/d/decode/granted-rules.json"
    rule = bench.book.store(RuleList.ALLOW, "bash(make)", RuleSource.PROJECT)
    assert bench.texts(RuleSource.PROJECT) == ["allow: bash(make)"]
    assert "make" not in file.read_text()
    bench.book.remove(rule)
    assert bench.texts(RuleSource.PROJECT) == []


def test_places_are_named_for_people(bench: Bench) -> None:
    assert bench.book.place_of(RuleSource.PROJECT) == ".decode/settings.json"
    assert bench.book.place_of(RuleSource.USER) == "~/c/decode/settings.json"
    assert bench.book.place_of(RuleSource.SESSION) == "this session"
