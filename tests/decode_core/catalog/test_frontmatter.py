"""Splitting and reading of front matter: exact places, line ends, encodings, and text made to hurt."""

import pytest
import yaml
from hypothesis import example, given, strategies as st

from decode_core.catalog import yamlvalues
from decode_core.catalog.frontmatter import MAX_BYTES, FrontMatter, read_front_matter
from decode_core.catalog.places import Lines, Place
from decode_core.catalog.yamlvalues import MAX_VALUES, Scalar, Sequence

LOADERS = [pytest.param(yaml.SafeLoader, id="python"), pytest.param(yamlvalues._LOADER, id="in use")]


def front(yaml_text: str, body: str = "Do it.\n") -> FrontMatter:
    return read_front_matter(f"---\n{yaml_text}\n---\n{body}".encode())


def told(result: FrontMatter) -> list[str]:
    return [f"{fault.place.line}:{fault.place.column}: {fault.problem}; {fault.hint}" for fault in result.faults]


def test_keys_values_and_the_text_below_know_their_places() -> None:
    result = front("name: x\ntools:\n  - read\n  - 3", "\nFirst.\n")
    assert not result.faults
    assert list(result.entries) == ["name", "tools"]
    assert result.entries["name"].place == Place(2, 1)
    assert result.entries["name"].value == Scalar("x", "str", Place(2, 7))
    assert result.entries["tools"].value == Sequence(
        (Scalar("read", "str", Place(4, 5)), Scalar("3", "int", Place(5, 5))), Place(4, 3)
    )
    assert (result.body, result.body_place) == ("\nFirst.\n", Place(7, 1))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_any_line_end_and_a_bom_give_the_same(end: str, bom: str) -> None:
    text = "---\nname: x\ntools: [é, ü]\n---\nOne.\nTwo.\n"
    assert read_front_matter((bom + text.replace("\n", end)).encode()) == read_front_matter(text.encode())


def test_blanks_behind_a_fence_do_not_matter() -> None:
    result = read_front_matter(b"--- \nname: x\n---\t \nDo it.")
    assert (list(result.entries), result.body, result.faults) == (["name"], "Do it.", [])


def test_a_line_of_dashes_in_the_prompt_is_part_of_the_prompt() -> None:
    assert front("name: x", "a\n---\nb\n").body == "a\n---\nb\n"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "1:1: there is no front matter; begin the file with a line ---"),
        (b"You review.\n", "1:1: there is no front matter; "),
        (b"\n---\nname: x\n---\n", "1:1: there is no front matter; "),
        (b"----\nname: x\n----\n", "1:1: there is no front matter; "),
        (b"---\nname: x\n", "1:1: the front matter is not closed; end it with a line ---"),
        (b"---", "1:1: the front matter is not closed; "),
        (b"---\n---\nDo it.", "2:1: the front matter is empty; "),
        (b"---\n# nothing\n---\nDo it.", "2:1: the front matter is empty; "),
        (b"---\n- a\n---\nDo it.", "2:1: the front matter is not a mapping; write lines like name: reviewer"),
        (b"---\n\n  text\n---\nDo it.", "3:3: the front matter is not a mapping; "),
        (b"---\nname: \xff\n---\n", "2:7: the file is not UTF-8; save it as UTF-8"),
        (b"\xef\xbb\xbf\xff", "1:1: the file is not UTF-8; "),
        ("---\r\nname: é\r\né".encode() + b"\xe9\r\n---\r\n", "3:2: the file is not UTF-8; "),
        ("---\nname: x\n---\nDo it.".encode("utf-16"), "1:1: the file is not UTF-8; "),
        (b"---\nname: x\n---\n" + b"x" * MAX_BYTES, "1:1: the file is larger than 256 KiB; "),
    ],
)
def test_a_file_that_is_none_says_where_and_what_to_do(data: bytes, expected: str) -> None:
    result = read_front_matter(data)
    assert not result.entries
    assert [line.startswith(expected) for line in told(result)] == [True], told(result)


def test_256_kib_are_accepted_and_a_byte_more_is_not() -> None:
    text = b"---\nname: x\n---\n"
    assert not read_front_matter(text + b"x" * (MAX_BYTES - len(text))).faults
    assert read_front_matter(text + b"x" * (MAX_BYTES - len(text) + 1)).faults


@pytest.mark.parametrize(
    ("text", "place", "hint"),
    [
        ("name: x\ntools: [read, glob\nmode: plan", "4:5", "close the list with ]"),
        ("name: x\ntools: [", "3:8", "close the bracket"),
        ("name: 'x\nmode: plan", "2:7", "close the quote"),
        ('name: "x\\q"', "2:9", "double the backslash, or use single quotes"),
        ("description: Reviews: a diff", "2:21", 'put a text that holds ": " in quotes'),
        ("description: Größe: 10", "2:19", 'put a text that holds ": " in quotes'),
        ("name: x\n\tmode: plan", "3:1", "indent with blanks, not with tabs"),
        ("tools: [*]", "2:10", 'put a text that begins with * in quotes, like ["*"]'),
        ("tools: *", "2:8", 'put a text that begins with * in quotes, like ["*"]'),
        ("tools: [*read]", "2:9", 'put a text that begins with * in quotes, like ["*"]'),
        ("model: @home", "2:8", "put the text in quotes"),
        ("name: x\noops\nmode: plan", "4:1", "check quotes, brackets and indents"),
    ],
)
def test_yaml_that_does_not_parse_names_the_place_and_a_way_out(text: str, place: str, hint: str) -> None:
    (line,) = told(front(text))
    assert line.startswith(f"{place}: YAML: ")
    assert line.endswith(f"; {hint}")


