"""Entries know what they say, how they fold, and which code they hold."""

import pytest

from decode_core.events import NoticeLevel
from decode_ui.transcript.diff import DiffLine, Sign
from decode_ui.transcript.entry import (
    AnswerEntry,
    ArgumentLine,
    Entry,
    Fold,
    HintEntry,
    NoteEntry,
    NoticeEntry,
    OutputLine,
    Role,
    ThinkingEntry,
    ToolEntry,
    UserEntry,
    code_blocks,
    fold_of,
    folded,
    plain_text,
    stands_close,
)

CALL = ToolEntry("1", "edit", "a.py", body=(ArgumentLine("path", "a.py"), DiffLine(1, Sign.REMOVED, "x")))


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        (UserEntry("hello"), "hello"),
        (AnswerEntry("**hi**"), "**hi**"),
        (ThinkingEntry("hm"), "hm"),
        (CALL, "edit a.py\npath: a.py\n-x"),
        (ToolEntry("1", "bash", "ls", summary="exit 0", body=(OutputLine("f"),)), "bash ls exit 0\nf"),
        (NoteEntry("mode edit"), "mode edit"),
        (NoticeEntry(NoticeLevel.ERROR, "no", "do"), "no\ndo"),
        (HintEntry(((("a ", Role.PLAIN), ("b", Role.KEY)), (("c", Role.DIM),))), "a b\nc"),
    ],
)
def test_an_entry_says_all_it_holds_folded_or_not(entry: Entry, text: str) -> None:
    assert plain_text(entry) == text


@pytest.mark.parametrize("entry", [UserEntry("x"), ThinkingEntry("x"), CALL])
def test_what_has_detail_folds_and_unfolds(entry: Entry) -> None:
    assert fold_of(entry) is Fold.FOLDED
    opened = folded(entry, Fold.UNFOLDED)
    assert fold_of(opened) is Fold.UNFOLDED
    assert folded(opened, Fold.FOLDED) == entry


def test_an_answer_does_not_fold() -> None:
    assert fold_of(AnswerEntry("x")) is None
    assert folded(AnswerEntry("x"), Fold.UNFOLDED) == AnswerEntry("x")


def test_lines_of_work_stand_close_and_talk_has_air() -> None:
    assert stands_close(ThinkingEntry("x"), CALL)
    assert stands_close(CALL, NoteEntry("x"))
    assert not stands_close(CALL, AnswerEntry("x"))
    assert not stands_close(UserEntry("x"), CALL)


@pytest.mark.parametrize(
    ("markdown", "blocks"),
    [
        ("no code", []),
        ("a\n```py\nx = 1\n\ny\n```\nb\n~~~\nz\n~~~", ["x = 1\n\ny", "z"]),
        ("````\n```\ninside\n```\n````", ["```\ninside\n```"]),
        ("```\nnever closed", ["never closed"]),
        ("```not `a` fence```\nx", []),
        ("```\n~~~\n```", ["~~~"]),
        ("```\n``` not the end\n```", ["``` not the end"]),
    ],
)
def test_code_blocks_are_found_as_markdown_means_them(markdown: str, blocks: list[str]) -> None:
    assert code_blocks(markdown) == blocks
