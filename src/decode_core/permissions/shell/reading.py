"""Walks the syntax tree of a shell call down to its simple commands. Pure; never raises."""

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from decode_core.permissions.shell.folders import After, changes_folder, folder_after, union
from decode_core.permissions.shell.script import Direction, Redirection, Script, SimpleCommand
from decode_core.permissions.shell.syntax import NotParsedError, parse, text_of
from decode_core.permissions.shell.words import Hole, Text, Word, literal, read_word

if TYPE_CHECKING:
    from tree_sitter import Node

Folders = frozenset[str] | None

HARMLESS_VARIABLES = frozenset({"LANG", "TZ", "CI", "NO_COLOR", "COLUMNS"})
"""Variables, besides LC_*, that a covered call may set to literal text: they steer no program to run another."""

_WORDS = frozenset(
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
_LOOP_NAME = re.compile(r"[a-z][a-z0-9_]*|[A-Z]")
"""Loop variables that steer neither the shell nor a program: those have names in capitals."""
_TEST_OPERATORS = frozenset({"=", "==", "!=", "!"})
_ARITHMETIC = frozenset(["number", "binary_expression", "unary_expression", "parenthesized_expression"])


@lru_cache(maxsize=512)
def read_script(text: str) -> Script:
    """Read a call's text. What cannot be parsed gives a script that says so."""
    try:
        root = parse(text)
        walker = _Walker()
        walker.block(root, frozenset({""}))
        return walker.script(text)
    except NotParsedError as problem:
        return Script(text, problem=str(problem))
    except RecursionError:
        return Script(text, problem="it is nested too deep")


class _Walker:
    def __init__(self) -> None:
        self.commands: list[SimpleCommand] = []
        self.redirections: list[Redirection] = []
        self.obstacle: str | None = None
        self.unproven: str | None = None
        self.values: dict[str, list[str | None]] = {}
        self.loops: dict[str, tuple[Word, ...]] = {}
        self.texts_in: tuple[str | None, ...] = ()

    def script(self, text: str) -> Script:
        loops = {name: words for name, words in self.loops.items() if len(self.values[name]) == len(words)}
        used = {variable.name for command in self.commands for word in command.words for variable in word.variables}
        for name in used & self.values.keys() - loops.keys():
            self._obstruct(f"${name} is set in the call itself")
        values = {name: tuple(dict.fromkeys(found)) for name, found in self.values.items()}
        return Script(
            text, None, tuple(self.commands), tuple(self.redirections), self.obstacle, self.unproven, values, loops
        )

    def block(self, node: "Node", folders: Folders) -> After:
        """Statements one after another."""
        after = After(folders, folders)
        for child in node.named_children:
            after = self.statement(child, after.anyhow)
        return after

    def statement(self, node: "Node", folders: Folders) -> After:
        match node.type:
            case "comment":
                return After(folders, folders)
            case "command":
                return self._command(node, folders)
            case "list":
                return self._list(node, folders)
            case "pipeline":
                self._pipeline(node.named_children, folders)
                return After(folders, folders)
            case "compound_statement" if text_of(node).startswith("{"):
                return self.block(node, folders)
            case "do_group" | "else_clause":
                return self.block(node, folders)
            case "subshell":
                self.block(node, folders)
                return After(folders, folders)
            case "negated_command":
                after = self.block(node, folders)
                return After(after.anyhow, after.anyhow)
            case "redirected_statement":
                return self._redirected(node, folders)
            case "if_statement" | "elif_clause":
                return self._if(node, folders)
            case "for_statement":
                return self._for(node, folders)
            case "while_statement":
                self.unproven = self.unproven or "a loop may never end"
                return self._loop(node.named_children, folders)
            case "case_statement" | "case_item":
                return self._case(node, folders)
            case "test_command":
                return self._test(node, folders)
            case "variable_assignment" | "variable_assignments":
                found = [node] if node.type == "variable_assignment" else node.named_children
                assignments = tuple(self._assignment(each, folders) for each in found)
                self._add(SimpleCommand((), folders, assignments, raw=text_of(node)))
                return After(folders, folders)
            case "function_definition":
                self._obstruct("it defines a function")
                before = len(self.commands)
                self._inside(node, None)
                moves = any(changes_folder(command) for command in self.commands[before:])
                return After(None, None) if moves else After(folders, folders)
            case "declaration_command" | "unset_command":
                return self._declaration(node, folders)
            case _:
                self._obstruct(f"it holds {_named(node)}")
                self._inside(node, folders)
                return After(folders, folders)

    def _obstruct(self, why: str) -> None:
        self.obstacle = self.obstacle or why

    def _add(self, command: SimpleCommand) -> None:
        self.commands.append(replace(command, texts_in=(*command.texts_in, *self.texts_in)))

    def _command(self, node: "Node", folders: Folders) -> After:
        words: list[Word] = []
        assignments: list[tuple[str, Word | None]] = []
        texts: list[str | None] = []
        begin, end = node.start_byte, -1
        for child in node.children:
            match child.type:
                case "variable_assignment":
                    assignments.append(self._assignment(child, folders))
                case "file_redirect":
                    self._redirect(child, folders)
                case "herestring_redirect":
                    texts.append(self._herestring(child, folders))
                case "command_name":
                    begin = child.start_byte
                    words.append(self._word(child, folders))
                    end = child.end_byte
                case kind if kind in _WORDS:
                    if child.start_byte == end:
                        raise NotParsedError("two words stand without a blank between them")
                    end = child.end_byte
                    words.append(self._word(child, folders))
                case "==" | "=~":
                    words.append(literal(text_of(child)))
                case _:
                    raise NotParsedError(f"{_named(child)} stands among the words of a command")
        raw = (node.text or b"")[begin - node.start_byte :].decode("utf-8", "replace")
        command = SimpleCommand(tuple(words), folders, tuple(assignments), tuple(texts), raw=raw)
        self._note_sets(command)
        self._add(command)
        return folder_after(command, folders)

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
        for child in [node] if node.type in _WORDS else node.named_children:
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
                case kind if kind in _STATEMENTS:
                    self.statement(child, folders)
                case _:
                    for each in child.named_children:
                        self._inside_one(each, folders)

    def _inside_one(self, node: "Node", folders: Folders) -> None:
        if node.type in _STATEMENTS:
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
        elif value_node.type in _WORDS:
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

    def _declaration(self, node: "Node", folders: Folders) -> After:
        self._obstruct(f"it holds {_named(node)}")
        for child in node.named_children:
            if child.type == "variable_assignment":
                self._assignment(child, folders)
            else:
                self._inside(child, folders)
        words = [literal(text_of(node.children[0]))]
        words += [read_word(child) for child in node.named_children if child.type in _WORDS]
        self._add(SimpleCommand(tuple(words), folders, raw=text_of(node)))
        return After(folders, folders)

    def _list(self, node: "Node", folders: Folders) -> After:
        left, right = node.named_children[0], node.named_children[-1]
        first = self.statement(left, folders)
        if any(child.type == "&&" for child in node.children):
            second = self.statement(right, first.success)
            return After(union(first.anyhow, second.anyhow), second.success)
        second = self.statement(right, first.anyhow)
        return After(union(first.anyhow, second.anyhow), union(first.success, second.success))

    def _pipeline(self, stages: list["Node"], folders: Folders, begin: int | None = None) -> None:
        begin = len(self.commands) if begin is None else begin
        for stage in stages:
            start = len(self.commands)
            self.statement(stage, folders)
            if start > begin:
                for index in range(start, len(self.commands)):
                    command = self.commands[index]
                    self.commands[index] = replace(command, fed_by=command.fed_by or (begin, start))

    def _redirected(self, node: "Node", folders: Folders) -> After:
        body = node.child_by_field_name("body")
        outer = self.texts_in
        begin = len(self.commands)
        redirects = [child for child in node.named_children if child.type.endswith("_redirect")]
        for child in redirects:
            match child.type:
                case "file_redirect":
                    self._redirect(child, folders)
                case "herestring_redirect":
                    self.texts_in = (*self.texts_in, self._herestring(child, folders))
                case _:
                    self.texts_in = (*self.texts_in, self._heredoc(child, folders))
        if begin != len(self.commands):
            begin = len(self.commands)
        after = self.statement(body, folders) if body is not None else After(folders, folders)
        self.texts_in = outer
        for child in redirects:
            after = self._behind_heredoc(child, after, begin) if child.type == "heredoc_redirect" else after
        return after

    def _behind_heredoc(self, node: "Node", after: After, begin: int) -> After:
        """What stands on the line behind `<<E`: the grammar hangs it below the redirection."""
        for child in node.named_children:
            if child.type in ("heredoc_start", "heredoc_body", "heredoc_end", "file_descriptor"):
                continue
            if child.type == "file_redirect":
                self._redirect(child, after.anyhow)
            elif child.type == "pipeline":
                self._pipeline(child.named_children, after.anyhow, begin)
            elif child.type in _STATEMENTS:
                then = self.statement(child, after.anyhow)
                after = After(union(after.anyhow, then.anyhow), union(after.anyhow, then.anyhow))
            else:
                raise NotParsedError(f"{_named(child)} stands behind a here-document")
        return after

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
        words = [self._word(child, folders) for child in node.named_children if child.type in _WORDS]
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

    def _if(self, node: "Node", folders: Folders) -> After:
        after = After(folders, folders)
        anyhow: list[Folders] = [folders]
        for child in node.children:
            if child.type == "then":
                anyhow.append(after.anyhow)
                after = After(after.success, after.success)
            elif child.type in ("elif_clause", "else_clause"):
                anyhow.append(after.anyhow)
                anyhow.append(self.statement(child, union(*anyhow)).anyhow)
            elif child.is_named:
                after = self.statement(child, after.anyhow)
        return After(union(*anyhow, after.anyhow), union(*anyhow, after.anyhow))

    def _for(self, node: "Node", folders: Folders) -> After:
        if any(child.type == "select" for child in node.children):
            self._obstruct("it waits for a choice")
        variable = node.child_by_field_name("variable")
        words = tuple(self._word(child, folders) for child in node.named_children if child.type in _WORDS)
        name = text_of(variable) if variable is not None else ""
        if not any(child.type == "in" for child in node.children):
            self._obstruct("it loops over words that are not there")
        elif name not in self.values:
            self.loops[name] = words
        if not _LOOP_NAME.fullmatch(name):
            self._obstruct(f"it sets {name}")
        for word in words:
            self.values.setdefault(name, []).append(word.value)
        self.values.setdefault(name, [])
        return self._loop([child for child in node.named_children if child.type == "do_group"], folders)

    def _loop(self, parts: list["Node"], folders: Folders) -> After:
        start = len(self.commands)
        for part in parts:
            self.statement(part, folders)
        if not any(changes_folder(command) for command in self.commands[start:]):
            return After(folders, folders)
        for index in range(start, len(self.commands)):
            self.commands[index] = replace(self.commands[index], folders=None)
        self.redirections = [replace(each, folders=None) for each in self.redirections]
        return After(None, None)

    def _case(self, node: "Node", folders: Folders) -> After:
        after: Folders = folders
        for child in node.named_children:
            if child.type == "case_item" or child.type in _STATEMENTS:
                after = union(after, self.statement(child, after if node.type == "case_item" else folders).anyhow)
            else:
                self._inside(child, folders)
        return After(after, after)

    def _test(self, node: "Node", folders: Folders) -> After:
        words: list[Word] = []
        opening = text_of(node.children[0])
        if opening not in ("[", "[["):
            self._obstruct("it evaluates arithmetic")

        def flatten(each: "Node") -> None:
            if each.type in _WORDS:
                words.append(self._word(each, folders))
            elif each.type == "test_operator" or (not each.is_named and text_of(each) in _TEST_OPERATORS):
                words.append(literal(text_of(each)))
            elif each.is_named and each.type.endswith("_expression"):
                for child in each.children:
                    flatten(child)
            elif opening == "[[" and text_of(each) in ("&&", "||", "(", ")"):
                words.append(literal("-a"))
            else:
                self._obstruct(f"a test holds {_named(each)}")
                self._inside_one(each, folders)

        for child in node.children[1:-1]:
            flatten(child)
        self._add(SimpleCommand((literal(opening), *words, literal("]" * len(opening))), folders, raw=text_of(node)))
        return After(folders, folders)


_STATEMENTS = frozenset(
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


def _below(node: "Node") -> list["Node"]:
    found: list[Node] = []
    waiting = [*node.named_children]
    while waiting:
        each = waiting.pop()
        found.append(each)
        waiting.extend(each.named_children)
    return found


def _named(node: "Node") -> str:
    return f"a {node.type.replace('_', ' ')}" if node.is_named else f"{text_of(node)!r}"
