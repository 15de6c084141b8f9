"""Facts of a path: links, `..`, places outside, and changes between two looks."""

import os
from pathlib import Path

from decode_core.permissions.modes import ToolKind
from decode_core.permissions.request import PermissionRequest, SubjectKind
from decode_core.permissions.resolve import resolve, same_facts
from decode_core.workspace import Workspace


def resolved(root: Path, path: str, kind: ToolKind = ToolKind.FILE_EDIT) -> PermissionRequest:
    return resolve(
        call_id="c1",
        tool="write",
        kind=kind,
        subject=path,
        subject_kind=SubjectKind.PATH,
        args={"path": path},
        workspace=Workspace(root.resolve()),
    )


def test_dots_are_folded_and_links_are_followed_before_anything_is_judged(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "lnk").symlink_to("src")
    (tmp_path / "out").symlink_to("/etc")
    (fact,) = resolved(tmp_path, "docs/../src/a.py").paths
    assert (fact.relative, fact.inside) == ("src/a.py", True)
    (fact,) = resolved(tmp_path, "lnk/a.py").paths
    assert (fact.relative, fact.real_relative, fact.inside) == ("lnk/a.py", "src/a.py", True)
    (fact,) = resolved(tmp_path, "out/passwd").paths
    assert (fact.real_relative, fact.inside) == ("/etc/passwd", False)


def test_dots_behind_a_link_lead_where_the_kernel_goes(tmp_path: Path) -> None:
    (tmp_path / "out").symlink_to("/etc/ssl")
    (fact,) = resolved(tmp_path, "out/../passwd").paths
    assert fact.relative == "passwd"
    assert fact.real == Path(os.path.realpath("/etc/ssl/../passwd"))
    assert not fact.inside


def test_a_changed_file_has_other_facts(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("one")
    before = resolved(tmp_path, "a.txt")
    assert same_facts(before, resolved(tmp_path, "a.txt"))
    file.write_text("two")
    assert not same_facts(before, resolved(tmp_path, "a.txt"))


def test_a_swapped_link_has_other_facts(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("a")
    before = resolved(tmp_path, "link")
    link.unlink()
    link.symlink_to("b")
    assert not same_facts(before, resolved(tmp_path, "link"))


def test_a_path_that_cannot_be_resolved_is_invalid_not_an_exception(tmp_path: Path) -> None:
    assert resolved(tmp_path, "a\0b").invalid
    assert resolved(tmp_path, "x" * 5_000).invalid
