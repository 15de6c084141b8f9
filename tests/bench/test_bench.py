"""The bench works, on sizes too small to mean anything. Nothing here looks at a time."""

import json
import shutil
from pathlib import Path

import pytest

from bench import burst, gate_checks, memory, reloads, store, tool_calls
from bench.conversation import events
from bench.figures import Figure, percentile, table, write_json
from bench.places import place
from bench.server_program import markdown_deltas
from bench.starts import _start
from bench.terminal import LETTERS, terminal
from decode_core.events import AssistantMessage, ToolCallFinished, TurnStarted

in_tmux = pytest.mark.skipif(
    shutil.which("tmux") is None or not Path("/proc/self/task").is_dir(), reason="needs tmux and Linux"
)


@pytest.mark.parametrize(("percent", "value"), [(50, 2), (95, 4), (100, 4), (1, 1)])
def test_a_percentile_is_one_of_the_samples(percent: float, value: float) -> None:
    assert percentile([4, 1, 3, 2], percent) == value


def test_a_percentile_of_nothing_is_an_error() -> None:
    with pytest.raises(ValueError, match="no samples"):
        percentile([], 50)


def test_the_table_shows_the_ratio_and_what_is_over_its_budget() -> None:
    shown = table([Figure("start", 3.0, "s", 2.0, 1.5, "bare"), Figure("rest", 1.0, "s", 2.0)])
    start, rest = shown.splitlines()[1:]
    assert start.split() == ["start", "3", "s", "1.5", "bare", "2.00", "≤", "2", "over"]
    assert "over" not in rest


def test_the_json_holds_figures_and_machine(tmp_path: Path) -> None:
    write_json([Figure("start", 3.0, "s", 2.0, 1.5, "bare")], tmp_path / "f.json")
    written = json.loads((tmp_path / "f.json").read_text())
    assert written["figures"][0] | {"ratio": 2.0, "over": True} == written["figures"][0]
    assert written["machine"]["python"]


def test_a_conversation_has_as_many_messages_as_it_is_asked_for() -> None:
    kinds = (TurnStarted, ToolCallFinished, AssistantMessage)
    assert sum(isinstance(event, kinds) for event in events(500)) == 500


def test_the_server_streams_as_many_deltas_as_it_is_asked_for() -> None:
    assert len(list(markdown_deltas(777))) == 777


def test_gate_calls_and_agents_are_measured() -> None:
    with place() as here:
        figures = [
            *gate_checks.measure(here, 20, 2, 1_000),
            *tool_calls.measure(here, 2, 2, 1),
            *reloads.measure(here, 3, 1),
        ]
    assert len(figures) == 15
    assert len({figure.name for figure in figures}) == len(figures)


def test_the_store_is_measured() -> None:
    with place() as here:
        figures = list(store.measure(here, 500, 30, 1))
    assert [figure.unit for figure in figures] == ["ms"] * 5


@in_tmux
def test_a_letter_is_seen_in_the_reference_application() -> None:
    with place() as here:
        start = _start(here, here.module("bench.bare_app"))
        assert start.painted_s < start.typed_s
        with terminal(here.module("bench.bare_app"), here.project, here.env) as shown:
            shown.wait_painted()
            assert len(shown.latencies(3, (0.0, 0.0))) == 3
            assert LETTERS[:3] in shown.screen()


@in_tmux
def test_a_stream_is_followed_to_its_end_mark_and_memory_is_read() -> None:
    with place() as here:
        (taken,) = burst.measure(here, 50, 0)
        assert taken.reference is not None
        assert {figure.unit for figure in memory.measure(here, 0.1, 0)} == {"MiB", "% of a core"}
