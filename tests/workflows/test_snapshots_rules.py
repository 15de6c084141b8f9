"""What the rules tab and the dialog that writes a rule look like (ui.md §4)."""

from pathlib import Path

import pytest

from decode_core.events import TurnFinished
from decode_core.permissions.rules import RuleList, RuleSource
from decode_ui.testing import Workbench
from payments import CHANGE, PROMPT, script
from pictures import Matches, picture

SIZES = [pytest.param((w, h), id=f"{w}x{h}") for w, h in ((150, 40), (80, 24))]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("what", ["tab", "editor", "trial", "why"])
def test_the_rules(own_home: Path, matches_picture: Matches, what: str, size: tuple[int, int]) -> None:
    async def steps(bench: Workbench) -> None:
        for in_list, text in ((RuleList.DENY, "bash(git push *)"), (RuleList.ALLOW, "bash(make *)")):
            bench.session.rule_book.store(in_list, text, RuleSource.SESSION)
        await bench.send(PROMPT)
        await bench.open_question()
        await bench.press("s")
        await bench.open_question(2)
        await bench.press("n")
        await bench.wait_for(TurnFinished)
        await bench.press("ctrl+o", "l" if what == "why" else "r")
        await bench.until(lambda: "readonly bash" in bench.screen or what == "why", "the rules")
        match what:
            case "editor":
                await bench.press("n")
                await bench.write("edit(src/**)")
                await bench.until(lambda: "enter stores allow edit(src/**) in .decode" in bench.screen, "the preview")
            case "trial":
                await bench.press("t")
                await bench.write("bash git push origin")
                await bench.press("enter")
                await bench.until(lambda: "deny  bash git push origin" in bench.screen, "the verdict")
            case "why":
                await bench.press("w")
            case _:
                pass

    assert matches_picture(picture(own_home, steps, size, model=script(own_home, CHANGE)))
