"""Ticks, comments and the cursor go with their lines when the plan's text is edited; no word is lost."""

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from decode_core.decisions import Question
from decode_core.events import Plan, QuestionKind
from decode_core.tools.plan_text import plan_steps
from decode_ui.plan_marks import ReviewDraft, dump_draft, edited, fresh, kept_draft, with_text

TEXT = "## Steps\n1. one\n2. two\n3. three"


def plan(text: str = TEXT) -> Plan:
    return Plan(version=1, title="", text=text, steps=plan_steps(text))


def draft(*unticked: int, comments: tuple[tuple[int, str], ...] = (), note: str = "", line: int = 0) -> ReviewDraft:
    return ReviewDraft(frozenset({1, 2, 3}) - set(unticked), comments, note, line)


def test_a_fresh_draft_ticks_every_step() -> None:
    assert fresh(plan()) == ReviewDraft(frozenset({1, 2, 3}))


def test_a_new_step_is_ticked_and_old_ones_stay_as_they_were() -> None:
    after = edited(plan(), draft(2), "## Steps\n1. one\n1. between\n2. two\n3. three")
    assert after.ticked == {1, 2, 4}
    assert len(with_text(plan(), after.text).steps) == 4


def test_a_step_whose_words_changed_keeps_its_tick_and_its_comment() -> None:
    after = edited(plan(), draft(2, comments=((2, "why"),), line=2), TEXT.replace("two", "two and a half"))
    assert after.ticked == {1, 3}
    assert (after.comments, after.line) == (((2, "why"),), 2)


def test_a_comment_whose_line_is_gone_becomes_part_of_the_note() -> None:
    after = edited(plan(), draft(comments=((1, "a"), (2, "why"))), "## Steps\n1. one\n3. three")
    assert after.comments == ((1, "a"),)
    assert after.note == "On “2. two”: why"
    again = edited(plan(), replace(after, note="x", comments=((1, "b"),)), "nothing of it")
    assert again.note == "x\nOn “1. one”: b"


def test_the_proposed_text_and_an_empty_one_are_no_edit() -> None:
    mine = edited(plan(), draft(), TEXT + "\n4. four")
    assert mine.text == TEXT + "\n4. four"
    assert edited(plan(), mine, TEXT).text is None
    assert edited(plan(), mine, " \n").text is None
    assert edited(plan(), draft(1), TEXT) == draft(1)


lines = st.lists(st.sampled_from(["1. one", "2. two", "- x", "", "text", "## Steps"]), max_size=8).map("\n".join)


@given(lines, lines, st.frozensets(st.integers(1, 4)), st.integers(0, 9))
def test_marks_stay_inside_the_plan_and_every_word_is_kept(
    before: str, after: str, ticked: frozenset[int], line: int
) -> None:
    proposed = plan(before)
    spots = [number for number in range(before.count("\n") + 1) if number % 2]
    comments = tuple((number, f"said {number}") for number in spots)
    begun = ReviewDraft(ticked, comments, "note", min(line, before.count("\n")))
    carried = edited(proposed, begun, after)
    shown = with_text(proposed, carried.text)
    last = shown.text.count("\n")
    assert 0 <= carried.line <= last
    assert all(0 <= number <= last for number, _ in carried.comments)
    told = carried.note + " ".join(text for _, text in carried.comments)
    assert all(said in told for _, said in comments)
    if shown.text != before:
        assert carried.ticked <= {step.number for step in shown.steps}


def review(text: str = TEXT) -> Question:
    return Question("q1", QuestionKind.PLAN_REVIEW, {"plan": plan(text).model_dump(mode="json")})


@given(st.builds(ReviewDraft, st.frozensets(st.integers(1, 9)), note=st.text(), line=st.integers(0, 9), text=st.text()))
def test_a_draft_that_is_kept_comes_back_as_it_was(begun: ReviewDraft) -> None:
    assert kept_draft(review(), dump_draft(begun)) == begun


@pytest.mark.parametrize("kept", ["", "{", "[]", '{"ticked": "x"}', '{"ticked": [1], "comments": [["a", 1]]}'])
def test_what_is_no_draft_is_none(kept: str) -> None:
    assert kept_draft(review(), kept) is None
    assert kept_draft(Question("q1", QuestionKind.PLAN_REVIEW, {}), dump_draft(draft())) is None


def test_comments_outside_the_plan_are_left_out() -> None:
    begun = draft(comments=((-1, "a"), (1, "b"), (9, "c")))
    loaded = kept_draft(review(), dump_draft(begun))
    assert loaded is not None
    assert loaded.comments == ((1, "b"),)
