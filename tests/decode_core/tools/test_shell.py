"""bash: what runs, what is told, and that nothing of it outlives the call."""

import asyncio
import os
import signal
import stat
from pathlib import Path

import pytest

from decode_core.events import CallOutcome
from decode_core.tools import shell_output, shell_process
from decode_core.tools.shell import CWD, PASSED_NAMES, find_bash
from decode_core.tools.shell_environment import shell_environment
from decode_core.tools.spec import Limits
from tool_bench import Bench


def is_running(process: int) -> bool:
    """Whether a process still does something; one that only waits to be collected does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return False
    return state.rpartition(")")[2].split()[0] != "Z"


def noted(bench: Bench, name: str = "pid") -> int:
    """The process id that a command wrote down."""
    return int((bench.root / name).read_text())


def test_output_and_exit_code_are_told(bench: Bench) -> None:
    result = bench.call("bash", command="echo out; echo err >&2")
    assert result.outcome is CallOutcome.OK
    assert result.text == "out\nerr"
    assert result.summary == "exit 0"
    assert result.detail["exit_code"] == 0
    assert result.detail["output"] == "out\nerr\n"


def test_another_exit_code_is_a_failed_result_with_the_output(bench: Bench) -> None:
    result = bench.call("bash", command="echo broken; exit 3")
    assert result.outcome is CallOutcome.FAILED
    assert result.text == "broken\n(Exit code 3.)"
    assert result.summary == "exit 3"
    assert result.detail["exit_code"] == 3


def test_no_output_is_said(bench: Bench) -> None:
    assert bench.call("bash", command="true").text == "(No output; exit code 0.)"


def test_a_shell_that_is_ended_by_a_signal_says_which(bench: Bench) -> None:
    result = bench.call("bash", command="kill -SEGV $$")
    assert result.summary == "ended by SIGSEGV"
    assert result.outcome is CallOutcome.FAILED


def test_a_syntax_error_is_the_commands_own(bench: Bench) -> None:
    result = bench.call("bash", command="if then")
    assert result.outcome is CallOutcome.FAILED
    assert "syntax error" in result.text


@pytest.mark.parametrize(
    "command",
    [
        'echo "[$#][$1]"',
        'set -u; echo "[$#][${1-}]"',
        'f() { echo "[$#][$1]"; }; f',
    ],
)
def test_the_command_sees_no_arguments_of_ours(bench: Bench, command: str) -> None:
    assert bench.call("bash", command=command).text == "[0][]"


def test_a_here_document_and_quotes_arrive_as_written(bench: Bench) -> None:
    command = "cat <<'E'\n$HOME `x` \"q\" 'r' \\\nE"
    assert bench.call("bash", command=command).text == "$HOME `x` \"q\" 'r' \\"


def test_there_is_no_input_and_no_terminal(bench: Bench) -> None:
    result = bench.call("bash", command="cat; [ -t 0 ] || echo no terminal; (: </dev/tty) 2>/dev/null || echo none")
    assert result.text == "no terminal\nnone"


def test_it_is_the_leader_of_its_own_session_and_group(bench: Bench) -> None:
    result = bench.call("bash", command="cut -d' ' -f1,5,6 /proc/$$/stat")
    process, group, session = result.text.split()
    assert process == group == session
    assert int(session) != os.getsid(0)


def test_start_up_files_are_not_read(bench: Bench, own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (".bashrc", ".bash_profile", ".profile", "env"):
        (own_home / name).write_text("echo started $0\n")
    monkeypatch.setenv("BASH_ENV", str(own_home / "env"))
    monkeypatch.setenv("ENV", str(own_home / "env"))
    monkeypatch.setenv("BASH_FUNC_ls%%", "() { echo shadowed; }")
    assert bench.call("bash", command="ls").text == "(No output; exit code 0.)"


def test_output_is_shown_while_the_command_runs(bench: Bench) -> None:
    def shown(text: str) -> None:
        bench.shown.append(text)
        bench.file("go")

    bench.on_progress = shown
    result = bench.call("bash", command="echo first; until [ -e go ]; do :; done; echo last")
    assert bench.shown[0] == "first\n"
    assert result.text == "first\nlast"


def test_a_flood_is_capped_and_kept_whole_in_a_private_file(bench: Bench) -> None:
    bench.limits = Limits(output_bytes=2_000)
    result = bench.call("bash", command="for i in $(seq 20000); do echo line $i; done")
    assert len(result.text) < 3_000
    assert result.text.startswith("line 1\nline 2\n")
    assert "\nline 20000\n" in result.text
    full = Path(result.detail["full_output"])
    assert str(full) in result.text
    assert full.parent == bench.spill
    assert stat.S_IMODE(full.stat().st_mode) == 0o600
    assert full.read_text() == "".join(f"line {number}\n" for number in range(1, 20_001))
    assert bench.call("read", path=str(full), offset=20_000).text == " 20000\tline 20000"


def test_many_short_lines_are_capped_by_their_number(bench: Bench) -> None:
    bench.limits = Limits(output_lines=10)
    result = bench.call("bash", command="seq 100")
    rows = result.text.split("\n")
    assert rows[:5] == ["1", "2", "3", "4", "5"]
    assert rows[6:11] == ["96", "97", "98", "99", "100"]
    assert "middle is left out" in rows[5]
    assert Path(result.detail["full_output"]).read_text().count("\n") == 100


def test_an_endless_flood_ends_at_the_time_out_in_bounded_memory(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shell_output, "MAX_SPILL_BYTES", 100_000)
    result = bench.call("bash", command="yes", timeout=0.3)
    assert result.summary == "timed out after 0.3 s"
    assert Path(result.detail["full_output"]).stat().st_size == 100_000
    assert "The first 100,000 bytes of it are in" in result.text
    assert max(map(len, bench.shown), default=0) < 10_000


def test_invalid_utf8_is_replaced(bench: Bench) -> None:
    assert bench.call("bash", command=r"printf 'a\xffb\xc3'").text == "a�b�"


def test_a_time_out_ends_the_group_also_where_term_is_ignored(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shell_process, "GRACE_S", 0.1)
    command = "trap '' TERM; sleep 300 & echo $! > pid; echo begun; wait; wait; sleep 300"
    result = bench.call("bash", command=command, timeout=1)
    assert result.outcome is CallOutcome.FAILED
    assert result.detail["timed_out"] is True
    assert "Timed out: it was ended after 1 s" in result.text
    assert result.text.startswith("begun")
    assert not is_running(noted(bench))


def test_the_time_out_counts_while_a_background_child_holds_the_pipe(bench: Bench) -> None:
    result = bench.call(
        "bash", command="(sleep 300; echo late) & echo $! > pid; cat /proc/self/stat > s; sleep 300", timeout=0.3
    )
    assert result.detail["timed_out"] is True
    assert not is_running(noted(bench))


def test_a_background_child_that_holds_the_pipe_does_not_hold_the_call(bench: Bench) -> None:
    result = bench.call("bash", command="sleep 300 & echo $! > pid; echo done")
    assert result.outcome is CallOutcome.OK
    assert result.text == "done\n(Processes that it left in the background were ended.)"
    assert not is_running(noted(bench))


def test_what_leaves_the_group_does_not_hold_the_call_either(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shell_process, "DRAIN_S", 0.1)
    command = "setsid bash -c 'echo $$ > pid; sleep 300' & until [ -s pid ]; do :; done; echo done"
    result = bench.call("bash", command=command)
    assert result.text.startswith("done")
    os.kill(noted(bench), signal.SIGKILL)


def test_the_last_output_of_a_short_background_part_is_not_lost(bench: Bench) -> None:
    result = bench.call("bash", command="echo all > >(while read -r line; do echo got $line; done)")
    assert result.text == "got all"


def test_cancelling_ends_the_group_and_does_not_hang(bench: Bench) -> None:
    async def cancel() -> int:
        begun = asyncio.Event()
        bench.on_progress = lambda text: begun.set()
        command = "trap '' TERM INT; sleep 300 & echo $! > pid; echo begun; wait"
        call = asyncio.ensure_future(bench.freeze("bash", command=command).start())
        await begun.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        return noted(bench)

    assert not is_running(asyncio.run(asyncio.wait_for(cancel(), 30)))


def test_the_working_folder_is_kept_and_told(bench: Bench) -> None:
    bench.file("src/deep/a.py")
    result = bench.call("bash", command="cd src && cd deep; pwd")
    assert result.text == f"{bench.root}/src/deep\n(The working folder is now src/deep.)"
    assert result.detail["cwd"] == "src/deep"
    assert bench.call("bash", command="ls").text == "a.py"
    assert bench.call("bash", command="cd ../..").detail["cwd"] == "."


@pytest.mark.parametrize(
    "command", ["cd src; exit 4", "cd src; false", "set -e; cd src; false", "cd src; kill -KILL $$"]
)
def test_the_working_folder_is_kept_however_the_command_ends(bench: Bench, command: str) -> None:
    bench.file("src/a.py")
    bench.call("bash", command=command)
    # a shell that is killed can tell nothing: the folder stays as it was
    assert bench.shell.get(CWD) == (None if "kill" in command else bench.root / "src")


def test_a_folder_outside_the_workspace_is_not_kept(bench: Bench) -> None:
    result = bench.call("bash", command="cd /")
    assert "The shell ended in /, outside the workspace; the next command starts in the root again." in result.text
    assert bench.call("bash", command="pwd").text == str(bench.root)


def test_a_folder_that_leads_out_by_a_link_is_not_kept(bench: Bench, tmp_path: Path) -> None:
    (bench.root / "out").symlink_to(tmp_path)
    assert "outside the workspace" in bench.call("bash", command="cd out").text
    assert bench.shell[CWD] == bench.root


def test_a_command_that_has_a_pwd_of_its_own_does_not_mislead(bench: Bench) -> None:
    bench.file("src/a.py")
    bench.call("bash", command="pwd() { echo /; }; cd src")
    assert bench.shell[CWD] == bench.root / "src"


def test_a_shell_that_ends_in_a_removed_folder_says_nothing_odd(bench: Bench) -> None:
    bench.file("src/a.py")
    assert bench.call("bash", command="cd src; rm -r ../src").outcome is CallOutcome.OK
    assert bench.call("bash", command="pwd").text == str(bench.root)


def test_a_folder_that_is_gone_is_told(bench: Bench) -> None:
    bench.file("src/a.py")
    bench.call("bash", command="cd src")
    (bench.root / "src/a.py").unlink()
    (bench.root / "src").rmdir()
    result = bench.call("bash", command="pwd")
    assert result.text == f"{bench.root}\n(The folder src is gone; the command ran in the workspace root.)"


def test_a_folder_with_a_newline_in_its_name_is_kept(bench: Bench) -> None:
    bench.file("odd\nname/a.py")
    bench.call("bash", command="cd odd*")
    assert bench.call("bash", command="ls").text == "a.py"


SECRETS = ["OPENAI_API_KEY", "GH_TOKEN", "db_password", "MY_SECRET", "SSH_AUTH_SOCK", "GPG_AGENT_INFO", "PASSWD_FILE"]


@pytest.mark.parametrize("name", SECRETS)
def test_secrets_do_not_reach_the_command(bench: Bench, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "hidden")
    assert bench.call("bash", command=f'echo "[${name}]"').text == "[]"
    bench.shell[PASSED_NAMES] = (name,)
    assert bench.call("bash", command=f'echo "[${name}]"').text == "[hidden]"


def test_what_steers_bash_is_dropped_even_if_it_is_passed() -> None:
    given = {"BASH_ENV": "x", "BASH_FUNC_a%%": "() { :; }", "SHELLOPTS": "xtrace", "LANG": "C.UTF-8", "TERM": "xterm"}
    assert shell_environment(given, tuple(given)) == {"LANG": "C.UTF-8", "TERM": "dumb"}


@pytest.mark.parametrize(
    ("command", "told"), [("echo a\0b", "NUL character"), ("echo " + "x" * 140_000, "at most 65536 characters")]
)
def test_a_command_that_cannot_be_passed_on_is_refused(bench: Bench, command: str, told: str) -> None:
    if "NUL" in told:
        assert told in bench.call("bash", command=command).text
    else:
        with pytest.raises(AssertionError, match=told):
            bench.freeze("bash", command=command)


def test_a_command_too_long_for_the_system_is_a_failed_result(bench: Bench) -> None:
    result = bench.call("bash", command="echo " + "𝄞" * 65_530)
    assert result.outcome is CallOutcome.FAILED
    assert "could not be started" in result.text


def test_bash_is_never_taken_from_the_workspace(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.file("bin/bash", "#!/bin/sh\necho mine\n", 0o755)
    monkeypatch.setenv("PATH", f"{bench.root}/bin:bin:.:{os.environ['PATH']}")
    found = find_bash(bench.workspace)
    assert found is not None
    assert bench.root not in found.parents
    assert bench.call("bash", command="echo theirs").text == "theirs"


def test_without_bash_the_result_says_so(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(bench.root))
    assert "no bash" in bench.call("bash", command="true").text


def test_a_full_disk_does_not_lose_the_command(bench: Bench) -> None:
    bench.limits = Limits(output_bytes=1_000)
    bench.spill.rmdir()
    result = bench.call("bash", command="seq 5000")
    assert result.outcome is CallOutcome.OK
    assert "could not be kept" in result.text
    assert "full_output" not in result.detail


def test_descriptors_do_not_leak(bench: Bench) -> None:
    bench.call("bash", command="true")
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        bench.call("bash", command="true")
    assert len(list(Path("/proc/self/fd").iterdir())) == before
