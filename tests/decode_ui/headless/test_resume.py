"""`decode run --resume`, `decode --continue` and `decode --resume` as a person types them."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from decode_core.store.database import Database, store_path
from decode_core.store.holding import hold
from decode_core.store.sessions import Sessions
from decode_ui.command_line import cli
from sessions import write_script
from stored import store_session


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder.resolve()


def decode(*args: str) -> Result:
    return CliRunner().invoke(cli, list(args))


def run(tmp_path: Path, prompt: str, answer: str, *args: str) -> Result:
    """One headless turn on a script that answers once."""
    return decode("run", prompt, "--model", write_script(tmp_path, f"- text: {answer}\n"), *args)


def test_a_run_is_stored_and_another_goes_on_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run(tmp_path, "one prompt", "one answer", "--output", "json")
    session_id = json.loads(first.stdout)["session_id"]
    monkeypatch.chdir(tmp_path)  # from anywhere
    second = run(tmp_path, "two prompt", "two answer", "--resume", session_id[:6], "--output", "json")
    assert second.exit_code == 0, second.stderr
    assert json.loads(second.stdout)["session_id"] == session_id
    shown = decode("sessions", "show", session_id).stdout
    places = [shown.index(text) for text in ("one prompt", "one answer", "two prompt", "two answer")]
    assert places == sorted(places)
    (row,) = json.loads(decode("sessions", "list", "--json").stdout)
    assert (row["turns"], row["title"]) == (2, "one prompt")


@pytest.mark.parametrize("args", [["run", "x", "--resume", "abc"], ["--resume", "abc"], ["--continue"]])
def test_a_session_that_is_not_there_is_one_sentence(args: list[str]) -> None:
    done = decode(*args)
    assert done.exit_code != 0
    assert "there is no session" in str(done.exception)
    assert not store_path().exists()


def test_a_run_on_a_session_that_is_open_elsewhere_is_refused(workspace: Path, tmp_path: Path) -> None:
    database = Database.open()
    store_session(database, workspace=str(workspace))
    with hold(database.path.parent, "s1"):
        refused = run(tmp_path, "x", "y", "--resume", "s1")
    assert refused.exit_code == 1
    assert f"is open in process {os.getpid()}" in refused.stderr
    assert Sessions(database).find("s1").turns == 1
    database.close()


def test_a_run_in_another_folder_than_the_sessions_is_refused(workspace: Path, tmp_path: Path) -> None:
    database = Database.open()
    store_session(database, workspace=str(workspace))
    database.close()
    refused = run(tmp_path, "x", "y", "--resume", "s1", "-C", str(tmp_path))
    assert f"belongs to {workspace}" in str(refused.exception)


def test_continue_and_an_id_at_once_are_a_usage_error() -> None:
    assert decode("--continue", "--resume", "abc").exit_code == 2


@pytest.mark.parametrize("args", [["--continue"], ["--resume", "s1"], ["--resume", "s"]])
def test_the_application_takes_up_a_session_and_without_a_terminal_keeps_nothing(
    workspace: Path, args: list[str]
) -> None:
    database = Database.open()
    store_session(database, workspace=str(workspace))
    done = decode(*args)
    assert done.exit_code == 1
    assert "needs a terminal" in done.stderr
    hold(database.path.parent, "s1").release()
    database.close()


def test_without_a_terminal_no_session_can_be_chosen_and_the_way_is_told() -> None:
    done = decode("--resume")
    assert done.exit_code == 1
    assert "decode sessions list" in done.stderr
    assert "decode run --resume ID" in done.stderr
