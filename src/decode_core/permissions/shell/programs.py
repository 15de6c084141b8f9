"""What an entry of the program tables says, and how the words of a command are read by it. Pure.

For a program with an entry, a wildcard in a rule covers only what the entry lists; whatever else stands among the words
is a hazard, because it may make an innocent program run code, write, or leave the workspace (permissions.md §4).
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache


class Operands(Enum):
    """What the words that are no options are."""

    NONE = "none"
    """There are none; one is a hazard."""
    TEXT = "text"
    """Text that names no file."""
    FILES = "files"
    """Files that are read."""
    ONE_FILE = "one file"
    """One file that is read; a second one would be written."""
    TEXT_THEN_FILES = "text, then files"
    """One text, such as a pattern, then files that are read."""


@dataclass(frozen=True)
class Arg:
    """One word as the program gets it, after patterns, braces and loop variables."""

    text: str
    is_known: bool = True
    number: int = 0
    """The word of the command that it comes from."""
    is_expanded: bool = False
    """It comes from a pattern or a loop: the author of a rule did not see it."""
    is_one_word: bool = True


@dataclass
class Use:
    """What a command does, as far as its entry tells."""

    hazard: str | None = None
    """Why no wildcard covers it, as a clause."""
    unproven: str | None = None
    """Why it is not taken for a mere read, as a clause."""
    reads: list[Arg] = field(default_factory=list)
    texts: set[int] = field(default_factory=set)
    """Numbers of words that are text and name no file."""
    is_metadata: bool = False
    is_recursive: bool = False
    skips_hidden: bool = False
    subcommand: str | None = None
    prints_history: bool = False
    pathspecs: list[Arg] | None = None
    """Git only: the words behind `--`; None where there is no `--`."""

    def danger(self, why: str) -> None:
        """Note a hazard; what is one is not proven either."""
        self.hazard = self.hazard or why
        self.unproven = self.unproven or why

    def doubt(self, why: str) -> None:
        """Note that it cannot be proven."""
        self.unproven = self.unproven or why


Special = Callable[[Sequence[Arg], Use], None]


@dataclass(frozen=True)
class Program:
    """One entry: everything in it only reads, except what is listed as `ordinary`, which a rule may cover, no more."""

    names: str
    flags: str = ""
    """Options without a value."""
    texts: str = ""
    """Options whose value is text or a number."""
    files: str = ""
    """Options whose value is a file that is read."""
    optional: str = ""
    """Long options that may carry `=text`, never the next word."""
    operands: Operands = Operands.FILES
    ordinary: str = ""
    """Options without a value that a wildcard covers although they do more than read."""
    ordinary_texts: str = ""
    """The same, with a value."""
    recursive: str = ""
    """Options (also listed above) with which it goes down into folders."""
    pattern_options: str = ""
    """Options (also listed above) that take the place of the first text operand."""
    always_recursive: bool = False
    skips_hidden: bool = False
    hidden: str = ""
    """Options (also listed above) with which it no longer skips hidden files."""
    is_metadata: bool = False
    """It reads names and properties of files, never what they hold."""
    is_read: bool = True
    """Whether it can be proven to read at all; else the entry only serves to tell ordinary uses from hazards."""
    takes_numbers: bool = False
    """`-20` counts as an option."""
    special: Special | None = None
    """A further look at all words, after the options."""
    reader: Special | None = None
    """Reads all words by itself: they are a language of their own, not options and operands."""

    def read(self, args: Sequence[Arg]) -> Use:
        """What a command with these words does."""
        use = Use(is_metadata=self.is_metadata, is_recursive=self.always_recursive, skips_hidden=self.skips_hidden)
        if not self.is_read:
            use.doubt("the program does more than read")
        if self.reader is not None:
            self.reader(args, use)
        else:
            _read_options(self, args, use)
        return use


def _read_options(program: Program, args: Sequence[Arg], use: Use) -> None:
    options = _Options(program)
    operands: list[Arg] = []
    index, behind_dashes = 0, False
    while index < len(args):
        arg = args[index]
        index += 1
        if not arg.is_known:
            if program.operands is Operands.TEXT and arg.is_one_word:
                use.texts.add(arg.number)
            else:
                use.danger("a word is only known when it runs")
            continue
        if behind_dashes or not arg.text.startswith("-") or arg.text == "-":
            operands.append(arg)
            continue
        if arg.is_expanded:
            use.danger(f"a pattern or loop gives the option {arg.text}")
            continue
        if arg.text == "--":
            behind_dashes = True
            use.pathspecs = []
            continue
        needed = options.read(arg, use)
        if needed is not None:
            if index >= len(args):
                use.doubt(f"{arg.text} has no value")
            else:
                options.value(needed, args[index], use)
                index += 1
    if program.special is not None:
        program.special(args, use)
    _read_operands(program, operands, options.has_pattern, use)


@lru_cache(maxsize=512)
def _listed(text: str) -> frozenset[str]:
    """The options of an entry: there are as many texts as the tables hold."""
    return frozenset(text.split())


class _Options:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._flags = _listed(program.flags)
        self._texts = _listed(program.texts)
        self._files = _listed(program.files)
        self._optional = _listed(program.optional)
        self._ordinary = _listed(program.ordinary)
        self._ordinary_texts = _listed(program.ordinary_texts)
        self._recursive = _listed(program.recursive)
        self._patterns = _listed(program.pattern_options)
        self._hidden = _listed(program.hidden)
        self.has_pattern = False

    def read(self, arg: Arg, use: Use) -> str | None:
        """Read one word of options. Returns the option whose value is the next word, if there is one."""
        text = arg.text
        if self._program.takes_numbers and re.fullmatch(r"-\d+", text):
            return None
        if text in self._valued or text in self._flags | self._ordinary | self._optional:
            self._note(text, use)
            return text if text in self._valued else None
        if text.startswith("--"):
            name, equals, value = text.partition("=")
            if equals and (name in self._valued or name in self._optional):
                self._note(name, use)
                self.value(name, Arg(value, number=arg.number), use)
            else:
                use.danger(f"{name} is no ordinary option")
            return None
        for position, letter in enumerate(text[1:], 1):
            option = f"-{letter}"
            if option in self._valued:
                self._note(option, use)
                if position + 1 == len(text):
                    return option
                self.value(option, Arg(text[position + 1 :], number=arg.number), use)
                return None
            if option not in self._flags | self._ordinary:
                use.danger(f"{option} is no ordinary option")
                return None
            self._note(option, use)
        return None

    def value(self, option: str, arg: Arg, use: Use) -> None:
        """Read the value of an option."""
        if not arg.is_known:
            use.danger(f"the value of {option} is only known when it runs")
        elif option in self._files:
            use.reads.append(arg)
        elif option in self._texts | self._optional:
            use.texts.add(arg.number)

    @property
    def _valued(self) -> frozenset[str]:
        return self._texts | self._files | self._ordinary_texts

    def _note(self, option: str, use: Use) -> None:
        if option in self._ordinary | self._ordinary_texts:
            use.doubt(f"{option} does more than read")
        use.is_recursive = use.is_recursive or option in self._recursive
        use.skips_hidden = use.skips_hidden and option not in self._hidden
        self.has_pattern = self.has_pattern or option in self._patterns


def _read_operands(program: Program, operands: list[Arg], has_pattern: bool, use: Use) -> None:  # noqa: FBT001
    match program.operands:
        case Operands.NONE:
            if operands:
                use.danger(f"{operands[0].text} is no ordinary word for it")
        case Operands.TEXT:
            use.texts.update(arg.number for arg in operands)
        case Operands.FILES:
            use.reads.extend(operands)
        case Operands.ONE_FILE:
            use.reads.extend(operands)
            if len(operands) > 1:
                use.danger(f"{operands[1].text} would be written")
        case Operands.TEXT_THEN_FILES:
            if not has_pattern:
                use.texts.update(arg.number for arg in operands[:1])
                operands = operands[1:]
            use.reads.extend(operands)
    if use.is_recursive and not use.reads:
        use.reads.append(Arg("."))
