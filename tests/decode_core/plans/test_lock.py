"""One writer at a time: our own and the publisher's exclude each other; a living owner is never robbed."""

import json
import os
import socket
import subprocess
import sys
import textwrap
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from decode_core.plans.errors import PlanError
from decode_core.plans.lock import LOCK_FOLDER, OWNER_GRACE_S, STALE_AFTER_S, Clock, LockedError, hold_lock
from plan_bench import make_bench


@dataclass
class Hands:
    """A clock that is moved by its sleepers."""

    at: float = 1_000_000.0

    def clock(self) -> Clock:
        return Clock(lambda: self.at, self.sleep)

    def sleep(self, seconds: float) -> None:
        self.at += seconds


def owner(plan: Path, **changes: object) -> Path:
    lock = plan / LOCK_FOLDER
    lock.mkdir()
    document = {"identity": "x", "pid": os.getppid(), "epoch_ts": 0.0, "host": socket.gethostname(), **changes}
    (lock / "owner.json").write_text(json.dumps(document))
    return lock


def dead_pid() -> int:
    gone = subprocess.Popen(["true"])
    gone.wait()
    return gone.pid


def test_the_owner_file_is_what_the_publisher_reads(tmp_path: Path) -> None:
    with hold_lock(tmp_path, "me", clock=Hands().clock()):
        document = json.loads((tmp_path / LOCK_FOLDER / "owner.json").read_text())
        assert document == {
            "identity": "me",
            "pid": os.getpid(),
            "ts": "1970-01-12T13:46:40Z",
            "epoch_ts": 1_000_000.0,
            "host": socket.gethostname(),
        }
    assert list(tmp_path.iterdir()) == []


def test_it_is_left_when_the_work_fails(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), hold_lock(tmp_path, "me"):
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == []


def test_a_living_owner_is_never_robbed_however_old_its_lock(tmp_path: Path) -> None:
    hands, lock = Hands(), owner(tmp_path)
    with pytest.raises(LockedError, match=r"held by x .*--force"), hold_lock(tmp_path, "me", clock=hands.clock()):
        pass
    assert lock.exists()
    assert hands.at > 1_000_002


@pytest.mark.parametrize(
    ("changes", "age", "is_broken"),
    [
        ({"pid": -1}, 0, True),
        ({"pid": 2**40}, 0, True),
        ({"pid": "x", "epoch_ts": 0}, 0, True),
        ({"host": "elsewhere", "epoch_ts": 1_000_000.0 - STALE_AFTER_S - 10}, 0, True),
        ({"host": "elsewhere", "epoch_ts": 1_000_000.0 - STALE_AFTER_S + 10}, 0, False),
        ({"host": "elsewhere", "epoch_ts": "x"}, 0, True),
        ({"pid": 1}, 0, False),
    ],
)
def test_a_lock_is_broken_when_its_owner_is_gone_or_out_of_reach_for_long(
    tmp_path: Path, changes: dict[str, object], age: int, *, is_broken: bool
) -> None:
    owner(tmp_path, **changes)
    if is_broken:
        with hold_lock(tmp_path, "me", wait_s=0, clock=Hands(1_000_000.0 + age).clock()):
            assert json.loads((tmp_path / LOCK_FOLDER / "owner.json").read_text())["identity"] == "me"
    else:
        with pytest.raises(LockedError), hold_lock(tmp_path, "me", wait_s=0, clock=Hands().clock()):
            pass


def test_a_dead_owner_is_no_owner(tmp_path: Path) -> None:
    owner(tmp_path, pid=dead_pid())
    with hold_lock(tmp_path, "me", wait_s=0):
        pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [None, "{", "[]", ""])
def test_between_folder_and_owner_file_a_writer_is_given_time(tmp_path: Path, content: str | None) -> None:
    lock = tmp_path / LOCK_FOLDER
    lock.mkdir()
    if content is not None:
        (lock / "owner.json").write_text(content)
    hands = Hands()
    os.utime(lock, (hands.at, hands.at))
    with pytest.raises(LockedError), hold_lock(tmp_path, "me", wait_s=0, clock=hands.clock()):
        pass
    hands.at += OWNER_GRACE_S
    with hold_lock(tmp_path, "me", wait_s=0, clock=hands.clock()):
        pass


def test_force_breaks_the_folder_of_a_living_owner(tmp_path: Path) -> None:
    owner(tmp_path)
    with hold_lock(tmp_path, "me", force=True, wait_s=0):
        pass
    assert list(tmp_path.iterdir()) == []


def test_our_own_writers_are_not_forced_apart(tmp_path: Path) -> None:
    with (
        hold_lock(tmp_path, "first"),
        pytest.raises(LockedError, match="held by first"),
        hold_lock(tmp_path, "second", force=True, wait_s=0),
    ):
        pass


