"""Which word of the prompt is completed, with what, and how it is written (keys.md §7.1)."""

import shlex

import pytest
from hypothesis import given, strategies as st

from decode_core.neutral import neutralise_line
from decode_ui.completing import Trigger, Word, command_offers, file_offer, word_at
from decode_ui.slash import COMMANDS

COMMAND, FILE, SHELL = Trigger.COMMAND, Trigger.FILE, Trigger.SHELL


@pytest.mark.parametrize(
    ("trigger", "anchor", "row", "word"),
    [
        (COMMAND, 0, "/", Word(COMMAND, 0, 1, "")),
        (COMMAND, 0, "/mo", Word(COMMAND, 0, 3, "mo")),
        (COMMAND, 0, "/mode ", None),
        (COMMAND, 0, "x/mo", None),
        (FILE, 4, "see @src/a", Word(FILE, 4, 10, "src/a")),
        (FILE, 4, "see @src/a and", None),
        (FILE, 0, '@"my notes/a', Word(FILE, 0, 12, "my notes/a")),
        (FILE, 0, '@"my notes/a" and', None),
        (FILE, 4, "see", None),
        (SHELL, 0, "!ls src/a", Word(SHELL, 4, 9, "src/a")),
        (SHELL, 0, "!!ls", Word(SHELL, 2, 4, "ls")),
        (SHELL, 0, "!ls ", None),
        (SHELL, 0, "!!", None),
    ],
)
def test_the_word_under_the_cursor(trigger: Trigger, anchor: int, row: str, word: Word | None) -> None:
    assert word_at(trigger, anchor, row, len(row)) == word


def test_commands_are_offered_with_their_descriptions_and_those_that_begin_so_come_first() -> None:
    assert [offer.label for offer in command_offers("")] == [command.usage for command in COMMANDS]
    labels = [offer.label.split()[0] for offer in command_offers("p")]
    assert labels[:2] == ["/plan", "/permissions"]
    assert all(offer.note for offer in command_offers(""))
    assert command_offers("zzz") == ()


def test_a_command_that_takes_something_leaves_room_for_it() -> None:
    assert command_offers("mode")[0].insert == "/mode "
    assert [offer.insert for offer in command_offers("quit")] == ["/quit"]


@pytest.mark.parametrize(
    ("path", "trigger", "written"),
    [
        ("src/a.py", FILE, "@src/a.py "),
        ("src/", FILE, "@src/"),
        ("my notes/a.txt", FILE, '@"my notes/a.txt" '),
        ("my notes/", FILE, '@"my notes/'),
        ("src/a.py", SHELL, "src/a.py "),
        ("a; rm x", SHELL, "'a; rm x' "),
        ("x\u202ey.py", FILE, "@x<U+202E>y.py "),
    ],
)
def test_how_a_file_is_written(path: str, trigger: Trigger, written: str) -> None:
    assert file_offer(path, trigger).insert == written


@given(st.text(min_size=1, max_size=20))
def test_no_name_can_act_on_the_screen_or_add_a_word_to_a_shell_line(path: str) -> None:
    for trigger in (FILE, SHELL):
        offer = file_offer(path, trigger)
        assert neutralise_line(offer.label) == offer.label
        assert neutralise_line(offer.insert) == offer.insert
    assert shlex.split(file_offer(path, SHELL).insert) == [neutralise_line(path)]
