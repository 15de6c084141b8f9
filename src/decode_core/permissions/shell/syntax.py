"""Parses shell text with tree-sitter-bash, and refuses what bash may read otherwise than the grammar does. Pure.

permissions.md §4, "the grammar and bash": every check below stands for text that the grammar reads without an error and
bash reads otherwise. Text that fails one of them counts as not parsed.
"""

import re
import string
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from decode_core.permissions.shell import MAX_COMMAND_BYTES

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

MAX_NESTING = 100
MAX_NODES = 5_000
"""Parts of the syntax that one call may have; a longer one counts as not parsed, so that judging stays quick."""
MAX_OPENINGS = 2_000
"""Opening brackets and `<` in one call: the time that the grammar takes for more of them is not linear."""

MAX_EFFORT = 4_000_000
"""The grammar looks ahead to the end of a word at every mark in it. This bounds the sum of marks times length over all
words; it is met by a word of 2,000 marks, or by 1,000 pipes, which it takes for one word of their own."""
MAX_PATIENT_BYTES = 2_000
"""In longer text the grammar gives up at its first error, and after a while: see docs/decisions/0020."""
MAX_GRAMMAR_S = 0.1
"""Processor time of the grammar for longer text; what is shell at all takes a quarter of it at 64 KiB."""

BLANKS = " \t\n"

REFUSED_CHARACTERS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
"""Control characters but tab and newline, bidi controls, and characters that nobody sees."""

_JOINING = re.compile(r"(?<!\\)(?:\\\\)*\\\n")
_PLAIN = str.maketrans("", "", string.ascii_letters + string.digits + "_-./")
_ONLY_BLANKS = re.compile(rb"(?:[ \t\n]|\\\n)*")
_PLAIN_DELIMITER = re.compile(r"""(?P<quote>['"]?)(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?P=quote)""")
_OPENING = re.compile(r"[(\[{)\]}]")
_BEFORE_COMMENT = BLANKS + ";&|()"
_AFTER_ARRAY = BLANKS + ";&|)"

RESERVED = frozenset(
    [
        "{",
        "}",
        "!",
        "[[",
        "]]",
        "if",
        "then",
        "elif",
        "else",
        "fi",
        "do",
        "done",
        "case",
        "esac",
        "in",
        "while",
        "until",
        "for",
        "select",
        "function",
        "time",
        "coproc",
    ]
)
"""Words that bash reads as grammar where a command begins."""

_STARTS_GROUP = frozenset({"time", "coproc"})


class NotParsedError(Exception):
    """The text is not parsed; the message is a clause for people, such as "a quote is not closed"."""


def parse(text: str) -> "Node":
    """The root of the syntax tree. Raises NotParsedError."""
    data = _checked_bytes(text)
    root = _tree(data)
    if root is None or root.has_error:
        raise NotParsedError("it is no complete shell syntax")
    for count, (node, depth) in enumerate(_walk(root, data)):
        if count > MAX_NODES:
            raise NotParsedError("it is too long to follow")
        if depth > MAX_NESTING:
            raise NotParsedError(f"it is nested over {MAX_NESTING} levels deep")
        if (check := _CHECKS.get(node.type)) and (problem := check(node, data)):
            raise NotParsedError(problem)
    return root


def text_of(node: "Node") -> str:
    """The text of a node, as written."""
    return (node.text or b"").decode("utf-8", "replace")


def _checked_bytes(text: str) -> bytes:
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError:
        raise NotParsedError("it is no valid Unicode") from None
    if len(data) > MAX_COMMAND_BYTES:
        raise NotParsedError("it is longer than 64 KiB")
    if REFUSED_CHARACTERS.search(text):
        raise NotParsedError("it holds control or invisible characters")
    for found in _JOINING.finditer(text):
        before, after = text[: found.end() - 2][-1:], text[found.end() : found.end() + 1]
        if before and after and before not in BLANKS and after not in BLANKS:
            raise NotParsedError("a line continuation joins two halves of a word")
    if text.count("<") > MAX_OPENINGS or text.count("(") > MAX_OPENINGS or "<<<<" in text:
        raise NotParsedError("it holds too many brackets and redirections")
    pipes = 2 * text.count("|")
    if pipes * pipes + sum(len(word) * _marks(word) for word in text.split()) > MAX_EFFORT:
        raise NotParsedError("it is too long to follow")
    depth = 0
    for bracket in _OPENING.findall(text):
        depth += 1 if bracket in "([{" else -1
        if depth > MAX_NESTING:
            raise NotParsedError(f"it is nested over {MAX_NESTING} levels deep")
    return data


def _marks(word: str) -> int:
    """How many characters the grammar may take for more than plain text."""
    return len(word.translate(_PLAIN))


def _tree(data: bytes) -> "Node | None":
    """The root of the tree; None where the grammar gave up."""
    parser = _parser()
    if len(data) <= MAX_PATIENT_BYTES:
        return parser.parse(data).root_node
    latest = time.thread_time() + MAX_GRAMMAR_S

    def gives_up(_: int, has_error: bool) -> bool:  # noqa: FBT001 - the grammar calls it
        return has_error or time.thread_time() > latest

    try:
        return parser.parse(lambda begin, _: data[begin:], progress_callback=gives_up).root_node
    except ValueError:
        parser.reset()
        return None


