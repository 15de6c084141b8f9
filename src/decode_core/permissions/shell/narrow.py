"""What an allow or readonly rule has to cover of a shell call, part by part (permissions.md §4, "Narrow"). Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from decode_core.permissions.keeping import kept_by_text
from decode_core.permissions.patterns import Pattern, matches
from decode_core.permissions.shell import MAX_COMMAND_BYTES
from decode_core.permissions.shell.folders import MAX_FOLDERS, join
from decode_core.permissions.shell.pieces import Hole
from decode_core.permissions.shell.program_table import NEEDS_OWN_RULE, NEVER_BY_WILDCARD, PROGRAMS
from decode_core.permissions.shell.programs import Arg, Use
from decode_core.permissions.shell.reading import read_script
from decode_core.permissions.shell.script import Redirection, Script, SimpleCommand
from decode_core.permissions.shell.words import Form, Word
from decode_core.permissions.shell.wrappers import base_name, look_through, wrapper_of

TRUSTED_FOLDERS = frozenset({"/bin", "/usr/bin", "/usr/local/bin"})
"""Where a program named by its path counts by its base name for allow rules."""

MAX_DEPTH = 8
MAX_ARGS = 4_096

Globs = Mapping[tuple[str, str], tuple[str, ...]]
"""What the file system made of a pattern: (folder, pattern) → the matching words, none where nothing matches."""

_SOCKETS = re.compile(r"/dev/(?:tcp|udp)(?:/|$)")


@dataclass(frozen=True)
class Part:
    """One simple command that a rule has to cover, wrappers looked through."""

    reading: str
    """Its words as written, one blank between them, the program by its base name where that is trusted."""
    program: str
    hazard: str | None
    """Why no wildcard covers it, as a clause."""
    command: int | None
    """Its number among the commands of the call; None inside the text of an inner shell."""
    use: Use | None = None
    """What its program's entry makes of it; None where there is no entry."""
    args: tuple[Arg, ...] = ()
    folders: frozenset[str] | None = None
    is_wrapped: bool = False
    words: tuple[Word, ...] = ()


@dataclass(frozen=True)
class Parts:
    """A call, ready to be covered. `obstacle` says why no wildcard covers it as a whole."""

    obstacle: str | None
    parts: tuple[Part, ...] = ()
    redirections: tuple[Redirection, ...] = ()
    """Those that touch a file."""


def parts_of(text: str, globs: Globs | None = None) -> Parts:
    """Take the call apart. `globs` is what patterns match; without it a leading `*` counts as unknown."""
    return _taken_apart(text, globs) if globs else _without_patterns(text)


@kept_by_text
def _without_patterns(text: str) -> Parts:
    return _taken_apart(text, {})


def _taken_apart(text: str, globs: Globs) -> Parts:
    script = read_script(text)
    gathered = _Gathered(globs)
    gathered.script(script, 0, frozenset({""}), numbered=True)
    return Parts(gathered.obstacle, tuple(gathered.parts), tuple(gathered.redirections))


def covers_part(pattern: Pattern | None, part: Part) -> bool:
    """Whether an allow rule's pattern covers the part; None is the bare rule."""
    if pattern is None:
        return True
    if part.hazard is not None or not matches(pattern, part.reading, star_crosses_slash=True):
        return False
    return not runs_what_it_is_given(part) or pattern.is_literal or pattern.prefix.startswith(part.program)


def runs_what_it_is_given(part: Part) -> bool:
    """Whether only a rule that begins with the program's own name covers it: a shell, an interpreter, a runner."""
    return base_name(part.program) in NEEDS_OWN_RULE


def equals_call(pattern: Pattern, text: str) -> bool:
    """Whether a rule without wildcards is exactly this call, which it then covers with everything in it."""
    return pattern.is_literal and pattern.literal == text.strip()


def args_of(command: SimpleCommand, script: Script, globs: Globs) -> tuple[Arg, ...]:
    """The words behind the program as it gets them: patterns, braces and loop variables expanded."""
    args: list[Arg] = []
    for number, word in enumerate(command.words[1:], 1):
        for form in word.forms:
            args.extend(_args_of_form(form, number, command, script, globs))
            if len(args) > MAX_ARGS:
                return (Arg("", is_known=False, is_one_word=False),)
    return tuple(args)


