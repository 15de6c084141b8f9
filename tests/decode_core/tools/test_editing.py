"""edit: the call as a whole; how a text is found stands in test_matching."""

import stat

import pytest
from hypothesis import given, settings, strategies as st

from decode_core.events import CallOutcome
from decode_core.permissions.request import PathFact
from decode_core.tools.changes import TextFile
from decode_core.tools.editing import EditArgs, edit_text
from decode_core.tools.files import FileProblem, Snapshot
from decode_core.tools.spec import ChangePreview
from decode_core.tools.texts import Encoding, FileText, unix_ends
from tool_bench import Bench


def test_an_edit_changes_its_place_and_tells_the_figures(bench: Bench) -> None:
    path = bench.file("a.py", "x = 1\ny = 2\nz = 3\n")
    result = bench.changed("a.py", old="y = 2", new="y = 20\ny += 1")
    assert path.read_text() == "x = 1\ny = 20\ny += 1\nz = 3\n"
    assert result.text == "Edited a.py: 1 replacement at line 2 (+2 −1)."
    assert result.summary == "+2 −1"
    assert result.detail["before"] == "x = 1\ny = 2\nz = 3\n"
    assert result.detail["after"] == path.read_text()


def test_replace_all_counts_its_places(bench: Bench) -> None:
    path = bench.file("a.txt", "a b\nb a\na\n")
    result = bench.changed("a.txt", old="a", new="c", replace_all=True)
    assert path.read_text() == "c b\nb c\nc\n"
    assert "3 replacements at lines 1, 2, 3" in result.text
    assert result.detail["replacements"] == 3


def test_a_file_must_have_been_read(bench: Bench) -> None:
    bench.file("a.txt", "one\n")
    result = bench.call("edit", path="a.txt", old="one", new="two")
    assert result.outcome is CallOutcome.FAILED
    assert "read it first" in result.text


def test_a_file_that_changed_since_it_was_read_is_left_alone(bench: Bench) -> None:
    path = bench.file("a.txt", "one\n")
    bench.call("read", path="a.txt")
    path.write_text("one and more\n")
    assert "read it again" in bench.call("edit", path="a.txt", old="one", new="two").text
    assert path.read_text() == "one and more\n"


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ({"old": "one", "new": "one"}, "old and new are the same text"),
        ({"old": "missing words", "new": "x"}, "the text was not found"),
        ({"old": "o", "new": "x"}, "more than one place (lines 1, 2)"),
        ({"old": "one\r\n", "new": "one\n"}, "the file reads like that already"),
    ],
)
def test_an_edit_without_a_clear_place_changes_nothing(bench: Bench, args: dict[str, str], told: str) -> None:
    path = bench.file("a.txt", "one\ntwo\n")
    result = bench.changed("a.txt", **args)
    assert result.outcome is CallOutcome.FAILED
    assert result.text.startswith("a.txt was not changed: ")
    assert told in result.text
    assert path.read_text() == "one\ntwo\n"


@pytest.mark.parametrize(
    ("before", "old", "new", "after"),
    [
        (b"a\r\nb\r\nc\r\n", "a\nb", "a\nx\nb", b"a\r\nx\r\nb\r\nc\r\n"),
        (b"a\r\nb\nc\r\nd\n", "b\nc\nd", "b\nC\nd", b"a\r\nb\nC\r\nd\n"),
        (b"a\r\nb\nc\r\nd\n", "a\nb\nc\n", "a\nc\n", b"a\r\nc\r\nd\n"),
        (b"a\r\nb\r\n", "b", "b1\nb2", b"a\r\nb1\r\nb2\r\n"),
        (b"a\r\nb", "b", "b1\nb2", b"a\r\nb1\r\nb2"),
        (b"a\nb\r\n", "a\n", "x\ny\n", b"x\ny\nb\r\n"),
        (b"a\r\nb\n", "\r\n", "\n", b"a\nb\n"),
        (b"one\r\ntwo\r\n", "one\r\ntwo", "1\r\n2", b"1\r\n2\r\n"),
        (b"a\rb\r\n", "b", "c", b"a\rc\r\n"),
    ],
)
def test_mixed_line_ends_stay_line_by_line(bench: Bench, before: bytes, old: str, new: str, after: bytes) -> None:
    path = bench.file("a.txt", before)
    assert bench.changed("a.txt", old=old, new=new).outcome is CallOutcome.OK
    assert path.read_bytes() == after


