"""How long it takes until something is there: the version, the first frame, the first key."""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bench.figures import Figure
from bench.places import Place
from bench.stored_session import resuming
from bench.terminal import LETTERS, terminal


def measure(here: Place, runs: int = 5) -> Iterator[Figure]:
    """`--version`, the first frame and the first key; each against its reference."""
    # turn about, so that a busy moment falls on both
    python, version = [], []
    for _ in range(runs * 4):
        python.append(_seconds([sys.executable, "-c", "pass"]))
        version.append(_seconds(here.module("decode_ui", "--version")))
    name = "python -c pass"
    yield Figure("decode --version", statistics.median(version), "s", 0.03, statistics.median(python), name)

    bare, full = [], []
    for _ in range(runs):
        bare.append(_start(here, here.module("bench.bare_app")))
        full.append(_start(here, here.module("decode_ui")))
    for label, budget, key in (("first painted frame", 0.5, "painted_s"), ("ready to type", 0.5, "typed_s")):
        ours, reference = (statistics.median(getattr(start, key) for start in starts) for starts in (full, bare))
        yield Figure(label, ours, "s", budget, reference, "bare Textual")

    note = here.project / "note.json"
    _start(here, here.module("bench.noted_app", str(note)))
    imported = json.loads(note.read_text())["model_library_imported"]
    yield Figure("model library imported before the first key (0: no)", float(imported), "", 0)

    argv = here.module("decode_ui", *resuming(here, 5_000))
    resumed = statistics.median(_start(here, argv).painted_s for _ in range(runs))
    new = statistics.median(start.painted_s for start in full)
    yield Figure("first frame, 5,000 messages resumed", resumed, "s", 1.0, new, "new session")


@dataclass(frozen=True)
class Start:
    """Seconds from the start of a program to its first frame, and to the first typed letter on the screen."""

    painted_s: float
    typed_s: float


def _start(here: Place, argv: Sequence[str]) -> Start:
    with terminal(argv, here.project, here.env) as shown:
        painted = shown.wait_painted()
        shown.type(LETTERS[0])
        typed = shown.wait_output(LETTERS[0])
        time.sleep(0.1)  # the note of the first key is written beside the drawing
        return Start(painted - shown.started, typed - shown.started)


def _seconds(argv: Sequence[str]) -> float:
    begun = time.perf_counter()
    subprocess.run(argv, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begun
