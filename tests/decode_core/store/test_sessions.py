"""Lists, search, names, deletion: what a person finds again."""

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from decode_core.events import AgentSelected, AssistantMessage, EventBase, ModelChanged, TurnStarted
from decode_core.permissions.modes import PermissionMode
from decode_core.store.database import Database
from decode_core.store.faults import StoreError, StoreFault
from decode_core.store.holding import hold
from decode_core.store.lines import StoredMessage
from decode_core.store.records import Records
from decode_core.store.sessions import MAX_TITLE, Sessions
from stored import BEGUN, conversation, mode_changed, stamped, store_session


def test_the_list_tells_what_a_session_is_and_the_latest_comes_first(database: Database) -> None:
    store_session(database, "old")
    store_session(database, "new", [*conversation("Fix\nthe  tests"), mode_changed(PermissionMode.EDIT)], "/other")
    new, old = Sessions(database).recent()
    assert (new.id, old.id) == ("new", "old")
    assert new.title == "Fix the tests"
    assert (new.workspace, new.agent, new.mode, new.model) == ("/other", "build", "edit", "script:x")
    assert (new.turns, new.last_seq) == (1, 12)
    assert (new.created, new.changed) == (BEGUN, BEGUN + timedelta(seconds=12))


def test_the_list_follows_agent_and_model(database: Database) -> None:
    changes = [AgentSelected(agent="plan", mode=PermissionMode.PLAN), ModelChanged(model="offline", offline=True)]
    store_session(database, events=[*conversation(), *changes])
    (info,) = Sessions(database).recent()
    assert (info.agent, info.model) == ("plan", "offline")


def test_a_list_can_be_of_one_workspace_and_short(database: Database) -> None:
    for number in range(3):
        store_session(database, f"a{number}", workspace="/a")
        store_session(database, f"b{number}", workspace="/b")
    assert [info.id for info in Sessions(database).recent("/a")] == ["a2", "a1", "a0"]
    assert [info.id for info in Sessions(database).recent(limit=2)] == ["b2", "a2"]
    assert Sessions(database).latest("/b").id == "b2"
    with pytest.raises(StoreError, match="no session in /c"):
        Sessions(database).latest("/c")


def test_a_session_is_found_by_the_beginning_of_its_id(database: Database) -> None:
    for session_id in ("abc", "abcd", "xyz", "x%z"):
        store_session(database, session_id)
    found = Sessions(database).find
    assert found("xy").id == "xyz"
    assert found("abc").id == "abc"
    assert found("x%").id == "x%z"
    with pytest.raises(StoreError, match="several sessions"):
        found("ab")
    for unknown in ("", "q", "%", "abce", "ABC"):
        with pytest.raises(StoreError) as raised:
            found(unknown)
        assert raised.value.fault is StoreFault.NO_SUCH_SESSION


@pytest.mark.parametrize(
    ("words", "types"),
    [
        ("rename", ["assistant_message", "turn_started"]),
        ("FLAG rename", ["turn_started"]),
        ("renamed", ["assistant_message"]),
        ("renames", []),
        ("cli.py", ["tool_call_started"]),
        ("src/cli", ["tool_call_started"]),
        ("Uber", ["assistant_message"]),
        ("rename nothing", []),
        ("", []),
        ('"', []),
        ("* OR NEAR(", []),
    ],
)
def test_a_search_finds_prompts_answers_and_subjects(database: Database, words: str, types: list[str]) -> None:
    store_session(database, events=[*conversation(), AssistantMessage(text="Über alles")])
    assert sorted(hit.type for hit in Sessions(database).search(words)) == types


def test_a_hit_names_session_event_and_words(database: Database) -> None:
    store_session(database, "s1")
    store_session(database, "s2", workspace="/other")
    hits = Sessions(database).search("renamed", workspace="/other")
    assert [(hit.session.id, hit.seq, hit.excerpt) for hit in hits] == [("s2", 9, "I «renamed» it.")]


@given(words=st.text(max_size=60))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150, deadline=None)
def test_nothing_that_is_typed_breaks_a_search(database: Database, words: str) -> None:
    Sessions(database).search(words)


