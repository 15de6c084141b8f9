"""Keys must not wait for the next of 60 frames a second."""

import subprocess
import sys

CHECK = """
import sys
from decode_ui.frame_rate import FRAMES_PER_SECOND, raise_frame_rate
raise_frame_rate()
assert "textual.screen" not in sys.modules
import decode_ui.app
from textual.screen import UPDATE_PERIOD
assert UPDATE_PERIOD == 1 / FRAMES_PER_SECOND, UPDATE_PERIOD
"""


def test_the_rate_holds_when_it_is_raised_before_the_application_is_imported() -> None:
    # a process of its own: here Textual is imported already
    subprocess.run([sys.executable, "-c", CHECK], check=True)
