"""The permission log and its rules tab on the work screen (ui.md §4, keys.md §7.3)."""

import json
from pathlib import Path

import pytest

from decode_core.events import PermissionDecided, RuleRef, ToolCallStarted
from decode_core.permissions.modes import DecidedBy, PermissionMode, PermissionOutcome, ToolKind
from decode_core.permissions.rules import RuleList, RuleSource
from decode_core.settings.files import user_settings_file
from decode_ui.panes.permissions import WINDOW, PermissionsPane
from decode_ui.testing import Workbench
from fake_session import FakeSession
from work_screen import run

STEPS = ("bash is a tool of kind other", "no deny rule matches", "mode default: ask")


def call(session: FakeSession, number: int, command: str, outcome: str = "allow", rule: RuleRef | None = None) -> None:
    session.emit(
        ToolCallStarted(call_id=f"c{number}", tool="bash", subject=command, args={"command": command}),
        PermissionDecided(
            call_id=f"c{number}",
            tool="bash",
            kind=ToolKind.OTHER,
            effective_kind=ToolKind.OTHER,
            subject=command,
            outcome=PermissionOutcome(outcome),
            by=DecidedBy.RULE if rule else DecidedBy.MODE,
            rule=rule,
            mode=PermissionMode.DEFAULT,
            reason="Mode default asks before commands.",
            steps=STEPS,
        ),
    )


def pane(bench: Workbench) -> PermissionsPane:
    return bench.work.query_one(PermissionsPane)


def rows(bench: Workbench) -> str:
    return "\n".join(str(option.prompt) for option in pane(bench).options)


async def settle(bench: Workbench) -> None:
    await bench.work.workers.wait_for_complete()
    await bench.idle()


def in_force(session: FakeSession, source: RuleSource) -> list[str]:
    return [f"{rule.list}: {rule.text}" for rule in session.rule_book.rules if rule.source is source]


