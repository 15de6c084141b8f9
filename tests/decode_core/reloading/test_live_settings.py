"""Settings that change while a session runs: tightening at once, loosening held (permissions.md §3.3, §9)."""

import json
from pathlib import Path
from typing import Any

import pytest

from decode_core.config import config_dir, make_private
from decode_core.permissions.rules import RuleList, RuleSource
from decode_core.reloading.live_settings import LiveSettings
from decode_core.settings.files import project_settings_file, user_settings_file
from decode_core.settings.grants import GrantedRules
from decode_core.settings.layers import Settings, load_settings
from decode_core.trust.content import read_content
from decode_core.trust.folder import Standing, look_at, reader_of
from decode_core.trust.record import TrustRecord
from decode_core.trust.storing import keep_rule

TOOLS = ("bash", "read", "write", "edit")
USER, PROJECT = RuleSource.USER, RuleSource.PROJECT


class Bench:
    """A workspace, its settings files, and a session's settings over them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir()
        make_private(config_dir())

    def write(self, source: RuleSource, value: Any) -> None:
        file = self.file(source)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(value if isinstance(value, str) else json.dumps(value))

    def file(self, source: RuleSource) -> Path:
        return user_settings_file() if source is USER else project_settings_file(self.root)

    def trust(self) -> None:
        TrustRecord().trust(read_content(self.root))

    def open(self) -> LiveSettings:
        trust = look_at(self.root)
        found = load_settings(
            user_settings_file(),
            project_settings_file(self.root),
            project_trusted=trust.counts,
            grants=GrantedRules(),
            tool_names=TOOLS,
            read=reader_of(trust.content),
        )
        return LiveSettings(self.root, TOOLS, found, trust)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "project")


def rules(settings: Settings) -> list[str]:
    return [f"{rule.list} {rule.text}" for rule in settings.rules]


def lists(**each: list[str]) -> dict[str, Any]:
    return {"permissions": each}


@pytest.mark.parametrize("source", [USER, PROJECT])
def test_a_tightening_counts_at_once_and_a_loosening_waits(bench: Bench, source: RuleSource) -> None:
    bench.write(source, lists(deny=["read(.env)"], allow=["bash(make)"]))
    bench.trust()
    live = bench.open()
    bench.write(source, lists(deny=["bash(rm *)"], allow=["bash(make)", "bash(curl *)"]))
    state = live.reload()
    assert set(rules(state.settings)) == {"deny read(.env)", "deny bash(rm *)", "allow bash(make)"}
    (held,) = state.held
    assert (held.source, held.file) == (source, bench.file(source))
    assert [each.what for each in held.loosens] == ["no longer deny read(.env)", "allow bash(curl *)"]
    assert held.before == json.dumps(lists(deny=["read(.env)"], allow=["bash(make)"]))
    assert live.unanswered() == (held,)


@pytest.mark.parametrize("source", [USER, PROJECT])
def test_the_persons_word_lets_it_count_now_and_after_a_branch_switch(bench: Bench, source: RuleSource) -> None:
    first, second = lists(allow=["bash(make)"]), lists(allow=["bash(make)", "bash(curl *)"])
    bench.write(source, first)
    bench.trust()
    live = bench.open()
    bench.write(source, second)
    live.accept(live.reload().held)
    assert rules(live.reload().settings) == ["allow bash(make)", "allow bash(curl *)"]
    for value in (first, second, first):
        bench.write(source, value)
        state = live.reload()
        assert not state.held, "asked once"
        assert len(rules(state.settings)) == len(value["permissions"]["allow"])


def test_what_was_taken_is_trusted_when_decode_is_opened_again(bench: Bench) -> None:
    bench.write(PROJECT, {})
    bench.trust()
    live = bench.open()
    bench.write(PROJECT, lists(allow=["bash(make)"]))
    assert look_at(bench.root).standing is Standing.UNTRUSTED
    live.accept(live.reload().held)
    assert look_at(bench.root).standing is Standing.TRUSTED


@pytest.mark.parametrize("source", [USER, PROJECT])
def test_what_was_refused_is_not_asked_again_and_never_counts(bench: Bench, source: RuleSource) -> None:
    bench.write(source, {})
    bench.trust()
    live = bench.open()
    bench.write(source, lists(allow=["bash(curl *)"]))
    live.refuse(live.reload().held)
    state = live.reload()
    assert live.unanswered() == ()
    assert rules(state.settings) == []
    bench.write(source, lists(allow=["bash(curl *)", "bash(wget *)"]))
    live.reload()
    assert len(live.unanswered()) == 1, "another version is another question"


@pytest.mark.parametrize("source", [USER, PROJECT])
@pytest.mark.parametrize(
    "broken",
    [
        '{"permissions": {"deny": ["read(.env)"],',
        "[]",
        '{"permissions": {"deny": "read(.env)"}}',
        '{"permissions": {"deny": ["read("], "allow": ["bash"]}}',
        '{"permissions": {"deny": ["read(.env)"]}, "limits": {"max_turns": "many"}, "mode": "edit"}',
    ],
)
def test_a_broken_file_keeps_its_last_good_version_in_force(bench: Bench, source: RuleSource, broken: str) -> None:
    """peers.md §3 case 31: deny rules are not lost to a typo."""
    bench.write(source, lists(deny=["read(.env)"], allow=["bash(make)"]))
    bench.trust()
    live = bench.open()
    bench.write(source, broken)
    state = live.reload()
    assert rules(state.settings) == ["deny read(.env)", "allow bash(make)"]
    assert state.settings.values.mode is None
    assert state.settings.degraded[0].file == bench.file(source)
    assert state.settings.degraded[0].line == 1
    assert state.settings.degraded_reason is not None
    assert str(bench.file(source)) in state.settings.degraded_reason
    assert not state.held, "a broken version is not offered"
    bench.write(source, lists(deny=["read(.env)"], allow=["bash(make)"]))
    state = live.reload()
    assert not state.settings.is_degraded
    assert not state.held


def test_what_a_broken_file_forbids_by_now_counts_as_well(bench: Bench) -> None:
    bench.write(USER, lists(deny=["read(.env)"]))
    live = bench.open()
    bench.write(USER, '{"permissions": {"deny": ["bash(rm *)", "read("]}}')
    assert set(rules(live.reload().settings)) == {"deny read(.env)", "deny bash(rm *)"}


def test_a_file_that_is_gone_takes_no_denial_with_it_before_somebody_said_so(bench: Bench) -> None:
    bench.write(USER, lists(deny=["read(.env)"]))
    live = bench.open()
    user_settings_file().unlink()
    state = live.reload()
    assert rules(state.settings) == ["deny read(.env)"]
    assert [each.what for each in state.held[0].loosens] == ["no longer deny read(.env)"]
    live.accept(state.held)
    assert rules(live.reload().settings) == []


def test_a_folder_that_brought_nothing_and_gets_something_is_asked_about(bench: Bench) -> None:
    live = bench.open()
    bench.write(PROJECT, lists(allow=["bash(curl *)"], deny=["bash(rm *)"]) | {"mode": "edit"})
    state = live.reload()
    assert rules(state.settings) == ["deny bash(rm *)"]
    assert {each.what for each in state.held[0].loosens} == {
        "allow bash(curl *)",
        "mode edit instead of the default",
    }
    assert state.held[0].before is None


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        (".mcp.json", '{"mcpServers": {"db": {"command": "sh"}}}', '.mcp.json: new server db: {"command": "sh"}'),
        (".decode/hooks/stop.sh", "curl x | sh", ".decode/hooks/stop.sh: new"),
        (".decode/skills/pdf/SKILL.md", "x", ".decode/skills/pdf/SKILL.md: new"),
        ("tools/check.sh", "rm -rf .", "tools/check.sh: changed"),
    ],
)
def test_servers_and_scripts_that_change_are_asked_about(bench: Bench, name: str, text: str, told: str) -> None:
    (bench.root / "tools").mkdir()
    (bench.root / "tools" / "check.sh").write_text("true")
    bench.write(PROJECT, {"hooks": {"stop": ["sh tools/check.sh"]}})
    bench.trust()
    live = bench.open()
    file = bench.root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    assert [str(each) for each in live.reload().held[0].loosens] == [told]
    assert [str(each) for each in live.reload().held[0].loosens] == [told], "it stays so until it is answered"


def test_an_untrusted_folder_is_not_asked_about_again_and_again(bench: Bench) -> None:
    bench.write(PROJECT, lists(allow=["bash(curl *)"]))
    live = bench.open()
    bench.write(PROJECT, lists(allow=["bash(curl *)", "bash"], deny=["bash(rm *)"]))
    state = live.reload()
    assert not state.held
    assert rules(state.settings) == ["deny bash(rm *)"]
    assert state.trust.standing is Standing.UNTRUSTED


def test_a_broken_file_of_an_untrusted_folder_is_a_warning_only(bench: Bench) -> None:
    bench.write(PROJECT, lists(allow=["bash(curl *)"]))
    live = bench.open()
    bench.write(PROJECT, "{")
    state = live.reload()
    assert not state.settings.is_degraded
    assert state.settings.warnings


def test_trusting_takes_just_what_was_seen(bench: Bench) -> None:
    bench.write(PROJECT, lists(allow=["bash(make)"]))
    live = bench.open()
    seen = live.state.trust.content
    bench.write(PROJECT, lists(allow=["bash(make)", "bash(curl *)"]))
    live.trust(seen)
    state = live.reload()
    assert live.counts
    assert rules(state.settings) == []
    assert [each.what for each in state.held[0].loosens] == ["allow bash(make)", "allow bash(curl *)"]
    bench.write(PROJECT, lists(allow=["bash(make)"]))
    assert rules(live.reload().settings) == ["allow bash(make)"]


def test_trust_given_in_another_terminal_counts_and_taken_back_it_does_not(bench: Bench) -> None:
    bench.write(PROJECT, lists(allow=["bash(make)"], deny=["read(x)"]))
    live = bench.open()
    assert rules(live.reload().settings) == ["deny read(x)"]
    bench.trust()
    assert rules(live.reload().settings) == ["deny read(x)", "allow bash(make)"]
    TrustRecord().revoke(bench.root)
    assert rules(live.reload().settings) == ["deny read(x)"]
    assert not live.counts


def test_a_record_that_breaks_takes_no_trust_away_and_gives_none(bench: Bench) -> None:
    bench.write(PROJECT, lists(allow=["bash(make)"]))
    bench.trust()
    live = bench.open()
    TrustRecord().file.write_text("{")
    assert rules(live.reload().settings) == ["allow bash(make)"]
    bench.write(PROJECT, lists(allow=["bash(make)", "bash"]))
    assert len(live.reload().held) == 1


def test_always_from_another_session_counts_without_a_question(bench: Bench) -> None:
    bench.write(PROJECT, {})
    bench.trust()
    live = bench.open()
    keep_rule(bench.root, RuleList.ALLOW, "bash(make)")
    state = live.reload()
    assert (rules(state.settings), state.held) == (["allow bash(make)"], ())


def test_our_own_write_of_the_persons_file_is_not_asked_about_and_blesses_nothing_else(bench: Bench) -> None:
    bench.write(USER, {})
    live = bench.open()
    ours = json.dumps(lists(allow=["bash(make)"])).encode()
    live.note_own_write(b"{}", ours)
    user_settings_file().write_bytes(ours)
    assert not live.reload().held
    theirs = json.dumps(lists(allow=["bash(make)", "bash(curl *)"])).encode()
    user_settings_file().write_bytes(theirs)
    assert live.reload().held
    live.note_own_write(theirs, theirs + b" ")
    user_settings_file().write_bytes(theirs + b" ")
    assert live.reload().held, "what was written on top of it waits as well"


def test_a_change_that_loosens_nothing_keeps_the_folder_trusted(bench: Bench) -> None:
    bench.write(PROJECT, lists(allow=["bash(make)"]))
    bench.trust()
    live = bench.open()
    bench.write(PROJECT, lists(allow=["bash(make)"], deny=["bash(rm *)"]))
    live.reload()
    assert look_at(bench.root).standing is Standing.UNTRUSTED
    assert live.settle([])
    assert look_at(bench.root).standing is Standing.TRUSTED
    assert not live.settle([]), "once"


def test_nothing_settles_while_something_waits_or_is_not_in_force(bench: Bench) -> None:
    bench.write(PROJECT, {})
    bench.trust()
    live = bench.open()
    agents = bench.root / ".decode" / "agents"
    agents.mkdir()
    (agents / "x.md").write_text("---\nname: x\ndescription: d\ntools: [bash]\nmode: edit\n---\nDo it.\n")
    live.reload()
    assert not live.settle([]), "its agent is not in force"
    (agents / "x.md").write_text("---\nname: x\n")
    live.reload()
    assert not live.settle([]), "a broken agent may be anything later"
    (agents / "x.md").unlink()
    bench.write(PROJECT, lists(allow=["bash"]))
    live.refuse(live.reload().held)
    assert not live.settle([]), "refused is not trusted"
    assert look_at(bench.root).standing is Standing.UNTRUSTED


def test_the_fingerprint_tells_everything_that_counts_apart(bench: Bench) -> None:
    bench.write(PROJECT, {})
    live = bench.open()
    seen = {live.fingerprint()}
    for name in (".mcp.json", ".decode/hooks/a/x.sh", ".decode/commands/c.md", ".decode/agents/x.md"):
        file = bench.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x")
        seen.add(live.fingerprint())
    bench.write(USER, {})
    seen.add(live.fingerprint())
    bench.trust()
    seen.add(live.fingerprint())
    assert len(seen) == 7
    assert bench.root in live.folders()
