"""The first frame does not wait for the Markdown parser."""

import subprocess
import sys

PROBE = """
import sys
from decode_ui.transcript import render, view
from decode_ui.transcript.entry import HintEntry, Role
render.Painter().paint(HintEntry(((("enter", Role.KEY),),)), 40)
early = "rich.markdown" in sys.modules or "pygments" in sys.modules
render.warm()
print(early, "rich.markdown" in sys.modules)
"""


def test_the_parser_is_imported_only_when_warmed_or_at_the_first_answer() -> None:
    result = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["False", "True"]
