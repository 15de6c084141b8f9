"""File patterns: what matches, what is refused, and that no pattern takes for ever."""

import fnmatch

import pytest
from hypothesis import given, settings, strategies as st

from decode_core.tools.glob_pattern import MAX_ALTERNATIVES, GlobError, compile_glob


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("*.py", ["a.py", "x/y/a.py", ".py"], ["a.pyc", "a.py/b"]),
        ("./a.py", ["a.py", "x/a.py"], ["b.py"]),
        ("**/*", ["a", "a/b/c"], []),
        ("**", ["a", "a/b/c"], []),
        ("src/*", ["src/a"], ["src/a/b", "src", "x/src/a"]),
        ("src/**", ["src/a", "src/a/b"], ["src", "x/src/a"]),
        ("src/**/*.py", ["src/a.py", "src/x/y/a.py"], ["a.py", "x/src/a.py"]),
        ("a/**/b/**/c", ["a/b/c", "a/x/b/y/c", "a/b/b/c", "a/b/x/b/c"], ["a/c", "a/b/c/d"]),
        ("docs/", ["docs/a", "docs/a/b", "x/docs/a"], ["docs"]),
        ("?.txt", ["a.txt", "x/b.txt"], ["ab.txt", "/.txt"]),
        ("[a-c].txt", ["a.txt"], ["d.txt", "-.txt"]),
        ("[!a-c].txt", ["d.txt"], ["a.txt"]),
        ("*.{ts,tsx}", ["a.ts", "x/a.tsx"], ["a.t", "a.{ts,tsx}"]),
        ("{src,tests}/**/*.{py,pyi}", ["src/a.py", "tests/x/a.pyi"], ["docs/a.py"]),
        ("{a,b{c,d}}.x", ["a.x", "bc.x", "bd.x"], ["b.x", "d.x"]),
        ("a{b", ["a{b"], ["ab"]),
        (r"a\{b\}", ["a{b}"], ["ab"]),
        (r"\*.txt", ["*.txt"], ["a.txt"]),
        ("[*].txt", ["*.txt"], ["a.txt"]),
        ("a/***/b", ["a/x/b"], ["a/x/y/b"]),
    ],
)
def test_patterns_match_as_people_expect(pattern: str, matching: list[str], others: list[str]) -> None:
    compiled = compile_glob(pattern)
    assert [path for path in matching if not compiled.matches(path)] == []
    assert [path for path in others if compiled.matches(path)] == []


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        (" ", "empty"),
        ("./", "empty"),
        ("../x", "leaves the folder"),
        ("a/../../x", "leaves the folder"),
        ("/etc/*", "leaves the folder"),
        ("{a,b,c,d,e,f,g,h}" * 4, f"more than {MAX_ALTERNATIVES}"),
        ("{a,b}" * 100, f"more than {MAX_ALTERNATIVES}"),
    ],
)
def test_patterns_that_cannot_be_used_are_told(pattern: str, told: str) -> None:
    with pytest.raises(GlobError, match=told):
        compile_glob(pattern)


@settings(deadline=None)
@given(name=st.text(st.characters(blacklist_characters="/\n"), min_size=1, max_size=20))
def test_a_literal_name_matches_itself_in_every_folder(name: str) -> None:
    if name in (".", "..") or not name.strip() or name.startswith("~"):
        return
    escaped = "".join(f"\\{char}" if char in "*?[]{},\\" else char for char in name)
    assert compile_glob(escaped).matches(name)
    assert compile_glob(escaped).matches(f"a/b/{name}")


PIECES = st.lists(st.sampled_from(["a", "b", "*", "?", "[ab]", "[!a]"]), min_size=1, max_size=6).map("".join)


@settings(deadline=None)
@given(pattern=PIECES, name=st.text("ab-", min_size=1, max_size=8))
def test_one_part_matches_as_fnmatch_does(pattern: str, name: str) -> None:
    collapsed = pattern
    if collapsed == "**":
        return
    assert compile_glob(pattern).matches(name) == fnmatch.fnmatchcase(name, pattern)


def brute(parts: list[str], names: list[str]) -> bool:
    """Two lines that need no proof: `**` takes none or one more."""
    if not parts:
        return not names
    if parts[0] == "**":
        # at the end `**` takes at least one name
        return (bool(names) and (len(parts) == 1 or brute(parts, names[1:]))) or (
            len(parts) > 1 and brute(parts[1:], names)
        )
    return bool(names) and fnmatch.fnmatchcase(names[0], parts[0]) and brute(parts[1:], names[1:])


@settings(deadline=None)
@given(
    parts=st.lists(st.sampled_from(["a", "b", "*", "**"]), min_size=2, max_size=6),
    names=st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=7),
)
def test_double_stars_find_every_way_there_is(parts: list[str], names: list[str]) -> None:
    assert compile_glob("/".join(parts)).matches("/".join(names)) == brute(parts, names)


def test_hostile_patterns_end_at_once() -> None:
    assert not compile_glob("*a" * 200 + "b").matches("a" * 255)
    assert not compile_glob("**/a/" * 90 + "b").matches("/".join(["a"] * 200))
