"""Markdown is calm, complete and aligned."""

import pytest
from rich.style import Style

from decode_ui.transcript.palette import DEFAULT
from decode_ui.transcript.render import Painter


def lines(markdown: str, width: int = 40) -> list[str]:
    return [strip.text.rstrip() for strip in Painter().markdown(markdown, width)]


def style_of(markdown: str, text: str) -> Style:
    for strip in Painter().markdown(markdown, 60):
        for segment in strip:
            if text in segment.text:
                return segment.style or Style()
    raise AssertionError(f"{text!r} is not shown")


@pytest.mark.parametrize("level", range(1, 7))
def test_headings_are_bold_and_left(level: int) -> None:
    markdown = f"{'#' * level} Title"
    assert lines(markdown) == ["Title"]
    assert style_of(markdown, "Title").bold


def test_inline_code_has_the_accent_and_no_ground() -> None:
    style = style_of("say `this` now", "this")
    assert style.color == DEFAULT.accent.color
    assert style.bgcolor is None


def test_numbers_align_and_wrapped_lines_hang() -> None:
    markdown = "\n".join(f"{n}. item {n}" for n in range(9, 12))
    assert lines(markdown) == ["  9. item 9", " 10. item 10", " 11. item 11"]
    assert lines("1. one two three four", 14) == [" 1. one two", "    three four"]


def test_bullets_nest() -> None:
    assert lines("- a\n  - b\n    - c") == [" • a", "    • b", "       • c"]


def test_code_is_indented_on_the_apps_own_ground() -> None:
    markdown = "```python\ndef f():\n    return 1  # why\n```"
    assert lines(markdown) == ["  def f():", "      return 1  # why"]
    assert style_of(markdown, "# why").color == DEFAULT.muted.color
    for strip in Painter().markdown(markdown, 40):
        assert all(segment.style is None or segment.style.bgcolor is None for segment in strip)


@pytest.mark.parametrize("language", ["", "nosuchlanguage", "python", "text", "[red]"])
def test_code_keeps_its_text_in_any_language(language: str) -> None:
    code = ["a = {'b': [1, 2]}", "", "    c  # d"]
    assert lines("\n".join([f"```{language}", *code, "```"])) == [f"  {line}".rstrip() for line in code]


def test_huge_code_is_shown_without_colours() -> None:
    markdown = "```python\n" + "x = 1\n" * 2_000 + "```"
    assert style_of(markdown, "x = 1").color == DEFAULT.text.color


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("[text](http://a.b/c)", "text (http://a.b/c)"),
        ("[**bold** `code`](x.py)", "bold code (x.py)"),
        ("<http://a.b/c>", "http://a.b/c"),
        ("![alt](pic.png)", "[image: alt] (pic.png)"),
        ("[![alt](pic.png)](http://a.b)", "[image: alt] (pic.png) (http://a.b)"),
        ("a <b>c</b> <!-- d -->", "a <b>c</b> <!-- d -->"),
        ("<div>hidden?</div>", "<div>hidden?</div>"),
        ("&#x202e;x", "<U+202E>x"),
    ],
)
def test_nothing_of_a_link_an_image_or_html_is_hidden(markdown: str, shown: str) -> None:
    assert lines(markdown, 60) == [shown]


def test_a_table_is_aligned_and_fits() -> None:
    markdown = "| a | number |\n|---|---:|\n| x | 1 |\n| long words here that wrap | 22 |"
    assert lines(markdown, 60)[-1] == "long words here that wrap       22"
    assert max(len(line) for line in lines(markdown, 24)) <= 24
    assert "".join(lines(markdown, 24)).count("wrap") == 1


def test_a_table_too_wide_for_columns_is_told_by_lines() -> None:
    markdown = "| a | b | c | d |\n|--|--|--|--|\n| 1 | 2 | 3 | 4 |"
    assert lines(markdown, 20) == ["a: 1", "b: 2", "c: 3", "d: 4"]


def test_quotes_have_a_bar_and_rules_are_short() -> None:
    assert lines("> a\n> b") == ["│ a b"]
    assert lines("---", 60) == ["─" * 24]


def test_blocks_have_one_blank_line_between_them_and_none_at_the_ends() -> None:
    assert lines("\n\n# a\n\n\nb\n\n- c\n\n---\n\n```\nd\n```\n\n") == [
        "a",
        "",
        "b",
        "",
        " • c",
        "",
        "─" * 24,
        "",
        "  d",
    ]


def test_text_nested_too_deep_is_not_lost() -> None:
    for source in ("> " * 60 + "x", "- " * 60 + "x", "\n".join("  " * n + "- x" for n in range(60))):
        for width in (8, 13, 40):
            assert any("x" in line for line in lines(source, width))
