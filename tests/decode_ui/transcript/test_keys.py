"""The keys of the chat follow the rules of the one table of actions."""

import inspect
import re

from decode_ui.transcript.keys import CHAT
from decode_ui.transcript.view import Transcript, Want

NAMED = {
    "up", "down", "left", "right", "pageup", "pagedown", "home", "end", "enter", "space", "slash", "equals_sign",
}  # fmt: skip
EXTRAS = {"ctrl+end"}
KEPT_FREE = set("ydpstm")  # they answer a permission question


def keys() -> list[str]:
    return [key for action in CHAT for key in action.keys.split(",")]


def test_ids_belong_to_the_chat_and_are_unique() -> None:
    assert {action.scope for action in CHAT} == {"chat"}
    assert len({action.id for action in CHAT}) == len(CHAT)


def test_keys_come_from_the_alphabet_and_none_has_two_meanings() -> None:
    assert len(set(keys())) == len(keys())
    for key in keys():
        assert key in NAMED | EXTRAS or re.fullmatch("[a-zA-Z]", key)


def test_no_letter_that_answers_a_question_acts_in_the_chat() -> None:
    assert not KEPT_FREE & {key.lower() for key in keys()}


def test_an_extra_is_never_the_only_key_nor_the_one_shown() -> None:
    for action in CHAT:
        assert action.keys.split(",")[0] not in EXTRAS


def test_no_letter_has_priority() -> None:
    assert not any(action.priority for action in CHAT)


def test_every_action_exists() -> None:
    for action in CHAT:
        name, _, argument = action.does.partition("(")
        assert inspect.isfunction(getattr(Transcript, f"action_{name}", None)), action.id
        if argument:
            assert argument.strip("')") in set(Want)


def test_the_widget_has_these_keys_and_no_others() -> None:
    assert set(Transcript()._bindings.key_to_bindings) == set(keys())