@given(words=st.lists(st.sampled_from(["alpha", "Beta", "gamma_delta", "naïve", "x1"]), min_size=1, max_size=4))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
def test_words_that_stand_in_a_prompt_find_it(database: Database, words: list[str]) -> None:
    if not Sessions(database).recent():
        store_session(database, events=[TurnStarted(prompt="Alpha: beta, gamma_delta; NAIVE (x1)")])
    assert len(Sessions(database).search(" ".join(words))) == 1


def test_a_session_can_be_renamed_and_keeps_its_name(database: Database) -> None:
    store_session(database)
    Sessions(database).rename("s1", "  The\nflag  ")
    Records(database).append("s1", *stamped([TurnStarted(prompt="more")], first=50))
    assert Sessions(database).find("s1").title == "The flag"
    Sessions(database).rename("s1", "y" * 1000)
    assert len(Sessions(database).find("s1").title) == MAX_TITLE
    for title, fault in ((" \n", StoreFault.UNFIT), ("x", StoreFault.NO_SUCH_SESSION)):
        with pytest.raises(StoreError) as raised:
            Sessions(database).rename("none" if title == "x" else "s1", title)
        assert raised.value.fault is fault


def test_a_deleted_session_leaves_no_trace(database: Database) -> None:
    store_session(database, "gone", conversation("xylophone marmalade", "quixotic answer"))
    store_session(database, "stays")
    Records(database).put_messages("gone", 0, [StoredMessage('{"kind": "xylophone"}', 2)])
    Sessions(database).delete("gone")
    assert [info.id for info in Sessions(database).recent()] == ["stays"]
    assert Sessions(database).search("xylophone") == []
    assert len(Sessions(database).search("renamed")) == 1
    with database.read() as connection:
        assert connection.execute("SELECT count(*) FROM messages").fetchone() == (0,)
    for file in database.path.parent.glob("sessions.db*"):
        content = file.read_bytes()
        assert b"xylophone" not in content, file
        assert b"quixotic" not in content, file


def test_a_session_that_is_open_elsewhere_is_not_deleted(database: Database) -> None:
    store_session(database)
    with hold(database.path.parent, "s1"), pytest.raises(StoreError, match="is open in process") as raised:
        Sessions(database).delete("s1")
    assert raised.value.fault is StoreFault.HELD
    assert Sessions(database).find("s1")
    Sessions(database).delete("s1")


def test_deleting_what_is_not_there_is_told(database: Database) -> None:
    with pytest.raises(StoreError) as raised:
        Sessions(database).delete("nothing")
    assert raised.value.fault is StoreFault.NO_SUCH_SESSION


def test_a_large_store_is_listed_and_searched_by_its_indexes(database: Database) -> None:
    """Plans, not times: nothing that a list or a search does reads all events."""
    events: list[EventBase] = [TurnStarted(prompt=f"prompt {number}") for number in range(300)]
    store_session(database, events=events)
    plans = {
        "SELECT id FROM sessions ORDER BY changed DESC, key DESC LIMIT 10": "sessions_by_change",
        "SELECT id FROM sessions WHERE workspace = '/ws' ORDER BY changed DESC LIMIT 10": "sessions_by_workspace",
        "SELECT body FROM events WHERE session = 1 ORDER BY seq": "sqlite_autoindex_events_1",
        "SELECT e.seq FROM texts JOIN events e ON e.key = texts.rowid WHERE texts MATCH '\"prompt\"*'": "VIRTUAL TABLE",
        "SELECT key FROM events WHERE session = 1 ORDER BY seq": "COVERING INDEX",
        "SELECT text FROM prompts WHERE workspace = '/ws' ORDER BY key DESC LIMIT 10": "prompts_by_workspace",
    }
    with database.read() as connection:
        for query, by in plans.items():
            steps = " | ".join(row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {query}"))
            assert by in steps, query
            assert "SCAN events" not in steps, query
            assert "SCAN e " not in f"{steps} ", query
