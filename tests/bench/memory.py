"""Resident memory and what an idle application costs."""

import time
from collections.abc import Iterator

from bench.figures import Figure
from bench.places import Place
from bench.processes import cpu_percent, rss_mib
from bench.stored_session import resuming
from bench.terminal import terminal


def measure(here: Place, idle_s: float = 10.0, settle_s: float = 4.0) -> Iterator[Figure]:
    """RSS at the first frame, with the model library, after 500 messages; idle CPU."""
    with terminal(here.module("bench.bare_app"), here.project, here.env) as shown:
        shown.wait_painted()
        time.sleep(settle_s / 4)
        bare, bare_cpu = rss_mib(shown.pid), cpu_percent(shown.pid, idle_s / 2)
    with terminal(here.module("decode_ui"), here.project, here.env) as shown:
        shown.wait_painted()
        first = rss_mib(shown.pid)
        time.sleep(settle_s)
        settled, idle = rss_mib(shown.pid), cpu_percent(shown.pid, idle_s)
    with terminal(here.module("decode_ui", *resuming(here, 500)), here.project, here.env) as shown:
        shown.wait_painted()
        time.sleep(settle_s)
        for _ in range(10):
            shown.press("PageUp")
            time.sleep(settle_s / 40)
        long = rss_mib(shown.pid)
    name = "bare Textual"
    yield Figure("RSS at the first frame", first, "MiB", 90, bare, name)
    yield Figure("RSS with the model library", settled, "MiB", 90, bare, name)
    yield Figure("RSS with the model library and 500 messages", long, "MiB", 110, bare, name)
    yield Figure("idle CPU", idle, "% of a core", 0.3, bare_cpu, name)
