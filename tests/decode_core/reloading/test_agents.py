"""Agents that change while a session runs (catalog.md §4): real sessions, and the requests that the model gets."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from decode_core.config import config_dir, make_private
from decode_core.decisions import Allow, Deny
from decode_core.events import (
    CatalogReloaded,
    DecisionAnswered,
    DecisionRequested,
    EventBase,
    ModeChanged,
    ModelChanged,
    NoticeRaised,
    PermissionDecided,
    QuestionKind,
    TurnFinished,
)
from decode_core.opening import SessionOptions, new_session, survey
from decode_core.permissions.modes import PermissionMode
from decode_core.session import Session
from decode_core.trust.content import read_content
from decode_core.trust.record import TrustRecord
from decode_core.workspace import Workspace
from fake_provider import FakeProvider, Reply, fake_provider

ASKS = Reply(calls=[("bash", '{"command": "make all"}')])
"""A turn that stops at a question, so that files can change while it runs."""


def agent_file(name: str = "x") -> Path:
    return make_private(config_dir() / "agents") / f"{name}.md"


def text(prompt: str = "Old prompt.", tools: str = "[read, bash]", mode: str = "default", more: str = "") -> str:
    return f"---\nname: x\ndescription: d\ntools: {tools}\nmode: {mode}\n{more}---\n{prompt}\n"


async def opened(workspace: Path, provider: FakeProvider | None = None, **options: Any) -> Session:
    if provider is not None:
        models = {name: {"model": name, "base_url": provider.base_url} for name in ("one", "two")}
        (make_private(config_dir()) / "settings.json").write_text(json.dumps({"models": models}))
    agent_file().write_text(options.pop("before", text()))
    return new_session(survey(Workspace.open(workspace)), SessionOptions(agent="x", **options))


def turn(
    workspace: Path, steps: Callable[[Session], Awaitable[None]], *replies: Reply, **options: Any
) -> tuple[FakeProvider, list[EventBase]]:
    """Run one turn; `steps` happen while its first call waits for the person, who then allows it."""

    async def play(provider: FakeProvider) -> list[EventBase]:
        session = await opened(workspace, provider, **options)
        try:
            async for event in session.send("go"):
                if isinstance(event, DecisionRequested) and event.kind is QuestionKind.PERMISSION:
                    await steps(session)
                    session.answer(event.id, Allow.once())
            return list(session.events)
        finally:
            await session.close()

    with fake_provider(*replies) as provider:
        return provider, asyncio.run(play(provider))


def of(events: list[EventBase], kind: type[EventBase]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def test_the_next_request_of_a_running_turn_has_the_new_prompt_and_tools_and_the_mode_stays(tmp_path: Path) -> None:
    async def steps(session: Session) -> None:
        agent_file().write_text(text("New prompt.", "[bash]", mode="plan"))
        await session.agents.reload()

    provider, events = turn(tmp_path, steps, ASKS, Reply(text=["done"]))
    assert ("Old prompt." in provider.system(0), "New prompt." in provider.system(1)) == (True, True)
    assert (provider.tools(0), provider.tools(1)) == (["read", "bash"], ["bash"])
    assert of(events, ModeChanged) == []
    (reloaded,) = of(events, CatalogReloaded)
    assert (reloaded.changed, reloaded.added, reloaded.removed, reloaded.broken) == (("x",), (), (), ())
    assert of(events, TurnFinished)[0].end == "completed"


def test_a_deny_that_is_saved_while_its_question_is_open_denies_at_once(tmp_path: Path) -> None:
    async def steps(session: Session) -> None:
        agent_file().write_text(text(more='deny: ["bash(make *)"]\n'))
        await session.agents.reload()

    _, events = turn(tmp_path, steps, ASKS, Reply(text=["done"]))
    assert [(each.outcome.value, each.by.value) for each in of(events, PermissionDecided)] == [
        ("ask", "mode"),
        ("deny", "rule"),
    ]


def test_an_allow_that_is_saved_while_its_question_is_open_runs_nothing(tmp_path: Path) -> None:
    async def steps(session: Session) -> None:
        agent_file().write_text(text(more='allow: ["bash(make *)"]\n'))
        await session.agents.reload()
        await asyncio.sleep(0)
        assert session.open_question is not None
        assert session.open_question.kind is QuestionKind.PERMISSION
        assert session.agent.rules == ()

    turn(tmp_path, steps, ASKS, Reply(text=["done"]))


def test_a_broken_file_leaves_the_last_good_version_with_its_restrictions(tmp_path: Path) -> None:
    async def steps(session: Session) -> None:
        agent_file().write_text("---\nname: [\n---\n")
        await session.agents.reload()
        assert [rule.text for rule in session.agent.rules] == ["bash(rm *)"]

    before = text(more='deny: ["bash(rm *)"]\n')
    provider, events = turn(tmp_path, steps, ASKS, Reply(text=["done"]), before=before)
    assert "Old prompt." in provider.system(1)
    assert of(events, CatalogReloaded)[0].broken == ("x",)
    notice = of(events, NoticeRaised)[-1]
    assert f"{agent_file()}:2:7:" in notice.text
    assert "last good version stays" in notice.hint


def test_a_deleted_active_agent_stays_and_says_so(tmp_path: Path) -> None:
    async def steps(session: Session) -> None:
        agent_file().unlink()
        await session.agents.reload()
        assert session.agent.name == "x"
        session.select_agent("build")
        assert session.agent.name == "build"

    provider, events = turn(tmp_path, steps, ASKS, Reply(text=["done"]))
    assert "gone; its last version stays in force" in of(events, NoticeRaised)[-1].text
    assert "write" in provider.tools(1)


@pytest.mark.parametrize(
    ("named", "asked_of"), [(None, ["one", "two"]), ("one", ["one", "one"])], ids=["by the agent", "by the person"]
)
def test_the_model_follows_the_agent_unless_the_person_chose_one(
    tmp_path: Path, named: str | None, asked_of: list[str]
) -> None:
    async def steps(session: Session) -> None:
        agent_file().write_text(text(more="model: two\n"))
        await session.agents.reload()
        waiting = session.open_question
        assert waiting is not None
        await session.agents.take(tuple(session.catalog.held.values()))
        if named is None:
            await until(session, lambda: bool(of(list(session.events), ModelChanged)))

    provider, _ = turn(tmp_path, steps, ASKS, Reply(text=["done"]), before=text(more="model: one\n"), model=named)
    assert [request["model"] for request in provider.requests] == asked_of


async def until(session: Session, condition: Callable[[], bool]) -> None:
    """Wait for something that an event brings about."""
    happened = asyncio.Event()
    unsubscribe = session.subscribe(lambda _: happened.set())
    async with asyncio.timeout(30):
        while not condition():
            await happened.wait()
            happened.clear()
    unsubscribe()


async def question(session: Session) -> DecisionRequested:
    """The question about a change from outside, once it is open."""
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    opened = [event for event in session.events if isinstance(event, DecisionRequested)]
    assert opened
    assert opened[-1].kind is QuestionKind.OUTSIDE_CHANGE
    return opened[-1]


def scene(workspace: Path, steps: Callable[[Session], Awaitable[None]], **options: Any) -> None:
    """Do `steps` in an idle session."""

    async def play() -> None:
        session = await opened(workspace, model="offline", **options)
        try:
            await steps(session)
        finally:
            await session.close()

    asyncio.run(play())


def test_a_loosening_change_asks_once_with_the_difference_and_counts_when_taken(tmp_path: Path) -> None:
    async def steps(session: Session) -> None:
        agent_file().write_text(text("Go wild.", "[read, bash, edit]", more='allow: ["bash(make *)"]\n'))
        await session.agents.reload()
        await session.agents.reload()
        asked = await question(session)
        (change,) = asked.payload["changes"]
        assert change["loosens"] == ["allow bash(make *)", "more tools: edit"]
        assert change["file"] == str(agent_file())
        assert ("tool: edit" in change["before"], "tool: edit" in change["after"]) == (False, True)
        assert "Go wild." in change["after"]
        assert session.agent.tools == ("read", "bash")
        session.answer(asked.id, Allow.once())
        await until(session, lambda: session.agent.offers("edit"))
        assert of(list(session.events), DecisionAnswered)[0].answer == "taken"
        assert session.mode is PermissionMode.DEFAULT
        assert len(of(list(session.events), DecisionRequested)) == 1

    scene(tmp_path, steps)


def test_a_refused_change_stays_out_and_is_logged(tmp_path: Path) -> None:
    async def steps(session: Session) -> None:
        agent_file().write_text(text(tools='["*"]'))
        await session.agents.reload()
        session.answer((await question(session)).id, Deny())
        await until(session, lambda: bool(of(list(session.events), DecisionAnswered)))
        await session.agents.reload()
        assert session.agent.tools == ("read", "bash")
        assert of(list(session.events), DecisionAnswered)[0].answer == "denied"
        assert session.open_question is None
        assert of(list(session.events), CatalogReloaded)[0].held == ("x",)

    scene(tmp_path, steps)


def test_a_question_about_a_version_that_is_gone_by_now_is_withdrawn(tmp_path: Path) -> None:
    async def steps(session: Session) -> None:
        agent_file().write_text(text(tools='["*"]'))
        await session.agents.reload()
        await question(session)
        agent_file().write_text(text())
        await session.agents.reload()
        await until(session, lambda: bool(of(list(session.events), DecisionAnswered)))
        assert session.open_question is None
        assert of(list(session.events), DecisionAnswered)[0].answer == "withdrawn"

    scene(tmp_path, steps)


def test_where_nobody_can_be_asked_the_wider_version_waits(tmp_path: Path) -> None:
    async def steps(session: Session) -> None:
        agent_file().write_text(text(tools='["*"]'))
        await session.agents.reload()
        assert session.agent.tools == ("read", "bash")
        assert of(list(session.events), DecisionRequested) == []

    scene(tmp_path, steps, interactive=False)


def test_a_reload_that_finds_nothing_new_is_no_event(tmp_path: Path) -> None:
    async def steps(session: Session) -> None:
        agent_file().write_text(text() + "")
        await session.agents.reload()
        assert of(list(session.events), CatalogReloaded) == []

    scene(tmp_path, steps)


def test_a_branch_switch_asks_once_and_back_again_not_at_all_also_in_a_later_session(tmp_path: Path) -> None:
    """permissions.md §9: a digest that was trusted before for this path is not asked about again."""
    main, branch = text(), text(tools="[read, bash, edit]")
    file = tmp_path / ".decode" / "agents" / "x.md"
    file.parent.mkdir(parents=True)
    file.write_text(main)
    TrustRecord().trust(read_content(tmp_path))

    async def switch(session: Session, content: str, tools: tuple[str, ...]) -> None:
        file.write_text(content)
        await session.files.settings.reload()
        await session.agents.reload()
        if session.agents.live.unanswered():
            session.answer((await question(session)).id, Allow.once())
        await until(session, lambda: session.catalog.agents["x"].tools == tools)
        await session.files.settings.settle()

    async def play() -> list[int]:
        asked: list[int] = []
        for _ in range(2):
            session = new_session(survey(Workspace.open(tmp_path)), SessionOptions(agent="x", model="offline"))
            for content, tools in (
                (branch, ("read", "bash", "edit")),
                (main, ("read", "bash")),
                (branch, ("read", "bash", "edit")),
                (main, ("read", "bash")),
            ):
                await switch(session, content, tools)
            asked.append(len(of(list(session.events), DecisionRequested)))
            await session.close()
        return asked

    assert asyncio.run(play()) == [1, 0]
