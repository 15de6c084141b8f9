"""Programs that run another command which stands among their arguments: a table, and looking through it. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import PurePosixPath


class Style(Enum):
    """How a wrapper is told what to run."""

    WORDS = "words"
    """The rest of the words is the command."""
    SHELL_TEXT = "shell text"
    """The rest of the words, joined by blanks, is read by a shell."""
    FIRST_WORD = "first word"
    """The first word alone is read by a shell."""
    SHELL = "shell"
    """A shell: `-c TEXT`, a script file, or what it reads."""
    FIND = "find"
    """`-exec` and its relatives among the words, up to `;` or `+`."""
    FD = "fd"
    """`-x` or `-X` among the words, up to `;` or the end."""


@dataclass(frozen=True)
class Wrapper:
    """How one wrapper takes its words. Options that are not listed leave open where the command begins."""

    name: str
    style: Style = Style.WORDS
    flags: str = ""
    """Options without a value; short ones may stand together."""
    valued: str = ""
    """Options with a value, joined or as the next word."""
    operands: int = 0
    """Words of its own that stand before the command, such as the seconds of `timeout`."""
    takes_assignments: bool = False
    appends: bool = False
    """It appends words that it reads: `xargs rm` runs `rm {}`."""
    is_transparent: bool = False
    """A rule has to cover only the inner command."""


_SHELL_NAMES = ("sh", "bash", "dash", "zsh", "ksh")

WRAPPERS = {
    wrapper.name: wrapper
    for wrapper in (
        Wrapper(
            "sudo",
            flags="-A -b -E -H -K -k -n -P -S -s -i -v --preserve-env --set-home --non-interactive --login --shell",
            valued="-u -g -h -p -C -D -R -T -U -r -t --user --group --host --prompt --chdir",
            takes_assignments=True,
        ),
        Wrapper("doas", flags="-L -n -s", valued="-a -C -u"),
        Wrapper(
            "env",
            flags="-i - -0 -v --ignore-environment --null --debug",
            valued="-u -C --unset --chdir",
            takes_assignments=True,
        ),
        Wrapper("command", flags="-p", is_transparent=True),
        Wrapper("builtin", is_transparent=True),
        Wrapper("exec", flags="-c -l", valued="-a"),
        Wrapper("nice", valued="-n --adjustment", is_transparent=True),
        Wrapper("ionice", flags="-t --ignore", valued="-c -n --class --classdata"),
        Wrapper("nohup"),
        Wrapper("time", flags="-p", is_transparent=True),
        Wrapper(
            "timeout",
            flags="-f -p -v --foreground --preserve-status --verbose",
            valued="-k -s --kill-after --signal",
            operands=1,
            is_transparent=True,
        ),
        Wrapper("stdbuf", valued="-i -o -e --input --output --error", is_transparent=True),
        Wrapper("setsid", flags="-c -f -w --ctty --fork --wait"),
        Wrapper(
            "watch",
            Style.SHELL_TEXT,
            flags="-b -c -d -e -g -p -t -x --beep --color --differences --errexit --chgexit --precise --exec",
            valued="-n -q --interval",
        ),
        Wrapper(
            "xargs",
            flags="-0 -r -t -p -x -o --null --no-run-if-empty --verbose --interactive --exit --open-tty",
            valued="-a -d -E -I -L -n -P -s --arg-file --delimiter --max-lines --max-args --max-procs --max-chars",
            appends=True,
        ),
        Wrapper("parallel", flags="-0 -k -q -u -X -m --null", valued="-j -n -N -I -a --jobs", appends=True),
        Wrapper("busybox"),
        Wrapper("coproc"),
        Wrapper(
            "ssh",
            Style.SHELL_TEXT,
            flags="-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y",
            valued="-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w",
            operands=1,
        ),
        Wrapper("eval", Style.SHELL_TEXT),
        Wrapper("trap", Style.FIRST_WORD, flags="-l -p"),
        Wrapper("find", Style.FIND),
        Wrapper("fd", Style.FD),
        Wrapper("fdfind", Style.FD),
        *(Wrapper(name, Style.SHELL) for name in _SHELL_NAMES),
    )
}

_EXEC_OPTIONS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")

Value = str | None
"""A word as far as it is known."""


@dataclass(frozen=True)
class Inner:
    """What a wrapper runs: some of its words, or text for a shell."""

    words: tuple[int, int] | None = None
    """The words from the first number up to the second."""
    appended: bool = False
    """More words follow that are only known when it runs."""
    text: str | None = None
    reads_input: bool = False
    """A shell that runs whatever it reads."""
    is_unknown: bool = False
    """Something is run, and only running tells what."""


def wrapper_of(values: Sequence[Value]) -> Wrapper | None:
    """The wrapper that a command's program is, by its base name."""
    return WRAPPERS.get(base_name(values[0])) if values and values[0] is not None else None


