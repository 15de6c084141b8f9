"""Slash commands: what is one, what it takes, and what a wrong one is answered with."""

import pytest
from hypothesis import given, strategies as st

from decode_ui.slash import COMMANDS, parse


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_every_command_is_read_with_its_argument_in_any_case(name: str) -> None:
    parsed = parse(f"/{name.upper()}  some goal ")
    assert parsed is not None
    assert parsed.command is not None
    assert (parsed.command.name, parsed.argument, parsed.problem) == (name, "some goal", "")


@pytest.mark.parametrize(
    "text",
    [" /mode edit", "mode edit", "/", "/usr/bin/env is a path", "/mode\nedit", "", "look at /mode"],
    ids=["blank first", "no slash", "lone slash", "path", "two lines", "empty", "slash inside"],
)
def test_plain_text_stays_plain(text: str) -> None:
    assert parse(text) is None


@pytest.mark.parametrize(("text", "meant"), [("/agnt", "/agent"), ("/modell x", "/model"), ("/quti", "/quit")])
def test_a_wrong_command_is_answered_with_the_one_that_was_meant(text: str, meant: str) -> None:
    parsed = parse(text)
    assert parsed is not None
    assert parsed.command is None
    assert f"did you mean {meant}?" in parsed.problem


def test_a_command_like_no_other_leads_to_the_list() -> None:
    parsed = parse("/zzzzzz")
    assert parsed is not None
    assert "/help lists the commands" in parsed.problem


@given(st.text(alphabet=st.characters(blacklist_characters="/\n\r", blacklist_categories=("Z", "C")), min_size=1))
def test_whatever_follows_a_slash_gives_a_command_or_one_short_sentence(word: str) -> None:
    parsed = parse(f"/{word}")
    assert parsed is not None
    assert (parsed.command is None) == bool(parsed.problem)
    assert "\n" not in parsed.problem
    assert len(parsed.problem) < 160
