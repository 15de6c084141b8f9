"""Starts the work of a request that needs no plan."""

from decode_core.engine.offline.files import create, list_files, overwrite, read, replace_text, search
from decode_core.engine.offline.others import run_command
from decode_core.engine.offline.requests import (
    CreateFile,
    ListFiles,
    OverwriteFile,
    ReadFile,
    Replace,
    RunCommand,
    Search,
)
from decode_core.engine.offline.work import Work

Doable = ReadFile | Search | ListFiles | CreateFile | OverwriteFile | Replace | RunCommand
"""A request that can be the step of a plan."""


def carry_out(request: Doable) -> Work:
    """Return the work of `request`, not yet begun."""
    match request:
        case ReadFile():
            return read(request)
        case Search():
            return search(request)
        case ListFiles():
            return list_files(request)
        case CreateFile():
            return create(request)
        case OverwriteFile():
            return overwrite(request)
        case Replace():
            return replace_text(request)
        case RunCommand():
            return run_command(request)
