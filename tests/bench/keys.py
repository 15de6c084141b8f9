"""From a key press to its letter on the screen: idle, over long conversations, while text streams, during imports."""

import time
from collections.abc import Iterator, Sequence

from bench.figures import Figure, percentile
from bench.places import MODEL, Place
from bench.stored_session import resuming
from bench.terminal import LETTERS, Terminal, terminal

STREAM_RATE = 400
"""Deltas a second."""


def measure(here: Place, presses: int = 60) -> Iterator[Figure]:
    """p50 and p95 of every situation, against bare Textual."""
    with terminal(here.module("bench.bare_app"), here.project, here.env) as shown:
        _settle(shown)
        bare = shown.latencies(presses)
    for messages in (0, 500, 5_000):
        with terminal(here.module("decode_ui", *resuming(here, messages)), here.project, here.env) as shown:
            _settle(shown)
            yield from _pair(f"key, {messages:,} messages", shown.latencies(presses), bare, (None, 12))
    for messages in (0, 5_000):
        argv = here.module("decode_ui", *resuming(here, messages), "--model", MODEL)
        with terminal(argv, here.project, here.env) as shown:
            _settle(shown)
            shown.type(f"paced 20000 {STREAM_RATE}")
            shown.press("Enter")
            shown.wait_output("Section")
            time.sleep(1)
            label = f"key, {STREAM_RATE} deltas/s, {messages:,} messages"
            yield from _pair(label, shown.latencies(presses), bare, (12, 20))
    with terminal(here.module("decode_ui"), here.project, here.env) as shown:
        shown.wait_painted()
        yield from _pair(
            "key, model library being imported", shown.latencies(min(presses, 40), (0.01, 0.03)), bare, (None, 100)
        )


def _settle(shown: Terminal) -> None:
    """Wait until the program takes keys and its imports are done."""
    shown.wait_painted()
    shown.type(LETTERS[-1])
    shown.wait_output(LETTERS[-1])
    shown.press("BSpace")
    time.sleep(3)


def _pair(
    label: str, samples: Sequence[float], bare: Sequence[float], budgets: tuple[float | None, float]
) -> Iterator[Figure]:
    for percent, budget in zip((50, 95), budgets, strict=True):
        value, reference = percentile(samples, percent), percentile(bare, percent)
        note = f"max {max(samples):.0f}" if percent == 95 else ""
        yield Figure(f"{label}, p{percent}", value, "ms", budget, reference, "bare Textual", note)