def test_mode_bits_and_encoding_stay(bench: Bench) -> None:
    path = bench.file("a.sh", b"\xef\xbb\xbfecho one\n", 0o751)
    bench.changed("a.sh", old="one", new="zwei ü")
    assert path.read_bytes() == b"\xef\xbb\xbfecho zwei \xc3\xbc\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o751


def test_the_preview_shows_the_edit_or_why_it_fails(bench: Bench) -> None:
    path = bench.file("a.txt", "one\n")
    assert bench.freeze("edit", path="a.txt", old="one", new="two").preview() == ChangePreview(
        "a.txt", "one\n", "two\n"
    )
    problem = bench.freeze("edit", path="a.txt", old="zzz", new="two").preview()
    assert isinstance(problem, str)
    assert problem.startswith("a.txt was not changed: the text was not found")
    assert bench.freeze("edit", path="no.txt", old="a", new="b").preview() == "no.txt does not exist."
    assert path.read_text() == "one\n"


def test_a_changed_file_between_facts_and_run_is_left_alone(bench: Bench) -> None:
    path = bench.file("a.txt", "one\n")
    bench.call("read", path="a.txt")
    frozen = bench.freeze("edit", path="a.txt", old="one", new="two")
    path.write_text("one, changed in place\n")
    assert "changed after this call was checked" in frozen.run().text
    assert path.read_text() == "one, changed in place\n"


def file_of(text: str, folder_fact: PathFact) -> TextFile:
    info = folder_fact.real.stat()
    return TextFile(Snapshot(text.encode(), "", info), FileText(text, Encoding.UTF_8))


LINES = st.lists(st.sampled_from(["a", "b", "  c", "dd", ""]), min_size=1, max_size=8)


@settings(max_examples=200, deadline=None)
@given(lines=LINES, ends=st.lists(st.booleans(), min_size=8, max_size=8), at=st.integers(0, 7), new=LINES)
def test_lines_outside_an_edit_keep_every_byte(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], ends: list[bool], at: int, new: list[str]
) -> None:
    folder = tmp_path_factory.getbasetemp()
    fact = PathFact("a", folder, folder, "a", "a", inside=True, exists=True)
    marked = [f"{line}#{index}" for index, line in enumerate(lines)]
    at %= len(marked)
    text = "".join(line + ("\r\n" if crlf else "\n") for line, crlf in zip(marked, ends, strict=False))
    pieces = text.split("\n")
    args = EditArgs(path="a", old=marked[at], new="\n".join(new))
    after = edit_text(fact, file_of(text, fact), args).after
    assert after.split("\n")[:at] == pieces[:at]
    assert after.split("\n")[at + len(new) :] == pieces[at + 1 :]
    assert unix_ends(after) == unix_ends(text).replace(marked[at], "\n".join(new))
    # an added line ends as the one does in whose place it stands
    assert {row.endswith("\r") for row in after.split("\n")[at : at + len(new)]} == {ends[at]}


@settings(max_examples=100, deadline=None)
@given(text=st.text("ab \n\r\t", max_size=40), old=st.text("ab \n\r\t", min_size=1, max_size=10), new=st.text("ab\n"))
def test_any_edit_ends_in_a_change_or_in_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, text: str, old: str, new: str
) -> None:
    folder = tmp_path_factory.getbasetemp()
    fact = PathFact("a", folder, folder, "a", "a", inside=True, exists=True)
    try:
        edited = edit_text(fact, file_of(text, fact), EditArgs(path="a", old=old, new=new))
    except FileProblem as problem:
        assert str(problem).startswith("a was not changed: ")
    else:
        assert edited.after != text
        assert edited.lines


def test_a_thousand_replacements_in_one_line_look_for_its_end_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    class Watched(str):
        """A text that counts how many characters its searches for a newline pass over."""

        passed = 0

        def find(self, sub: str, *bounds: int) -> int:  # type: ignore[override]
            found = super().find(sub, *bounds)
            if sub == "\n":
                Watched.passed += (found if found != -1 else len(self)) - (bounds[0] if bounds else 0)
            return found

    folder = tmp_path_factory.getbasetemp()
    fact = PathFact("a", folder, folder, "a", "a", inside=True, exists=True)
    text = Watched("first\r\n" + "ab" * 20_000 + "\r\n")
    file = TextFile(Snapshot(text.encode(), "", folder.stat()), FileText(text, Encoding.UTF_8))
    after = edit_text(fact, file, EditArgs(path="a", old="a", new="x\ny", replace_all=True)).after
    assert after == "first\r\n" + "x\r\nyb" * 20_000 + "\r\n"
    assert 0 < Watched.passed <= 2 * len(text)
