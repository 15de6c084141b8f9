"""The table of actions against the rules that keys.md §1 sets for it."""

import re
import string
from collections import Counter

import pytest
from textual.widget import Widget
from textual.widgets import Input, OptionList, TextArea

from decode_ui import actions
from decode_ui.actions import OUTSIDE_TEXT, WORK, Action
from decode_ui.keys import agents, plans, rules, sessions, trust, work_plans
from decode_ui.transcript.keys import CHAT

TABLES: dict[str, tuple[Action, ...]] = {
    name: value
    for module in (actions, agents, plans, rules, sessions, trust, work_plans)
    for name, value in vars(module).items()
    if name.isupper() and isinstance(value, tuple) and all(isinstance(item, Action) for item in value)
} | {"CHAT": CHAT}
EVERY = [(table, action) for table, entries in TABLES.items() for action in entries]
IDS = [f"{table}-{action.id}" for table, action in EVERY]

SIGNS = {"slash", "question_mark", "colon", "equals_sign", "space"}
MOVES = {"enter", "escape", "tab", "shift+tab", "up", "down", "left", "right", "home", "end", "pageup", "pagedown"}
CONTROL = {f"ctrl+{letter}" for letter in "fgjlnoprtc"}
EXTRAS = {"f1", "f2", "f8", "ctrl+home", "ctrl+end", "ctrl+s", "shift+enter", "ctrl+d"}
ALPHABET = set(string.ascii_letters) | set("123456789") | SIGNS | MOVES | CONTROL

OTHER_WAYS = {
    "prompt.leave": "app.interrupt",
    "help.show": "help.keys",
    "prompt.newest": "chat.newest",
    "editor.save": "agents.save",
    "editor.problem": "agents.edit",
}
"""Actions whose own keys are all extras, and the action that does the same by a key of the alphabet."""

PRIORITY_OF_WORK = {
    "mode.cycle",
    "app.palette",
    "pane.jump",
    "pane.tasks",
    "chat.find",
    "text.editor",
    "screen.redraw",
    "app.interrupt",
    "help.show",
}


@pytest.mark.parametrize(("table", "action"), EVERY, ids=IDS)
def test_default_keys_come_from_the_alphabet_that_every_terminal_sends(table: str, action: Action) -> None:
    keys = set(action.keys.split(","))
    assert keys <= ALPHABET | EXTRAS
    if keys <= EXTRAS:
        assert action.id in OTHER_WAYS, "an extra is never the only way"
        assert OTHER_WAYS[action.id] in {other.id for _, other in EVERY}


@pytest.mark.parametrize(("table", "action"), EVERY, ids=IDS)
def test_every_action_has_a_line_of_help_and_a_sign(table: str, action: Action) -> None:
    assert action.help.strip()
    assert action.sign.strip()
    assert re.fullmatch(r"[a-z_]+\.[a-z0-9_]+", action.id)


@pytest.mark.parametrize(("table", "action"), EVERY, ids=IDS)
def test_no_letter_has_priority(table: str, action: Action) -> None:
    assert not (action.priority and set(action.keys.split(",")) & set(string.ascii_letters))


def test_ids_are_unique() -> None:
    twice = [name for name, count in Counter(action.id for _, action in EVERY).items() if count > 1]
    assert twice == []


@pytest.mark.parametrize("table", TABLES)
def test_a_key_means_one_thing_in_its_scope(table: str) -> None:
    keys = [key for action in TABLES[table] for key in action.keys.split(",")]
    assert [key for key, count in Counter(keys).items() if count > 1] == []


def test_the_work_screen_gives_priority_to_the_keys_that_must_win_over_a_text_field() -> None:
    assert {action.id for action in (*WORK, *OUTSIDE_TEXT) if action.priority} == PRIORITY_OF_WORK


@pytest.mark.parametrize("table", TABLES)
def test_a_capital_only_means_the_same_backwards(table: str) -> None:
    by_key = {key: action for action in TABLES[table] for key in action.keys.split(",")}
    for capital in set(by_key) & set(string.ascii_uppercase):
        assert capital in {"N", "U"}
        assert capital.lower() in by_key


def keys_of_widget(widget: type[Widget]) -> set[str]:
    """The keys that a widget of Textual binds by itself."""
    bound = [binding for kind in widget.__mro__ for binding in kind.__dict__.get("BINDINGS", ())]
    return {key for binding in bound for key in (getattr(binding, "key", None) or binding[0]).split(",")}


TAKEN = {
    ("PROMPT", TextArea): {"up", "down", "pageup", "pagedown", "ctrl+d"},
    ("WORK", TextArea): {"ctrl+c"},
    ("WORK", Input): {"ctrl+c"},
    ("HISTORY", Input): {"up", "down", "enter"},
    ("PICKER", Input): {"up", "down", "enter", "pageup", "pagedown", "ctrl+c"},
    ("LIST", OptionList): set[str](),
    ("CHANGES", OptionList): {"enter"},
    ("PERMISSIONS", OptionList): {"enter"},
}
"""What our keys take over from the widget below them, on purpose: rows at the edge of a text, copying, opening."""


@pytest.mark.parametrize(("table", "widget"), TAKEN, ids=lambda value: getattr(value, "__name__", value))
def test_no_default_takes_a_key_of_the_widget_below_but_those_listed(table: str, widget: type[Widget]) -> None:
    wins = [action for action in TABLES[table] if action.priority or table != "WORK"]
    ours = {key for action in wins for key in action.keys.split(",")}
    assert ours & keys_of_widget(widget) == TAKEN[table, widget]


LOOSER = {
    "mode.cycle",
    "ask.once",
    "ask.session",
    "ask.always",
    "ask.pattern",
    "ask.mode",
    "plan.approve",
    "confirm.yes",
}


@pytest.mark.parametrize("table", TABLES)
def test_caps_lock_never_makes_a_key_more_dangerous(table: str) -> None:
    by_key = {key: action for action in TABLES[table] for key in action.keys.split(",")}
    for key, action in by_key.items():
        if len(key) == 1 and key in string.ascii_uppercase:
            assert action.id not in LOOSER
