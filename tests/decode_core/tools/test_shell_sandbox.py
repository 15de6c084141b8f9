"""Commands in the machine's own sandbox: what each wall holds (permissions.md §11)."""

import http.server
import os
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from decode_core.events import CallOutcome
from decode_core.permissions.sandbox.probe import Found, Mechanism
from decode_core.tools.spec import ToolResult
from sandboxes import needs_bubblewrap, use_bubblewrap
from shell_workspace import run_git
from tool_bench import Bench

pytestmark = needs_bubblewrap


@pytest.fixture
def bench(tmp_path: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    use_bubblewrap(monkeypatch)
    for name in (".ssh", ".cache", "d/decode", "s/decode", "k/decode", "c/decode"):
        (own_home / name).mkdir(parents=True)
    (own_home / ".ssh" / "id").write_text("the key")
    (own_home / "d" / "decode" / "sessions.db").write_text("other sessions")
    bench = Bench(tmp_path)
    run_git(bench.root, "init", "-q", "-b", "main")
    bench.file("AGENTS.md", "be good\n")
    bench.file("a", "text\n")
    bench.sandboxed()
    return bench


def proven(bench: Bench, command: str) -> ToolResult:
    """Run a command in the read-only profile, as one that was proven to only read."""
    frozen = bench.freeze("bash", command=command)
    frozen.context.request = replace(frozen.context.request, is_hardened=True)
    return frozen.run()


def blocked(result: ToolResult) -> str:
    assert result.outcome is CallOutcome.FAILED
    assert "(The sandbox blocked" in result.text, result.text
    return result.blocked or ""


def test_a_command_works_in_the_workspace_and_commits(bench: Bench) -> None:
    who = "-c user.name=a -c user.email=a@example.invalid"
    result = bench.call(
        "bash", command=f"mkdir x && cd x && echo hi > y && git add -A && git {who} commit -qm one; git log"
    )
    assert result.outcome is CallOutcome.OK, result.text
    assert "one" in result.text
    assert (bench.root / "x" / "y").read_text() == "hi\n"
    assert bench.shell["cwd"] == bench.root / "x"


def test_writing_outside_fails(bench: Bench, own_home: Path, tmp_path: Path) -> None:
    assert "writing outside" in blocked(bench.call("bash", command="touch ~/mine"))
    assert "writing outside" in blocked(bench.call("bash", command="echo x >> /etc/hosts"))
    assert not (own_home / "mine").exists()


@pytest.mark.parametrize(
    "command", ["echo x >> AGENTS.md", "rm -f AGENTS.md", "echo '[a]' >> .git/config", "echo x > .git/hooks/pre-commit"]
)
def test_writing_to_a_protected_path_fails(bench: Bench, command: str) -> None:
    before = (bench.root / "AGENTS.md").read_text(), (bench.root / ".git/config").read_text()
    blocked(bench.call("bash", command=command))
    assert ((bench.root / "AGENTS.md").read_text(), (bench.root / ".git/config").read_text()) == before
    assert not (bench.root / ".git/hooks/pre-commit").exists()


def test_renaming_git_fails(bench: Bench) -> None:
    blocked(bench.call("bash", command="mv .git g"))
    blocked(bench.call("bash", command="mv .git/objects .git/o"))
    assert (bench.root / ".git" / "objects").is_dir()


@pytest.mark.parametrize("name", [".mcp.json", ".envrc", ".git/commondir"])
def test_a_protected_file_that_was_not_there_does_not_come_to_stay(bench: Bench, name: str) -> None:
    result = bench.call("bash", command=f"echo evil > {name}")
    assert result.outcome is CallOutcome.FAILED
    assert f"{name} is protected" in result.text
    assert "it was removed" in result.text
    assert not (bench.root / name).exists()
    assert result.blocked is not None


def test_a_command_that_goes_on_after_making_one_is_ended(bench: Bench) -> None:
    begun = time.monotonic()
    result = bench.call("bash", command="echo evil > .envrc; sleep 30; touch after")
    assert time.monotonic() - begun < 20
    assert "It was ended, because it made something that is protected." in result.text
    assert not (bench.root / ".envrc").exists()
    assert not (bench.root / "after").exists()


def test_a_change_from_outside_while_it_runs_is_put_back_and_kept_aside(bench: Bench) -> None:
    def meanwhile(text: str) -> None:
        (bench.root / "AGENTS.md").write_text("be evil\n")

    bench.on_progress = meanwhile
    result = bench.call("bash", command="echo on; sleep 0.3")
    assert result.outcome is CallOutcome.FAILED
    assert (bench.root / "AGENTS.md").read_text() == "be good\n"
    (kept,) = (bench.spill / "changed").iterdir()
    assert kept.read_text() == "be evil\n"
    assert str(kept) in result.text


def test_a_path_that_is_protected_deeper_down_is_put_back_after_a_move(bench: Bench) -> None:
    bench.file("sub/.npmrc", "mine\n")
    result = bench.call("bash", command="mv sub s2; cp -r s2 sub; echo evil > sub/.npmrc")
    assert result.outcome is CallOutcome.FAILED
    assert (bench.root / "sub/.npmrc").read_text() == "mine\n"


def test_keys_and_decodes_own_data_are_hidden(bench: Bench) -> None:
    command = "cat ~/.ssh/id ~/d/decode/sessions.db"
    for result in (bench.call("bash", command=command), proven(bench, command)):
        assert "a place that it hides" in blocked(result)
        assert "the key" not in result.text
        assert "other sessions" not in result.text


@pytest.fixture
def listener(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A socket of the machine, in a folder that is not hidden as a whole."""
    monkeypatch.setattr("decode_core.permissions.sandbox.host.TEMPORARY", ())
    with socket.socket(socket.AF_UNIX) as listening:
        path = tmp_path.resolve() / "s"
        listening.bind(str(path))
        listening.listen()
        yield path


CONNECT = "python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])' {0} && echo through"


def test_a_unix_socket_of_the_machine_cannot_be_reached(
    bench: Bench, listener: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSH_AUTH_SOCK", str(listener))
    result = bench.call("bash", command=f"{CONNECT.format(listener)}; echo [$SSH_AUTH_SOCK]")
    assert "through" not in result.text
    assert "[]" in result.text
    bench.sandbox = None
    assert "through" in bench.call("bash", command=CONNECT.format(listener)).text


@pytest.fixture
def server() -> Iterator[str]:
    with http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"/dev/tcp/127.0.0.1/{server.server_port}"
        server.shutdown()


def test_the_network_is_off_in_the_read_only_profile_and_by_the_setting(bench: Bench, server: str) -> None:
    command = f"(exec 3<>{server}) && echo through"
    assert "through" in bench.call("bash", command=command).text
    assert "through" not in proven(bench, command).text
    bench.sandboxed(network=False)
    assert "through" not in bench.call("bash", command=command).text


def test_a_proven_call_writes_nowhere(bench: Bench) -> None:
    for place in ("new", "~/.cache/new", "AGENTS.md"):
        assert "writing outside" in blocked(proven(bench, f"echo x > {place}"))
    assert not (bench.root / "new").exists()


def test_caches_and_a_temporary_folder_for_the_session_are_writable(
    bench: Bench, own_home: Path, tmp_path: Path
) -> None:
    name = Path("/tmp") / f"of-{tmp_path.name}-{os.getpid()}"
    result = bench.call("bash", command=f"echo x > ~/.cache/new && echo kept > {name}")
    assert result.outcome is CallOutcome.OK, result.text
    assert (own_home / ".cache" / "new").exists()
    assert not name.exists()
    assert "kept" in bench.call("bash", command=f"cat {name}").text


def test_other_processes_are_not_seen_and_cannot_be_ended(bench: Bench) -> None:
    result = bench.call("bash", command=f"kill -0 {os.getpid()} || echo none; ls -d /proc/[0-9]* | wc -l")
    assert "none" in result.text
    assert int(result.text.split()[-1]) < 10


def test_what_it_leaves_in_the_background_is_ended_and_told(bench: Bench) -> None:
    result = bench.call("bash", command="sleep 30 & setsid sleep 30 & echo done")
    assert "done" in result.text
    assert "left in the background were ended" in result.text


def test_the_last_part_of_its_output_is_waited_for(bench: Bench) -> None:
    result = bench.call("bash", command="echo late > >(sleep 0.05; cat); exit 3")
    assert (result.summary, result.text.split()[0]) == ("exit 3", "late")


def test_it_is_asked_to_end_before_it_is_ended(bench: Bench) -> None:
    result = bench.call("bash", command="trap 'echo told > told' TERM; sleep 30 & wait", timeout=0.3)
    assert "timed out" in result.summary
    assert (bench.root / "told").read_text() == "told\n"


def test_it_has_limits(bench: Bench) -> None:
    result = bench.call("bash", command="ulimit -c; ulimit -u; ulimit -d")
    core, processes, memory = result.text.split()[:3]
    assert core == "0"
    assert processes.isdecimal()
    assert memory.isdecimal()


def test_a_sandbox_that_cannot_be_set_up_runs_nothing(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "broken"
    program.write_text("#!/bin/sh\necho 'bwrap: no namespaces' >&2\nexit 1\n")
    program.chmod(0o755)
    broken = Found(Mechanism.BUBBLEWRAP, program)
    monkeypatch.setattr("decode_core.permissions.sandbox.probe.find_sandbox", lambda: broken)
    result = bench.call("bash", command="touch ran")
    assert "The sandbox could not be set up (bwrap: no namespaces); nothing was run." in result.text
    assert not (bench.root / "ran").exists()