def test_a_record_opens_whole_and_its_verdict_is_told_step_by_step(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        call(session, 1, "make test")
        await bench.press("ctrl+o", "l", "enter")
        for words in ("subject     make test", "decided by  mode", "step by step", "1. bash is a tool of kind other"):
            assert words in bench.screen
        await bench.press("escape", "w")
        for words in ("allow  bash make test", "(by mode, mode default)", "  3. mode default: ask"):
            assert words in bench.screen

    run(steps, tmp_path)


def test_the_outcome_and_words_filter_the_log(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        call(session, 1, "make test")
        call(session, 2, "rm x", "deny")
        await bench.press("ctrl+o", "l", "o", "o")
        assert "Permissions · deny" in bench.screen
        assert "rm x" in rows(bench) and "make test" not in rows(bench)
        await bench.press("o", "o", "slash")
        await bench.write("outcome:allow")
        assert "make test" in rows(bench) and "rm x" not in rows(bench)

    run(steps, tmp_path, (150, 40))


def test_the_pane_holds_a_window_and_end_and_a_search_reach_what_is_older(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        call(session, 0, "the very first")
        for number in range(1, WINDOW + 20):
            call(session, number, f"step {number}")
        await bench.press("ctrl+o", "l")
        assert pane(bench).option_count == WINDOW
        await bench.press("slash")
        await bench.write("very first")
        await settle(bench)
        assert "the very first" in rows(bench)
        await bench.press("escape", "ctrl+o", "l", "end")
        await settle(bench)
        assert pane(bench).option_count == WINDOW + 20
        await bench.press("end", "enter")
        assert "subject     the very first" in bench.screen

    run(steps, tmp_path, (150, 40))


def test_a_rule_is_made_from_a_record_and_shown_before_it_is_stored(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        call(session, 1, "rm build/*.o")
        call(session, 2, "ls", "ask")
        await bench.press("ctrl+o", "l", "down", "m")
        await settle(bench)
        assert "enter stores deny bash(rm build/[*].o) in .decode/settings.json" in bench.screen
        assert "would have matched 1 call" in bench.screen
        assert not (tmp_path / ".decode").exists()
        await bench.press("enter")
        await settle(bench)
        assert in_force(session, RuleSource.PROJECT) == ["deny: bash(rm build/[*].o)"]
        stored = json.loads((tmp_path / ".decode" / "settings.json").read_text())
        assert stored["permissions"] == {"deny": ["bash(rm build/[*].o)"]}
        assert "stored deny bash(rm build/[*].o)" in bench.screen

    run(steps, tmp_path)


def test_the_rule_that_allowed_a_call_is_removed_after_a_question_that_names_its_file(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.rule_book.store(RuleList.ALLOW, "bash(make *)", RuleSource.USER)
        ref = RuleRef(text="bash(make *)", list=RuleList.ALLOW, source=RuleSource.USER)
        call(session, 1, "make test", rule=ref)
        await bench.press("ctrl+o", "l", "x")
        await settle(bench)
        assert "Remove allow bash(make *) from ~/c/decode/settings.json?" in bench.screen
        await bench.press("n")
        assert in_force(session, RuleSource.USER) == ["allow: bash(make *)"]
        await bench.press("x")
        await settle(bench)
        await bench.press("y")
        await settle(bench)
        assert in_force(session, RuleSource.USER) == []
        assert "make" not in user_settings_file().read_text()
        await bench.press("x")
        assert "not in force any more" in bench.screen

    run(steps, tmp_path)


def test_a_call_that_no_rule_decided_has_no_rule_to_remove(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        call(session, 1, "make test")
        await bench.press("ctrl+o", "l", "x")
        assert "no rule decided this" in bench.screen

    run(steps, tmp_path)


@pytest.mark.parametrize("way", [("ctrl+o", "r"), ("ctrl+o", "l", "r")])
def test_the_rules_tab_lists_the_rules_in_force_by_layer(tmp_path: Path, way: tuple[str, ...]) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        session.rule_book.store(RuleList.ALLOW, "bash(make *)", RuleSource.SESSION)
        session.rule_book.store(RuleList.DENY, "bash(curl *)", RuleSource.USER)
        await bench.press(*way)
        await settle(bench)
        shown = bench.screen
        order = ["yours  ~/c/decode/settings.json", "deny     bash(curl *)", "agent  build", "readonly bash"]
        order += ["this session", "allow    bash(make *)"]
        places = [shown.index(words) for words in order]
        assert places == sorted(places)
        await bench.press("l")
        assert "no calls yet" in bench.screen

    run(steps, tmp_path, (150, 40))


def test_a_rule_is_written_changed_and_deleted_on_the_rules_tab(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.press("ctrl+o", "r")
        await settle(bench)
        await bench.press("n")
        await settle(bench)
        await bench.write("bash(make *)")
        await bench.press("tab", "tab", "right", "right", "shift+tab", "shift+tab")
        await settle(bench)
        assert "enter stores allow bash(make *) in this session" in bench.screen
        await bench.press("enter")
        await settle(bench)
        assert in_force(session, RuleSource.SESSION) == ["allow: bash(make *)"]
        await bench.press("end", "e")
        await settle(bench)
        await bench.press("tab", "left")
        await settle(bench)
        assert "enter stores ask bash(make *) in this session, and takes allow bash(make *) away" in bench.screen
        await bench.press("shift+tab", "enter")
        await settle(bench)
        assert in_force(session, RuleSource.SESSION) == ["ask: bash(make *)"]
        await bench.press("end", "x")
        await settle(bench)
        await bench.press("y")
        await settle(bench)
        assert in_force(session, RuleSource.SESSION) == []

    run(steps, tmp_path)


def test_an_agents_rule_is_neither_changed_nor_deleted_here(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.press("ctrl+o", "r")
        await settle(bench)
        for key in ("e", "x"):
            await bench.press(key)
            await settle(bench)
            assert "a rule of the agent is changed in its own file" in bench.screen
        assert in_force(session, RuleSource.AGENT) == ["readonly: bash"]

    run(steps, tmp_path)


@pytest.mark.parametrize(
    ("rule", "says"), [("bash", "every call of bash"), ("bash(", "Malformed"), ("", "Write a rule")]
)
def test_a_rule_that_cannot_be_stored_says_why_and_stays_in_the_editor(tmp_path: Path, rule: str, says: str) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        await bench.press("ctrl+o", "r")
        await settle(bench)
        await bench.press("n")
        await settle(bench)
        await bench.write(rule)
        await bench.press("enter")
        await bench.app.screen.workers.wait_for_complete()
        await bench.idle()
        assert says in bench.screen
        await bench.press("escape")
        await settle(bench)
        assert in_force(session, RuleSource.PROJECT) == []

    run(steps, tmp_path)


def test_what_cannot_be_written_is_said_in_the_chat_and_the_rules_stay(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        user_settings_file().parent.mkdir(parents=True)
        user_settings_file().write_text("{broken")
        await bench.press("ctrl+o", "r")
        await settle(bench)
        await bench.press("n")
        await settle(bench)
        await bench.write("bash(make *)")
        await bench.press("tab", "tab", "right", "enter")
        await bench.press("shift+tab", "shift+tab", "enter")
        await settle(bench)
        assert "The rules are as they were" in bench.screen
        assert in_force(session, RuleSource.USER) == []
        assert user_settings_file().read_text() == "{broken"

    run(steps, tmp_path)


def test_a_call_is_tested_against_the_rules_and_nothing_runs(tmp_path: Path) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        before = len(session.events)
        await bench.press("ctrl+o", "r")
        await settle(bench)
        await bench.press("t")
        await bench.write("bash touch x")
        await bench.press("enter")
        await bench.until(lambda: "ask  bash touch x" in bench.screen, "the verdict")
        assert "  2. no deny rule matches" in bench.screen
        assert not (tmp_path / "x").exists()
        assert len(session.events) == before

    run(steps, tmp_path)


@pytest.mark.parametrize("command", ["touch a\ntouch b", "touch \u202egnp.exe"])
def test_a_text_that_one_line_cannot_show_is_not_edited(tmp_path: Path, command: str) -> None:
    async def steps(bench: Workbench, session: FakeSession) -> None:
        call(session, 1, command)
        await bench.press("ctrl+o", "l", "m")
        await settle(bench)
        assert "cannot be edited here" in bench.screen
        session.rule_book.store(RuleList.DENY, f"bash({command})", RuleSource.SESSION)
        await bench.press("r")
        await settle(bench)
        await bench.press("end", "e")
        await settle(bench)
        assert "A rule" not in bench.screen and "Change a rule" not in bench.screen
        assert in_force(session, RuleSource.SESSION) == [f"deny: bash({command})"]

    run(steps, tmp_path)
