"""Remapped keys: what is taken, what is refused and why."""

import pytest

from decode_ui.actions import ASK, WORK
from decode_ui.keys.keymap import NEEDED, all_actions, read_keymap


def test_sound_wishes_are_taken_and_marked() -> None:
    keymap = read_keymap({"mode.cycle": "f2", "ask.deny": "n, x", "text.editor": ""})
    assert keymap.problems == ()
    assert keymap.keys == {"mode.cycle": "f2", "ask.deny": "n,x", "text.editor": ""}
    cycle = next(action for action in WORK if action.id == "mode.cycle")
    assert (keymap.of(cycle), keymap.changed(cycle)) == ("f2", True)
    assert not keymap.changed(next(action for action in ASK if action.id == "ask.once"))


@pytest.mark.parametrize(
    ("wishes", "says"),
    [
        ({"mode.cycel": "f2"}, "did you mean mode.cycle?"),
        ({"zzz": "f2"}, "no such action"),
        ({"app.palette": "x"}, "typing would be swallowed"),
        ({"ask.once": "n"}, "already means 'deny' (ask.deny)"),
        ({"chat.copy": "u"}, "already means 'yours'"),
        ({"prompt.queue": "ctrl+o"}, "already means 'jump' (pane.jump) everywhere"),
        ({"mode.cycle": "f2", "text.editor": "f2"}, "already means 'mode'"),
        *(({needed: ""}, "cannot be without one") for needed in NEEDED),
    ],
)
def test_unsound_wishes_are_refused_with_a_sentence(wishes: dict[str, str], says: str) -> None:
    keymap = read_keymap(wishes)
    assert len(keymap.problems) == 1
    assert says in keymap.problems[0]
    assert keymap.problems[0].startswith(f"keys.{list(wishes)[-1]}: ")
    assert list(wishes)[-1] not in keymap.keys


def test_a_freed_key_may_be_given_to_another_action() -> None:
    assert read_keymap({"pane.tasks": "f3", "text.editor": "ctrl+t"}).problems == ()


def test_a_key_of_the_work_screen_may_mean_something_else_in_a_dialog() -> None:
    assert read_keymap({"ask.tell": "ctrl+t"}).problems == ()


def test_the_default_table_has_no_clash_in_any_scope() -> None:
    for action in all_actions():
        problems = read_keymap({action.id: action.keys}).problems
        assert problems == (), problems
