"""Every reasonable reading of a shell call, for deny and ask rules (permissions.md §4, "Wide"). Pure; never raises."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, product

from decode_core.permissions.keeping import kept_by_text
from decode_core.permissions.shell import MAX_COMMAND_BYTES
from decode_core.permissions.shell.pieces import Variable
from decode_core.permissions.shell.reading import read_script
from decode_core.permissions.shell.script import Script, SimpleCommand
from decode_core.permissions.shell.words import Word
from decode_core.permissions.shell.wrappers import base_name, look_through, wrapper_of

MAX_READINGS = 4_096
MAX_READ_CHARACTERS = 2_000_000
MAX_DEPTH = 12
"""Wrappers and shells in one another; deeper ones count as unread."""
MAX_CHOICES = 32
"""Combinations of values that the variables of one command may have; more count as unread."""

MAX_LOOSE_WORDS = 60
"""Words that are looked at of each piece of text that does not parse."""

_OPERATORS = re.compile(r"[;&|<>$(){}\[\]`\n]+")
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
_KEYWORDS = frozenset({"if", "then", "elif", "else", "do", "while", "until", "time", "!"})
_URL = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


@dataclass(frozen=True)
class Wide:
    """What deny and ask rules are tried on."""

    readings: tuple[str, ...]
    words: tuple[str, ...]
    """Every word, option value and redirection target: what may name a path."""
    unread: str | None
    """Why a patterned deny or ask rule for the shell may be meant for something unseen in it."""
    has_unknown_words: bool
    """A word or target stays unknown: a deny or ask rule for files may be meant for it."""
    has_patterns: bool
    """A word is a pattern, and only the file system tells what it matches."""


@kept_by_text
def read_wide(text: str) -> Wide:
    """Every reading of the call `text`."""
    reader = _Reader()
    reader.keep(text)
    reader.keep(" ".join(text.split()))
    reader.script(read_script(text), text, 0)
    return Wide(
        tuple(reader.readings),
        tuple(dict.fromkeys(reader.words)),
        reader.unread,
        reader.has_unknown_words,
        reader.has_patterns,
    )


@dataclass(frozen=True)
class _Token:
    text: str
    is_known: bool


class _Reader:
    def __init__(self) -> None:
        self.readings: dict[str, None] = {}
        self.words: list[str] = []
        self.unread: str | None = None
        self._inner_characters = 0
        self._read_characters = 0
        self.has_unknown_words = False
        self.has_patterns = False

    def keep(self, reading: str) -> None:
        self._read_characters += len(reading)
        if len(self.readings) >= MAX_READINGS or self._read_characters > MAX_READ_CHARACTERS:
            self.miss("it holds too many commands to read them all")
        else:
            self.readings[reading] = None

    def miss(self, why: str) -> None:
        self.unread = self.unread or why

    def script(self, script: Script, text: str, depth: int) -> None:
        if depth > MAX_DEPTH:
            self.miss("it runs shells in shells, too deep to follow")
            return
        if not script.is_parsed:
            self.miss(f"{script.problem}")
            self.has_unknown_words = True
            self.words.extend(loose_words(text))
            for reading in loose_readings(text):
                self.keep(reading)
            return
        for command in script.commands:
            for _, value in command.assignments:
                if value is not None:
                    self._note(value.texts({}), is_known=value.value is not None)
            for tokens in self._choices(command, script):
                self._command(tokens, command, script, depth)
        for redirection in script.redirections:
            self._note_word(redirection.target, script)

    def _command(self, tokens: list[_Token], command: SimpleCommand, script: Script, depth: int) -> None:
        if not tokens:
            return
        if depth > MAX_DEPTH:
            self.miss("it runs commands in commands, too deep to follow")
            return
        program = tokens[0]
        if not program.is_known or program.text in ("{}", ""):
            self.miss("a program's name is only known when it runs")
        rest = " ".join(" ".join(token.text for token in tokens[1:]).split())
        self.keep(f"{base_name(program.text)} {rest}".rstrip())
        if "/" in program.text:
            self.keep(f"{program.text} {rest}".rstrip())
        values = [token.text if token.is_known else None for token in tokens]
        inner = look_through(values)
        if inner is None:
            for start in range(1, len(tokens)):
                self._suffix(tokens[start:])
            self.miss(f"it is not known what {base_name(program.text)} runs")
            return
        for each in inner:
            if each.words is not None:
                words = tokens[each.words[0] : each.words[1]]
                if each.appended:
                    words = [*words, _Token("{}", is_known=True)]
                self._command(_without_assignments(words), command, script, depth + 1)
            elif each.text is not None:
                self._text(each.text, depth)
            elif each.reads_input:
                self._input(command, script, depth)
            else:
                self.miss(f"what {base_name(program.text)} runs is only known when it runs")

    def _suffix(self, tokens: list[_Token]) -> None:
        """A command that may begin here."""
        rest = " ".join(" ".join(token.text for token in tokens[1:]).split())
        self.keep(f"{base_name(tokens[0].text)} {rest}".rstrip())

    def _text(self, text: str, depth: int) -> None:
        """Text that a shell runs."""
        self._inner_characters += len(text)
        if self._inner_characters > MAX_COMMAND_BYTES:
            self.miss("it runs more text in shells than can be followed")
            return
        self.script(read_script(text), text, depth + 1)

    def _input(self, command: SimpleCommand, script: Script, depth: int) -> None:
        """A shell that runs what it reads: here-documents, here-strings, and what literal text is piped to it."""
        texts: list[str | None] = [*command.texts_in]
        feeding = script.commands[slice(*command.fed_by)] if command.fed_by else ()
        for feeder in feeding:
            texts.extend(feeder.texts_in)
            if feeder.program in ("echo", "printf"):
                words = [word.value for word in feeder.words[1:]]
                known = [value for value in words if value is not None]
                texts.append(" ".join(known) if len(known) == len(words) else None)
                texts.extend(known)
        if not texts or any(text is None for text in texts):
            self.miss("a shell runs what it reads, and that is only known when it runs")
        for text in texts:
            if text is not None:
                self._text(text, depth)
                if "\\n" in text:
                    self._text(text.replace("\\n", "\n"), depth)

    def _choices(self, command: SimpleCommand, script: Script) -> Iterator[list[_Token]]:
        """The tokens of a command under each choice of values of its variables; unset ones are empty, too."""
        for word in command.words[1:]:
            self._note_word(word, script)
        names = list(dict.fromkeys(variable.name for word in command.words for variable in word.variables))
        domains = [_values_of(name, command, script) for name in names]
        combinations = list(islice(product(*domains), MAX_CHOICES + 1))
        if len(combinations) > MAX_CHOICES:
            self.miss("its variables may have too many values")
        for combination in combinations[:MAX_CHOICES]:
            variables = dict(zip(names, combination, strict=True))
            yield _tokens(command, script, variables)

    def _note_word(self, word: Word, script: Script) -> None:
        for form in word.forms:
            if form.glob is not None:
                self.has_patterns = True
            self._note(form.text, is_known=form.is_known or form.variable in script.loops)
        for variable in word.variables:
            for value in script.values.get(variable.name, ()):
                if value is None:
                    self.has_unknown_words = True
                else:
                    self._note(word.texts({variable.name: value}), is_known=True)

    def _note(self, text: str, *, is_known: bool) -> None:
        self.has_unknown_words = self.has_unknown_words or not is_known
        self.words.extend(path_readings(text))


def path_readings(text: str) -> Iterator[str]:
    """What in a word may name a path: the word, the value of an option, and the parts around `=`, `:` and `,`."""
    if not text:
        return
    yield text
    if _URL.match(text):
        return
    if text.startswith("-") and not text.startswith("--") and len(text) > 2:
        yield text[2:]
    if "=" in text or ":" in text or "," in text or "@" in text:
        yield from (part for part in re.split(r"[=:,@]", text) if part)
        yield from (part for part in text.split("=", 1)[1:] if part)


def loose_readings(text: str) -> Iterator[str]:
    """Readings of text that does not parse: every piece between operators, and what wrappers run."""
    unquoted = text.replace("\\\n", "").replace("\\", "").replace("'", "").replace('"', "")
    for piece in _OPERATORS.split(unquoted):
        words = piece.split()
        begin = 0
        while begin < len(words) and (_ASSIGNMENT.match(words[begin]) or words[begin] in _KEYWORDS):
            begin += 1
        words = words[begin : begin + MAX_LOOSE_WORDS]
        behind_wrapper = False
        for index, word in enumerate(words):
            if index == 0 or behind_wrapper:
                reading = " ".join([base_name(word), *words[index + 1 :]])
                yield reading
                yield f"{reading} {{}}"
            behind_wrapper = behind_wrapper or wrapper_of([word]) is not None


def loose_words(text: str) -> list[str]:
    """Every word in text that does not parse."""
    pieces = re.split(r"[\s;&|<>$(){}`\"'\\]+", text)
    return [word for piece in pieces for word in path_readings(piece)]


def _values_of(name: str, command: SimpleCommand, script: Script) -> list[str]:
    prefix = [value.texts({}) for variable, value in command.assignments if variable == name and value is not None]
    known = [value for value in script.values.get(name, ()) if value is not None]
    loop = [word.texts({}) for word in script.loops.get(name, ())]
    return list(dict.fromkeys([*known, *loop, *prefix, ""]))


def _tokens(command: SimpleCommand, script: Script, variables: Mapping[str, str]) -> list[_Token]:
    tokens: list[_Token] = []
    for word in command.words:
        text = word.texts(variables)
        is_known = not word.has_hole and all(_is_literal(variable, script) for variable in word.variables)
        is_known = is_known and not any(form.glob is not None for form in word.forms)
        splits = len(word.forms) > 1 or any(not variable.quoted for variable in word.variables)
        if not splits:
            tokens.append(_Token(text, is_known))
        else:
            tokens.extend(_Token(part, is_known) for part in text.split())
            if not is_known and not text.split() and not tokens:
                # `$X rm y`: the program may be X or what follows
                tokens.append(_Token("", is_known=False))
    if len(tokens) > 1 and tokens[0].text == "" and not tokens[0].is_known:
        return [_Token(tokens[1].text, is_known=False), *tokens[2:]]
    return tokens


def _is_literal(variable: Variable, script: Script) -> bool:
    if variable.name in ("HOME", "PWD") and variable.name not in script.values:
        return True
    values = script.values.get(variable.name)
    return bool(values) and all(value is not None for value in values or ())


def _without_assignments(tokens: list[_Token]) -> list[_Token]:
    while tokens and _ASSIGNMENT.match(tokens[0].text):
        tokens = tokens[1:]
    return tokens
