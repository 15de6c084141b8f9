"""The small yes-or-no dialog: only a clear yes is a yes (keys.md §6.1, §7.3)."""

import pytest
from textual.pilot import Pilot

from decode_ui.screens.confirm import Confirmation, ConfirmScreen
from dialog_host import UNANSWERED, Host, play


def ask() -> ConfirmScreen:
    return ConfirmScreen("Delete notes.md?", "It cannot be undone.", yes="delete", no="keep")


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        (["y"], Confirmation.YES),
        (["n"], Confirmation.NO),
        (["escape"], Confirmation.NO),
        (["ctrl+c"], Confirmation.NO),
        (["enter"], Confirmation.NO),
        (["tab", "enter"], Confirmation.YES),
        (["left", "enter"], Confirmation.YES),
        (["shift+tab", "shift+tab", "enter"], Confirmation.NO),
        (["Y"], UNANSWERED),
        (["space"], UNANSWERED),
        (["a"], UNANSWERED),
    ],
)
def test_each_key(keys: list[str], answer: object) -> None:
    async def steps(app: Host, pilot: Pilot[None]) -> None:
        await pilot.press(*keys)
        await pilot.pause()

    assert play(ask(), steps).result is answer


@pytest.mark.parametrize(("label", "answer"), [("#confirm-yes", Confirmation.YES), ("#confirm-no", Confirmation.NO)])
def test_both_answers_can_be_clicked(label: str, answer: Confirmation) -> None:
    async def steps(app: Host, pilot: Pilot[None]) -> None:
        await pilot.click(label)
        await pilot.pause()

    assert play(ask(), steps).result is answer


@pytest.mark.parametrize("size", [(150, 40), (80, 24), (60, 20), (40, 12)])
def test_question_detail_and_labels_are_shown_and_foreign_text_is_inert(size: tuple[int, int]) -> None:
    name = "[@click=app.quit]\x1b[2J\u202ea"
    dialog = ConfirmScreen(f"Delete {name}?", f"Its name is {name}.", yes="delete", no="keep")

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        shown = app.shown
        assert "[@click=app.quit]␛[2J<U+202E>a" in shown
        assert "\x1b" not in shown
        assert "y delete" in shown
        assert "n keep" in shown

    assert play(dialog, steps, size).return_code is None
