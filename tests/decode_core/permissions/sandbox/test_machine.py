"""Looking at the machine: what is hidden from commands, and whether there is a sandbox at all."""

import socket
import sys
from pathlib import Path

import pytest

from decode_core.permissions.sandbox.host import OwnFolders, hidden_files, look_at_host
from decode_core.permissions.sandbox.probe import Mechanism, find_sandbox
from decode_core.permissions.sandbox.standing import SandboxMode, Standing

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="sockets are listed and bubblewrap is used on Linux")


def test_stores_of_keys_decodes_own_folders_and_other_homes_are_found(tmp_path: Path, own_home: Path) -> None:
    for name in (".ssh", ".cache", ".config/gh"):
        (own_home / name).mkdir(parents=True)
    (own_home / ".netrc").write_text("secret")
    data = tmp_path / "data"
    data.mkdir()
    host = look_at_host(OwnFolders(tmp_path / "missing", (data,)))
    assert host.home == own_home
    assert {own_home / ".ssh", own_home / ".config/gh", own_home / ".netrc"} == set(host.credentials)
    assert (host.own_hidden, host.own_settings) == ((data,), ())
    assert host.caches == (own_home / ".cache",)
    assert own_home not in host.other_homes
    assert hidden_files(host.credentials) == {own_home / ".netrc"}


@linux_only
def test_a_socket_that_somebody_listens_on_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # what lies in a temporary folder is hidden with it
    monkeypatch.setattr("decode_core.permissions.sandbox.host.TEMPORARY", ())
    path = tmp_path.resolve() / "s"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        assert path in look_at_host(OwnFolders(tmp_path, ())).sockets
        path.unlink()
        assert path not in look_at_host(OwnFolders(tmp_path, ())).sockets


@linux_only
def test_without_the_program_it_says_what_to_install(tmp_path: Path) -> None:
    found = find_sandbox((str(tmp_path),))
    assert found.mechanism is None
    assert "install the package bubblewrap" in found.why_not


@linux_only
@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("echo 'bwrap: No permissions to create new namespace' >&2; exit 1", "No permissions to create new namespace"),
        ("exit 0", "exit code 0"),
        ("", "bubblewrap does not"),
    ],
)
def test_a_program_that_does_not_work_here_is_none(tmp_path: Path, script: str, says: str) -> None:
    program = tmp_path / "bwrap"
    program.write_text(f"#!/bin/sh\n{script}\n" if script else "no program")
    program.chmod(0o755)
    found = find_sandbox((str(tmp_path),))
    assert found.mechanism is None
    assert says in found.why_not


@linux_only
def test_a_program_that_runs_what_it_is_given_is_a_sandbox(tmp_path: Path) -> None:
    program = tmp_path / "bwrap"
    program.write_text('#!/bin/sh\nwhile [ "$1" != /bin/sh ]; do shift; done\nexec "$@"\n')
    program.chmod(0o755)
    assert find_sandbox((str(tmp_path),)).mechanism is Mechanism.BUBBLEWRAP


@pytest.mark.parametrize(
    ("standing", "is_on", "refuses", "says"),
    [
        (Standing(SandboxMode.AUTO, "bubblewrap"), True, False, "in a sandbox (bubblewrap, with the network)"),
        (Standing(SandboxMode.REQUIRE, "bubblewrap", network=False), True, False, "without the network"),
        (Standing(SandboxMode.AUTO, why_not="it is not installed"), False, False, "without a sandbox: it is not"),
        (Standing(SandboxMode.REQUIRE, why_not="it is not installed"), False, True, "it is not installed"),
        (Standing(SandboxMode.OFF, "bubblewrap"), False, False, "your settings switch it off"),
    ],
)
def test_what_is_wanted_and_what_there_is(standing: Standing, is_on: bool, refuses: bool, says: str) -> None:
    assert standing.is_on is is_on
    assert (standing.refusal is not None) is refuses
    assert says in standing.told
