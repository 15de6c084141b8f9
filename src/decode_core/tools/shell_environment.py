"""The environment of commands: what the person has, without secrets and without what steers bash itself. Pure."""

import re
from collections.abc import Collection, Mapping

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
