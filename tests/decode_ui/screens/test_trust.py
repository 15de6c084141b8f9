"""The dialog of trust (keys.md §12): what would count, the harmless answer focused, the prompt works either way."""

import asyncio
import json
from pathlib import Path

import pytest
from textual.pilot import Pilot

from decode_core.events import NoticeRaised
from decode_core.trust.content import ContentFile, FolderContent
from decode_core.trust.effects import Effect, EffectKind
from decode_core.trust.folder import Standing, look_at
from decode_ui.guard import KeyGuard
from decode_ui.screens.trust import TrustAnswer, TrustQuestion, TrustScreen, effect_rows, file_rows
from decode_ui.testing import Workbench, workbench
from dialog_host import UNANSWERED, Clock, Host, play

EFFECTS = (
    Effect(EffectKind.RULES, "allow bash(curl *)", ".decode/settings.json", 3),
    Effect(EffectKind.AGENTS, "wild\x1b[31m: mode edit, tools *", ".decode/agents/wild.md"),
)
CONTENT = FolderContent(Path("/p"), 0, (ContentFile(".decode/settings.json", b"{}\n"), ContentFile("x", b"\xff")))


class Bench:
    def __init__(self, content: FolderContent = CONTENT) -> None:
        self.clock = Clock()
        self.typed: list[str] = []
        self.dialog = TrustScreen(
            TrustQuestion(content, EFFECTS, tightening=2), KeyGuard(self.clock), on_typed=self.typed.append
        )

    def press(self, *keys: str, guard: bool = True, size: tuple[int, int] = (150, 40)) -> Host:
        async def steps(app: Host, pilot: Pilot[None]) -> None:
            if guard:
                self.clock.advance(1)
            await pilot.press(*keys)
            await pilot.pause()

        return play(self.dialog, steps, size)


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        (["y"], TrustAnswer.TRUST),
        (["n"], TrustAnswer.NOT_NOW),
        (["escape"], TrustAnswer.NOT_NOW),
        (["ctrl+c"], TrustAnswer.NOT_NOW),
        (["enter"], TrustAnswer.NOT_NOW),
        (["shift+tab", "enter"], TrustAnswer.TRUST),
        (["v", "y"], UNANSWERED),
        (["v", "escape", "y"], TrustAnswer.TRUST),
        (["x"], UNANSWERED),
    ],
)
def test_keys(keys: list[str], answer: object) -> None:
    assert Bench().press(*keys).result == answer


def test_keys_that_were_meant_for_the_prompt_answer_nothing() -> None:
    bench = Bench()
    assert bench.press("y", "e", "s", guard=False).result is UNANSWERED
    assert bench.typed == ["y", "e", "s"]


def test_what_nobody_can_vouch_for_cannot_be_trusted() -> None:
    bench = Bench(FolderContent(Path("/p"), 0, CONTENT.files, refused="it is too large"))
    assert bench.press("y").result is UNANSWERED


def test_nothing_is_trusted_before_its_list_was_read_to_the_end() -> None:
    assert Bench().press("y", size=(60, 12)).result is UNANSWERED
    assert Bench().press("end", "y", size=(60, 12)).result == TrustAnswer.TRUST


def test_a_terminal_that_is_too_small_trusts_nothing() -> None:
    assert Bench().press(size=(20, 5)).result == TrustAnswer.NOT_NOW


def test_everything_is_listed_inert_and_the_files_can_be_read() -> None:
    text = "\n".join(
        row.gutter + row.text
        for row in effect_rows(TrustQuestion(CONTENT, EFFECTS, ("settings: allow bash(make)",), 1))
    )
    assert "+ allow bash(curl *)" in text
    assert "Changed since you trusted it:\n  + settings: allow bash(make)" in text
    assert "\x1b" not in text
    assert "1 deny or ask rule of it holds in any case." in text
    files = [row.text for row in file_rows(CONTENT)]
    assert files == [".decode/settings.json", "{}", "", "x", "1 bytes that are no text", ""]


def hostile(folder: Path) -> Path:
    (folder / ".decode").mkdir()
    value = {"permissions": {"allow": ["bash(curl *)"]}, "mode": "edit"}
    (folder / ".decode" / "settings.json").write_text(json.dumps(value))
    return folder


async def asked(bench: Workbench) -> None:
    """Wait until the dialog is open and its answers are live."""
    await bench.until(lambda: isinstance(bench.app.screen, TrustScreen))
    await bench.advance(2)


def test_opening_an_untrusted_folder_asks_and_not_now_leaves_the_prompt_working(tmp_path: Path) -> None:
    async def steps() -> None:
        async with workbench(hostile(tmp_path), model="offline") as bench:
            await asked(bench)
            await bench.press("enter")
            await bench.write("list")
            assert bench.work.prompt.full_text == "list"
            assert look_at(tmp_path).standing is Standing.UNTRUSTED
            assert bench.session.rule_book.rules == bench.session.agent.rules

    asyncio.run(steps())


def test_slash_trust_asks_again_and_yes_lets_it_count(tmp_path: Path) -> None:
    async def steps() -> None:
        async with workbench(hostile(tmp_path), model="offline") as bench:
            await asked(bench)
            await bench.press("n")
            await bench.send("/trust")
            await asked(bench)
            await bench.press("y")
            await bench.until(lambda: bench.session.trust.standing is Standing.TRUSTED)
            await bench.wait_for(NoticeRaised)
            assert any(rule.text == "bash(curl *)" for rule in bench.session.rule_book.rules)

    asyncio.run(steps())
    assert look_at(tmp_path).standing is Standing.TRUSTED


def test_a_folder_that_brings_nothing_asks_nothing(tmp_path: Path) -> None:
    async def steps(bench: Workbench) -> None:
        await bench.send("/trust")
        assert not isinstance(bench.app.screen, TrustScreen)

    async def run() -> None:
        async with workbench(tmp_path, model="offline") as bench:
            await steps(bench)

    asyncio.run(run())
