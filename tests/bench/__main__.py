"""`python -m bench [--json FILE] [SECTION …]`: measures and prints the table."""

import argparse
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from bench import burst, gate_checks, keys, memory, reloads, sandbox, starts, store, tool_calls
from bench.figures import Figure, table, write_json
from bench.places import Place, place

SECTIONS: dict[str, Callable[[Place], Iterator[Figure]]] = {
    "starts": starts.measure,
    "keys": keys.measure,
    "burst": burst.measure,
    "memory": memory.measure,
    "gate": gate_checks.measure,
    "calls": tool_calls.measure,
    "sandbox": sandbox.measure,
    "agents": reloads.measure,
    "store": store.measure,
}
IN_TMUX = frozenset({"starts", "keys", "burst", "memory"})


def main() -> int:
    """Measure the sections that were named, or all; 2 where a section needs what this machine lacks."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measures decode against reference runs.")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"of {', '.join(SECTIONS)}; default: all")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    given = parser.parse_args()
    if unknown := set(given.sections) - set(SECTIONS):
        parser.error(f"there is no section {', '.join(sorted(unknown))}; there are: {', '.join(SECTIONS)}")
    names = given.sections or list(SECTIONS)
    if IN_TMUX & set(names) and (shutil.which("tmux") is None or not Path("/proc/self/task").is_dir()):
        parser.error(
            "these sections need tmux and Linux; `gate`, `calls`, `sandbox`, `agents` and `store` run anywhere"
        )
    figures: list[Figure] = []
    with place() as here:
        for name in names:
            sys.stderr.write(f"measuring {name} …\n")
            figures += SECTIONS[name](here)
    sys.stdout.write(table(figures))
    if given.json is not None:
        write_json(figures, given.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
