"""glob and grep: what is found, what is left out, and what is said about it."""

import asyncio
import os
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from decode_core.events import CallOutcome
from decode_core.tools import ripgrep, searching
from decode_core.tools.ripgrep import find_ripgrep, run_ripgrep
from decode_core.tools.spec import Limits
from tool_bench import Bench


def listed(bench: Bench, pattern: str, **args: Any) -> list[str]:
    """The rows of a glob without its notes."""
    return [row for row in bench.call("glob", pattern=pattern, **args).text.split("\n") if not row.startswith("(")]


def test_files_are_listed_newest_first(bench: Bench) -> None:
    for age, name in enumerate(["new.py", "src/middle.py", "old.py", "other.txt"]):
        os.utime(bench.file(name), (1_000_000 - age, 1_000_000 - age))
    result = bench.call("glob", pattern="*.py")
    assert result.text == "new.py\nsrc/middle.py\nold.py"
    assert result.summary == "3 files"
    assert result.detail == {"files": 3, "shown": 3}


def test_no_file_is_a_normal_answer(bench: Bench) -> None:
    result = bench.call("glob", pattern="*.py")
    assert (result.outcome, result.text, result.summary) == (CallOutcome.OK, "No file matches.", "no files")


def test_a_long_list_is_capped_with_its_count(bench: Bench) -> None:
    bench.limits = Limits(output_lines=10)
    for number in range(25):
        bench.file(f"{number}.txt")
    result = bench.call("glob", pattern="*.txt")
    assert result.text.count(".txt\n") == 10
    assert "(10 of 25 files, newest first; narrow the pattern or give a folder.)" in result.text
    assert result.summary == "25 files"


def test_a_folder_narrows_the_search_and_results_can_be_read(bench: Bench) -> None:
    bench.file("src/deep/a.py", "x = 1\n")
    bench.file("b.py")
    assert listed(bench, "*.py", path="src") == ["src/deep/a.py"]
    assert listed(bench, "deep/*.py", path="./src/") == ["src/deep/a.py"]
    assert bench.call("read", path="src/deep/a.py").outcome is CallOutcome.OK


@pytest.mark.parametrize("tool", ["glob", "grep"])
@pytest.mark.parametrize(
    ("ignoring", "rule"),
    [(".gitignore", "build/\n*.log\n"), (".ignore", "build/\n*.log\n"), (".rgignore", "build\n*.log\n")],
)
def test_ignore_files_hold_also_outside_a_repository(bench: Bench, tool: str, ignoring: str, rule: str) -> None:
    bench.file(ignoring, rule)
    for name in ("build/a.txt", "src/b.log", "src/c.txt"):
        bench.file(name, "needle\n")
    args = {"pattern": "*.{txt,log}"} if tool == "glob" else {"pattern": "needle", "files_only": True}
    assert bench.call(tool, **args).text == "src/c.txt"


def test_a_pattern_does_not_override_an_ignore_file(bench: Bench) -> None:
    bench.file(".gitignore", "*.log\n")
    bench.file("a.log", "needle\n")
    assert listed(bench, "a.log") == ["No file matches."]
    assert bench.call("grep", pattern="needle", glob="*.log").text == "No match."


def test_hidden_files_count_but_not_what_git_keeps(bench: Bench) -> None:
    bench.file(".github/workflows/ci.yml", "needle\n")
    bench.file(".git/config", "needle\n")
    bench.file("sub/.git", "needle\n")
    assert listed(bench, "**") == [".github/workflows/ci.yml"]
    assert bench.call("grep", pattern="needle", files_only=True).text == ".github/workflows/ci.yml"
    assert bench.call("grep", pattern="needle", path=".git").text == ".git/config:1:needle"


SECRETS = [".env", ".env.local", "deploy/.ENV", "server.pem", "keys/id_rsa", ".ssh/config", ".aws/credentials"]
TEMPLATES = [".env.example", ".env.sample", ".env.template", ".env.dist", "keys/id_rsa.pub"]


@pytest.mark.parametrize("name", SECRETS)
def test_secrets_are_left_out_unless_the_path_names_them(bench: Bench, name: str) -> None:
    bench.file(name, "needle\n")
    bench.file("plain/a.txt", "needle\n")
    assert listed(bench, "**") == ["plain/a.txt"]
    assert listed(bench, Path(name).name) == ["No file matches."]
    assert bench.call("grep", pattern="needle").text == "plain/a.txt:1:needle"
    assert bench.call("grep", pattern="needle", files_only=True).text == "plain/a.txt"
    assert bench.call("grep", pattern="needle", glob=Path(name).name).text == "No match."
    assert bench.call("grep", pattern="needle", path=name).text == f"{name}:1:needle"


