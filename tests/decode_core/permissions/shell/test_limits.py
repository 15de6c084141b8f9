"""No text holds judging up, and text that is given up counts as not parsed (permissions.md §1, §4 and §13)."""

from pathlib import Path

import pytest

from decode_core.permissions.shell import MAX_COMMAND_BYTES, syntax
from decode_core.permissions.shell.reading import read_script
from decode_core.permissions.shell.syntax import MAX_EFFORT, MAX_PATIENT_BYTES
from shell_workspace import is_read, judge


def long(unit: str, size: int = MAX_COMMAND_BYTES) -> str:
    return (unit * (size // len(unit) + 1))[:size]


@pytest.mark.parametrize("unit", ["[a]", "1@", "a|", "$.", "x=)=a", "{a}"])
def test_marks_in_one_word_are_bounded_before_the_grammar_sees_them(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(syntax, "_tree", lambda data: pytest.fail("the grammar was asked"))
    assert read_script(long(unit)).problem == "it is too long to follow"


SCRIPT = "echo ok | cat; " * 50
DOCUMENT = "cat <<'E'\n" + "a line of `text` and ${more}\n" * 2_000 + "E\n"


@pytest.mark.parametrize("text", [SCRIPT, DOCUMENT], ids=["script", "document"])
def test_what_people_write_is_followed(text: str) -> None:
    assert read_script(text).is_parsed, read_script(text).problem


def test_a_long_word_of_plain_characters_costs_nothing() -> None:
    assert len("x" * 60_000) ** 2 > MAX_EFFORT
    assert read_script("echo " + "x" * 60_000).is_parsed


@pytest.mark.parametrize("unit", [")", ")$", "&for )", "case ]"])
def test_long_text_is_given_up_at_its_first_error(unit: str, ws: Path) -> None:
    text = long(unit, 30_000)
    assert not read_script(text).is_parsed
    assert not is_read(ws, text)


def test_giving_up_for_the_time_it_takes_is_only_ever_stricter(ws: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "echo " + "a b c " * (MAX_PATIENT_BYTES // 2)
    monkeypatch.setattr(syntax, "MAX_GRAMMAR_S", -1.0)
    assert not read_script(text).is_parsed
    assert judge(ws, text, "dont_ask", allow=["bash(echo *)"]).outcome == "deny"
    assert judge(ws, text, "bypass", deny=["bash(rm *)"]).outcome == "ask"
    assert judge(ws, text, allow=["bash(echo *)"], deny=["bash(* c)"]).outcome == "deny"
    # the next text is read as if nothing had happened
    assert read_script("echo short | cat").is_parsed
    monkeypatch.undo()
    assert read_script(text + "d").is_parsed