class _Gathered:
    def __init__(self, globs: Globs) -> None:
        self.obstacle: str | None = None
        self.parts: list[Part] = []
        self.redirections: list[Redirection] = []
        self._globs = globs
        self._characters = 0

    def script(self, script: Script, depth: int, base: frozenset[str] | None, *, numbered: bool) -> None:
        """All of a script; `base` is where its own folders count from."""
        self._characters += len(script.text) if depth else 0
        if depth > MAX_DEPTH or self._characters > MAX_COMMAND_BYTES:
            self._obstruct("it runs shells in shells, too deep to follow")
        elif not script.is_parsed:
            self._obstruct(f"{script.problem}")
        elif not script.commands:
            self._obstruct("it runs no command")
        else:
            self._obstruct(script.obstacle)
            for redirection in script.redirections:
                self._redirection(replace(redirection, folders=_based(redirection.folders, base)))
            for number, command in enumerate(script.commands):
                based = replace(command, folders=_based(command.folders, base))
                self.command(based, script, number if numbered else None, depth, is_wrapped=False)

    def command(
        self, command: SimpleCommand, script: Script, number: int | None, depth: int, *, is_wrapped: bool
    ) -> None:
        if not command.words:
            return  # a harmless assignment; others are an obstacle of the script
        if depth > MAX_DEPTH:
            self._obstruct("it runs commands in commands, too deep to follow")
            return
        name = command.words[0]
        if name.value is None:
            self._obstruct("a program's name is only known when it runs")
            return
        if not name.value.isascii() or not name.value:
            self._obstruct("a program's name is not plain")
            return
        values = [word.value for word in command.words]
        inner = look_through(values)
        wrapper = wrapper_of(values)
        if wrapper is None or not wrapper.is_transparent or not inner:
            self.parts.append(self._part(command, script, number, is_wrapped=is_wrapped))
        if inner is None:
            self._obstruct(f"it is not known what {base_name(name.value)} runs")
        for each in inner or ():
            if each.words is not None:
                words = command.words[each.words[0] : each.words[1]]
                if each.appended:
                    words = (*words, Word("{}", (Hole(quoted=False),)))
                if words and not re.match(r"\w+=", words[0].raw):
                    self.command(replace(command, words=words), script, number, depth + 1, is_wrapped=True)
                else:
                    self._obstruct("a wrapper sets a variable")
            elif each.text is not None:
                self.script(read_script(each.text), depth + 1, command.folders, numbered=False)
            else:
                self._obstruct("a shell runs what it reads")

    def _part(self, command: SimpleCommand, script: Script, number: int | None, *, is_wrapped: bool) -> Part:
        path = command.words[0].value or ""
        trusted = "/" in path and path.rpartition("/")[0] in TRUSTED_FOLDERS
        program = base_name(path) if trusted else path
        first = program if trusted else command.words[0].raw
        reading = " ".join([first, *(word.raw for word in command.words[1:])])
        args = args_of(command, script, self._globs)
        entry = PROGRAMS.get(program)
        use = entry.read(args) if entry is not None else None
        hazard = use.hazard if use is not None else _general_hazard(args)
        if program in NEVER_BY_WILDCARD:
            hazard = f"{program} changes what other words mean or runs text"
        return Part(
            reading, program, hazard, number, use, args, command.folders, is_wrapped=is_wrapped, words=command.words
        )

    def _redirection(self, redirection: Redirection) -> None:
        if redirection.is_free:
            return
        target = redirection.target.value
        if target is not None and _SOCKETS.match(target):
            self._obstruct("it connects to the network")
        self.redirections.append(redirection)

    def _obstruct(self, why: str | None) -> None:
        self.obstacle = self.obstacle or why


def _based(folders: frozenset[str] | None, base: frozenset[str] | None) -> frozenset[str] | None:
    if folders is None or base is None or len(folders) * len(base) > MAX_FOLDERS:
        return None
    return frozenset(join(outer, inner) for outer in base for inner in folders)


def _general_hazard(args: Sequence[Arg]) -> str | None:
    """What is a hazard for a program without an entry: words that nobody saw and that may be options."""
    behind_dashes = False
    for arg in args:
        behind_dashes = behind_dashes or arg.text == "--"
        if not arg.is_known:
            return "a word is only known when it runs"
        if arg.is_expanded and arg.text.startswith("-") and not behind_dashes:
            return f"a pattern or loop gives the option {arg.text}"
    return None


def _args_of_form(
    form: Form, number: int, command: SimpleCommand, script: Script, globs: Globs, *, in_loop: bool = False
) -> Iterator[Arg]:
    if form.glob is not None:
        matched = _matched(form, command, globs)
        if matched is not None:
            yield from (Arg(text, number=number, is_expanded=True) for text in matched)
        elif form.may_begin_with_dash:
            yield Arg(form.text, is_known=False, number=number, is_one_word=False)
        else:
            yield Arg(form.text, number=number, is_expanded=in_loop)
    elif form.is_known:
        yield Arg(form.text, number=number, is_expanded=in_loop)
    elif form.variable in script.loops and not in_loop:
        for word in script.loops[form.variable]:
            for each in word.forms:
                yield from _args_of_form(each, number, command, script, globs, in_loop=True)
    else:
        yield Arg(form.text, is_known=False, number=number, is_one_word=form.is_quoted_hole)


def _matched(form: Form, command: SimpleCommand, globs: Globs) -> tuple[str, ...] | None:
    """What the pattern matches in every folder where the command may run; itself, where it matches nothing."""
    if command.folders is None or form.glob is None:
        return None
    found: list[str] = []
    for folder in sorted(command.folders):
        matched = globs.get((folder, form.glob))
        if matched is None:
            return None
        found.extend(matched or (form.text,))
    return tuple(dict.fromkeys(found))
