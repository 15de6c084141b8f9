"""Walks the syntax tree of a shell call down to its simple commands. Pure; never raises."""

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from decode_core.permissions.keeping import kept_by_text
from decode_core.permissions.shell.folders import After, changes_folder, folder_after, union
from decode_core.permissions.shell.script import Script, SimpleCommand
from decode_core.permissions.shell.syntax import NotParsedError, parse, text_of
from decode_core.permissions.shell.word_walk import STATEMENTS, WORDS, WordWalker, named
from decode_core.permissions.shell.words import Word, literal, read_word

if TYPE_CHECKING:
    from tree_sitter import Node

Folders = frozenset[str] | None

_LOOP_NAME = re.compile(r"[a-z][a-z0-9_]*|[A-Z]")
"""Loop variables that steer neither the shell nor a program: those have names in capitals."""
_TEST_OPERATORS = frozenset({"=", "==", "!=", "!"})


@kept_by_text
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


class _Walker(WordWalker):
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
                self._obstruct(f"it holds {named(node)}")
                self._inside(node, folders)
                return After(folders, folders)

    def _add(self, command: SimpleCommand) -> None:
        self.commands.append(replace(command, texts_in=(*command.texts_in, *self.texts_in)))

    def _command(self, node: "Node", folders: Folders) -> After:
        words: list[Word] = []
        assignments: list[tuple[str, Word | None]] = []
        texts: list[str | None] = []
        begin, end = node.start_byte, -1
        for child in node.children:
            if child.start_byte == end:
                raise NotParsedError("two words stand without a blank between them")
            end = child.end_byte
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
                case kind if kind in WORDS:
                    words.append(self._word(child, folders))
                case "==" | "=~":
                    words.append(literal(text_of(child)))
                case _:
                    raise NotParsedError(f"{named(child)} stands among the words of a command")
        raw = (node.text or b"")[begin - node.start_byte :].decode("utf-8", "replace")
        command = SimpleCommand(tuple(words), folders, tuple(assignments), tuple(texts), raw=raw)
        self._note_sets(command)
        self._add(command)
        return folder_after(command, folders)

    def _declaration(self, node: "Node", folders: Folders) -> After:
        self._obstruct(f"it holds {named(node)}")
        for child in node.named_children:
            if child.type == "variable_assignment":
                self._assignment(child, folders)
            else:
                self._inside(child, folders)
        words = [literal(text_of(node.children[0]))]
        words += [read_word(child) for child in node.named_children if child.type in WORDS]
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
            elif child.type in STATEMENTS:
                then = self.statement(child, after.anyhow)
                after = After(union(after.anyhow, then.anyhow), union(after.anyhow, then.anyhow))
            else:
                raise NotParsedError(f"{named(child)} stands behind a here-document")
        return after

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
        words = tuple(self._word(child, folders) for child in node.named_children if child.type in WORDS)
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
            if child.type == "case_item" or child.type in STATEMENTS:
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
            if each.type in WORDS:
                words.append(self._word(each, folders))
            elif each.type == "test_operator" or (not each.is_named and text_of(each) in _TEST_OPERATORS):
                words.append(literal(text_of(each)))
            elif each.is_named and each.type.endswith("_expression"):
                for child in each.children:
                    flatten(child)
            elif opening == "[[" and text_of(each) in ("&&", "||", "(", ")"):
                words.append(literal("-a"))
            else:
                self._obstruct(f"a test holds {named(each)}")
                self._inside_one(each, folders)

        for child in node.children[1:-1]:
            flatten(child)
        self._add(SimpleCommand((literal(opening), *words, literal("]" * len(opening))), folders, raw=text_of(node)))
        return After(folders, folders)
