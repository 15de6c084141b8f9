"""What the question dialog reads from a payload, how it divides its room, and what its labels say."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from decode_core.decisions import Reply
from decode_ui.screens.question_answers import Part, escape_label, send_label, shown
from decode_ui.screens.question_view import QuestionView, Takes, question_view, share
from decode_ui.widgets.body_rows import BodyRow

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


def view(takes: Takes = Takes.ONE, options: int = 3, *, allows_text: bool = True) -> QuestionView:
    names = tuple(f"option {number}" for number in range(options))
    return QuestionView((BodyRow("?"),), names, takes, allows_text)


@pytest.mark.parametrize(
    ("payload", "takes", "options", "allows_text"),
    [
        ({"options": ["a", "b"]}, Takes.ONE, ("a", "b"), True),
        ({"options": ["a", "b"], "multiple": True}, Takes.SEVERAL, ("a", "b"), True),
        ({"options": ["a", "b"], "allow_free_text": False}, Takes.ONE, ("a", "b"), False),
        ({"options": [], "multiple": True}, Takes.TEXT, (), True),
        ({"options": [], "allow_free_text": False}, Takes.TEXT, (), True),
        ({"options": ["a", 7, None, " ", "a", "b"]}, Takes.ONE, ("a", "b"), True),
        ({"options": "abc"}, Takes.TEXT, (), True),
        ({"options": ["a"], "multiple": "yes", "allow_free_text": None}, Takes.ONE, ("a",), True),
        ({}, Takes.TEXT, (), True),
    ],
)
def test_a_payload_is_read_by_its_shape(
    payload: dict[str, Any], takes: Takes, options: tuple[str, ...], allows_text: bool
) -> None:
    read = question_view(payload)
    assert (read.takes, read.options, read.allows_text) == (takes, options, allows_text)


@pytest.mark.parametrize("payload", [{}, {"question": None}, {"question": " \n "}])
def test_a_question_without_words_says_so(payload: dict[str, Any]) -> None:
    assert [row.text for row in question_view(payload).rows] == ["The agent asks without a question."]


def test_lines_of_a_question_stay_lines() -> None:
    assert [row.text for row in question_view({"question": "one\r\ntwo\x1b\n"}).rows] == ["one", "two␛"]


@given(st.dictionaries(st.sampled_from(["question", "options", "multiple", "allow_free_text"]), ANYTHING))
def test_whatever_is_asked_can_be_answered(payload: dict[str, Any]) -> None:
    read = question_view(payload)
    assert read.rows
    assert read.allows_text or read.options


@given(st.integers(2, 60), st.integers(1, 100), st.integers(0, 300))
def test_question_and_options_share_the_room(room: int, asked: int, listed: int) -> None:
    question, options = share(room, asked, listed)
    assert 1 <= question <= asked
    assert options <= listed
    assert question + options <= room
    if listed:
        assert options >= 1
    if asked + listed <= room:
        assert (question, options) == (asked, listed)
    else:
        assert question + options == room
        assert question >= min(asked, room // 3)


@pytest.mark.parametrize(
    ("places", "text", "reply"),
    [
        ((), "", None),
        ((), " \n", None),
        ((2, 0), "", Reply(("option 0", "option 2"))),
        ((), " a ", Reply((), "a")),
        ((1,), "a", Reply(("option 1",), "a")),
    ],
)
def test_a_reply_holds_options_in_their_order_and_text(places: tuple[int, ...], text: str, reply: Reply | None) -> None:
    assert view().reply(places, text) == reply


@pytest.mark.parametrize(
    ("takes", "part", "reply", "label"),
    [
        (Takes.ONE, Part.OPTIONS, Reply(("a",)), "send"),
        (Takes.ONE, Part.OPTIONS, Reply(("a",), "x"), "send with your words"),
        (Takes.ONE, Part.FIELD, Reply((), "x"), "send your words"),
        (Takes.ONE, Part.FIELD, None, "send"),
        (Takes.ONE, Part.FILTER, Reply(("a",)), "to the options"),
        (Takes.SEVERAL, Part.OPTIONS, None, "send 0 of 3"),
        (Takes.SEVERAL, Part.OPTIONS, Reply(("a", "b")), "send 2 of 3"),
        (Takes.SEVERAL, Part.FIELD, Reply(("a",), "x"), "send 1 of 3 with your words"),
        (Takes.SEVERAL, Part.FIELD, Reply((), "x"), "send your words"),
        (Takes.TEXT, Part.FIELD, Reply((), "x"), "send your words"),
    ],
)
def test_the_label_of_enter_says_what_is_sent(takes: Takes, part: Part, reply: Reply | None, label: str) -> None:
    assert send_label(view(takes), part, reply) == label


@pytest.mark.parametrize(
    ("takes", "part", "label"),
    [
        (Takes.ONE, Part.OPTIONS, "decline"),
        (Takes.ONE, Part.FIELD, "back to the options"),
        (Takes.ONE, Part.FILTER, "show all"),
        (Takes.TEXT, Part.FIELD, "decline"),
    ],
)
def test_the_label_of_esc_says_how_far_it_goes(takes: Takes, part: Part, label: str) -> None:
    assert escape_label(view(takes), part) == label


def test_only_what_acts_is_shown() -> None:
    def verbs(asked: QuestionView, part: Part, *, overflows: bool = False) -> set[str]:
        return {name.removeprefix("question.") for name in shown(asked, part, overflows=overflows)}

    always = {"send", "decline", "aside", "stop", "back"}
    on_options = always | {"write", "keys", "up", "down", "first", "last"}
    assert verbs(view(), Part.OPTIONS) == on_options
    assert verbs(view(), Part.OPTIONS, overflows=True) == on_options | {"read_on", "read_back"}
    assert verbs(view(allows_text=False), Part.OPTIONS) == on_options - {"write"}
    assert verbs(view(Takes.SEVERAL, 10), Part.OPTIONS) == on_options | {"tick", "filter"}
    assert verbs(view(), Part.FIELD) == always
    assert verbs(view(options=10), Part.FILTER) == always | {"up", "down"}
