"""`decode permissions log`: the records of the workspace, and `--verify`."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from decode_core.permissions.modes import PermissionMode
from decode_core.store.database import Database, store_path
from decode_ui.command_line import cli
from stored import conversation, mode_changed, store_session


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    monkeypatch.chdir(tmp_path)
    opened = Database.open()
    store_session(opened, "here", [*conversation(), mode_changed(PermissionMode.EDIT)], str(tmp_path.resolve()))
    store_session(opened, "there", workspace="/elsewhere")
    yield opened
    opened.close()


def log(*args: str) -> Result:
    return CliRunner().invoke(cli, ["permissions", "log", *args])


@pytest.mark.usefixtures("database")
def test_the_log_of_a_workspace_has_verdicts_answers_and_modes() -> None:
    lines = log().stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["here"] * 3
    assert "ask     edit src/cli.py  by mode in default: Mode default asks" in lines[0]
    assert "answer  once: fine" in lines[1]
    assert "mode    default → edit (key)" in lines[2]
    assert [json.loads(line)["session_id"] for line in log("--session", "th", "--json").stdout.splitlines()] == [
        "there"
    ] * 2


@pytest.mark.usefixtures("database")
def test_json_lines_hold_every_field_of_a_verdict() -> None:
    row = json.loads(log("--json").stdout.splitlines()[0])
    wanted = (
        "ts session_id agent_path call_id tool kind effective_kind subject outcome by rule mode mode_changed_outcome "
        "reason args_digest args"
    )
    assert set(wanted.split()) <= set(row)
    assert row["args"] == {"path": "a"}


def test_verify_tells_what_is_wrong_and_exits_by_it(database: Database) -> None:
    done = log("--verify")
    assert (done.exit_code, done.stdout.strip()) == (0, "here  3 records  whole")
    assert "whoever can act as you" in done.stderr
    with database.write() as connection:
        connection.execute("DELETE FROM events WHERE type = 'decision_answered'")
    done = log("--verify", "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["faults"]


def test_without_a_store_there_is_nothing_to_tell() -> None:
    assert (log().exit_code, log().stdout) == (0, "")
    assert not store_path().exists()


@pytest.mark.usefixtures("database")
def test_since_leaves_out_what_came_before() -> None:
    every = [json.loads(line)["ts"] for line in log("--json").stdout.splitlines()]
    assert len(every) == 3
    for moment in (every[1], every[1].replace("Z", "+00:00")):
        assert [json.loads(line)["ts"] for line in log("--json", "--since", moment).stdout.splitlines()] == every[1:]
    assert log("--since", "2999-01-01").stdout == ""
    assert len(log("--since", "2000-01-01").stdout.splitlines()) == 3
    assert len(log("--since", "99999d").stdout.splitlines()) == 3
    assert log("--since", "1m").exit_code == 0


@pytest.mark.parametrize("moment", ["yesterday", "", "h", "99999999999d", "-1d"])
def test_a_moment_that_is_not_understood_is_one_sentence(moment: str) -> None:
    done = log("--since", moment)
    assert done.exit_code == 2
    assert "is no time; write 2026-01-31" in done.stderr
