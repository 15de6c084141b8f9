"""The environment of commands: what the person has, without secrets and without what steers bash itself."""

import os
import re
from collections.abc import Collection, Mapping

from decode_core.search_path import trusted_path
from decode_core.workspace import Workspace

_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASSW", re.IGNORECASE)
_AGENT_SOCKETS = frozenset({"SSH_AUTH_SOCK", "SSH_AGENT_PID", "GPG_AGENT_INFO", "GNOME_KEYRING_CONTROL"})
_STEERS_BASH = frozenset(
    {"BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "PROMPT_COMMAND", "PS4", "CDPATH", "GLOBIGNORE", "POSIXLY_CORRECT"}
)


def shell_environment(environ: Mapping[str, str], passed: Collection[str] = ()) -> dict[str, str]:
    """Return what a command may see of `environ`.

    Names that match KEY, TOKEN, SECRET or PASSW and the sockets of key agents are dropped unless they stand in `passed`
    (setting `env.pass`); what would make bash run or read something before the command is always dropped. The terminal
    is a dumb one.
    """
    kept = {
        name: value
        for name, value in environ.items()
        if not (name in _STEERS_BASH or name.startswith("BASH_FUNC_"))
        and (name in passed or not (_SECRET.search(name) or name in _AGENT_SOCKETS))
    }
    return kept | {"TERM": "dumb"}


_CLOSED_NAMES = frozenset({"HOME", "USER", "LOGNAME", "LANG", "TZ", "COLUMNS"})

GIT_CONFIG = {
    "safe.bareRepository": "explicit",
    "core.hooksPath": "/dev/null",
    "core.fsmonitor": "false",
    "log.showSignature": "false",
}
"""What git is told for a proven call, whatever its own files say (permissions.md §6)."""


def closed_environment(environ: Mapping[str, str], workspace: Workspace) -> dict[str, str]:
    """Return the environment of a call that is proven to only read: a few names, and git held still.

    Nothing in it makes a program read a file of settings, load code or call another program. `PATH` keeps the absolute
    folders outside the workspace and outside temporary folders. The variables for git are the exact counterparts of
    `git --no-pager --no-optional-locks -c KEY=VALUE …`; as variables they also hold for git behind `timeout`.
    """
    kept = {name: value for name, value in environ.items() if name in _CLOSED_NAMES or name.startswith("LC_")}
    git = {"GIT_CONFIG_COUNT": str(len(GIT_CONFIG))}
    for number, (key, value) in enumerate(GIT_CONFIG.items()):
        git |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return {
        **kept,
        **git,
        "PATH": trusted_path(environ.get("PATH", os.defpath), workspace.holds),
        "TERM": "dumb",
        "PAGER": "cat",
        "GIT_PAGER": "cat",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_TERMINAL_PROMPT": "0",
    }
