"""`decode sessions`: what it prints, what it writes, how it exits."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from decode_core.events import parse_event
from decode_core.store.database import Database, store_path
from decode_core.store.holding import hold
from decode_core.store.records import Records
from decode_core.store.sessions import Sessions
from decode_ui.command_line import cli
from stored import conversation, store_session


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def database(workspace: Path) -> Iterator[Database]:
    """A store with a session of this workspace and one of another."""
    opened = Database.open()
    store_session(opened, "aaa111", workspace="/elsewhere")
    store_session(opened, "bbb222", conversation("Fix \x1b[31mthe tests"), str(workspace.resolve()))
    yield opened
    opened.close()


def decode(*args: str, typed: str = "") -> Result:
    return CliRunner().invoke(cli, ["sessions", *args], input=typed)


def test_without_any_session_nothing_is_made(workspace: Path) -> None:
    assert decode("list").exit_code == 0
    assert json.loads(decode("list", "--json").stdout) == []
    assert decode("search", "x").exit_code == 1
    shown = decode("show", "abc")
    assert (shown.exit_code, shown.stdout) == (1, "")
    assert "there is no session 'abc'" in shown.stderr
    assert not store_path().parent.exists()


@pytest.mark.usefixtures("database")
def test_the_list_shows_the_latest_first_and_nothing_that_acts() -> None:
    lines = decode("list").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["bbb222", "aaa111"]
    assert "1 turn " in lines[0]
    assert "Fix ␛[31mthe tests" in lines[0]
    assert [row["id"] for row in json.loads(decode("list", "--json").stdout)] == ["bbb222", "aaa111"]
    assert [line.split()[0] for line in decode("list", "--here").stdout.splitlines()] == ["bbb222"]
    assert len(decode("list", "--limit", "1").stdout.splitlines()) == 1


def test_a_session_is_shown_with_the_numbers_for_forks(database: Database) -> None:
    shown = decode("show", "bbb").stdout
    assert "    2  > Fix ␛[31mthe tests" in shown
    assert "    9  I renamed it." in shown
    assert "● edit ok 1 edit" in shown
    data = json.loads(decode("show", "bbb", "--json").stdout)
    assert (data["id"], data["open_in"], data["unreadable"]) == ("bbb222", None, 0)
    assert [event["seq"] for event in data["events"]] == list(range(1, 12))
    with hold(database.path.parent, "bbb222"):
        assert "open in    process" in decode("show", "bbb").stdout


@pytest.mark.usefixtures("database")
def test_a_search_tells_where() -> None:
    found = decode("search", "renamed", "--here")
    assert found.exit_code == 0
    assert found.stdout.split()[:2] == ["bbb222", "9"]
    assert "I «renamed» it." in found.stdout
    (hit,) = json.loads(decode("search", "fix", "tests", "--json").stdout)
    assert (hit["session"]["id"], hit["seq"], hit["type"]) == ("bbb222", 2, "turn_started")
    assert decode("search", "nowhere").exit_code == 1


def test_rename_and_fork(database: Database) -> None:
    assert decode("rename", "aaa", "A new name").exit_code == 0
    assert Sessions(database).find("aaa111").title == "A new name"
    copy = json.loads(decode("fork", "aaa", "--at", "3", "--json").stdout)
    assert (copy["forked_from"], copy["forked_at"], copy["title"]) == ("aaa111", 3, "A new name (fork)")
    assert len(Records(database).events(copy["id"]).events) == 3
    refused = decode("fork", "aaa", "--at", "99")
    assert refused.exit_code == 1
    assert "has no event 99" in refused.stderr


@pytest.mark.parametrize(("typed", "left"), [("n\n", 2), ("", 2), ("y\n", 1)])
def test_delete_asks_first(database: Database, typed: str, left: int) -> None:
    decode("delete", "aaa", typed=typed)
    assert len(Sessions(database).recent()) == left


def test_delete_takes_several_and_refuses_before_it_removes_any(database: Database) -> None:
    assert decode("delete", "--yes", "aaa", "nothing").exit_code == 1
    assert len(Sessions(database).recent()) == 2
    assert decode("delete", "--yes", "aaa", "bbb", "aaa111").exit_code == 0
    assert Sessions(database).recent() == []


def test_a_session_that_is_open_is_not_deleted(database: Database) -> None:
    with hold(database.path.parent, "aaa111"):
        refused = decode("delete", "--yes", "aaa")
    assert refused.exit_code == 1
    assert "is open in process" in refused.stderr
    assert len(Sessions(database).recent()) == 2


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize(
    ("args", "begins"),
    [
        ([], "# Fix"),
        (["--format", "html"], "<!doctype html>"),
        (["--script"], "# Fix"),
        (["--format", "jsonl"], '{"seq":1'),
        (["--json"], '{"seq":1'),
    ],
)
def test_an_export_goes_to_standard_output(args: list[str], begins: str) -> None:
    done = decode("export", "bbb", *args)
    assert done.exit_code == 0
    assert done.stdout.startswith(begins)
    assert "\x1b" not in done.stdout


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize(
    ("name", "begins"),
    [("a.md", "# Fix"), ("a.HTML", "<!doctype"), ("a.yaml", "# Fix"), ("a.jsonl", '{"seq"'), ("a", "# Fix")],
)
def test_an_export_to_a_file_takes_its_form_from_the_name(workspace: Path, name: str, begins: str) -> None:
    done = decode("export", "bbb", "--to", name)
    assert (done.exit_code, done.stdout) == (0, "")
    assert (workspace / name).read_text(encoding="utf-8").startswith(begins)


@pytest.mark.usefixtures("database")
def test_an_export_that_is_two_things_is_a_usage_error() -> None:
    assert decode("export", "bbb", "--script", "--format", "html").exit_code == 2


@pytest.mark.usefixtures("database")
def test_an_export_to_nowhere_is_one_sentence() -> None:
    done = decode("export", "bbb", "--to", "missing/x.md")
    assert done.exit_code == 1
    assert "cannot be written" in done.stderr
    assert "Traceback" not in done.stderr


def test_what_cannot_be_read_is_left_out_and_told(database: Database) -> None:
    with database.write() as connection:
        connection.execute("UPDATE events SET body = 'x' WHERE seq = 3")
    done = decode("export", "bbb", "--json")
    assert done.exit_code == 0
    assert [parse_event(line).seq for line in done.stdout.splitlines()] == [1, 2, 4, 5, 6, 7, 8, 9, 10, 11]
    assert "1 event cannot be read" in done.stderr
    assert "cannot be read" in decode("show", "bbb").stderr


@pytest.mark.parametrize(
    "command", [["list"], ["show", "a"], ["search", "x"], ["rename", "a", "b"], ["delete", "a", "--yes"]]
)
def test_a_store_that_is_none_is_one_sentence_and_stays(workspace: Path, command: list[str]) -> None:
    store_path().parent.mkdir(parents=True)
    store_path().write_bytes(b"no database" * 500)
    done = decode(*command)
    assert done.exit_code == 1
    assert "is not a session store of decode" in done.stderr
    assert store_path().read_bytes() == b"no database" * 500