@pytest.mark.parametrize("name", TEMPLATES)
def test_templates_of_secrets_are_shown(bench: Bench, name: str) -> None:
    bench.file(name, "needle\n")
    assert listed(bench, "**") == [name]
    assert bench.call("grep", pattern="needle").text == f"{name}:1:needle"


def test_glob_says_how_many_secrets_it_left_out(bench: Bench) -> None:
    bench.file(".env")
    bench.file(".env.local")
    bench.file("a.txt")
    result = bench.call("glob", pattern=".env*")
    assert (
        result.text
        == "No file matches.\n(2 files that may hold secrets are left out; only a path that names one reaches it.)"
    )
    assert "secrets" not in bench.call("glob", pattern="*.txt").text


def test_grep_does_not_tell_whether_a_secret_matches(bench: Bench) -> None:
    # a count would answer, guess by guess, what the secret is
    bench.file(".env", "PASSWORD=hunter2\n")
    right = bench.call("grep", pattern="PASSWORD=h")
    wrong = bench.call("grep", pattern="PASSWORD=x")
    assert (right.text, right.summary, right.detail) == (wrong.text, wrong.summary, wrong.detail)


def test_a_folder_that_leads_to_secrets_by_a_link_hides_them(bench: Bench) -> None:
    bench.file(".ssh/id_rsa", "needle\n")
    (bench.root / "keys").symlink_to(".ssh")
    assert bench.call("grep", pattern="needle").text == "No match."
    assert listed(bench, "**") == ["No file matches."]


def test_links_are_not_followed_out_of_the_folder(bench: Bench, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.txt").write_text("needle\n")
    (bench.root / "link").symlink_to(outside)
    (bench.root / "one.txt").symlink_to(outside / "a.txt")
    assert bench.call("grep", pattern="needle").text == "No match."
    assert listed(bench, "*.txt") == ["No file matches."]


def test_a_folder_that_becomes_a_link_after_the_check_is_not_searched(bench: Bench, tmp_path: Path) -> None:
    bench.file("src/a.txt", "needle\n")
    frozen = [bench.freeze("grep", pattern="needle", path="src"), bench.freeze("glob", pattern="*", path="src")]
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "b.txt").write_text("needle\n")
    (bench.root / "src").rename(bench.root / "gone")
    (bench.root / "src").symlink_to(outside)
    for call in frozen:
        result = call.run()
        assert result.outcome is CallOutcome.FAILED
        assert "b.txt" not in result.text


@pytest.mark.parametrize(
    ("tool", "path", "told"),
    [
        ("glob", "missing", "missing does not exist."),
        ("grep", "missing", "missing does not exist."),
        ("glob", "a.txt", "a.txt is a file; give the folder to look in."),
        ("grep", "pipe", "pipe is a FIFO"),
        ("glob", "pipe", "pipe is a FIFO"),
    ],
)
def test_a_place_that_cannot_be_searched_is_told(bench: Bench, tool: str, path: str, told: str) -> None:
    bench.file("a.txt")
    os.mkfifo(bench.root / "pipe")
    result = bench.call(tool, pattern="x", path=path)
    assert result.outcome is CallOutcome.FAILED
    assert told in result.text


@pytest.mark.parametrize("pattern", ["../*", "/etc/*", "a/../../b", "{a,../b}", "   ", "{a,b}" * 10])
def test_a_pattern_that_leaves_the_folder_or_explodes_is_refused(bench: Bench, pattern: str) -> None:
    result = bench.call("glob", pattern=pattern)
    assert result.outcome is CallOutcome.FAILED
    assert result.text.startswith("The ")
    assert result.text.endswith(".")


def test_matches_come_with_path_and_line(bench: Bench) -> None:
    bench.file("src/b.py", "one\nneedle two\n")
    bench.file("a.py", "needle\nneedle again\n")
    result = bench.call("grep", pattern="needle")
    assert result.text == "a.py:1:needle\na.py:2:needle again\nsrc/b.py:2:needle two"
    assert result.summary == "3 matches in 2 files"
    assert result.detail == {"matches": 3, "files": 2, "stopped": False}


