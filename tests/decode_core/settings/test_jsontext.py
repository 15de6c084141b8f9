"""The strict reader: one typed error with line and column for everything that is not strict JSON."""

import json
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from decode_core.settings.jsontext import MAX_BYTES, MAX_DEPTH, JsonTextError, parse_json_text
from decode_core.settings.places import Position

BROKEN: list[tuple[str, bytes, tuple[int, int], str]] = [
    ("empty", b"", (1, 1), "empty"),
    ("blank", b" \r\n\t\n", (1, 1), "empty"),
    ("duplicate key", b'{\n "a": 1,\n "b": 2,\n "a": 3}', (4, 2), "twice"),
    ("duplicate key below", b'{"x": [{"a": 1, "a": 1}]}', (1, 17), "twice"),
    ("duplicate key written otherwise", b'{"a": 1, "\\u0061": 1}', (1, 10), "twice"),
    ("trailing comma in an object", b'{"a": 1,\n}', (2, 1), "comma"),
    ("trailing comma in a list", b'{"a": [1, ]}', (1, 11), "comma"),
    ("two commas", b'{"a": [1,, 2]}', (1, 10), "value is missing"),
    ("line comment", b'{\n  // why\n "a": 1}', (2, 3), "comments"),
    ("line comment behind a value", b'{"a": 1 // why\n}', (1, 9), "comments"),
    ("block comment", b'{"a": /* why */ 1}', (1, 7), "comments"),
    ("comment at the end", b'{"a": 1}\n# why\n', (2, 1), "comments"),
    ("NaN", b'{"a": NaN}', (1, 7), "NaN"),
    ("infinity", b'{"a": [1, -Infinity]}', (1, 11), "-Infinity"),
    ("number out of range", b'{"a": 1e999}', (1, 7), "too large"),
    ("number of many digits", b'{"a": ' + b"1" * 5000 + b"}", (1, 7), "too large"),
    ("leading zero", b'{"a": 01}', (1, 8), "comma or a closing bracket"),
    ("list as root", b"\n [1]", (2, 2), "one object"),
    ("null as root", b"null", (1, 1), "one object"),
    ("two objects", b"{} {}", (1, 4), "after the end"),
    ("not UTF-8", b'{"a": "\xff"}', (1, 8), "UTF-8"),
    ("UTF-16", '{"a": 1}'.encode("utf-16"), (1, 1), "UTF-8"),
    ("byte order mark", b'\xef\xbb\xbf{"a": 1}', (1, 1), "byte order mark"),
    ("half a surrogate pair", b'{"a": "\\ud83d"}', (1, 7), "surrogate"),
    ("half a surrogate pair as key", b'{"\\udc00": 1}', (1, 2), "surrogate"),
    ("no quotes", b"{a: 1}", (1, 2), "double quotes"),
    ("single quotes", b"{'a': 1}", (1, 2), "double quotes"),
    ("no colon", b'{"a" 1}', (1, 6), "colon"),
    ("no comma", b'{"a": 1 "b": 2}', (1, 9), "comma"),
    ("open object", b'{"a": 1', (1, 8), "ends before"),
    ("open list", b'{"a": [1,\n', (1, 10), "ends before"),
    ("open string", b'{"a": "x}', (1, 7), "not closed"),
    ("line break in a string", b'{"a": "x\ny"}', (1, 9), "line break"),
    ("unknown escape", b'{"a": "\\q"}', (1, 8), "backslash"),
    ("wrong bracket", b'{"a": [1}', (1, 9), "comma or a closing bracket"),
    ("columns count characters", '{"äöü": nope}'.encode(), (1, 9), "value is missing"),
]


@pytest.mark.parametrize(("data", "place", "words"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_broken_text_names_line_and_column(data: bytes, place: tuple[int, int], words: str) -> None:
    with pytest.raises(JsonTextError) as caught:
        parse_json_text(data)
    assert words in caught.value.sentence
    assert tuple(caught.value.position) == place
    assert "\n" not in str(caught.value)


def test_nesting_is_bounded() -> None:
    def nested(depth: int) -> bytes:
        return b'{"a":' + b"[" * (depth - 1) + b"]" * (depth - 1) + b"}"

    assert parse_json_text(nested(MAX_DEPTH)).tree.find(("a", 0)) is not None
    for depth in (MAX_DEPTH + 1, 100_000):
        with pytest.raises(JsonTextError, match="nested deeper"):
            parse_json_text(nested(depth))


def test_brackets_and_words_inside_strings_mean_nothing() -> None:
    text = json.dumps({"a": "[" * 100 + "NaN // 1e999 \\", "b": '"}'})
    assert parse_json_text(text.encode()).value["a"].startswith("[[")


def test_size_is_bounded() -> None:
    with pytest.raises(JsonTextError, match="larger than"):
        parse_json_text(b'{"a": "' + b"x" * MAX_BYTES + b'"}')


def test_positions_of_values_and_of_what_is_missing() -> None:
    text = parse_json_text(
        b'{\r\n  "permissions": {\r\n    "deny": [\r\n      "a", "\xc3\xa4", "b"\r\n    ]\r\n  }\r\n}'
    )
    deny = ("permissions", "deny")
    assert text.position((*deny, 0)) == Position(4, 7)
    assert text.position((*deny, 2)) == Position(4, 17)
    assert text.position((*deny, 3)) == text.position(deny) == Position(3, 13)
    assert text.position(("permissions", "ask", 0)) == Position(2, 18)
    assert text.position(("theme",)) is None


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**15), 10**15)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda below: st.lists(below, max_size=4) | st.dictionaries(st.text(max_size=5), below, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text(max_size=5), JSON, max_size=5)


@settings(deadline=None)
@given(OBJECTS, st.sampled_from([None, 0, 1, 3]), st.booleans())
def test_whatever_is_json_is_read_and_has_places(value: dict[str, Any], indent: int | None, ascii_only: bool) -> None:
    data = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode()
    text = parse_json_text(data)
    assert text.value == value
    for key, below in value.items():
        node = text.tree.find((key,))
        assert node is not None
        assert json.loads(data[node.start : node.end]) == below


@settings(deadline=None)
@given(st.binary(max_size=60) | st.text('{}[]",:\\ \n/#aNu0123eE.-+tru', max_size=40).map(str.encode))
def test_any_bytes_give_an_object_or_the_one_error(data: bytes) -> None:
    try:
        text = parse_json_text(data)
    except JsonTextError as error:
        assert error.position.line >= 1
        assert error.position.column >= 1
    else:
        assert json.loads(data) == text.value
        assert text.tree.end <= len(data)


@settings(deadline=None)
@given(OBJECTS, st.data())
def test_a_torn_file_is_never_read_as_something_else(value: dict[str, Any], data: st.DataObject) -> None:
    whole = json.dumps(value).encode()
    cut = data.draw(st.integers(0, len(whole) - 1))
    with pytest.raises(JsonTextError):
        parse_json_text(whole[:cut])
