"""Folders of full outputs: locked while a session lives, removed a day after it is gone, links never followed."""

import asyncio
import os
import time
from pathlib import Path

import pytest

from decode_core.config import data_dir
from decode_core.opening import SessionOptions, new_session, survey
from decode_core.spill import MAX_AGE_S, open_spill, remove_abandoned, spill_root
from decode_core.workspace import Workspace

NOW = time.time()
OLD, YOUNG = NOW - MAX_AGE_S - 60, NOW - MAX_AGE_S + 600


def folder(name: str, *, age: float, file_age: float | None = None) -> Path:
    place = spill_root() / name
    place.mkdir(parents=True)
    (place / "bash-1.txt").write_text("output")
    os.utime(place / "bash-1.txt", (file_age or age, file_age or age))
    os.utime(place, (age, age))
    return place


def test_old_folders_go_and_young_ones_stay() -> None:
    old, young = folder("old", age=OLD), folder("young", age=YOUNG)
    assert remove_abandoned(spill_root(), now=NOW) == ["old"]
    assert (old.exists(), young.exists()) == (False, True)


def test_a_folder_that_was_filled_lately_stays() -> None:
    place = folder("filled", age=OLD, file_age=YOUNG)
    assert remove_abandoned(spill_root(), now=NOW) == []
    assert (place / "bash-1.txt").exists()


def test_a_session_that_waits_for_days_keeps_its_folder_until_it_ends() -> None:
    spill = open_spill("waiting")
    os.utime(spill.folder, (OLD, OLD))
    assert remove_abandoned(spill_root(), now=NOW) == []
    spill.remove()
    assert not spill.folder.exists()


def test_the_lock_of_a_session_that_died_is_gone_with_it() -> None:
    spill = open_spill("dead")
    assert spill.lock is not None
    os.close(spill.lock)  # what the system does when a process ends
    os.utime(spill.folder, (OLD, OLD))
    assert remove_abandoned(spill_root(), now=NOW) == ["dead"]


def test_no_link_is_followed_neither_in_the_place_of_a_folder_nor_within_one(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").write_text("keep")
    os.utime(precious, (OLD, OLD))
    old = folder("old", age=OLD)
    (old / "link").symlink_to(precious)
    os.utime(old / "link", (OLD, OLD), follow_symlinks=False)
    os.utime(old, (OLD, OLD))
    (spill_root() / "linked").symlink_to(precious)
    os.utime(spill_root() / "linked", (OLD, OLD), follow_symlinks=False)
    assert remove_abandoned(spill_root(), now=NOW) == ["old"]
    assert (precious / "file").read_text() == "keep"
    assert (spill_root() / "linked").is_symlink()


def test_a_root_that_is_a_link_is_left_alone(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "old").mkdir(parents=True)
    os.utime(elsewhere / "old", (OLD, OLD))
    data_dir().mkdir(parents=True)
    spill_root().symlink_to(elsewhere)
    assert remove_abandoned(spill_root(), now=NOW) == []
    assert (elsewhere / "old").exists()


def test_a_file_beside_the_folders_stays_and_a_missing_root_is_fine() -> None:
    assert remove_abandoned(spill_root(), now=NOW) == []
    folder("young", age=YOUNG)
    note = spill_root() / "note"
    note.write_text("x")
    os.utime(note, (OLD, OLD))
    assert remove_abandoned(spill_root(), now=NOW) == []
    assert note.exists()


@pytest.mark.skipif(os.getuid() == 0, reason="nothing is closed to root")
def test_a_folder_that_cannot_be_removed_stays_without_a_fault() -> None:
    place = folder("closed", age=OLD)
    place.chmod(0o500)
    try:
        assert remove_abandoned(spill_root(), now=NOW) == []
    finally:
        place.chmod(0o700)


def test_opening_a_session_removes_what_others_left(tmp_path: Path) -> None:
    old = folder("old", age=OLD)

    async def open_and_close() -> None:
        session = new_session(survey(Workspace.open(tmp_path)), SessionOptions(session_id="now"))
        assert (spill_root() / "now").is_dir()
        await session.close()

    asyncio.run(open_and_close())  # which waits for the threads of its loop
    assert not old.exists()
    assert not (spill_root() / "now").exists()
