"""A wheel, installed into a fresh environment, runs; the agents are inside."""

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    code = f"import hatchling.build as b; print(b.build_wheel({str(folder)!r}))"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def test_the_agents_and_the_style_sheets_are_inside(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"decode_core/catalog/builtin/{name}.md" for name in ("build", "plan", "explore", "code-reviewer")} <= names
    sheets = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src").rglob("*.tcss")}
    assert sheets
    assert sheets <= names
    assert "decode_core/py.typed" in names
    assert not any(name.startswith(("tests/", "docs/")) for name in names)


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
