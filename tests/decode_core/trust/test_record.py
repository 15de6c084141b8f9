"""Trust is for a real path, an owner and a digest, and kept where only the person writes (permissions.md §9)."""

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from decode_core.config import data_dir
from decode_core.trust.content import FolderContent, read_content
from decode_core.trust.record import MAX_DIGESTS, TrustError, TrustRecord


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".decode").mkdir(parents=True)
    (folder / ".decode" / "settings.json").write_text("{}")
    return folder


def other(content: FolderContent, text: bytes) -> FolderContent:
    return content.with_file(".decode/settings.json", text)


def test_only_what_was_trusted_is_trusted(project: Path) -> None:
    record, content = TrustRecord(), read_content(project)
    assert not record.is_trusted(content)
    assert not record.knows(project)
    record.trust(content)
    assert record.is_trusted(content)
    assert record.knows(project)
    assert not record.is_trusted(other(content, b'{"mode": "edit"}'))
    assert not record.is_trusted(replace(content, owner=content.owner + 1)), "another owner is another folder"


def test_a_digest_that_was_trusted_before_is_not_asked_again(project: Path) -> None:
    record, main = TrustRecord(), read_content(project)
    branch = other(main, b'{"agent": "plan"}')
    record.trust(main)
    record.trust(branch)
    assert record.is_trusted(main)
    assert record.is_trusted(branch)


def test_the_same_bytes_in_another_folder_are_not_trusted(project: Path, tmp_path: Path) -> None:
    record, content = TrustRecord(), read_content(project)
    record.trust(content)
    copy = tmp_path / "copy"
    (copy / ".decode").mkdir(parents=True)
    (copy / ".decode" / "settings.json").write_text("{}")
    assert read_content(copy).digest == content.digest
    assert not record.is_trusted(read_content(copy))
    (tmp_path / "alias").symlink_to(project)
    assert record.is_trusted(read_content(tmp_path / "alias")), "the real path counts, not the way to it"


def test_revoking_forgets_every_digest(project: Path) -> None:
    record, content = TrustRecord(), read_content(project)
    assert not record.revoke(project)
    record.trust(content)
    record.trust(other(content, b'{"agent": "plan"}'))
    assert record.revoke(project)
    assert not record.is_trusted(content)
    assert not record.revoke(project)


def test_the_record_is_private(project: Path) -> None:
    record = TrustRecord()
    record.trust(read_content(project))
    assert record.file == data_dir() / "trust" / "folders.json"
    assert stat.S_IMODE(record.file.stat().st_mode) == 0o600


def test_the_oldest_digests_give_way(project: Path) -> None:
    record, content = TrustRecord(), read_content(project)
    states = [other(content, json.dumps({"agent": str(number)}).encode()) for number in range(MAX_DIGESTS + 1)]
    for state in states:
        record.trust(state)
    assert not record.is_trusted(states[0])
    assert record.is_trusted(states[1])


def test_another_owner_does_not_inherit_what_was_trusted(project: Path) -> None:
    record, content = TrustRecord(), read_content(project)
    record.trust(content)
    record.trust(replace(other(content, b"[]"), owner=content.owner + 1))
    assert not record.is_trusted(replace(content, owner=content.owner + 1))


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"version": 2, "folders": {}}',
        '{"version": 1, "folders": []}',
        '{"version": 1, "folders": {"/": {"owner": "me", "digests": []}}}',
        '{"version": 1, "folders": {"/": {"owner": 0, "digests": ["x"]}}}',
    ],
)
def test_a_record_that_cannot_be_used_trusts_nothing_and_is_not_overwritten(project: Path, text: str) -> None:
    record = TrustRecord()
    record.file.parent.mkdir(parents=True)
    record.file.write_text(text)
    for use in (record.is_trusted, record.trust):
        with pytest.raises(TrustError, match="delete it to start anew"):
            use(read_content(project))
    assert record.file.read_text() == text


def test_content_that_nobody_can_vouch_for_is_never_trusted(project: Path) -> None:
    record, content = TrustRecord(), replace(read_content(project), refused="it is too large")
    with pytest.raises(TrustError, match="too large"):
        record.trust(content)
    assert not record.is_trusted(content)


def test_two_writers_lose_nothing(tmp_path: Path) -> None:
    record = TrustRecord()
    contents = []
    for number in range(8):
        folder = tmp_path / str(number)
        (folder / ".decode").mkdir(parents=True)
        (folder / ".decode" / "settings.json").write_text("{}")
        contents.append(read_content(folder))
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(record.trust, contents))
    assert all(record.is_trusted(content) for content in contents)