@pytest.mark.parametrize("char", ["\x1b", "\x00", "\x7f", "\x85", "\u2028", "\u2029", "\ufeff", "\ufffe"])
def test_a_character_that_hides_a_line_or_acts_on_a_terminal_is_named(char: str) -> None:
    """U+2028 ends a line in YAML and in no editor: `allow` would be a key that nobody sees."""
    result = front(f"name: x\ndescription: ü{char}allow: [bash]")
    assert told(result) == [f"3:15: YAML: the character U+{ord(char):04X} is not allowed; remove it"]
    assert not result.entries


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("name: x\nname: y", "3:1: the key 'name' stands twice; the first is in line 2; keep one"),
        ('name: x\n"name": y', "3:1: the key 'name' stands twice; "),
        ("x: {a: 1, b: 2, a: 3}", "2:17: the key 'a' stands twice; "),
        ("? [a]\n: b", "2:3: a key is not a plain word; "),
        ("a: &x {b: c}\n<<: *x", "3:1: YAML merges (<<) are not supported; write the keys out"),
    ],
)
def test_a_key_that_cannot_be_told_apart_is_a_fault(text: str, expected: str) -> None:
    (line,) = told(front(text))
    assert line.startswith(expected)


@pytest.mark.parametrize(
    "tag", ["!!python/object/apply:os.system", "!!python/name:os.system", "!!binary", "!!set", "!mine", "!<tag:x,1:y>"]
)
@pytest.mark.parametrize("shape", ["{} [id]", "{} x", "[a, {} b]", "{{deep: {} b}}", "&anchor {} b"])
def test_a_tag_that_builds_objects_is_a_fault_wherever_it_stands(tag: str, shape: str) -> None:
    for text in (f"name: {shape.format(tag)}", f"{tag} name: x"):
        result = front(text)
        assert any("the YAML tag" in line and "is not allowed" in line for line in told(result)), told(result)
        assert not result.entries


def test_a_tag_of_plain_data_is_fine() -> None:
    assert front("name: !!str 3").entries["name"].value == Scalar("3", "str", Place(2, 7))


def test_an_alias_stands_for_what_it_names() -> None:
    result = front("ask: &git ['bash(git push)']\ndeny: *git")
    assert not result.faults
    assert result.entries["deny"].value == result.entries["ask"].value


TOO_DEEP = "nests deeper than 16 levels"
TOO_MANY = f"holds more than {MAX_VALUES:,} values"
BOMB = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(BOMB, f"holds more than {MAX_VALUES:,} values, aliases expanded", id="laughs"),
        pytest.param("a: &a [*a]", TOO_DEEP, id="a list in itself"),
        pytest.param("a: &a {b: *a}", TOO_DEEP, id="a mapping in itself"),
        pytest.param("a: " + "[" * 17 + "]" * 17, TOO_DEEP, id="lists"),
        pytest.param("a: " + "{a: " * 50_000, TOO_DEEP, id="mappings"),
        pytest.param("a:\n" + "- " * 50_000, TOO_DEEP, id="blocks"),
        pytest.param("a: " + "[" * 100_000, "", id="many lists"),
        pytest.param("a: [" + "x, " * 60_000 + "]", TOO_MANY, id="items"),
        pytest.param("".join(f"k{number}: v\n" for number in range(20_000)), TOO_MANY, id="keys"),
    ],
)
def test_a_small_file_cannot_expand_to_a_large_one(
    monkeypatch: pytest.MonkeyPatch, loader: object, text: str, expected: str
) -> None:
    monkeypatch.setattr(yamlvalues, "_LOADER", loader)
    result = front(text)
    assert any(expected in line for line in told(result)), told(result)
    assert not result.entries


YAML_LIKE = st.text(alphabet=":-[]{}&*!|>'\"%@`#?, \n\t\r\\uUxd8name0\u2028\x85é\ufeff", max_size=120)
HOSTILE = (
    st.binary(max_size=300)
    | YAML_LIKE.map(lambda text: f"---\n{text}\n---\nx".encode())
    | st.text(max_size=200).map(lambda text: f"---\n{text}\n---\nx".encode(errors="surrogatepass"))
)


@pytest.mark.parametrize("loader", LOADERS)
def test_no_bytes_raise_and_every_place_is_in_the_file(loader: object) -> None:
    @given(HOSTILE)
    @example(b'---\na: "\\ud800"\n---\nx')
    @example(b'---\na: "\\UFFFFFFFF"\n---\nx')
    @example(b"---\n%YAML 1." + b"9" * 5_000 + b"\n---\nx")
    @example(b"---\na: !<%ff> b\n---\nx")
    @example(b"---\na: *b\n---\nx")
    def check(data: bytes) -> None:
        result = read_front_matter(data)
        lines = Lines(data.decode("utf-8-sig", errors="replace"))
        places = [fault.place for fault in result.faults] + [entry.place for entry in result.entries.values()]
        for place in [*places, result.body_place]:
            assert 1 <= place.line <= len(lines)
            assert 1 <= place.column <= len(lines[place.line - 1]) + 1
        assert result.entries or result.faults
        for fault in result.faults:
            assert "\n" not in fault.problem
            assert len(fault.problem) < 400

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yamlvalues, "_LOADER", loader)
        check()


@given(st.text(alphabet="ab\n\r\u2028\x85\x0c", max_size=60))
def test_lines_are_those_that_editors_show(text: str) -> None:
    lines = Lines(text)
    assert [lines[index] for index in range(len(lines))] == text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for offset in range(len(text)):
        place = lines.place(offset)
        assert lines.starts[place.line - 1] + place.column - 1 == offset
