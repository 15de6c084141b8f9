"""What a plan looks like that is handed over as a Deep Work Plan."""

from pathlib import Path

import pytest

from decode_core.permissions.modes import PermissionMode
from decode_ui.testing import Workbench
from payments import PLAN, PROMPT, script
from pictures import Matches, picture

SIZES = [pytest.param((w, h), id=f"{w}x{h}") for w, h in ((150, 40), (80, 24))]


@pytest.mark.parametrize("size", SIZES)
def test_a_draft_to_approve(own_home: Path, matches_picture: Matches, size: tuple[int, int]) -> None:
    async def steps(bench: Workbench) -> None:
        await bench.send(PROMPT)
        await bench.open_question()
        await bench.press("w")
        await bench.until(lambda: "write the draft" in bench.screen and "step 1" in bench.screen)
        await bench.press("w")
        await bench.until(lambda: "a approve…" in bench.screen)

    model = script(own_home, PLAN)
    assert matches_picture(picture(own_home, steps, size, model=model, mode=PermissionMode.PLAN))
