"""One save is one call, whatever the editor does; folders may come and go (catalog.md §4)."""

import queue
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from decode_core.reloading.watching import Subject, Watcher, file_state, folder_state

PATIENCE_S = 20.0
"""How long a test waits for what must come."""


class Bench:
    """A folder that is watched, and what was in its file at each call."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "x.md"
        self.calls: queue.Queue[str | None] = queue.Queue()
        self.watcher = Watcher()
        self._ready = threading.Event()

    def begin(self) -> None:
        self.watcher.add(self.subject())
        self.watcher.start()
        # the first look is a call too: nothing was loaded before
        self.calls.get(timeout=PATIENCE_S)

    def subject(self) -> Subject:
        return Subject(
            folders=lambda: (self.folder,),
            fingerprint=lambda: ("state", folder_state(self.folder, lambda name: name.endswith(".md"))),
            on_change=self._called,
        )

    def next(self) -> str | None:
        return self.calls.get(timeout=PATIENCE_S)

    def nothing_more(self) -> bool:
        """Whether no further call comes: another file's save is the next one, after everything before it."""
        (self.folder / "marker.md").write_text("marker")
        self.calls.get(timeout=PATIENCE_S)
        return self.calls.empty()

    def _called(self) -> None:
        self.calls.put(self.file.read_text() if self.file.exists() else None)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    folder = tmp_path / "agents"
    folder.mkdir()
    (folder / "x.md").write_text("old")
    bench = Bench(folder)
    yield bench
    bench.watcher.stop()


def rename_over(file: Path) -> None:
    new = file.with_name(".x.md.tmp")
    new.write_text("new")
    new.replace(file)


def truncate_and_write(file: Path) -> None:
    with file.open("w") as opened:
        opened.flush()
        opened.write("ne")
        opened.flush()
        opened.write("w")


def like_vim(file: Path) -> None:
    (file.parent / "4913").write_text("")
    (file.parent / "4913").unlink()
    (file.parent / ".x.md.swp").write_bytes(b"b0VIM")
    file.rename(file.with_name("x.md~"))
    file.write_text("new")
    file.with_name("x.md~").unlink()
    (file.parent / ".x.md.swp").unlink()


def like_emacs(file: Path) -> None:
    lock = file.with_name(".#x.md")
    lock.symlink_to("me@here.1:1")
    file.with_name("#x.md#").write_text("autosaved")
    file.rename(file.with_name("x.md~"))
    file.write_text("new")
    file.with_name("#x.md#").unlink()
    lock.unlink()


@pytest.mark.parametrize("save", [rename_over, truncate_and_write, like_vim, like_emacs])
def test_every_way_of_saving_is_one_call_with_the_final_content(bench: Bench, save: Callable[[Path], None]) -> None:
    bench.begin()
    save(bench.file)
    assert bench.next() == "new"
    assert bench.nothing_more()


def test_files_that_do_not_count_cause_nothing(bench: Bench) -> None:
    bench.begin()
    (bench.folder / "notes.txt").write_text("x")
    (bench.folder / ".x.md.swp").write_text("x")
    assert bench.nothing_more()


def test_a_removed_file_is_told(bench: Bench) -> None:
    bench.begin()
    bench.file.unlink()
    assert bench.next() is None


def test_a_folder_that_comes_later_is_watched_and_one_that_comes_back_too(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "project" / ".decode" / "agents")
    try:
        bench.begin()
        bench.folder.mkdir(parents=True)
        bench.file.write_text("first")
        while bench.next() != "first":
            pass  # the empty folder may have been seen before the file in it
        (tmp_path / "project" / ".decode").rename(tmp_path / "away")
        while bench.next() is not None:
            pass
        (tmp_path / "away").rename(tmp_path / "project" / ".decode")
        assert bench.next() == "first"
        bench.file.write_text("second")
        assert bench.next() == "second"
    finally:
        bench.watcher.stop()


def test_a_change_between_loading_and_watching_is_not_missed(bench: Bench) -> None:
    before = bench.subject()
    subject = Subject(before.folders, before.fingerprint, before.on_change, seen=before.fingerprint())
    bench.file.write_text("meanwhile")
    bench.watcher.add(subject)
    bench.watcher.start()
    assert bench.next() == "meanwhile"


def test_what_was_loaded_already_is_not_told_again(bench: Bench) -> None:
    before = bench.subject()
    bench.watcher.add(Subject(before.folders, before.fingerprint, before.on_change, seen=before.fingerprint()))
    bench.watcher.start()
    assert bench.nothing_more()


def test_a_subject_that_fails_costs_no_other_one_its_call(bench: Bench) -> None:
    def fail() -> None:
        raise ValueError("broken")

    before = bench.subject()
    bench.watcher.add(Subject(before.folders, before.fingerprint, fail))
    bench.begin()
    bench.file.write_text("new")
    assert bench.next() == "new"


def test_a_subject_added_later_is_watched(bench: Bench, tmp_path: Path) -> None:
    bench.begin()
    other = Bench(tmp_path / "other")
    other.folder.mkdir()
    bench.watcher.add(other.subject())
    assert other.next() is None
    other.file.write_text("new")
    assert other.next() == "new"


def test_without_notifications_files_are_looked_at_each_second(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_watch(*paths: object, **options: object) -> None:
        raise OSError("OS file watch limit reached")

    monkeypatch.setattr("watchfiles.watch", no_watch)
    monkeypatch.setattr("decode_core.reloading.watching.CHECK_MS", 20)
    bench.begin()
    bench.file.write_text("new")
    assert bench.next() == "new"


def test_nothing_is_called_after_stop(bench: Bench) -> None:
    bench.begin()
    bench.watcher.stop()
    bench.file.write_text("new")
    assert bench.calls.empty()


def test_states_of_what_is_not_there(tmp_path: Path) -> None:
    assert file_state(tmp_path / "gone") is None
    assert file_state(tmp_path / "\0") is None
    assert folder_state(tmp_path / "gone", bool) is None