def base_name(program: str) -> str:
    """The last part of a program's path."""
    return (PurePosixPath(program).name or program) if "/" in program else program


def look_through(values: Sequence[Value]) -> list[Inner] | None:
    """What the command runs besides itself. None: an option is not known, so that any word may begin a command."""
    wrapper = wrapper_of(values)
    if wrapper is None or (wrapper.name == "command" and values[1:2] in (["-v"], ["-V"])):
        return []
    match wrapper.style:
        case Style.FIND:
            return _find(values)
        case Style.FD:
            return _fd(values)
        case Style.SHELL:
            return _shell(values)
    start = _first_own_word(wrapper, values)
    if start is None:
        return None
    if wrapper.name == "env" and (split := _env_split(values, start)) is not None:
        return split
    start += wrapper.operands
    if start >= len(values):
        return []
    match wrapper.style:
        case Style.SHELL_TEXT:
            return [_joined(values[start:])]
        case Style.FIRST_WORD:
            return [_joined(values[start : start + 1])]
    stop = next((index for index in range(start, len(values)) if values[index] in (":::", "::::")), len(values))
    found = [Inner((start, stop), appended=wrapper.appends)]
    if wrapper.name == "parallel":
        found.append(_joined(values[start:stop]))
    if wrapper.name == "coproc" and start + 1 < len(values):
        found.append(Inner((start + 1, len(values))))
    return found


def _first_own_word(wrapper: Wrapper, values: Sequence[Value]) -> int | None:
    """Where options and assignments end; None where an option is not in the table."""
    flags, valued = wrapper.flags.split(), wrapper.valued.split()
    index = 1
    while index < len(values):
        value = values[index]
        if value is None:
            return None
        if wrapper.takes_assignments and _ASSIGNMENT.match(value):
            index += 1
        elif value == "--":
            return index + 1
        elif (
            not value.startswith("-")
            or (value == "-" and "-" not in flags)
            or (wrapper.name == "env" and re.match(r"-[iv0]*S|--split-string", value))
        ):
            return index
        elif value in flags or (wrapper.name == "nice" and re.fullmatch(r"--?\d+", value)):
            index += 1
        elif value in valued:
            index += 2
        elif value.startswith("--"):
            if value.partition("=")[0] not in (*valued, *flags):
                return None
            index += 1
        else:
            step = _cluster(value, flags, valued)
            if step is None:
                return None
            index += step
    return index


def _cluster(value: str, flags: Sequence[str], valued: Sequence[str]) -> int | None:
    """How many words a cluster of short options takes; None where one of them is unknown."""
    for position, letter in enumerate(value[1:], 1):
        if f"-{letter}" in valued:
            return 1 if position + 1 < len(value) else 2
        if f"-{letter}" not in flags:
            return None
    return 1


def _env_split(values: Sequence[Value], start: int) -> list[Inner] | None:
    value = values[start] if start < len(values) else None
    if value is None or not (found := re.match(r"-[iv0]*S|--split-string=?", value)):
        return None
    rest = [part for part in (value[found.end() :], *values[start + 1 :]) if part != ""]
    return [_joined(rest)]


def _joined(values: Sequence[Value]) -> Inner:
    if any(value is None for value in values):
        return Inner(is_unknown=True)
    return Inner(text=" ".join(value for value in values if value is not None))


def _find(values: Sequence[Value]) -> list[Inner]:
    found: list[Inner] = []
    for index, value in enumerate(values):
        if value in _EXEC_OPTIONS:
            ends = (at for at in range(index + 1, len(values)) if values[at] in (";", "+"))
            stop = next(ends, len(values))
            if stop > index + 1:
                found.append(Inner((index + 1, stop)))
    return found


def _fd(values: Sequence[Value]) -> list[Inner] | None:
    for index, value in enumerate(values):
        if value is None:
            return None
        if value in ("-x", "-X", "--exec", "--exec-batch"):
            stop = next((at for at in range(index + 1, len(values)) if values[at] == ";"), len(values))
            return [Inner((index + 1, stop), appended=True)]
        if re.match(r"-[a-zA-Z]*[xX]|--exec", value):
            return None
    return []


def _shell(values: Sequence[Value]) -> list[Inner]:
    index, takes_text = 1, False
    while index < len(values):
        value = values[index]
        if value is None:
            return [Inner(is_unknown=True)]
        if value in ("-", "--"):
            index += 1
            break
        if value.startswith("--"):
            index += 2 if value in ("--rcfile", "--init-file") else 1
        elif value[:1] in ("-", "+") and len(value) > 1:
            takes_text = takes_text or (value[0] == "-" and "c" in value)
            if not takes_text and value[0] == "-" and "s" in value:
                return [Inner(reads_input=True)]
            index += 2 if value[-1] in "oO" else 1
        else:
            break
    if takes_text:
        return [_joined(values[index : index + 1])] if index < len(values) else []
    return [Inner(reads_input=True)] if index >= len(values) or values[index] == "/dev/stdin" else []
