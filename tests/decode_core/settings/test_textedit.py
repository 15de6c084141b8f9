"""Edits leave every other byte alone, whatever the layout."""

import json
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from decode_core.settings.jsontext import JsonText, parse_json_text
from decode_core.settings.textedit import EditError, append, new_text, put, remove

ALLOW = ("permissions", "allow")


def lines(*rows: str, end: str = "\n") -> bytes:
    return (end.join(rows) + end).encode()


APPENDED: list[tuple[str, bytes, bytes]] = [
    (
        "empty object",
        b"{}",
        lines("{", '  "permissions": {', '    "allow": [', '      "R"', "    ]", "  }", "}").rstrip(),
    ),
    (
        "empty object on two lines",
        b"{\n}\n",
        lines("{", '  "permissions": {', '    "allow": [', '      "R"', "    ]", "  }", "}"),
    ),
    (
        "no permissions, four blanks",
        lines("{", '    "theme": "x"', "}"),
        lines(
            "{",
            '    "theme": "x",',
            '    "permissions": {',
            '        "allow": [',
            '            "R"',
            "        ]",
            "    }",
            "}",
        ),
    ),
    (
        "empty permissions, tabs",
        lines("{", '\t"permissions": {},', '\t"theme": "x"', "}"),
        lines("{", '\t"permissions": {', '\t\t"allow": [', '\t\t\t"R"', "\t\t]", "\t},", '\t"theme": "x"', "}"),
    ),
    (
        "no such list",
        lines("{", '  "permissions": {', '    "deny": ["a"]', "  }", "}"),
        lines("{", '  "permissions": {', '    "deny": ["a"],', '    "allow": [', '      "R"', "    ]", "  }", "}"),
    ),
    (
        "empty list",
        lines("{", '  "permissions": {', '    "allow": []', "  }", "}"),
        lines("{", '  "permissions": {', '    "allow": [', '      "R"', "    ]", "  }", "}"),
    ),
    (
        "empty list on two lines",
        lines("{", '  "permissions": {', '    "allow": [', "    ]", "  }", "}"),
        lines("{", '  "permissions": {', '    "allow": [', '      "R"', "    ]", "  }", "}"),
    ),
    (
        "list on one line",
        lines("{", '  "permissions": {"allow": ["a", "b"]}', "}"),
        lines("{", '  "permissions": {"allow": ["a", "b", "R"]}', "}"),
    ),
    (
        "list of one on one line",
        lines("{", '  "permissions": {"allow": [ "a" ]}', "}"),
        lines("{", '  "permissions": {"allow": [ "a", "R" ]}', "}"),
    ),
    (
        "list on many lines",
        lines("{", '  "permissions": {', '    "allow": [', '        "a"', "    ]", "  }", "}"),
        lines("{", '  "permissions": {', '    "allow": [', '        "a",', '        "R"', "    ]", "  }", "}"),
    ),
    (
        "blank lines between items are not repeated",
        lines("{", '  "permissions": {', '    "allow": [', '      "a",', "", '      "b"', "    ]", "  }", "}"),
        lines(
            "{",
            '  "permissions": {',
            '    "allow": [',
            '      "a",',
            "",
            '      "b",',
            '      "R"',
            "    ]",
            "  }",
            "}",
        ),
    ),
    (
        "CR LF",
        lines("{", '  "permissions": {', '    "allow": [', '      "a"', "    ]", "  }", "}", end="\r\n"),
        lines("{", '  "permissions": {', '    "allow": [', '      "a",', '      "R"', "    ]", "  }", "}", end="\r\n"),
    ),
    (
        "CR LF, no list",
        lines("{", '  "theme": "x"', "}", end="\r\n"),
        lines(
            "{", '  "theme": "x",', '  "permissions": {', '    "allow": [', '      "R"', "    ]", "  }", "}", end="\r\n"
        ),
    ),
    ("all on one line", b'{"theme": "x"}', b'{"theme": "x", "permissions": {"allow": ["R"]}}'),
    ("no blanks at all", b'{"permissions":{"allow":["a"]}}', b'{"permissions":{"allow":["a","R"]}}'),
    ("no blanks, no list", b'{"permissions":{"deny":["a"]}}\n', b'{"permissions":{"deny":["a"],"allow":["R"]}}\n'),
    ("a number of the odd sort", b'{"x": 1e+16}', b'{"x": 1e+16, "permissions": {"allow": ["R"]}}'),
]


@pytest.mark.parametrize(("before", "after"), [case[1:] for case in APPENDED], ids=[case[0] for case in APPENDED])
def test_a_rule_is_added_in_the_style_of_the_file(before: bytes, after: bytes) -> None:
    assert append(parse_json_text(before), ALLOW, "R") == after


def test_a_new_file_looks_as_a_person_would_write_it() -> None:
    assert new_text({"permissions": {"allow": ["ä"]}}).decode() == (
        '{\n  "permissions": {\n    "allow": [\n      "ä"\n    ]\n  }\n}\n'
    )


@pytest.mark.parametrize(
    ("before", "path", "after"),
    [
        (b'{"a": 1, "b": 2}', ("a",), b'{"b": 2}'),
        (b'{"a": 1, "b": 2}', ("b",), b'{"a": 1}'),
        (b'{"a": 1}', ("a",), b"{}"),
        (b'{\n  "a": [\n    1,\n    2,\n    3\n  ]\n}\n', ("a", 1), b'{\n  "a": [\n    1,\n    3\n  ]\n}\n'),
        (b'{\n  "a": [\n    1,\n    2\n  ]\n}\n', ("a", 1), b'{\n  "a": [\n    1\n  ]\n}\n'),
        (b'{\n  "a": [\n    1\n  ]\n}\n', ("a", 0), b'{\n  "a": []\n}\n'),
    ],
)
def test_removal_takes_one_comma_along(before: bytes, path: tuple[str | int, ...], after: bytes) -> None:
    assert remove(parse_json_text(before), path) == after


