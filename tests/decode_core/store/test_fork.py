"""Forks: a copy up to a message, its model history cut at the same place."""

import pytest

from decode_core.events import AgentSelected, EventBase
from decode_core.permissions.modes import PermissionMode
from decode_core.store.database import Database
from decode_core.store.faults import StoreError, StoreFault
from decode_core.store.fork import fork
from decode_core.store.lines import StoredMessage
from decode_core.store.records import Records
from decode_core.store.sessions import Sessions
from stored import conversation, mode_changed, store_session

SECOND = 12
"""The prompt of the second turn."""


def two_turns(database: Database) -> list[EventBase]:
    """Two turns, then a change of agent and mode; the model's messages were written where an engine writes them."""
    second = conversation("And the docs", "Done, too.")[1:]
    changes = [AgentSelected(agent="plan", mode=PermissionMode.PLAN), mode_changed(PermissionMode.PLAN)]
    kept = store_session(database, events=[*conversation(), *second, *changes])
    records = Records(database)
    for number, after in enumerate((2, 2, 8, 8, 12, 12, 18, 18)):
        records.put_messages("s1", number, [StoredMessage(f"m{number}", after)])
    return kept


@pytest.mark.parametrize(
    ("at", "last", "messages", "turns"),
    [
        (None, 23, ["m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7"], 2),
        (23, 23, ["m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7"], 2),
        (SECOND, 11, ["m0", "m1", "m2", "m3"], 1),
        (3, 3, ["m0", "m1"], 1),
        (8, 8, ["m0", "m1"], 1),
        (9, 9, ["m0", "m1", "m2", "m3"], 1),
        (2, 1, [], 0),
    ],
)
def test_a_fork_ends_where_it_was_told(
    database: Database, at: int | None, last: int, messages: list[str], turns: int
) -> None:
    kept = two_turns(database)
    copy = fork(database, "s1", at, new_id="copy")
    expected = [event.model_copy(update={"session_id": "copy"}) for event in kept if event.seq <= last]
    assert list(Records(database).events("copy").events) == expected
    assert [message.body for message in Records(database).messages("copy")] == messages
    assert (copy.forked_from, copy.forked_at, copy.last_seq, copy.turns) == ("s1", last, last, turns)
    assert (copy.title, copy.workspace) == ("Rename the flag (fork)", "/ws")
    assert list(Records(database).events("s1").events) == kept


def test_a_fork_has_the_agent_and_mode_of_its_last_moment_and_is_the_latest(database: Database) -> None:
    two_turns(database)
    early, late = fork(database, "s1", 9), fork(database, "s1")
    assert (early.agent, early.mode) == ("build", "default")
    assert (late.agent, late.mode) == ("plan", "plan")
    assert [info.id for info in Sessions(database).recent()] == [late.id, early.id, "s1"]


def test_a_fork_can_be_found_and_deleted_by_itself(database: Database) -> None:
    two_turns(database)
    copy = fork(database, "s1", SECOND)
    assert {hit.session.id for hit in Sessions(database).search("renamed")} == {"s1", copy.id}
    Sessions(database).delete(copy.id)
    assert {hit.session.id for hit in Sessions(database).search("renamed")} == {"s1"}
    assert len(Records(database).messages("s1")) == 8


@pytest.mark.parametrize(
    ("session_id", "at", "new_id", "fault"),
    [
        ("none", None, None, StoreFault.NO_SUCH_SESSION),
        ("s1", 999, None, StoreFault.UNFIT),
        ("s1", 0, None, StoreFault.UNFIT),
        ("s1", None, "s1", StoreFault.EXISTS),
    ],
)
def test_an_unfit_fork_is_refused_and_nothing_is_made(
    database: Database, session_id: str, at: int | None, new_id: str | None, fault: StoreFault
) -> None:
    kept = two_turns(database)
    with pytest.raises(StoreError) as raised:
        fork(database, session_id, at, new_id=new_id)
    assert raised.value.fault is fault
    assert [info.id for info in Sessions(database).recent()] == ["s1"]
    assert list(Records(database).events("s1").events) == kept
