"""A wheel, installed into a fresh environment, runs; the agents are inside."""

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def build(what: str, source: Path, folder: Path) -> Path:
    """Build a distribution of `source` into `folder` and return its file."""
    folder.mkdir(exist_ok=True)
    code = f"import hatchling.build as b; print(b.{what}({str(folder)!r}))"
    subprocess.run([sys.executable, "-c", code], cwd=source, check=True, capture_output=True)
    (built,) = folder.glob("decode-*")
    return built


def files_of(wheel: Path) -> dict[str, bytes]:
    """The files in a wheel but those about the wheel itself."""
    with zipfile.ZipFile(wheel) as packed:
        return {name: packed.read(name) for name in packed.namelist() if "dist-info" not in name}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("build_wheel", ROOT, tmp_path_factory.mktemp("dist"))


def test_the_agents_and_the_style_sheets_are_inside(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"decode_core/catalog/builtin/{name}.md" for name in ("build", "plan", "explore", "code-reviewer")} <= names
    sheets = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src").rglob("*.tcss")}
    assert sheets
    assert sheets <= names
    assert "decode_core/py.typed" in names
    assert not any(name.startswith(("tests/", "docs/")) for name in names)


def test_the_source_distribution_gives_the_same_wheel_and_brings_what_tests_need(wheel: Path, tmp_path: Path) -> None:
    archive = build("build_sdist", ROOT, tmp_path / "sdist")
    shutil.unpack_archive(archive, tmp_path / "unpacked", filter="data")
    (source,) = (tmp_path / "unpacked").iterdir()
    for needed in ("Makefile", "requirements.lock", "tests/conftest.py", "snapshots", "agents/build.md", "LICENSE"):
        assert (source / needed).exists(), needed
    assert not (source / ".venv").exists()
    again = build("build_wheel", source, tmp_path / "wheel")
    contents = [files_of(built) for built in (wheel, again)]
    assert contents[0] == contents[1]


def test_a_fresh_environment_runs_what_is_in_the_wheel(wheel: Path, tmp_path: Path) -> None:
    # the dependencies are those of this environment: a test needs no network
    home = tmp_path / "env"
    venv.create(home, with_pip=False)
    (site,) = home.glob("lib/python*/site-packages")
    zipfile.ZipFile(wheel).extractall(site)
    here = next(path for path in sys.path if path.endswith("site-packages"))
    (site / "dependencies.pth").write_text(f"{here}\n")
    workspace = tmp_path / "ws"
    workspace.mkdir()
    (workspace / "README.md").write_text("retries\n")
    python = home / "bin" / "python"
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def decode(*args: str) -> subprocess.CompletedProcess[str]:
        code = "import sys; sys.argv[0] = 'decode'; from decode_ui.cli import main; main()"
        command = [str(python), "-c", code, *args]
        return subprocess.run(command, cwd=workspace, capture_output=True, text=True, env=env, check=False)

    assert decode("--version").stdout.startswith("decode ")
    agents = decode("agents", "list")
    assert "code-reviewer" in agents.stdout
    assert str(site) in decode("agents", "show", "build").stdout
    run = decode("run", "--mode", "edit", "replace retries with attempts in README.md")
    assert run.returncode == 0, run.stderr
    assert (workspace / "README.md").read_text() == "attempts\n"