@pytest.mark.parametrize(
    ("before", "path", "value", "after"),
    [
        (b'{\n  "a": 1, "b": 2\n}', ("a",), "x", b'{\n  "a": "x", "b": 2\n}'),
        (b'{"limits": {"a": 1}}', ("limits", "a"), 2, b'{"limits": {"a": 2}}'),
        (b'{"limits":{}}', ("limits", "a"), 2, b'{"limits":{"a":2}}'),
        (b'{\n "a": 0\n}', ("b", "c"), [1], b'{\n "a": 0,\n "b": {\n  "c": [\n   1\n  ]\n }\n}'),
    ],
)
def test_values_are_put_in_place(before: bytes, path: tuple[str, ...], value: Any, after: bytes) -> None:
    assert put(parse_json_text(before), path, value) == after


def test_what_stands_in_the_way_is_named() -> None:
    text = parse_json_text(b'{"a": {"b": 3}}')
    with pytest.raises(EditError, match=r"a\.b is not an object"):
        put(text, ("a", "b", "c"), 1)
    with pytest.raises(EditError, match=r"a\.b is not a list"):
        append(text, ("a", "b"), 1)
    with pytest.raises(EditError, match="there is no x"):
        remove(text, ("x",))


VALUE = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.floats(-1e20, 1e20) | st.text(max_size=6),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text(max_size=4), below, max_size=3),
    max_leaves=8,
)
LISTS = st.dictionaries(st.sampled_from(["deny", "ask", "allow"]), st.lists(st.text(max_size=6), max_size=4))
BLANKS = st.text(" \t\n", max_size=3)


@st.composite
def settings_texts(draw: st.DrawFn) -> JsonText:
    """Settings in any layout: pretty, compact, or with blanks strewn between all tokens."""
    value = draw(st.dictionaries(st.text(max_size=4), VALUE, max_size=3))
    if draw(st.booleans()):
        place = draw(st.integers(0, len(value)))
        pairs = list(value.items())
        value = dict([*pairs[:place], ("permissions", draw(LISTS)), *pairs[place:]])
    value.pop("x", None)
    layout = draw(st.sampled_from(["pretty", "tabs", "compact", "line", "strewn"]))
    match layout:
        case "pretty" | "tabs":
            text = json.dumps(value, indent=draw(st.integers(0, 4)) if layout == "pretty" else "\t", ensure_ascii=False)
        case "compact":
            text = json.dumps(value, separators=(",", ":"))
        case "line":
            text = json.dumps(value)
        case _:
            text = _strewn(draw, value)
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    text = draw(BLANKS) + text + draw(BLANKS)
    return parse_json_text(text.replace("\n", newline).encode())


def _strewn(draw: st.DrawFn, value: Any) -> str:
    def blank() -> str:
        return draw(BLANKS)

    match value:
        case dict():
            members = [
                f"{blank()}{json.dumps(key)}{blank()}:{blank()}{_strewn(draw, below)}{blank()}"
                for key, below in value.items()
            ]
            return "{" + (",".join(members) or blank()) + "}"
        case list():
            return "[" + (",".join(f"{blank()}{_strewn(draw, item)}{blank()}" for item in value) or blank()) + "]"
        case _:
            return json.dumps(value)


@settings(deadline=None)
@given(settings_texts(), st.text(min_size=1, max_size=8))
def test_appending_is_one_insertion_that_adds_the_rule_and_nothing_else(text: JsonText, rule: str) -> None:
    after = append(text, ALLOW, rule)
    expected = json.loads(text.data)
    expected.setdefault("permissions", {}).setdefault("allow", []).append(rule)
    assert parse_json_text(after).value == expected
    assert list(parse_json_text(after).value) == list(expected), "order of keys"
    assert _is_insertion(text.data, after)
    assert after.count(b"\n") == after.count(b"\r\n") or b"\r\n" not in text.data


@settings(deadline=None)
@given(settings_texts(), st.text(min_size=1, max_size=8))
def test_removing_what_was_added_gives_the_old_value(text: JsonText, rule: str) -> None:
    added = parse_json_text(append(text, ALLOW, rule))
    last = len(added.value["permissions"]["allow"]) - 1
    removed = parse_json_text(remove(added, (*ALLOW, last))).value
    expected = json.loads(text.data)
    expected.setdefault("permissions", {}).setdefault("allow", [])
    assert removed == expected


@settings(deadline=None)
@given(settings_texts(), VALUE)
def test_putting_changes_one_value_only(text: JsonText, value: Any) -> None:
    after = parse_json_text(put(text, ("x", "y"), value))
    assert after.value == {**text.value, "x": {"y": value}}
    assert _is_insertion(text.data, after.data)
    for key in text.value:
        other = parse_json_text(put(text, (key,), value))
        assert other.value == {**text.value, key: value}
        assert list(other.value) == list(text.value)


def _is_insertion(before: bytes, after: bytes) -> bool:
    """Whether `after` is `before` with one run of bytes inserted."""
    same = next((i for i, (old, new) in enumerate(zip(before, after, strict=False)) if old != new), len(before))
    return len(after) >= len(before) and after.endswith(before[same:])
