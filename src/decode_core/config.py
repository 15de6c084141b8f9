"""Where the application keeps its own files: settings, data, state and caches of the person who runs it."""

import os
import stat
from pathlib import Path

import platformdirs

APP_NAME = "decode"

_PRIVATE_MODE = 0o700


class ConfigError(Exception):
    """A folder of the application cannot be used. The message is one sentence for the person."""


def config_dir() -> Path:
    """Folder of the person's own settings, agents and skills: `$XDG_CONFIG_HOME/decode`, else the platform's."""
    return _folder("XDG_CONFIG_HOME", platformdirs.user_config_path(APP_NAME, appauthor=False), ".config")


def data_dir() -> Path:
    """Folder of sessions, checkpoints and grants: `$XDG_DATA_HOME/decode`, else the platform's."""
    return _folder("XDG_DATA_HOME", platformdirs.user_data_path(APP_NAME, appauthor=False), ".local/share")


def state_dir() -> Path:
    """Folder of logs and prompt history: `$XDG_STATE_HOME/decode`, else the platform's."""
    return _folder("XDG_STATE_HOME", platformdirs.user_state_path(APP_NAME, appauthor=False), ".local/state")


def cache_dir() -> Path:
    """Folder of what can be made again: `$XDG_CACHE_HOME/decode`, else the platform's."""
    return _folder("XDG_CACHE_HOME", platformdirs.user_cache_path(APP_NAME, appauthor=False), ".cache")


def make_private(folder: Path) -> Path:
    """Create `folder` and its missing parents, open to their owner alone (0700), and return it.

    Folders that exist keep their mode bits. Raises ConfigError where something else stands in the way.
    """
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        for path in reversed(missing):
            path.mkdir(mode=_PRIVATE_MODE, exist_ok=True)
        if not stat.S_ISDIR(folder.stat().st_mode):
            raise ConfigError(f"{folder} is not a folder; move it away or set another place by XDG variables")
    except OSError as error:
        raise ConfigError(f"{folder} cannot be created ({error.strerror}); check its parent folders") from error
    return folder


def _folder(variable: str, by_platform: Path, below_home: str) -> Path:
    # The XDG specification: a relative value is invalid and ignored. Followed blindly, it would read settings out of
    # whatever folder the application happens to be started in.
    given = os.environ.get(variable, "")
    if given and (place := Path(given)).is_absolute():
        return place / APP_NAME
    if by_platform.is_absolute():
        return by_platform
    return Path.home() / below_home / APP_NAME