def _walk(root: "Node", data: bytes) -> Iterator[tuple["Node", int]]:
    """Every named node with its depth. Iterative: the depth is not ours to choose.

    Raises NotParsedError where something but blanks stands between what the grammar has read.
    """
    cursor = root.walk()
    depth = end = 0
    while True:
        node = cursor.node
        if node is not None and node.child_count == 0:
            if node.start_byte > end and not _ONLY_BLANKS.fullmatch(data, end, node.start_byte):
                raise NotParsedError("something in it is not read")
            end = max(end, node.end_byte)
        if node is not None and (node.is_named or node.type == "$"):
            yield node, depth
        if cursor.goto_first_child():
            depth += 1
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
            depth -= 1


def _check_comment(node: "Node", data: bytes) -> str | None:
    if node.start_byte and chr(data[node.start_byte - 1]) not in _BEFORE_COMMENT:
        return "what looks like a comment is glued to a word"
    return None


def _check_array(node: "Node", data: bytes) -> str | None:
    if node.end_byte < len(data) and chr(data[node.end_byte]) not in _AFTER_ARRAY:
        return "text is glued to an array"
    return None


def _check_word(node: "Node", data: bytes) -> str | None:
    text = data[node.start_byte : node.end_byte]
    if text.startswith(b"#") and (not node.start_byte or chr(data[node.start_byte - 1]) in _BEFORE_COMMENT):
        return "what looks like a word is a comment"
    if re.search(rb"(?<!\\)(?:\\\\)*[ \t\n]", text):
        return "a word holds a blank"
    bare = re.sub(rb"\\.", b"", text)
    # the parent is looked up last: that takes long in a wide tree
    if any(mark in bare for mark in _UNREAD_MARKS) and node.parent is not None and node.parent.type in _HOLDS_WORDS:
        return "a word holds quotes or substitutions that are not read"
    return None


_HOLDS_WORDS = frozenset({"command", "command_name", "concatenation", "file_redirect"})
_UNREAD_MARKS = (b"`", b"$(", b"<(", b">(", b'"', b"'")


def _check_dollar(node: "Node", data: bytes) -> str | None:
    """A dollar sign of its own, as in `$"text"`."""
    if node.parent is not None and node.parent.type in ("simple_expansion", "string"):
        return None
    return "a dollar sign stands apart"


def _check_command_name(node: "Node", data: bytes) -> str | None:
    name = text_of(node)
    if name in RESERVED and name not in _STARTS_GROUP:
        return f"{name} opens a group that the grammar takes for words"
    if name in _STARTS_GROUP and node.parent is not None:
        words = [text_of(child) for child in node.parent.named_children if child.type not in _BEFORE_NAME]
        following = [word for word in words[1:] if not word.startswith("-")][:1]
        # `coproc NAME { … }`: the group may stand one word later
        if any(word in RESERVED or word.startswith("(") for word in words[1:3]) or not following:
            return f"{name} opens a group that the grammar takes for words"
    return None


_BEFORE_NAME = ("variable_assignment", "file_redirect", "heredoc_redirect", "herestring_redirect")


def _check_file_redirect(node: "Node", data: bytes) -> str | None:
    targets = [child for child in node.named_children if child.type != "file_descriptor"]
    # `find . <&- -delete`: what closes a descriptor has no target, and the grammar takes the next word for one
    closes = any(child.type in ("<&-", ">&-") for child in node.children)
    if len(targets) > (0 if closes else 1):
        return "words follow a redirection"
    return None


def _check_herestring(node: "Node", data: bytes) -> str | None:
    texts = [child for child in node.named_children if child.type != "file_descriptor"]
    return "words follow a redirection" if len(texts) != 1 else None


def _check_heredoc(node: "Node", data: bytes) -> str | None:
    parts = {child.type: child for child in node.named_children}
    start, end = parts.get("heredoc_start"), parts.get("heredoc_end")
    if start is None or end is None or (found := _PLAIN_DELIMITER.fullmatch(text_of(start))) is None:
        return "the end of a here-document is not plain"
    if any(child.type in _HEREDOC_WORDS for child in node.named_children):
        return "words follow a redirection"
    lines = data.split(b"\n")
    row = start.start_point[0]
    if lines[row].count(b"<<") != 1:
        return "two here-documents begin on one line"
    if end.start_point[0] <= row:
        return "a here-document is not closed"
    strips_tabs = any(child.type == "<<-" for child in node.children)
    for number in range(row + 1, end.start_point[0] + 1):
        line = lines[number].lstrip(b"\t") if strips_tabs else lines[number]
        if line == found["name"].encode():
            return None if number == end.start_point[0] else "a here-document ends earlier than it seems"
    return "the end of a here-document does not stand alone on its line"


_HEREDOC_WORDS = frozenset({"word", "string", "raw_string", "concatenation", "number", "simple_expansion", "expansion"})


def _check_substitution(node: "Node", data: bytes) -> str | None:
    text = data[node.start_byte : node.end_byte]
    if text.startswith(b"`") and b"\\" in text:
        return "backquotes hold a backslash"
    if text.startswith(b"`") and text.count(b"`") != 2:
        return "backquotes do not pair as they seem to"
    return None


_CHECKS = {
    "comment": _check_comment,
    "array": _check_array,
    "word": _check_word,
    "$": _check_dollar,
    "command_name": _check_command_name,
    "file_redirect": _check_file_redirect,
    "herestring_redirect": _check_herestring,
    "heredoc_redirect": _check_heredoc,
    "command_substitution": _check_substitution,
}


_of_thread = threading.local()


def _parser() -> "Parser":
    """The parser of this thread: while one asks whether to go on, another thread may begin to parse."""
    # imported when the first command is judged: starting must not wait for it
    import tree_sitter_bash
    from tree_sitter import Language, Parser

    if not hasattr(_of_thread, "parser"):
        _of_thread.parser = Parser(Language(tree_sitter_bash.language()))
    parser: Parser = _of_thread.parser
    return parser