def test_long_work_keeps_the_lock_fresh_and_notices_its_loss(tmp_path: Path) -> None:
    hands = Hands()
    with hold_lock(tmp_path, "me", clock=hands.clock()) as lock:
        hands.at += 800
        lock.refresh()
        assert json.loads((lock.folder / "owner.json").read_text())["epoch_ts"] == hands.at
        (lock.folder / "owner.json").write_text(json.dumps({"identity": "thief", "pid": 1}))
        with pytest.raises(PlanError, match="was broken"):
            lock.refresh()
    assert json.loads((tmp_path / LOCK_FOLDER / "owner.json").read_text())["identity"] == "thief"


def test_a_lock_that_is_a_link_is_removed_and_its_target_left_alone(tmp_path: Path) -> None:
    plan, target = tmp_path / "plan", tmp_path / "target"
    plan.mkdir()
    target.mkdir()
    (target / "keep").write_text("x")
    (plan / LOCK_FOLDER).symlink_to(target)
    with hold_lock(plan, "me", force=True, wait_s=0):
        pass
    assert (target / "keep").exists()
    assert list(plan.iterdir()) == []


def test_two_writers_at_once_never_interleave(tmp_path: Path) -> None:
    bench = make_bench(tmp_path)
    program = textwrap.dedent(
        """
        import sys
        from pathlib import Path
        from decode_core.plans.folder import PlanFolder
        from decode_core.plans.ledger import Writer
        from decode_core.plans.verbs.statements import Statement, append_statement
        writer = Writer(identity=sys.argv[2], wait_s=60)
        for number in range(15):
            said = Statement("observation", {"statement": f"{sys.argv[2]} {number} " + "x" * 2000})
            append_statement(PlanFolder(Path(sys.argv[1])), said, writer)
        """
    )
    writers = [subprocess.Popen([sys.executable, "-c", program, str(bench.folder.path), name]) for name in ("a", "b")]
    assert [writer.wait() for writer in writers] == [0, 0]
    plan = bench.plan
    assert [event.seq for event in plan.events] == list(range(1, 32))
    assert plan.chain.fault is None
    for name in ("a", "b"):
        said = [
            document["statement"].split()[1]
            for document in bench.documents()[1:]
            if document["actor"]["identity"] == name
        ]
        assert said == [str(number) for number in range(15)]
    bench.assert_valid()


def test_a_writer_that_locks_by_mkdir_alone_and_ours_never_interleave(tmp_path: Path) -> None:
    """The publisher's way: make the folder, sign it, append after the last number, remove it."""
    bench = make_bench(tmp_path)
    program = textwrap.dedent(
        """
        import json, os, shutil, sys, time
        plan = sys.argv[1]
        lock, journal = plan + "/.ledger.lock", plan + "/journal.ndjson"
        for number in range(15):
            while True:
                try:
                    os.mkdir(lock)
                    break
                except FileExistsError:
                    time.sleep(0.002)
            with open(lock + "/owner.json", "w") as file:
                json.dump({"identity": "theirs", "pid": os.getpid(), "epoch_ts": time.time()}, file)
            last = json.loads(open(journal, "rb").read().splitlines()[-1])
            event = {key: last[key] for key in ("schema", "plan", "contract_id", "ts")}
            event |= {"type": "observation", "trust": "asserted", "statement": str(number)}
            event |= {"seq": last["seq"] + 1, "actor": {"kind": "agent", "identity": "theirs"}}
            with open(journal, "a") as file:
                file.write(json.dumps(event, sort_keys=True, separators=(",", ":")) + "\\n")
            shutil.rmtree(lock)
        """
    )
    theirs = subprocess.Popen([sys.executable, "-I", "-S", "-c", program, str(bench.folder.path)])
    bench.writer = replace(bench.writer, wait_s=60)
    for number in range(15):
        bench.say(f"ours {number}")
    assert theirs.wait() == 0
    plan = bench.plan
    assert [event.seq for event in plan.events] == list(range(1, 32))
    assert plan.chain.fault is None
    said = [document["statement"] for document in bench.documents()[1:]]
    assert [text for text in said if "ours" in text] == [f"ours {number}" for number in range(15)]
    assert [text for text in said if "ours" not in text] == [str(number) for number in range(15)]


def test_a_writer_that_cannot_wait_says_who_holds_the_plan(tmp_path: Path) -> None:
    bench = make_bench(tmp_path)
    with hold_lock(bench.folder.path, "the other"):
        bench.writer = replace(bench.writer, wait_s=0)
        with pytest.raises(LockedError, match="held by the other"):
            bench.say("x")
