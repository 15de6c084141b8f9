"""One writer per session, across processes; the lock ends with its process."""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from decode_core.store.faults import StoreError, StoreFault
from decode_core.store.holding import Holder, hold, holder_of

OTHER = """
import sys, time
from pathlib import Path
from decode_core.store.holding import hold
held = hold(Path(sys.argv[1]), "s1")
print("held", flush=True)
time.sleep(60)
"""


def test_the_second_process_is_told_who_has_the_session(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", OTHER, str(tmp_path)], stdout=subprocess.PIPE, text=True) as other:
        try:
            assert other.stdout is not None
            assert other.stdout.readline() == "held\n"
            with pytest.raises(StoreError, match=f"is open in process {other.pid} since 20") as raised:
                hold(tmp_path, "s1")
            assert raised.value.fault is StoreFault.HELD
            holder = holder_of(tmp_path, "s1")
            assert holder is not None
            assert holder.pid == other.pid
            hold(tmp_path, "s2").release()
        finally:
            os.kill(other.pid, signal.SIGKILL)
    # killed: the lock went with it, its file stayed
    assert holder_of(tmp_path, "s1") is None
    with hold(tmp_path, "s1"):
        assert holder_of(tmp_path, "s1") == Holder(os.getpid(), getattr(holder_of(tmp_path, "s1"), "since", None))


def test_a_session_that_was_given_back_can_be_taken_and_leaves_no_file(tmp_path: Path) -> None:
    first = hold(tmp_path, "s1")
    first.release()
    second = hold(tmp_path, "s1")
    first.release()  # a second time: the lock of the other one stays
    with pytest.raises(StoreError):
        hold(tmp_path, "s1")
    (lock,) = (tmp_path / "held").iterdir()
    assert stat.S_IMODE(lock.stat().st_mode) == 0o600
    second.release()
    assert list((tmp_path / "held").iterdir()) == []


@pytest.mark.parametrize("session_id", ["", "../s1", "a/b", "a\0b", "a b", "."])
def test_an_id_that_would_leave_the_folder_is_refused(tmp_path: Path, session_id: str) -> None:
    with pytest.raises(StoreError) as raised:
        hold(tmp_path, session_id)
    assert raised.value.fault is StoreFault.UNFIT
    assert list(tmp_path.iterdir()) == []


def test_a_link_in_the_place_of_the_lock_is_not_followed(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("mine")
    (tmp_path / "held").mkdir()
    (tmp_path / "held" / "s1.lock").symlink_to(precious)
    with pytest.raises(StoreError, match="cannot be locked"):
        hold(tmp_path, "s1")
    assert precious.read_text() == "mine"


def test_a_lock_file_with_nonsense_still_tells_that_it_is_held(tmp_path: Path) -> None:
    with hold(tmp_path, "s1"):
        (tmp_path / "held" / "s1.lock").write_text("{nonsense")
        with pytest.raises(StoreError, match="another process"):
            hold(tmp_path, "s1")
