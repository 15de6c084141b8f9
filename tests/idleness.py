"""When an application under test is idle: a shorter look than Textual's own.

Textual takes an application for idle when its process has used next to no time in 20 ms, and waits for that twice a
key: three quarters of what a test of the interface took. Several short looks see the same, and on a busy machine more:
a look that lasted longer than it should tells that somebody waited for the processor, and does not count.
"""

from asyncio import sleep
from time import monotonic, process_time

import textual.app
import textual.pilot

LOOK_S = 0.003
LOOKS = 2
"""So many quiet looks, one after the other, are idleness."""
USED_S = 0.0005
"""Processor time that counts as none."""
LATE_S = 0.003
"""A look that took so much longer than it should is none."""


async def wait_for_idle(min_sleep: float = 0, max_sleep: float = 1) -> None:
    """Wait until the process is idle, `max_sleep` seconds at most."""
    end = monotonic() + max_sleep
    quiet = 0
    while quiet < LOOKS and monotonic() < end:
        used, begun = process_time(), monotonic()
        await sleep(LOOK_S)
        is_quiet = process_time() - used < USED_S and monotonic() - begun < LOOK_S + LATE_S
        quiet = quiet + 1 if is_quiet else 0


def look_shortly() -> None:
    """Make Textual's harness wait like this."""
    for module in (textual.app, textual.pilot):
        assert "wait_for_idle" in vars(module), "Textual's harness waits by another name now"
        vars(module)["wait_for_idle"] = wait_for_idle
