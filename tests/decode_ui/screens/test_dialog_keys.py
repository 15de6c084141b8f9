"""The keys of the dialogs as a table (keys.md §1): only keys that every terminal sends, none twice, none risky."""

import pytest
from textual.pilot import Pilot

from decode_core.decisions import Deny, Question
from decode_core.events import QuestionKind
from decode_ui.actions import (
    ASK,
    ASK_MOVES,
    CONFIRM,
    CONFIRM_MOVES,
    QUESTION,
    QUESTION_CHOICES,
    QUESTION_MOVES,
    Action,
)
from decode_ui.guard import KeyGuard
from decode_ui.keys.agents import OUTSIDE, OUTSIDE_MOVES
from decode_ui.keys.plans import PLAN_FIND, PLAN_MOVES, PLAN_REVIEW, UNSENT
from decode_ui.keys.trust import TRUST, TRUST_MOVES
from decode_ui.screens.ask import AskScreen
from dialog_host import UNANSWERED, Clock, Host, play

NAMED = {"enter", "escape", "tab", "shift+tab", "up", "down", "left", "right", "home", "end", "pageup", "pagedown"}
NAMED |= {"space", "slash", "question_mark", "ctrl+c", "ctrl+g", "ctrl+o", "N", *"123456789"}
SCOPES = {
    "ask": (*ASK, *ASK_MOVES),
    "question": (*QUESTION, *QUESTION_MOVES, *QUESTION_CHOICES),
    "plan": (*PLAN_REVIEW, *PLAN_MOVES),
    "outside": (*OUTSIDE, *OUTSIDE_MOVES),
    "trust": (*TRUST, *TRUST_MOVES),
    "confirm": (*CONFIRM, *CONFIRM_MOVES),
    "plan_find": PLAN_FIND,
    "unsent": UNSENT,
}
ACTIONS = [action for scope in SCOPES.values() for action in scope]


def keys_of(action: Action) -> list[str]:
    return action.keys.split(",")


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.id)
def test_every_key_is_one_that_every_terminal_sends(action: Action) -> None:
    assert all(key in NAMED or (len(key) == 1 and key.isascii() and key.islower()) for key in keys_of(action))


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.id)
def test_only_ctrl_c_and_ctrl_o_win_over_a_text_field(action: Action) -> None:
    assert action.priority is (action.keys in ("ctrl+c", "ctrl+o"))


@pytest.mark.parametrize("scope", SCOPES)
def test_no_key_and_no_id_stands_twice_in_a_dialog(scope: str) -> None:
    keys = [key for action in SCOPES[scope] for key in keys_of(action)]
    ids = [action.id for action in SCOPES[scope]]
    assert len(keys) == len(set(keys))
    assert len(ids) == len(set(ids))
    assert {action.scope for action in SCOPES[scope]} == {scope}


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.id)
def test_every_action_is_explained(action: Action) -> None:
    assert action.sign
    assert action.label
    assert action.help


def test_the_next_question_of_a_queue_starts_dead_with_the_same_guard() -> None:
    clock = Clock()
    guard = KeyGuard(clock)

    def dialog(name: str) -> AskScreen:
        return AskScreen(Question(name, QuestionKind.PERMISSION, {"offers": ["once"]}), 2, guard)

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        clock.advance(1)
        await pilot.press("n")
        assert app.result == Deny()
        app.result = UNANSWERED
        app.push_screen(dialog("q2"), lambda result: setattr(app, "result", result))
        await pilot.pause()
        await pilot.press("n", "y", "escape")
        assert app.result is UNANSWERED
        clock.advance(1)
        await pilot.press("n")
        await pilot.pause()

    assert play(dialog("q1"), steps).result == Deny()
