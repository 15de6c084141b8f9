"""Reads the words, assignments and redirections of a syntax tree, and what is run inside of them. Pure."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from decode_core.permissions.shell.folders import After
from decode_core.permissions.shell.pieces import Hole, Text
from decode_core.permissions.shell.script import Direction, Redirection, SimpleCommand
from decode_core.permissions.shell.syntax import text_of
from decode_core.permissions.shell.words import Word, read_word

if TYPE_CHECKING:
    from tree_sitter import Node

Folders = frozenset[str] | None

HARMLESS_VARIABLES = frozenset({"LANG", "TZ", "CI", "NO_COLOR", "COLUMNS"})
"""Variables, besides LC_*, that a covered call may set to literal text: they steer no program to run another."""

WORDS = frozenset(
    [
        "word",
        "number",
        "string",
        "raw_string",
        "ansi_c_string",
        "concatenation",
        "simple_expansion",
        "expansion",
        "command_substitution",
        "process_substitution",
        "arithmetic_expansion",
        "brace_expression",
        "extglob_pattern",
        "regex",
    ]
)
STATEMENTS = frozenset(
    [
        "command",
        "list",
        "pipeline",
        "compound_statement",
        "do_group",
        "else_clause",
        "elif_clause",
        "subshell",
        "negated_command",
        "redirected_statement",
        "if_statement",
        "for_statement",
        "c_style_for_statement",
        "while_statement",
        "case_statement",
        "case_item",
        "test_command",
        "variable_assignment",
        "variable_assignments",
        "function_definition",
        "declaration_command",
        "unset_command",
        "comment",
    ]
)
_ARITHMETIC = frozenset(["number", "binary_expression", "unary_expression", "parenthesized_expression"])


class WordWalker(ABC):
    """The half of the walk that looks at words; the other half knows the statements."""

    def __init__(self) -> None:
        self.commands: list[SimpleCommand] = []
        self.redirections: list[Redirection] = []
        self.obstacle: str | None = None
        self.unproven: str | None = None
        self.values: dict[str, list[str | None]] = {}
        self.loops: dict[str, tuple[Word, ...]] = {}
        self.texts_in: tuple[str | None, ...] = ()

    @abstractmethod
    def block(self, node: "Node", folders: Folders) -> After:
        """Read statements one after another."""

    @abstractmethod
    def statement(self, node: "Node", folders: Folders) -> After:
        """Read one statement."""

    def _obstruct(self, why: str) -> None:
        self.obstacle = self.obstacle or why

    def _note_sets(self, command: SimpleCommand) -> None:
        """Variables that a builtin sets behind the back of the grammar."""
        values = [word.value for word in command.words]
        match values[:1]:
            case ["read" | "mapfile" | "readarray" | "getopts" | "let"]:
                self._obstruct(f"{values[0]} sets a variable")
            case ["printf"] if any(value is None or value.startswith("-v") for value in values[1:2]):
                self._obstruct("printf may set a variable")
            case _:
                return
        for value in values[1:]:
            if value is not None and value.isidentifier():
                self.values.setdefault(value, []).append(None)

    def _word(self, node: "Node", folders: Folders) -> Word:
        self._inside(node, folders)
        return read_word(node)

    def _inside(self, node: "Node", folders: Folders) -> None:
        """Statements in substitutions below `node`, and what else stands in a word."""
        for child in [node] if node.type in WORDS else node.named_children:
            match child.type:
                case "command_substitution":
                    self._substitution(child, folders)
                case "process_substitution":
                    if not text_of(child).startswith("<("):
                        self._obstruct("it writes into another command")
                    self._substitution(child, folders)
                case "arithmetic_expansion":
                    if not all(each.type in _ARITHMETIC for each in _below(child)):
                        self._obstruct("arithmetic evaluates more than numbers")
                    for each in child.named_children:
                        self._inside(each, folders)
                case "expansion":
                    word = read_word(child)
                    if any(isinstance(piece, Hole) for piece in word.pieces) or ":=" in text_of(child):
                        self._obstruct(f"{text_of(child)} does more than read a variable")
                    for each in child.named_children:
                        self._inside(each, folders)
                case "simple_expansion" | "variable_name" | "special_variable_name":
                    pass
                case kind if kind in STATEMENTS:
                    self.statement(child, folders)
                case _:
                    for each in child.named_children:
                        self._inside_one(each, folders)

    def _inside_one(self, node: "Node", folders: Folders) -> None:
        if node.type in STATEMENTS:
            self.statement(node, folders)
        else:
            self._inside(node, folders)

    def _substitution(self, node: "Node", folders: Folders) -> None:
        texts, self.texts_in = self.texts_in, ()
        self.block(node, folders)
        self.texts_in = texts

    def _assignment(self, node: "Node", folders: Folders) -> tuple[str, Word | None]:
        name_node = node.child_by_field_name("name")
        value_node = node.child_by_field_name("value")
        for child in node.named_children:
            self._inside(child, folders)
        name = text_of(name_node) if name_node is not None else ""
        value = None
        if value_node is None:
            value = Word("", (Text("", quoted=True),))
        elif value_node.type in WORDS:
            value = read_word(value_node)
        appends = any(child.type == "+=" for child in node.children)
        text = None if value is None or appends else value.value
        if value is not None and text is None and not appends and not value.has_hole and not [*value.variables]:
            text = " ".join(form.text for form in value.forms)
        plain = name.partition("[")[0]
        self.values.setdefault(plain, []).append(text)
        if text is None or not (name in HARMLESS_VARIABLES or (name.startswith("LC_") and name.isidentifier())):
            self._obstruct(f"it sets {plain}")
        return plain, value

    def _heredoc(self, node: "Node", folders: Folders) -> str | None:
        body = next((child for child in node.named_children if child.type == "heredoc_body"), None)
        start = next(child for child in node.named_children if child.type == "heredoc_start")
        if body is None:
            return ""
        if text_of(start)[:1] in "'\"":
            return text_of(body)
        self._inside(body, folders)
        if any(child.type != "heredoc_content" for child in body.named_children):
            self.unproven = self.unproven or "a here-document holds more than text"
            # what is set beside it is still read as text: a deny rule may be meant for it
            return None
        return text_of(body).replace("\\$", "$").replace("\\`", "`")

    def _herestring(self, node: "Node", folders: Folders) -> str | None:
        words = [self._word(child, folders) for child in node.named_children if child.type in WORDS]
        if len(words) != 1 or words[0].value is None:
            self.unproven = self.unproven or "a here-string holds more than text"
            return None
        return words[0].value

    def _redirect(self, node: "Node", folders: Folders) -> None:
        operator = next(child.type for child in node.children if not child.is_named)
        targets = [child for child in node.named_children if child.type != "file_descriptor"]
        if not targets:  # `>&-`
            return
        target = self._word(targets[0], folders)
        match operator:
            case "<":
                direction = Direction.READS
            case ">&" | "<&" if (target.value or "").rstrip("-").isdecimal() or target.value == "-":
                direction = Direction.COPIES
            case ">" | ">>" | ">|" | "&>" | "&>>" | ">&":
                direction = Direction.WRITES
            case "<&-" | ">&-":
                direction = Direction.COPIES
            case _:
                self._obstruct(f"it redirects with {operator}")
                direction = Direction.WRITES
        self.redirections.append(Redirection(direction, target, folders))


def _below(node: "Node") -> list["Node"]:
    found: list[Node] = []
    waiting = [*node.named_children]
    while waiting:
        each = waiting.pop()
        found.append(each)
        waiting.extend(each.named_children)
    return found


def named(node: "Node") -> str:
    """A node for people: its kind, or the text of a mark."""
    return f"a {node.type.replace('_', ' ')}" if node.is_named else f"{text_of(node)!r}"