def test_no_match_is_a_normal_answer(bench: Bench) -> None:
    bench.file("a.py", "x\n")
    result = bench.call("grep", pattern="needle")
    assert (result.outcome, result.text, result.summary) == (CallOutcome.OK, "No match.", "no match")


def test_context_is_marked_and_parts_are_apart(bench: Bench) -> None:
    bench.file("a.txt", "".join(f"{number}\n" for number in range(1, 12)))
    result = bench.call("grep", pattern="^(2|9)$", context=1)
    assert result.text.split("\n") == [
        "a.txt-1-1",
        "a.txt:2:2",
        "a.txt-3-3",
        "--",
        "a.txt-8-8",
        "a.txt:9:9",
        "a.txt-10-10",
    ]
    assert result.detail["matches"] == 2


@pytest.mark.parametrize(
    ("case", "pattern", "found"),
    [
        ("sensitive", "needle", 1),
        ("sensitive", "Needle", 1),
        ("ignore", "NEEDLE", 2),
        ("smart", "needle", 2),
        ("smart", "Needle", 1),
    ],
)
def test_capitals_are_compared_as_asked(bench: Bench, case: str, pattern: str, found: int) -> None:
    bench.file("a.txt", "needle\nNeedle\n")
    assert bench.call("grep", pattern=pattern, case=case).detail["matches"] == found


@pytest.mark.parametrize("pattern", ["-needle", "--help", "-e"])
def test_a_pattern_is_never_an_option(bench: Bench, pattern: str) -> None:
    bench.file("a.txt", f"{pattern}\n")
    assert bench.call("grep", pattern=pattern).text == f"a.txt:1:{pattern}"


@pytest.mark.parametrize(
    ("glob", "found"),
    [
        ("*.py", ["a.py", "src/b.py"]),
        ("src/*.py", ["src/b.py"]),
        ("src/**", ["src/b.py", "src/c.txt"]),
        ("**/*.{py,txt}", ["a.py", "src/b.py", "src/c.txt"]),
        ("[ab].py", ["a.py", "src/b.py"]),
        ("*.md", []),
    ],
)
def test_a_glob_narrows_the_files(bench: Bench, glob: str, found: list[str]) -> None:
    for name in ("a.py", "src/b.py", "src/c.txt"):
        bench.file(name, "needle\n")
    result = bench.call("grep", pattern="needle", glob=glob, files_only=True)
    assert result.text.split("\n") == (found or ["No match."])


def test_a_match_over_several_lines(bench: Bench) -> None:
    bench.file("a.py", "def f(\n    x,\n):\n")
    assert bench.call("grep", pattern=r"f\(\n\s+x").text == "a.py:1:def f(\na.py:2:    x,"


def test_a_broken_expression_says_what_is_wrong(bench: Bench) -> None:
    bench.file("a.py", "x\n")
    result = bench.call("grep", pattern="f(")
    assert result.outcome is CallOutcome.FAILED
    assert result.text == "The search failed: unclosed group."


def test_matches_are_capped_by_rows_and_by_bytes(bench: Bench) -> None:
    bench.file("a.txt", "needle\n" * 1_000)
    for limits in (Limits(output_lines=10), Limits(output_bytes=200)):
        bench.limits = limits
        result = bench.call("grep", pattern="needle")
        assert result.outcome is CallOutcome.OK
        assert result.text.count("needle\n") in (10, 14)
        assert result.text.endswith("(There are more matches; narrow the pattern, or give a path or a glob.)")
        assert "and more in 1 file" in result.summary


def test_a_long_line_is_shown_around_its_match(bench: Bench) -> None:
    bench.file("a.min.js", "x" * 100_000 + "needle" + "y" * 100_000)
    result = bench.call("grep", pattern="needle")
    assert len(result.text) < 500
    assert "xneedley" in result.text
    assert result.text.startswith("a.min.js:1:…")
    assert result.text.endswith("…")


def test_a_line_beyond_every_limit_is_skipped_and_counted(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ripgrep, "MAX_RECORD_BYTES", 300_000)
    bench.file("a.txt", "needle" + "y" * 2_000_000 + "\n")
    bench.file("b.txt", "needle\n")
    result = bench.call("grep", pattern="needle")
    assert result.text == "b.txt:1:needle\n(Left out: 1 match in very long lines.)".replace("are left", "is left")


def test_carriage_returns_and_broken_utf8_do_no_harm(bench: Bench) -> None:
    bench.file("a.txt", b"needle one\r\nneedle \xff\r\n")
    assert bench.call("grep", pattern="needle").text == "a.txt:1:needle one\na.txt:2:needle �"


