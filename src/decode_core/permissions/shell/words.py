"""The words of a shell command: quotes removed, braces expanded, and what stays unknown until it runs. Pure."""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from decode_core.permissions.shell.braces import expand_braces, gathered
from decode_core.permissions.shell.pieces import Hole, Piece, Text, Variable
from decode_core.permissions.shell.syntax import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_GLOB = re.compile(r"[*?\[]")
_SAFE_UNQUOTED = re.compile(r"[A-Za-z0-9_/.+@%,-]*")
_ANSI_C = re.compile(r"\\(?:x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}|[0-7]{1,3}|c.|.)", re.DOTALL)
_ANSI_C_LETTERS = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "v": "\v",
}


@dataclass(frozen=True)
class Form:
    """One word as a program gets it, as far as the text tells."""

    text: str
    """The text with unknown parts left out: an unset variable counts as empty."""
    is_known: bool
    """Whether `text` is the whole word; otherwise something stands in it that only running tells."""
    glob: str | None = None
    """The pattern, where the word is one and otherwise known; `[…]` and `?` are widened to `*`."""
    variable: str | None = None
    """The word is exactly the quoted variable of this name."""
    is_quoted_hole: bool = False
    """Unknown, but one word whatever it holds: every unknown part is quoted."""

    @property
    def may_begin_with_dash(self) -> bool:
        """Whether the program may get an option for this word."""
        if self.glob is not None:
            return self.glob.startswith(("*", "-"))
        return self.text.startswith("-") or (not self.is_known and not self.text)


@dataclass(frozen=True)
class Word:
    """One word: as written, and in pieces."""

    raw: str
    pieces: tuple[Piece, ...]

    @cached_property
    def forms(self) -> tuple[Form, ...]:
        """The words that braces make of it; one without braces. Too many count as one unknown word."""
        expanded = expand_braces(list(self.pieces))
        if expanded is None:
            return (Form(self.raw, is_known=False),)
        return tuple(_form(pieces) for pieces in expanded)

    @property
    def value(self) -> str | None:
        """The one word a program gets, or None where it is unknown, a pattern, or several."""
        form = self.forms[0] if len(self.forms) == 1 else None
        return form.text if form is not None and form.is_known and form.glob is None else None

    @property
    def is_as_written(self) -> bool:
        """Whether nothing is quoted, escaped or expanded in it."""
        return self.value == self.raw

    def texts(self, variables: Mapping[str, str]) -> str:
        """The word for deny rules: variables as given, others empty, braces expanded, several words set apart."""
        expanded = expand_braces(list(self.pieces)) or [list(self.pieces)]
        return " ".join(_loose_text(pieces, variables) for pieces in expanded)

    @property
    def variables(self) -> Iterator[Variable]:
        """Every variable in it."""
        return (piece for piece in self.pieces if isinstance(piece, Variable))

    @property
    def has_hole(self) -> bool:
        """Whether something in it is neither text nor a plain variable."""
        return any(isinstance(piece, Hole) and piece.stands_for is None for piece in self.pieces)


def literal(text: str) -> Word:
    """A word that is this text, whatever it holds."""
    return Word(text, (Text(text, quoted=True),))


def read_word(node: "Node") -> Word:
    """The word that a node of the tree stands for."""
    return Word(text_of(node), tuple(gathered(list(_pieces(node, quoted=False)))))


def home() -> str:
    """The folder that `~` and `$HOME` stand for."""
    return os.path.expanduser("~")  # noqa: PTH111 - the text, not a path


def _pieces(node: "Node", *, quoted: bool) -> Iterator[Piece]:
    match node.type:
        case "word" | "number" | "brace_expression" | "extglob_pattern" | "test_operator" | "heredoc_content":
            yield from _unescaped(text_of(node))
        case "command_name":
            for child in node.children:
                yield from _pieces(child, quoted=quoted)
        case "raw_string":
            yield Text(text_of(node)[1:-1], quoted=True)
        case "ansi_c_string":
            yield Text(_decode_ansi_c(text_of(node)[2:-1]), quoted=True)
        case "string":
            yield from _in_double_quotes(node)
        case "concatenation":
            yield from _joined(node)
        case "simple_expansion" | "expansion":
            yield _expansion(node, quoted=quoted)
        case "process_substitution" if text_of(node).startswith("<("):
            yield Hole(quoted, stands_for="/dev/fd/63")
        case _ if not node.is_named:
            yield from _unescaped(text_of(node))
        case _:
            yield Hole(quoted)


def _unescaped(text: str) -> Iterator[Piece]:
    for index, part in enumerate(re.split(r"(\\.)", text, flags=re.DOTALL)):
        if index % 2:
            if part[1] != "\n":
                yield Text(part[1], quoted=True)
        elif part:
            yield Text(part, quoted=False)


def _in_double_quotes(node: "Node") -> Iterator[Piece]:
    data = node.text or b""
    position = 1
    yield Text("", quoted=True)
    for child in node.named_children:
        if child.type == "string_content":
            continue
        start, end = child.start_byte - node.start_byte, child.end_byte - node.start_byte
        # the node of an expansion may begin with the blanks before it
        blanks = len(data[start:end]) - len(data[start:end].lstrip(b" \t\n"))
        yield Text(_without_backslashes(data[position : start + blanks].decode()), quoted=True)
        yield from _pieces(child, quoted=True)
        position = end
    yield Text(_without_backslashes(data[position:-1].decode()), quoted=True)


