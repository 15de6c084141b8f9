"""The command line. `main` answers a lone `--version` from a constant; everything else is imported when it is needed.

Exit codes (core.md §9): 0 done, 1 error, 2 usage, 3 suspended, 4 limit reached, 130 interrupted.
"""

import sys

from decode_ui import __version__


def main() -> None:
    """Entry point of the program `decode`."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        sys.stdout.write(f"decode {__version__}\n")
        return
    from decode_ui.command_line import run

    run(sys.argv[1:])