def test_names_that_are_no_plain_text_are_quoted(bench: Bench) -> None:
    bench.file("two\nlines.txt", "needle\n")
    bench.file("esc\x1b[31m.txt", "needle\n")
    result = bench.call("grep", pattern="needle", files_only=True)
    assert result.text == "'esc\\x1b[31m.txt'\n'two\\nlines.txt'"
    assert "\x1b" not in bench.call("glob", pattern="*.txt").text


def test_a_single_file_is_searched(bench: Bench) -> None:
    bench.file(".gitignore", "*.log\n")
    bench.file("a.log", "one\nneedle\n")
    assert bench.call("grep", pattern="needle", path="a.log").text == "a.log:2:needle"
    assert bench.call("grep", pattern="needle", path="a.log", files_only=True).text == "a.log"
    assert bench.call("grep", pattern="nothing", path="a.log").text == "No match."


def test_nobodys_ripgrep_settings_count(bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settings = tmp_path / "ripgreprc"
    settings.write_text("--ignore-case\n--files-with-matches\n")
    monkeypatch.setenv("RIPGREP_CONFIG_PATH", str(settings))
    bench.file("a.txt", "NEEDLE\n")
    assert bench.call("grep", pattern="needle").text == "No match."


def without_own_ripgrep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sysconfig, "get_path", lambda name: "/nowhere")
    monkeypatch.setattr(sys, "executable", "/nowhere/python")


def test_ripgrep_is_never_taken_from_the_workspace(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    own = find_ripgrep(bench.workspace)
    assert own is not None
    without_own_ripgrep(monkeypatch)
    theirs = bench.file("bin/rg", "#!/bin/sh\necho theirs\n", 0o755)
    (bench.root.parent / "linked").symlink_to(theirs.parent)
    monkeypatch.setenv("PATH", os.pathsep.join([str(theirs.parent), "bin", ".", "", str(bench.root.parent / "linked")]))
    monkeypatch.chdir(bench.root)
    assert find_ripgrep(bench.workspace) is None
    monkeypatch.setenv("PATH", f"{theirs.parent}:{own.parent}")
    assert find_ripgrep(bench.workspace) == own


@pytest.mark.parametrize("tool", ["glob", "grep"])
def test_without_ripgrep_the_result_says_so(bench: Bench, monkeypatch: pytest.MonkeyPatch, tool: str) -> None:
    without_own_ripgrep(monkeypatch)
    monkeypatch.setenv("PATH", "/nowhere")
    result = bench.call(tool, pattern="x")
    assert result.outcome is CallOutcome.FAILED
    assert "ripgrep (rg) is not installed" in result.text


def stand_in(bench: Bench, body: str) -> Path:
    """A program that takes ripgrep's place."""
    program = bench.root.parent / "rg"
    program.write_text(f"#!/bin/bash\n{body}\n")
    program.chmod(0o755)
    return program


def test_a_search_that_takes_too_long_ends_with_what_it_found(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = stand_in(bench, r"printf './a.txt\0'; exec sleep 300")
    monkeypatch.setattr(searching, "find_ripgrep", lambda workspace: slow)
    monkeypatch.setattr(ripgrep, "TIME_LIMIT_S", 0.2)
    monkeypatch.setattr(searching, "TIME_LIMIT_S", 0.2)
    bench.file("a.txt", "needle\n")
    assert bench.call("grep", pattern="needle", files_only=True).text == (
        "a.txt\n(Stopped after 0.2 s; this is what was found until then. Give a smaller folder.)"
    )


def test_cancelling_ends_the_search(bench: Bench) -> None:
    pid = bench.root.parent / "pid"
    slow = stand_in(bench, f"echo $$ > {pid}; printf 'found\\0'; exec sleep 300")

    async def cancel() -> None:
        begun = asyncio.Event()

        def take(record: bytes) -> bool:
            begun.set()
            return True

        folder = os.open(bench.root, os.O_RDONLY)
        try:
            call = asyncio.ensure_future(run_ripgrep(slow, (), folder, b"\0", take))
            await begun.wait()
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
        finally:
            os.close(folder)

    asyncio.run(asyncio.wait_for(cancel(), 30))
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


def test_a_program_that_cannot_be_started_is_a_failed_result(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "find_ripgrep", lambda workspace: bench.root / "missing")
    result = bench.call("grep", pattern="x")
    assert result.outcome is CallOutcome.FAILED
    assert "ripgrep could not be started" in result.text
