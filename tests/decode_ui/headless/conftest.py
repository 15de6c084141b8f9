"""A shell in a repository, and one with an approved plan in it."""

import os
import shutil
from pathlib import Path

import pytest

from plan_bench import make_repository
from plan_shell import Shell, approve


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    root = tmp_path / "repo"
    make_repository(root)
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    for name, says in (("ak", '{"interface": 1}'), ("herdr-peers", "herdr-peers 0.1.0 (protocol 1)")):
        (bin_folder / name).write_text(f"#!/bin/sh\necho '{says}'\n")
        (bin_folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{bin_folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(root)
    return Shell(root)


@pytest.fixture(scope="module")
def first_approval(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The records of a plan that was approved by command line, to be copied."""
    root = tmp_path_factory.mktemp("approved") / "repo"
    make_repository(root)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        approve(Shell(root))
    return root / ".dwp"


@pytest.fixture
def approved(shell: Shell, first_approval: Path) -> Shell:
    """A plan with the tasks one (parallel_safe) and two, approved here."""
    shutil.copytree(first_approval, shell.root / ".dwp")
    shell(f"materialize --contract {shell.plan / 'contract.json'}")
    return shell
