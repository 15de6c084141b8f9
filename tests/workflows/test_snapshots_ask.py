"""What a permission question looks like when its answer reaches beyond the call (keys.md §5.2)."""

from pathlib import Path

import pytest

from decode_ui.testing import Workbench
from payments import CHANGE, PROMPT, script
from pictures import Matches, picture

SIZES = [pytest.param((w, h), id=f"{w}x{h}") for w, h in ((150, 40), (80, 24))]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("page", ["pattern", "change"])
def test_a_page_of_a_question(own_home: Path, matches_picture: Matches, page: str, size: tuple[int, int]) -> None:
    async def steps(bench: Workbench) -> None:
        await bench.send(PROMPT)
        await bench.open_question()
        await bench.press({"pattern": "p", "change": "e"}[page])
        await bench.until(lambda: "matches" in bench.screen or page == "change", "the preview")

    assert matches_picture(picture(own_home, steps, size, model=script(own_home, CHANGE)))
