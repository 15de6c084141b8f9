"""Every entry becomes strips of exactly the width, and no foreign text acts, hides or is lost."""

import unicodedata

import pytest
from hypothesis import given, settings, strategies as st
from rich.cells import cell_len
from textual.strip import Strip

from decode_core.events import NoticeLevel
from decode_ui.transcript.diff import DiffLine, Sign
from decode_ui.transcript.entry import (
    AnswerEntry,
    ArgumentLine,
    CallState,
    Entry,
    HintEntry,
    NoteEntry,
    NoticeEntry,
    OutputLine,
    Role,
    ThinkingEntry,
    ToolEntry,
    UserEntry,
)
from decode_ui.transcript.palette import ASCII, DEFAULT
from decode_ui.transcript.render import MAX_USER_LINES, Painter, extent

HOSTILE = [
    "[@click=app.quit]press[/]",
    "[red]red[/red]",
    "\x1b[31mred\x1b]8;;http://evil\x1b\\",
    "a\u202eevil",
    "a\x9b31m",
    "nul\x00nul",
    "x" * 100_000,
    "漢" * 100_000,
    "e" + "\u0301" * 50,
    "👩\u200d👩\u200d👧 \u26a0\ufe0f 🇩🇪",
    "tab\tand\ttab",
    "line\r\nline\rline",
    "&#x202e;&#27;&#0;&lt;b&gt;",
    "<script>alert(1)</script>",
    "<http://a.b/%E2%80%AEx>",
]


def entries_of(text: str) -> list[Entry]:
    body = (ArgumentLine(text, text), DiffLine(3, Sign.ADDED, text), DiffLine(None, Sign.GAP, text), OutputLine(text))
    return [
        UserEntry(text),
        AnswerEntry(text),
        AnswerEntry(f"# {text}\n\n- {text}\n\n> {text}\n\n```{text}\n{text}\n```\n\n| {text} |\n|--|\n| {text} |"),
        AnswerEntry(f"[{text}](http://{text}) ![{text}](x) `{text}` **{text}**"),
        ThinkingEntry(text, unfolded=True),
        ToolEntry(text, text, text, CallState.RUNNING, text, 5, text, body),
        ToolEntry(text, text, text, CallState.DENIED, text, 5, text, body, unfolded=True),
        NoteEntry(text),
        NoticeEntry(NoticeLevel.ERROR, text, text),
        HintEntry((((text, Role.KEY), (text, Role.DIM)),)),
    ]


def texts(strips: list[Strip]) -> list[str]:
    return [strip.text.rstrip() for strip in strips]


def assert_inert(strips: list[Strip], width: int) -> None:
    for strip in strips:
        assert sum(cell_len(segment.text) for segment in strip) == strip.cell_length == width
        assert cell_len(strip.text) == width
        for text, style, control in strip:
            assert control is None
            assert not [c for c in text if unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"}]
            assert not [c for c in text if c in "\u200b\u200d\u202e\u2066\ufeff\ufe0f"]
            assert style is None or (not style.meta and style.link is None)


@pytest.mark.parametrize("text", HOSTILE, ids=[repr(text[:12]) for text in HOSTILE])
@pytest.mark.parametrize("width", [1, 9, 40])
def test_hostile_text_in_every_field_is_inert_and_fits(text: str, width: int) -> None:
    for entry in entries_of(text):
        assert_inert(Painter().paint(entry, width), width)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=80), st.integers(1, 50))
def test_any_text_in_every_field_is_inert_and_fits(text: str, width: int) -> None:
    for entry in entries_of(text):
        assert_inert(Painter().paint(entry, width), width)


@pytest.mark.parametrize("text", ["[@click=app.quit]press[/]", "[red]red[/red]", "<b>bold</b>", "a[1] = b[0]"])
def test_markup_is_shown_as_it_is_written(text: str) -> None:
    for entry in (UserEntry(text), AnswerEntry(text), NoteEntry(text), NoticeEntry(NoticeLevel.INFO, text)):
        assert text in Painter().paint(entry, 60)[0].text


def test_the_persons_words_stand_behind_their_sign_and_hang() -> None:
    assert texts(Painter().paint(UserEntry("one two three\nfour"), 12)) == ["› one two", "  three", "  four"]


def test_a_long_message_of_the_person_is_folded_with_a_count() -> None:
    text = "\n".join(str(n) for n in range(5_000))
    lines = texts(Painter().paint(UserEntry(text), 40))
    assert len(lines) == MAX_USER_LINES + 1
    assert lines[-1] == "  … 4,980 more lines · enter unfolds"
    assert len(Painter().paint(UserEntry(text, unfolded=True), 40)) == 5_000


@pytest.mark.parametrize(
    ("entry", "lines"),
    [
        (ThinkingEntry("deep", 3.2), ["✻ thought for 3 s"]),
        (ThinkingEntry("deep", 0.2), ["✻ thought for 1 s"]),
        (ThinkingEntry("deep", live=True), ["✻ thinking…"]),
        (ThinkingEntry("deep"), ["✻ thought"]),
        (ThinkingEntry("deep\n", 75, unfolded=True), ["✻ thought for 1 min 15 s", "  deep"]),
    ],
)
def test_thinking_is_folded_to_how_long_it_took(entry: Entry, lines: list[str]) -> None:
    assert texts(Painter().paint(entry, 40)) == lines


@pytest.mark.parametrize(
    ("level", "sign"), [(NoticeLevel.ERROR, "✗"), (NoticeLevel.WARNING, "!"), (NoticeLevel.INFO, "·")]
)
def test_a_notice_has_a_sign_for_its_level_and_its_way_out_below(level: NoticeLevel, sign: str) -> None:
    assert texts(Painter().paint(NoticeEntry(level, "it failed", "press r"), 40)) == [f"{sign} it failed", "  press r"]


def test_a_note_is_one_dim_line() -> None:
    strips = Painter().paint(NoteEntry("mode default → edit " + "x" * 100), 30)
    assert texts(strips) == ["· mode default → edit xxxxxxx…"]
    assert {s.style.color for s in strips[0] if s.style and s.text.strip()} == {DEFAULT.muted.color}


def test_a_hint_draws_its_pieces_by_role() -> None:
    strip = Painter().paint(HintEntry((((("enter", Role.KEY)), (" send", Role.DIM)),)), 20)[0]
    assert [(s.text, s.style and s.style.color) for s in strip][:2] == [
        ("enter", DEFAULT.accent.color),
        (" send", DEFAULT.muted.color),
    ]


def test_ascii_signs_leave_no_other_signs() -> None:
    painter = Painter(signs=ASCII)
    for entry in entries_of("plain"):
        for strip in painter.paint(entry, 40):
            assert strip.text.replace("─", "").replace("…", "").isascii()


def test_painting_is_pure() -> None:
    entry = AnswerEntry("# a\n\n`b` [c](d)")
    assert Painter().paint(entry, 33) == Painter().paint(entry, 33)


@pytest.mark.parametrize(
    ("entry", "width"),
    [
        (NoteEntry("x" * 500), 40),
        (ThinkingEntry("x\n" * 50), 40),
        (UserEntry("x\n" * 500), 40),
        (ToolEntry("1", "bash", "x" * 500), 40),
        (ToolEntry("1", "edit", "x", body=(DiffLine(1, Sign.ADDED, "x"),) * 30), 40),
        (UserEntry("one\ntwo"), 40),
    ],
)
def test_heights_of_lines_and_folded_entries_are_estimated_exactly(entry: Entry, width: int) -> None:
    assert extent(entry).estimate(width) == len(Painter().paint(entry, width))
