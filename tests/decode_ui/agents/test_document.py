"""One file in the editor: what is unsaved, what changed underneath, what cannot be edited."""

from pathlib import Path

import pytest

from decode_core.catalog.definition import Layer
from decode_core.catalog_editing.files import AgentFile
from decode_ui.agents.document import AgentDocument

FILE = AgentFile(Path("/home/me/x.md"), Layer.USER, Path("/ws"))


def test_a_text_is_unsaved_while_it_is_not_what_the_file_held() -> None:
    document = AgentDocument.of(FILE, b"one\r\n")
    assert (document.text, document.is_unsaved, document.data) == ("one\n", False, b"one\r\n")
    document.text = "two\n"
    assert (document.is_unsaved, document.data) == (True, b"two\r\n")
    document.text = "one\n"
    assert not document.is_unsaved
    document.text = "two\n"
    document.saved(document.data)
    assert (document.is_unsaved, document.seen) == (False, b"two\r\n")


def test_without_changes_it_follows_the_disk_and_with_them_it_asks() -> None:
    document = AgentDocument.of(FILE, b"one\n")
    assert document.found(b"theirs\n")
    assert (document.text, document.is_changed_underneath) == ("theirs\n", False)
    document.text = "mine\n"
    assert not document.found(b"newer\n")
    assert (document.text, document.is_changed_underneath) == ("mine\n", True)


def test_keeping_mine_and_taking_theirs() -> None:
    document = AgentDocument.of(FILE, b"one\n")
    document.text = "mine\n"
    document.found(b"theirs\r\n")
    document.keep_mine()
    assert (document.seen, document.data, document.is_unsaved) == (b"theirs\r\n", b"mine\r\n", True)
    assert not document.is_changed_underneath
    document.take_theirs()
    assert (document.text, document.is_unsaved) == ("theirs\n", False)


def test_a_file_that_is_gone_leaves_its_text_and_a_choice() -> None:
    document = AgentDocument.of(FILE, b"one\n")
    document.found(None)
    assert (document.text, document.is_changed_underneath) == ("one\n", True)
    document.keep_mine()
    assert (document.seen, document.data, document.is_unsaved) == (None, b"one\n", True)


def test_a_text_that_stands_on_the_disk_already_is_saved() -> None:
    """A crash between the write and the end of the draft."""
    document = AgentDocument(FILE, b"one\n", "two\n")
    document.found(b"two\n")
    assert not document.is_unsaved


@pytest.mark.parametrize(
    ("data", "layer", "why"),
    [
        (b"x", Layer.BUILTIN, "built in"),
        (b"\xff", Layer.USER, "not UTF-8"),
        (b"x" * (256 * 1024 + 1), Layer.USER, "larger than 256 KiB"),
    ],
)
def test_what_cannot_be_edited_says_why_and_is_never_written(data: bytes, layer: Layer, why: str) -> None:
    document = AgentDocument.of(AgentFile(FILE.path, layer, FILE.root), data)
    assert why in document.locked
    document.text = "other"
    assert (document.is_unsaved, document.data) == (False, data)