def _without_backslashes(text: str) -> str:
    return re.sub(r'\\([$`"\\])', r"\1", text.replace("\\\n", ""))


def _joined(node: "Node") -> Iterator[Piece]:
    end = node.start_byte
    for child in node.children:
        if child.start_byte != end:
            yield Hole(quoted=False)  # something stands between that is not read
        yield from _pieces(child, quoted=False)
        end = child.end_byte


_PLAIN_EXPANSION = re.compile(r"\s*\$(?:\{(?P<braced>[A-Za-z_]\w*)\}|(?P<bare>[A-Za-z_]\w*))", re.ASCII)
_WITH_DEFAULT = re.compile(r"\s*\$\{(?P<name>[A-Za-z_]\w*):?[-+=](?P<default>[^$`\"'\\{}]*)\}", re.ASCII)


def _expansion(node: "Node", *, quoted: bool) -> Piece:
    text = text_of(node)
    if found := _PLAIN_EXPANSION.fullmatch(text):
        return Variable(found["braced"] or found["bare"], quoted)
    if found := _WITH_DEFAULT.fullmatch(text):
        return Variable(found["name"], quoted, found["default"])
    return Hole(quoted)


def _decode_ansi_c(text: str) -> str:
    def decoded(found: re.Match[str]) -> str:
        body = found[0][1:]
        if body[0] in "xuU" and len(body) > 1:
            number = int(body[1:], 16)
            return chr(number) if number < 0x110000 else ""
        if body[0] in "01234567":
            return chr(int(body, 8) & 0xFF)
        if body[0] == "c" and len(body) > 1:
            return chr(ord(body[1].upper()) & 0x1F)
        return _ANSI_C_LETTERS.get(body, body if body in "\\'\"?" else found[0])

    return _ANSI_C.sub(decoded, text)


def _form(pieces: list[Piece]) -> Form:
    text, pattern = "", ""
    is_known, is_pattern, is_one_word = True, False, True
    for index, piece in enumerate(pieces):
        match piece:
            case Text(part, quoted):
                if not quoted and "~" in part:
                    expanded = _tilde(part, index)
                    is_known = is_known and expanded is not None
                    part = expanded or part
                text += part
                if not quoted and "[" in part.rpartition("]")[2] and _closes_later(pieces[index + 1 :]):
                    is_known = False  # a set that quotes reach into
                if not quoted and _GLOB.search(part):
                    is_pattern = True
                    pattern += _widened(part)
                else:
                    pattern += part.replace("*", "[*]") if "*" in part else part
            case Variable("HOME", quoted, None) if quoted or _SAFE_UNQUOTED.fullmatch(home()):
                text, pattern = text + home(), pattern + home()
            case Variable("PWD", True, None) if not text:
                text, pattern = ".", "."
            case Hole(_, str() as stands_for):
                text, pattern = text + stands_for, pattern + stands_for
            case Variable() | Hole():
                is_known = False
                is_one_word = is_one_word and piece.quoted
    solid = [piece for piece in pieces if piece != Text("", quoted=True)]
    variable = solid[0].name if len(solid) == 1 and isinstance(solid[0], Variable) else None
    if variable is not None and (not solid[0].quoted or solid[0].default is not None):  # type: ignore[union-attr]
        variable = None
    return Form(
        text,
        is_known,
        glob=pattern if is_pattern and is_known else None,
        variable=None if is_known else variable,
        is_quoted_hole=not is_known and is_one_word,
    )


def _closes_later(pieces: list[Piece]) -> bool:
    return any(not isinstance(piece, Text) or "]" in piece.text for piece in pieces)


def _tilde(part: str, index: int) -> str | None:
    """The text with a leading `~` expanded; None where a tilde stands that bash may expand in another way."""
    if index == 0 and (part == "~" or part.startswith("~/")):
        rest = part[1:]
        return None if "~" in rest and re.search(r"[=:]~", rest) else home() + rest
    if (index == 0 and part.startswith("~")) or re.search(r"[=:]~", part):
        return None
    return part


def _widened(part: str) -> str:
    """A pattern with sets and `?` as `*`: what it matches, and possibly more.

    Everything from the first `[` to the last `]` of a name counts as one set: `[]a]` and `[[:alpha:]]` hold brackets.
    """
    return re.sub(r"\[[^/]*\]|\?|\[", "*", part)


def _loose_text(pieces: list[Piece], variables: Mapping[str, str]) -> str:
    found: list[str] = []
    for index, piece in enumerate(pieces):
        match piece:
            case Text(part, quoted):
                found.append(part if quoted else (_tilde(part, index) or part))
            case Variable("HOME", _, None) if "HOME" not in variables:
                found.append(home())
            case Variable(name, _, default):
                found.append(variables.get(name, "") or default or "")
            case Hole(_, stands_for):
                found.append(stands_for or "")
    return "".join(found)
