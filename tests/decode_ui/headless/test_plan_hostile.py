"""Files of a plan may hold anything: every verb ends with a documented code and one sentence, never a traceback."""

import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings, strategies as st

from decode_ui.command_line import cli
from plan_bench import PlanBench, make_bench

VERBS = (
    "status",
    "ready",
    "inspect",
    "validate",
    "doctor",
    "project",
    "delegate observe",
    "start --task T-one",
    "gate --task T-one --criterion AC-one --json '\"true\"'",
    "complete --task T-one",
    'append --type observation --json \'{"statement": "x"}\'',
    "signoff --criterion AC-one --evidence-path README.md --authority A",
    "delegate launch --task T-one --json {}",
    "delegate cancel --task T-one --json {}",
    "config show",
)
FILES = ("manifest.json", "contract.json", "journal.ndjson", "journal.chain", "evidence.jsonl", "../../config.json")

PIECES = st.sampled_from(
    [b"{", b"}", b"[", b"]", b'"', b":", b",", b"\n", b"\0", b"\xff", b"null", b"1e999", b"-1", b'"schema"', b'"seq"',
     b'"type"', b"[" * 900, b"\xed\xa0\x80", b'"\\ud800"', b"NaN", "é".encode()]
)  # fmt: skip
RUBBISH = st.one_of(st.binary(max_size=60), st.lists(PIECES, max_size=12).map(b"".join))


def run(bench: PlanBench, line: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["plan", "--plan", str(bench.folder.path), "--wait", "0", *shlex.split(line)])
    assert result.exception is None or isinstance(result.exception, SystemExit), (line, result.exception)
    assert "Traceback" not in result.output
    return result.exit_code, result.output


@pytest.fixture(scope="module")
def pattern(tmp_path_factory: pytest.TempPathFactory) -> PlanBench:
    bench = make_bench(tmp_path_factory.mktemp("hostile"), with_git=False)
    bench.enable("agentkit")
    bench.start("one")
    bench.gate("one")
    return bench


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(FILES), verb=st.sampled_from(VERBS), rubbish=RUBBISH, keep=st.floats(0, 1))
def test_rubbish_in_any_file_is_one_sentence(
    pattern: PlanBench, tmp_path_factory: pytest.TempPathFactory, name: str, verb: str, rubbish: bytes, keep: float
) -> None:
    bench = pattern.copied(tmp_path_factory.mktemp("plan"))
    file = bench.folder.path / name
    before = file.read_bytes() if file.exists() else b""
    cut = int(len(before) * keep)
    file.write_bytes(before[:cut] + rubbish + before[cut + len(rubbish) :])
    code, _ = run(bench, verb)
    assert code in range(6)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("kind", ["folder", "link", "broken link", "gone"])
def test_what_is_no_file_is_one_sentence(pattern: PlanBench, tmp_path: Path, name: str, kind: str) -> None:
    bench = pattern.copied(tmp_path / "plan")
    file = bench.folder.path / name
    file.unlink(missing_ok=True)
    match kind:
        case "folder":
            file.mkdir()
        case "link":
            (tmp_path / "target").write_text("{}")
            file.symlink_to(tmp_path / "target")
        case "broken link":
            file.symlink_to(tmp_path / "nowhere")
        case _:
            pass
    for verb in VERBS:
        code, _ = run(bench, verb)
        assert code in range(6), verb
    assert kind != "link" or (tmp_path / "target").read_text() == "{}"
