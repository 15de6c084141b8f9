"""The history of prompts and the draft of a workspace."""

import pytest

from decode_core.store import prompts as module
from decode_core.store.database import Database
from decode_core.store.prompts import MAX_LENGTH, Prompts


def test_a_workspace_has_its_own_history_the_latest_last(database: Database) -> None:
    prompts = Prompts(database)
    for text in ("one", "two", "one", "", "  \n", "three\nlines"):
        prompts.remember("/a", text)
    prompts.remember("/b", "other")
    assert prompts.history("/a") == ["two", "one", "three\nlines"]
    assert prompts.history("/b") == ["other"]
    assert prompts.history("/c") == []


def test_old_prompts_are_forgotten_and_huge_ones_left_out(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_PROMPTS", 3)
    prompts = Prompts(database)
    prompts.remember("/b", "stays")
    for number in range(6):
        prompts.remember("/a", str(number))
    prompts.remember("/a", "x" * (MAX_LENGTH + 1))
    assert prompts.history("/a") == ["3", "4", "5"]
    assert prompts.history("/b") == ["stays"]
    with database.read() as connection:
        assert connection.execute("SELECT count(*) FROM prompts").fetchone() == (4,)


def test_a_draft_is_kept_replaced_and_removed(database: Database) -> None:
    prompts = Prompts(database)
    assert prompts.draft("/a") == ""
    prompts.keep_draft("/a", "half a tho\udc80ught\n")
    assert prompts.draft("/a") == "half a tho?ught\n"
    prompts.keep_draft("/a", "more")
    prompts.keep_draft("/b", "other")
    assert prompts.draft("/a") == "more"
    prompts.keep_draft("/a", " ")
    assert (prompts.draft("/a"), prompts.draft("/b")) == ("", "other")
