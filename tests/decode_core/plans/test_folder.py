"""Reading a plan without its lock: what is being written is looked at again, and little is read for a status."""

import subprocess
import sys
from pathlib import Path

import pytest

from decode_core.plans.durable import read_if_there
from decode_core.plans.folder import load_settled
from decode_core.plans.lock import LOCK_FOLDER
from plan_bench import PlanBench, make_bench


@pytest.fixture
def torn(tmp_path: Path) -> PlanBench:
    bench = make_bench(tmp_path)
    bench.say("whole")
    bench.folder.journal.write_bytes(bench.journal[:-20])
    return bench


def test_a_line_that_is_being_written_is_looked_at_again(tmp_path: Path) -> None:
    """dwp-records (f): a reader without the lock may see a torn tail; it tries again."""
    bench = make_bench(tmp_path)
    bench.say("whole")
    whole = bench.journal
    bench.folder.journal.write_bytes(whole[:-20])
    (bench.folder.path / LOCK_FOLDER).mkdir()
    pauses: list[float] = []

    def write_on(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 2:
            bench.folder.journal.write_bytes(whole)

    assert load_settled(bench.folder, write_on).journal.torn is None
    assert len(pauses) == 2


def test_a_torn_line_that_nobody_is_writing_is_told_at_once(torn: PlanBench) -> None:
    def never(_: float) -> None:
        raise AssertionError("nobody holds the lock, so there is nothing to wait for")

    assert load_settled(torn.folder, never).journal.torn is not None


def test_a_writer_that_died_is_not_waited_for_for_ever(torn: PlanBench) -> None:
    (torn.folder.path / LOCK_FOLDER).mkdir()
    pauses: list[float] = []
    assert load_settled(torn.folder, pauses.append).journal.torn is not None
    assert sum(pauses) < 0.2


def test_four_files_are_read_for_a_status_each_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = make_bench(tmp_path)
    bench.finish("one")
    read: list[str] = []
    real = read_if_there

    def counted(path: Path) -> bytes | None:
        read.append(path.name)
        return real(path)

    monkeypatch.setattr("decode_core.plans.folder.read_if_there", counted)
    load_settled(bench.folder)
    assert sorted(read) == ["contract.json", "journal.chain", "journal.ndjson", "manifest.json"]


def test_status_loads_nothing_that_it_does_not_need(tmp_path: Path) -> None:
    """Budget: `status` under 300 ms. Modules are counted, since a test must not measure time."""
    bench = make_bench(tmp_path)
    program = (
        "import sys; from decode_ui.command_line import cli; "
        f"cli(['plan', '--plan', {str(bench.folder.path)!r}, 'status'], standalone_mode=False); "
        "print(sorted(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "0 of 3 tasks complete" in done.stdout
    for name in ("textual", "rich", "pydantic_ai", "tree_sitter", "yaml", "sqlite3", "asyncio"):
        assert f"'{name}'" not in done.stderr
    for name in (
        "permissions.gate",
        "permissions.shell",
        "settings.layers",
        "trust",
        "catalog.loader",
        "plans.addon_detection",
    ):
        assert f"'decode_core.{name}'" not in done.stderr
