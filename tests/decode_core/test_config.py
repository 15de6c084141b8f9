"""The application's folders follow XDG at call time and are private."""

import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from decode_core.config import ConfigError, cache_dir, config_dir, data_dir, make_private, state_dir

FOLDERS: list[tuple[str, Callable[[], Path]]] = [
    ("XDG_CONFIG_HOME", config_dir),
    ("XDG_DATA_HOME", data_dir),
    ("XDG_STATE_HOME", state_dir),
    ("XDG_CACHE_HOME", cache_dir),
]


@pytest.mark.parametrize(("variable", "folder"), FOLDERS)
def test_a_folder_follows_its_variable_at_call_time(
    variable: str, folder: Callable[[], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two"):
        monkeypatch.setenv(variable, str(tmp_path / name))
        assert folder() == tmp_path / name / "decode"
    assert not list(tmp_path.iterdir()), "asking for a folder makes none"


@pytest.mark.parametrize(("variable", "folder"), FOLDERS)
@pytest.mark.parametrize("value", ["", "relative/place"])
def test_a_relative_variable_is_ignored(
    variable: str, folder: Callable[[], Path], value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv(variable, value)
    assert folder().is_absolute()
    assert tmp_path in folder().parents
    assert folder().name == "decode"


def test_folders_are_made_for_their_owner_alone(tmp_path: Path) -> None:
    made = make_private(tmp_path / "a" / "b")
    assert made == tmp_path / "a" / "b"
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in (made, made.parent)] == [0o700, 0o700]


def test_a_folder_that_exists_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir(mode=0o755)
    (tmp_path / "a").chmod(0o755)
    make_private(tmp_path / "a")
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o755


@pytest.mark.parametrize("name", ["file", "file/below"])
def test_a_file_in_the_way_is_one_clear_sentence(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(ConfigError, match=str(tmp_path)) as caught:
        make_private(tmp_path / name)
    assert "\n" not in str(caught.value)
