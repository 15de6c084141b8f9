"""The closed environment of proven calls: a few names, a trusted PATH, and git held still."""

from pathlib import Path

from decode_core.tools.shell_environment import closed_environment
from decode_core.workspace import Workspace


def test_only_harmless_names_are_kept(tmp_path: Path) -> None:
    steering = (
        "BASH_ENV",
        "BASH_FUNC_ls%%",
        "GIT_DIR",
        "GIT_PAGER",
        "LESSOPEN",
        "LESS",
        "RIPGREP_CONFIG_PATH",
        "LD_PRELOAD",
    )
    environ = {"HOME": "/home/x", "LC_ALL": "C", "API_KEY": "k", "PATH": "/usr/bin", **dict.fromkeys(steering, "evil")}
    kept = closed_environment(environ, Workspace(tmp_path))
    assert kept["HOME"] == "/home/x"
    assert kept["LC_ALL"] == "C"
    assert "evil" not in kept.values()
    assert "API_KEY" not in kept


def test_path_keeps_absolute_folders_outside_the_workspace_and_temporary_folders(tmp_path: Path) -> None:
    workspace = Workspace(Path("/home/x/ws"))
    path = "/home/x/ws/bin:.:bin::/tmp/bin:/var/tmp:/usr/bin:/bin"
    assert closed_environment({"PATH": path}, workspace)["PATH"] == "/usr/bin:/bin"


def test_git_is_told_to_run_nothing_and_to_write_nothing(tmp_path: Path) -> None:
    kept = closed_environment({}, Workspace(tmp_path))
    told = {kept[f"GIT_CONFIG_KEY_{n}"]: kept[f"GIT_CONFIG_VALUE_{n}"] for n in range(int(kept["GIT_CONFIG_COUNT"]))}
    assert told == {
        "safe.bareRepository": "explicit",
        "core.hooksPath": "/dev/null",
        "core.fsmonitor": "false",
        "log.showSignature": "false",
    }
    assert (kept["GIT_OPTIONAL_LOCKS"], kept["GIT_NO_LAZY_FETCH"]) == ("0", "1")
