"""Settings files that change while a session runs: what the person sees, and what becomes of open questions."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from decode_core.config import config_dir, make_private
from decode_core.decisions import Allow, Deny
from decode_core.events import (
    DecisionAnswered,
    DecisionRequested,
    EventBase,
    NoticeRaised,
    PermissionDecided,
    QuestionKind,
    SettingsReloaded,
    TurnFinished,
)
from decode_core.opening import SessionOptions, new_session, survey
from decode_core.permissions.modes import DecidedBy, PermissionMode, PermissionOutcome
from decode_core.permissions.rules import RuleList, RuleSource
from decode_core.session import Session
from decode_core.settings.files import project_settings_file, user_settings_file
from decode_core.trust.content import read_content
from decode_core.trust.folder import Standing
from decode_core.trust.record import TrustRecord
from decode_core.workspace import Workspace

PATIENCE_S = 30
AGENT = "---\nname: wild\ndescription: d\ntools: [bash]\nmode: edit\n---\nDo it.\n"


def write_user(value: Any) -> None:
    make_private(config_dir())
    user_settings_file().write_text(value if isinstance(value, str) else json.dumps(value))


def write_project(root: Path, value: Any) -> None:
    file = project_settings_file(root)
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(value))


def lists(**each: list[str]) -> dict[str, Any]:
    return {"permissions": each}


def script(root: Path, command: str) -> str:
    file = root.parent / "script.yaml"
    call = {"tool": "bash", "args": {"command": command}}
    file.write_text(json.dumps({"version": 1, "responses": [{"calls": [call]}, {"text": "done"}]}))
    return f"script:{file}"


def play(root: Path, steps: Callable[[Session], Awaitable[None]], **options: Any) -> list[EventBase]:
    async def run() -> list[EventBase]:
        options.setdefault("model", "offline")
        session = new_session(survey(Workspace.open(root)), SessionOptions(**options))
        try:
            await steps(session)
            return list(session.events)
        finally:
            await session.close()

    return asyncio.run(run())


async def until(session: Session, condition: Callable[[], bool]) -> None:
    happened = asyncio.Event()
    unsubscribe = session.subscribe(lambda event: happened.set())
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not condition():
                await happened.wait()
                happened.clear()
    finally:
        unsubscribe()


def of(events: list[EventBase], kind: type[EventBase]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def test_a_denial_that_is_saved_holds_from_then_on(root: Path) -> None:
    async def steps(session: Session) -> None:
        write_user(lists(deny=["bash(make *)"]))
        await session.files.settings.reload()
        assert [rule.text for rule in session.rule_book.rules if rule.list == "deny"] == ["bash(make *)"]

    events = play(root, steps)
    assert [event.degraded for event in of(events, SettingsReloaded)] == [False]


def test_saving_is_seen_by_itself(root: Path) -> None:
    async def steps(session: Session) -> None:
        session.watch_files()
        write_user(lists(deny=["bash(make *)"]))
        await until(session, lambda: any(rule.text == "bash(make *)" for rule in session.rule_book.rules))

    play(root, steps)


def test_a_reload_denies_an_open_question_and_never_runs_it(root: Path) -> None:
    """permissions.md §2: a settings reload never turns a question into a run, also after the person took it."""
    write_user({})

    async def steps(session: Session) -> None:
        questions: list[DecisionRequested] = []
        async for event in session.send("go"):
            if not isinstance(event, DecisionRequested):
                continue
            questions.append(event)
            if event.kind is QuestionKind.PERMISSION and len(questions) == 1:
                write_user(lists(allow=["bash(touch made)"]))
                await session.files.settings.reload()
                question = session.open_question
                assert question is not None
                assert question.kind is QuestionKind.PERMISSION, "it waits in front of the new one"
                session.files.settings.live.accept(session.files.settings.live.unanswered())
                await session.files.settings.reload()
                assert any(rule.text == "bash(touch made)" for rule in session.rule_book.rules)
                assert session.open_question == question, "it counts, and the question stays"
                write_user(lists(allow=["bash(touch made)"], deny=["bash(touch *)"]))
                await session.files.settings.reload()

    events = play(root, steps, model=script(root, "touch made"), mode=PermissionMode.DEFAULT)
    assert not (root / "made").exists()
    assert [event.outcome for event in of(events, PermissionDecided)] == [PermissionOutcome.ASK, PermissionOutcome.DENY]


def test_a_loosening_is_asked_once_with_its_difference_and_counts_at_the_persons_word(root: Path) -> None:
    write_project(root, lists(allow=["bash(make)"]))
    TrustRecord().trust(read_content(root))

    async def steps(session: Session) -> None:
        write_project(root, lists(allow=["bash(make)", "bash(curl *)"]))
        await session.files.settings.reload()
        await until(session, lambda: session.open_question is not None)
        question = session.open_question
        assert question is not None
        assert question.kind is QuestionKind.OUTSIDE_CHANGE
        (change,) = question.payload["changes"]
        assert change["name"] == "this project's settings"
        assert change["loosens"] == ["allow bash(curl *)"]
        assert "curl" not in change["before"]
        assert "curl" in change["after"]
        await session.files.settings.reload()
        assert session.open_question == question, "the same question, not a second one"
        session.answer(question.id, Allow.once())
        await until(session, lambda: any("Counts from" in each.text for each in of(list(session.events), NoticeRaised)))
        assert any("curl" in rule.text for rule in session.rule_book.rules)

    events = play(root, steps)
    assert [event.answer for event in of(events, DecisionAnswered)] == ["taken"]
    assert of(events, NoticeRaised)[-1].text == "Counts from now on: allow bash(curl *)."
    assert TrustRecord().is_trusted(read_content(root))


def test_a_loosening_that_is_refused_never_counts(root: Path) -> None:
    async def steps(session: Session) -> None:
        write_user(lists(allow=["bash(curl *)"]))
        await session.files.settings.reload()
        await until(session, lambda: session.open_question is not None)
        assert session.open_question is not None
        session.answer(session.open_question.id, Deny())
        await until(session, lambda: bool(of(list(session.events), DecisionAnswered)))
        await session.files.settings.reload()
        assert session.open_question is None
        assert not session.rule_book.rules or all("curl" not in rule.text for rule in session.rule_book.rules)

    play(root, steps)


def test_a_question_about_a_version_that_is_gone_is_withdrawn(root: Path) -> None:
    write_user({})

    async def steps(session: Session) -> None:
        write_user(lists(allow=["bash(curl *)"]))
        await session.files.settings.reload()
        await until(session, lambda: session.open_question is not None)
        write_user({})
        await session.files.settings.reload()
        await until(session, lambda: bool(of(list(session.events), DecisionAnswered)))
        assert session.open_question is None

    events = play(root, steps)
    assert [event.answer for event in of(events, DecisionAnswered)] == ["withdrawn"]


def test_without_a_person_a_loosening_simply_does_not_count(root: Path) -> None:
    async def steps(session: Session) -> None:
        write_user(lists(allow=["bash(curl *)"], deny=["bash(rm *)"]))
        await session.files.settings.reload()
        assert session.open_question is None
        texts = [rule.text for rule in session.rule_book.rules if rule.source == "user"]
        assert texts == ["bash(rm *)"]

    play(root, steps, interactive=False)


def test_broken_settings_are_told_with_file_and_line_and_bypass_does_not_lift_them(root: Path) -> None:
    write_user(lists(deny=["read(.env)"]))

    async def steps(session: Session) -> None:
        write_user('{\n  "permissions": {"deny": ["read(.env)"],\n')
        await session.files.settings.reload()
        assert session.settings.is_degraded
        async for event in session.send("go"):
            if isinstance(event, DecisionRequested):
                session.answer(event.id, Deny())
        write_user(lists(deny=["read(.env)"]))
        await session.files.settings.reload()
        assert not session.settings.is_degraded

    events = play(root, steps, model=script(root, "touch made"), mode=PermissionMode.BYPASS)
    told = [event.text for event in of(events, NoticeRaised)]
    assert any(text.startswith(f"{user_settings_file()}:2: ") for text in told)
    assert "The settings are sound again." in told
    assert [event.degraded for event in of(events, SettingsReloaded)] == [True, False]
    asked = of(events, PermissionDecided)[0]
    assert (asked.outcome, asked.by) == (PermissionOutcome.ASK, DecidedBy.DEGRADED)
    assert not (root / "made").exists()


def test_trusting_the_folder_lets_its_settings_and_agents_count(root: Path) -> None:
    write_project(root, lists(allow=["bash(make)"]))
    (root / ".decode" / "agents").mkdir()
    (root / ".decode" / "agents" / "wild.md").write_text(AGENT)

    async def steps(session: Session) -> None:
        assert not session.trust.counts
        assert "wild" not in session.catalog.agents
        await session.files.trust_folder(session.trust.content)
        assert session.trust.standing is Standing.TRUSTED
        assert "wild" in session.catalog.agents
        assert session.catalog.agents["wild"].mode is PermissionMode.EDIT
        assert any(rule.text == "bash(make)" for rule in session.rule_book.rules)
        assert session.open_question is None, "the person has just seen it all"

    play(root, steps)


def test_an_agent_that_was_slipped_in_after_the_look_is_asked_about(root: Path) -> None:
    write_project(root, {})

    async def steps(session: Session) -> None:
        seen = session.trust.content
        (root / ".decode" / "agents").mkdir()
        (root / ".decode" / "agents" / "wild.md").write_text(AGENT)
        await session.files.trust_folder(seen)
        assert "wild" not in session.catalog.agents
        assert "wild" in session.catalog.held

    play(root, steps)
    assert not TrustRecord().is_trusted(read_content(root))


def test_a_branch_that_was_trusted_before_is_not_asked_about(root: Path) -> None:
    write_project(root, {})
    (root / ".decode" / "agents").mkdir()
    (root / ".decode" / "agents" / "wild.md").write_text(AGENT)
    TrustRecord().trust(read_content(root))
    (root / ".decode" / "agents" / "wild.md").unlink()
    TrustRecord().trust(read_content(root))

    async def steps(session: Session) -> None:
        (root / ".decode" / "agents" / "wild.md").write_text(AGENT)
        await session.agents.reload()
        assert "wild" in session.catalog.agents
        assert session.open_question is None

    play(root, steps)


def test_an_agent_taken_at_the_question_is_trusted_from_then_on(root: Path) -> None:
    async def steps(session: Session) -> None:
        (root / ".decode" / "agents").mkdir(parents=True)
        (root / ".decode" / "agents" / "wild.md").write_text(AGENT)
        await session.files.settings.reload()
        await session.agents.reload()
        await until(session, lambda: session.open_question is not None)
        assert session.open_question is not None
        session.answer(session.open_question.id, Allow.once())
        await until(session, lambda: "wild" in session.catalog.agents)
        await session.files.settings.settle()

    play(root, steps)
    assert TrustRecord().is_trusted(read_content(root))


def test_trust_taken_back_in_another_terminal_takes_rules_and_agents_away(root: Path) -> None:
    write_project(root, lists(allow=["bash(make)"]))
    (root / ".decode" / "agents").mkdir()
    (root / ".decode" / "agents" / "wild.md").write_text(AGENT)
    TrustRecord().trust(read_content(root))

    async def steps(session: Session) -> None:
        assert "wild" in session.catalog.agents
        TrustRecord().revoke(root)
        await session.files.settings.reload()
        await until(session, lambda: "wild" not in session.catalog.agents)
        assert all(rule.text != "bash(make)" for rule in session.rule_book.rules)

    play(root, steps)


def test_a_turn_goes_on_over_a_reload(root: Path) -> None:
    async def steps(session: Session) -> None:
        async for event in session.send("go"):
            if isinstance(event, DecisionRequested):
                write_user(lists(ask=["write"]))
                await session.files.settings.reload()
                session.answer(event.id, Allow.once())

    events = play(root, steps, model=script(root, "touch made"))
    assert (root / "made").exists()
    assert of(events, TurnFinished)[0].end == "completed"


@pytest.mark.parametrize("source", [RuleSource.USER, RuleSource.PROJECT])
def test_what_the_person_stores_in_the_session_is_not_asked_about(root: Path, source: RuleSource) -> None:
    write_user({})

    async def steps(session: Session) -> None:
        await asyncio.to_thread(session.rule_book.store, RuleList.ALLOW, "bash(make)", source)
        await session.files.settings.reload()
        assert session.open_question is None
        assert [rule.text for rule in session.rule_book.rules if rule.source is source] == ["bash(make)"]

    play(root, steps)


def test_always_under_an_agent_with_rules_of_its_own_holds_after_a_restart(root: Path) -> None:
    """peers.md §3 cases 27 and 28: the rule is in the file, and nobody is asked again."""
    make_private(config_dir() / "agents")
    agent = "---\nname: own\ndescription: d\ntools: [bash]\nmode: default\nallow: ['bash(ls)']\n---\nDo it.\n"
    (config_dir() / "agents" / "own.md").write_text(agent)
    asked: list[str] = []

    async def steps(session: Session) -> None:
        async for event in session.send("go"):
            if isinstance(event, DecisionRequested):
                asked.append(event.payload["subject"])
                session.answer(event.id, Allow.always())

    for _ in range(2):
        (root / "made").unlink(missing_ok=True)
        play(root, steps, model=script(root, "touch made"), agent="own")
        assert (root / "made").exists()
    assert asked == ["touch made"]
    assert "bash(touch made)" in project_settings_file(root).read_text()


def test_a_session_grant_survives_a_reload_a_turn_and_a_change_of_mode(root: Path) -> None:
    """peers.md §3 case 32, and permissions.md §3: a reload replaces the rules of files only."""

    async def steps(session: Session) -> None:
        session.rule_book.store(RuleList.ALLOW, "bash(make)", RuleSource.SESSION)
        write_user(lists(deny=["bash(rm *)"]))
        await session.files.settings.reload()
        session.set_mode("plan")
        session.set_mode("default")
        texts = {rule.text for rule in session.rule_book.rules}
        assert {"bash(make)", "bash(rm *)"} <= texts

    play(root, steps)
