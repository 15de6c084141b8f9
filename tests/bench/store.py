"""The store with a million events: lists, searches, one more event, and taking up a session of 5,000 messages."""

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.conversation import events
from bench.figures import Figure
from bench.places import Place
from decode_core.events import EventBase, SessionOpened, ToolCallStarted
from decode_core.permissions.modes import PermissionMode
from decode_core.resuming import restored
from decode_core.store.database import Database
from decode_core.store.records import Records
from decode_core.store.sessions import Sessions
from stored import conversation, stamped

EVENTS = 1_000_000
WORDS = ("cache", "retry", "flag", "timeout", "client", "docs", "build", "parser", "token", "queue")
TURNS = 50
"""Turns of a session."""


def measure(here: Place, count: int = EVENTS, messages: int = 5_000, runs: int = 9) -> Iterator[Figure]:
    """CPU milliseconds of each, on a store of at least `count` events."""
    with tempfile.TemporaryDirectory(prefix="decode-store-") as folder:
        database = Database.open(Path(folder) / "store" / "sessions.db")
        records, sessions = Records(database), Sessions(database)
        made = _fill(records, count)
        name = f"{made / 1e6:.2g} million events"
        yield _figure(f"list all sessions of {name}", lambda: sessions.recent(), 200.0, runs)
        yield _figure(f"search a rare word in {name}", lambda: sessions.search("number 7"), 200.0, runs)
        yield _figure(f"search a word of every turn in {name}", lambda: sessions.search("changed"), 200.0, runs)
        numbers = iter(range(1, 10_000))
        records.create("one", "/ws")

        def write() -> None:
            call = ToolCallStarted(call_id="c", tool="read", subject="notes.md", args={"path": "notes.md"})
            records.append("one", *stamped([call], "one", first=next(numbers)))

        yield _figure("write one event", write, 1.0, runs * 20)
        records.create("long", "/ws")
        records.append("long", *stamped(events(messages), "long"))

        def take_up() -> None:
            restored(records.events("long").events)

        yield _figure(f"read and fold a session of {messages:,} messages", take_up, None, runs)
        database.close()


def _fill(records: Records, count: int) -> int:
    made = number = 0
    while made < count:
        word = WORDS[number % len(WORDS)]
        turn = conversation(f"Change the {word} number {number}", f"The {word} of module {number % 97} was changed.")
        opened = SessionOpened(workspace="/ws", agent="build", mode=PermissionMode.DEFAULT, model="script:x")
        session: list[EventBase] = stamped([opened, *turn[1:] * TURNS], f"s{number}")
        records.create(f"s{number}", f"/ws{number % 50}")
        records.append(f"s{number}", *session)
        made += len(session)
        number += 1
    return made


def _figure(name: str, work: Callable[[], object], budget: float | None, runs: int) -> Figure:
    taken: list[float] = []
    for _ in range(runs):
        begun = time.process_time()
        work()
        taken.append((time.process_time() - begun) * 1000)
    return Figure(name, statistics.median(taken), "ms", budget)
