"""Where a measurement runs: a scratch project with a home of its own, and a model server beside it."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench import server_program

MODEL = "bench"
TESTS = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Place:
    """A project folder, and the variables under which programs find its home and the bench itself."""

    project: Path
    env: dict[str, str]
    base_url: str

    def module(self, name: str, *args: str) -> list[str]:
        """The command line of a Python module."""
        return [sys.executable, "-m", name, *args]


@contextmanager
def place(rules: Sequence[str] = ()) -> Iterator[Place]:
    """A fresh place; `rules` are allow rules of the person."""
    with tempfile.TemporaryDirectory(prefix="decode-bench-") as folder, model_server() as base_url:
        home = Path(folder) / "home"
        project = Path(folder) / "project"
        project.mkdir()
        (project / "notes.md").write_text("notes\n")
        (home / "config" / "decode").mkdir(parents=True)
        model = {"model": MODEL, "base_url": base_url}
        settings = {"models": {MODEL: model}, "permissions": {"allow": list(rules)}}
        (home / "config" / "decode" / "settings.json").write_text(json.dumps(settings))
        env = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
        paths = [str(TESTS), os.environ.get("PYTHONPATH", "")]
        env |= {"HOME": str(home), "PYTHONPATH": os.pathsep.join(filter(None, paths)), "DECODE_MODEL": "offline"}
        env |= {"PYTHONDONTWRITEBYTECODE": ""}  # an installed program is compiled once, not at each start
        yield Place(project, env, base_url)


@contextmanager
def model_server() -> Iterator[str]:
    """Run the server and give its address."""
    command = [sys.executable, str(Path(server_program.__file__))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip()
        finally:
            process.terminate()
