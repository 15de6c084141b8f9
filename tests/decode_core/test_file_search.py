"""The names of the workspace's files and finding some by a few letters (ui.md §2: `@` files)."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from decode_core import file_search
from decode_core.file_search import SLICE, FileIndex, find_files, index_of, list_files
from decode_core.workspace import Workspace

NAMES = st.text(st.characters(blacklist_characters="\0/", blacklist_categories=()), min_size=1, max_size=8)
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)


def listed(root: Path, **limits: int) -> FileIndex:
    return asyncio.run(list_files(Workspace.open(root), **limits))


def found(index: FileIndex, query: str, most: int = 20) -> list[str]:
    return list(asyncio.run(find_files(index, query, most)))


def lay(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x")


def test_files_and_folders_are_listed_and_ignore_files_hold(tmp_path: Path) -> None:
    lay(tmp_path, "src/a.py", "build/out.o", ".github/ci.yml", ".git/config")
    (tmp_path / ".gitignore").write_text("build/\n")
    assert set(listed(tmp_path).paths) == {".gitignore", ".github/", ".github/ci.yml", "src/", "src/a.py"}


def test_nothing_of_the_repository_is_run_or_followed(tmp_path: Path) -> None:
    root, outside = tmp_path / "ws", tmp_path / "outside"
    lay(outside, "secret.txt")
    lay(root, "a.py")
    (root / "link").symlink_to(outside)
    canary = tmp_path / "canary"
    (root / ".git").mkdir()
    (root / ".git" / "config").write_text(f"[core]\n\tfsmonitor = touch {canary}\n\thooksPath = {root}\n")
    rg = root / "rg"
    rg.write_text(f"#!/bin/sh\ntouch {canary}\n")
    rg.chmod(0o755)
    (root / ".ripgreprc").write_text("--follow\n")
    assert set(listed(root).paths) == {"a.py", "rg", ".ripgreprc"}
    assert not canary.exists()


def test_a_workspace_of_more_files_than_are_listed_says_so(tmp_path: Path) -> None:
    lay(tmp_path, *(f"{number}.txt" for number in range(9)))
    index = listed(tmp_path, most=5)
    assert len(index.paths) == 5
    assert index.problem == "only the first 5 files are listed"


def test_without_ripgrep_the_index_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_search, "find_ripgrep", lambda workspace: None)
    assert "ripgrep (rg) is not installed" in listed(tmp_path).problem


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("read", "README.md"),
        ("ws", "src/ws.py"),
        ("core/s", "core/session.py"),
        ("session", "core/session.py"),
        ("cosy", "core/session.py"),
        ("tests/", "tests/"),
    ],
)
def test_the_best_match_comes_first(query: str, first: str) -> None:
    index = index_of(["README.md", "docs/reading/x.md", "src/ws.py", "core/session.py", "tests/core/test_session.py"])
    assert found(index, query)[0] == first


def test_without_a_query_the_nearest_come_first_and_no_more_than_asked() -> None:
    index = index_of(["a/b/c.py", "z.py", "a/y.py"])
    assert found(index, "", 3) == ["a/", "z.py", "a/b/"]


@pytest.mark.parametrize("query", ["", "e", ".e", "en", "env", ".en", "prod"])
def test_secrets_are_left_out_unless_they_are_named(query: str) -> None:
    index = index_of([".env", "deploy/.env.prod", "id_rsa", "env.py"])
    assert not {".env", "deploy/.env.prod", "id_rsa"} & set(found(index, query))
    assert found(index, ".env") == [".env"]
    assert found(index, ".ENV.prod") == ["deploy/.env.prod"]
    assert found(index, "deploy/.env.prod") == ["deploy/.env.prod"]


@given(st.lists(PATHS, max_size=30, unique=True), st.text(max_size=6))
def test_what_is_found_holds_the_letters_in_their_order(paths: list[str], query: str) -> None:
    index = index_of(paths)
    results = found(index, query)
    assert len(results) == len(set(results)) <= 20
    for path in results:
        rest = iter(path.casefold())
        assert all(letter in rest for letter in query.casefold())


@given(st.lists(PATHS, min_size=1, max_size=30, unique=True))
def test_every_name_is_found_by_itself(paths: list[str]) -> None:
    index = index_of(paths)
    assert all(path in found(index, path, 100) for path in paths)


def test_a_hostile_name_costs_no_more_than_its_length() -> None:
    # with a pattern that gives letters back, this would not end
    assert found(index_of(["a" * 4_000]), "a" * 150 + "b") == []


def test_a_search_over_many_names_can_be_cancelled_between_slices() -> None:
    index = index_of(f"{number}.py" for number in range(10 * SLICE))

    async def main() -> None:
        task = asyncio.ensure_future(find_files(index, "nothing like it", 10))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
