"""Reads a prompt as one of the requests that the offline model knows.

A pure function over text. The forms stand in one table, tried from top to bottom; the first that fits wins, and
whatever fits none is `Unknown`, which is answered honestly and never guessed at.
"""

import re
from collections.abc import Callable
from dataclasses import replace

from decode_core.engine.offline.requests import (
    EVERYWHERE,
    AskPerson,
    CreateFile,
    DiffScope,
    Help,
    ListFiles,
    MakePlan,
    OverwriteFile,
    ReadFile,
    Replace,
    Request,
    ReviewDiff,
    RunCommand,
    Search,
    SetTodos,
    Unknown,
)
from decode_core.engine.offline.wording import (
    LANGUAGES,
    Masked,
    anywhere,
    is_file_name,
    is_pattern,
    is_quoted,
    is_word,
    looks_like_path,
    mask,
)

LONGEST = 20_000
"""Characters of a prompt outside of quotes that are read."""


def understand(prompt: str) -> Request:
    """Return the request that a prompt makes."""
    masked = mask(prompt.strip())
    if len(masked.text) > LONGEST:
        return Unknown(prompt[:LONGEST], "put long text in quotes or between lines of three backticks")
    text = _POLITE.sub("", masked.text)
    text = _THANKS.sub("", text).strip()
    text = _STOP_AFTER_QUOTE.sub(r"\1", text)
    sentence = replace(masked, text=text)
    for form, build in _FORMS:
        match = form.fullmatch(text)
        if match is not None and (request := build(match, sentence)) is not None:
            return request
    return Unknown(prompt.strip())


_POLITE = re.compile(
    r"^(?:\s*(?:please|now|then|also|and|hey|ok|okay|(?:can|could|would|will) you(?: please)?|"
    r"i(?:'d| would) like you to|i want you to|let's|let us)\b[\s,]*)++",
    re.IGNORECASE,
)

_THANKS = re.compile(r"(?<![\s,])[\s,]++(?:please|thanks|thank you)\s*[.!]*\s*$", re.IGNORECASE)
_STOP_AFTER_QUOTE = re.compile("([\ue000-\uf8ff])\\s*[.!?]+$")

_Builder = Callable[[re.Match[str], Masked], Request | None]


def _help(match: re.Match[str], text: Masked) -> Request:
    return Help()


def _plan(match: re.Match[str], text: Masked) -> Request:
    goal = text.written(match["goal"] or match["goal2"] or "")
    return MakePlan(goal) if goal else Unknown(text.written(text.text), "say what for: `plan a change to README`")


def _todos(match: re.Match[str], text: Masked) -> Request | None:
    body = match["items"].strip()
    lines = body.splitlines() if "\n" in body else re.split(r"[,;]", body)
    items = tuple(
        item for line in lines if (item := text.meant(re.sub(r"^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ x]\]\s*)?", "", line)))
    )
    return SetTodos(items) if items else None


def _ask(match: re.Match[str], text: Masked) -> Request:
    body = " ".join(match["question"].split())
    options: tuple[str, ...] = ()
    if listed := re.search(r"\s*\((?P<options>[^()]+)\)\s*[.?]*$", body):
        options, body = _choices(listed["options"], text), body[: listed.start()]
    elif between := re.search(r"\bbetween\s+(?P<options>.+?)[.?]*$", body, re.IGNORECASE):
        options = _choices(between["options"], text)
    question = text.meant(body).rstrip(" .:") or "What shall I do next?"
    if question.lower() in {"a question", "something", "anything"}:
        question = "What shall I do next?"
    question = question[0].upper() + question[1:]
    return AskPerson(question if question.endswith("?") else f"{question}?", options)


def _choices(piece: str, text: Masked) -> tuple[str, ...]:
    found = (text.meant(choice) for choice in re.split(r"\s*[,;/|]\s*(?:(?:and|or)\s+)?|\s+(?:and|or)\s+", piece))
    return tuple(choice for choice in found if choice)


def _review(match: re.Match[str], text: Masked) -> Request:
    staged = re.search(r"\bstaged\b", match.group(), re.IGNORECASE)
    return ReviewDiff(DiffScope.STAGED if staged else DiffScope.UNSTAGED)


def _run(match: re.Match[str], text: Masked) -> Request | None:
    piece = _one_of(match, "command", "command2")
    if re.fullmatch(r"(?:(?:the|my|all|our)\s+)*(?:unit )?tests?(?: suite)?[.!]?", piece.strip(), re.IGNORECASE):
        return Unknown(text.written(text.text), "name the command: ``run `pytest -q` ``")
    # quotes belong to a command, unless all of it stands in them
    command = text.meant(piece)
    return RunCommand(command) if command else None


def _replace(match: re.Match[str], text: Masked) -> Request | None:
    old, new = text.meant(match["old"]), text.meant(match["new"])
    where = _where(match["where"], text)
    if match.groupdict().get("loose") and where is None and not (is_quoted(match["old"]) or is_word(match["new"])):
        return None
    if where is None and looks_like_path(match["old"]) and looks_like_path(match["new"]):
        return Unknown(text.written(text.text), f"to rename a file: ``run `git mv {old} {new}` ``")
    return Replace(old, new, where) if old else None


def _remove(match: re.Match[str], text: Masked) -> Request | None:
    old = text.meant(match["old"])
    return Replace(old, "", _where(match["where"], text)) if old else None


def _create(match: re.Match[str], text: Masked) -> Request | None:
    named = match.groupdict().get("named")
    if not (named or is_quoted(match["path"]) or looks_like_path(match["path"])):
        return None
    path = text.path(match["path"])
    piece = match.groupdict().get("content") or ""
    if match["verb"].lower() == "overwrite":
        return OverwriteFile(path, _lines(text.meant(piece)))
    return CreateFile(path, _lines(text.meant(piece)))


def _lines(content: str) -> str:
    """Text of a file: it ends with a newline unless it is empty."""
    return content if not content or content.endswith("\n") else f"{content}\n"


def _list(match: re.Match[str], text: Masked) -> Request | None:
    groups = match.groupdict()
    folder = _folder_name(text.path(groups["folder"])) if groups.get("folder") else None
    what = groups.get("what")
    if what is None:
        return ListFiles(folder=folder)
    name = text.path(what)
    if language := LANGUAGES.get(name.lower()):
        return ListFiles(anywhere(language), folder)
    if is_pattern(name) or groups.get("named"):
        return ListFiles(anywhere(name), folder)
    if re.fullmatch(r"\.\w+", name):
        return ListFiles(anywhere(f"*{name}"), folder)
    return ListFiles(anywhere(f"*{name}*"), folder) if re.fullmatch(r"[\w-]+", name) else None


def _folder(match: re.Match[str], text: Masked) -> Request | None:
    folder = text.path(match["folder"])
    if is_pattern(folder):
        return ListFiles(anywhere(folder))
    return ListFiles(folder=_folder_name(folder))


def _folder_name(text: str) -> str | None:
    return None if text.lower() in {".", "./", "here", "project", "it"} else text.rstrip("/") or "/"


def _read(match: re.Match[str], text: Masked) -> Request | None:
    groups = match.groupdict()
    surely_file = groups["verb"].lower().split()[0] in {"read", "open", "cat", "print", "view"}
    if not (surely_file or is_quoted(match["path"]) or looks_like_path(match["path"])):
        return None
    path = text.path(match["path"])
    first, last = groups["first"], groups["last"]
    if first is None and (tail := re.search(r":(?P<first>\d+)(?:-(?P<last>\d+))?$", path)):
        path, first, last = path[: tail.start()], tail["first"], tail["last"]
    if path.endswith("/"):
        return ListFiles(folder=path.rstrip("/") or None)
    if first is None:
        return ReadFile(path)
    begin = max(int(first), 1)
    return ReadFile(path, begin, max(int(last), begin) if last else begin)


def _search(match: re.Match[str], text: Masked) -> Request | None:
    groups = match.groupdict()
    piece, where = match["text"].strip(), (groups.get("where") or "").strip()
    if not (where or groups.get("exact") or is_quoted(piece)) and is_file_name(piece):
        return ListFiles(anywhere(text.path(piece)))
    wanted, is_regex = text.meant(piece), bool(groups.get("regex"))
    if not is_quoted(piece):
        wanted = wanted.rstrip("?!")
        if len(wanted) > 2 and wanted[0] == wanted[-1] == "/":
            wanted, is_regex = wanted[1:-1], True
    if not wanted:
        return None
    if not where or where.lower() in _ALL:
        return Search(wanted, is_regex=is_regex)
    if kind := re.fullmatch(r"(?:the\s+)?(\S+)\s+files?", where, re.IGNORECASE):
        where = LANGUAGES.get(
            kind[1].lower(), f"*{kind[1].removeprefix('*')}" if kind[1][0] in ".*" else f"*{kind[1]}*"
        )
    path = text.path(where)
    if is_pattern(path):
        return Search(wanted, glob=anywhere(path), is_regex=is_regex)
    return Search(wanted, path, is_regex=is_regex)


_ALL = {
    "all files",
    "every file",
    "the project",
    "the whole project",
    "the code",
    "the repository",
    "here",
    "everywhere",
}


def _where(piece: str | None, text: Masked) -> str | None:
    if piece is None:
        return None
    if piece.strip().lower() in _ALL:
        return EVERYWHERE
    return text.path(piece)


def _one_of(match: re.Match[str], *names: str) -> str:
    return next((match[name] for name in names if match[name] is not None), "")


def _forms(*pairs: tuple[str, _Builder]) -> tuple[tuple[re.Pattern[str], _Builder], ...]:
    """Compile the table. Between words stands a whole run of blanks or none of it, so that matching stays quick."""
    flags = re.IGNORECASE | re.DOTALL
    return tuple((re.compile(form.replace(r"\s+", r"(?<=\S)\s++"), flags), build) for form, build in pairs)


_PLACE = r"(?:all files|every file|the (?:whole )?project|the code|the repository|here|everywhere)"
_FILE = r"(?:the\s+)?(?:file\s+)?"
_FOLDER = r"(?:the\s+)?(?:(?:folder|directory)\s+)?(?P<folder>\S+?)(?:\s+(?:folder|directory))?"
_IN_FOLDER = rf"(?:\s+(?:in|under|inside|of)\s+{_FOLDER})?"
_WHERE = rf"(?P<where>{_PLACE}|(?:the\s+)?\S+\s+files?|\S+)"
_IN_WHERE = rf"(?:\s+(?:(?:in|inside|within|across|under)\s+{_FILE}|(?=everywhere)){_WHERE})?"
_THING = r"(?:the\s+)?(?:word|text|string|name|occurrences?\s+of|uses?\s+of|usages?\s+of|references?\s+to)\s+"
_EACH = rf"(?:(?:all|every|each)\s+)?(?:{_THING})?"
_OPEN = r"(?:(?:me|the|a|an|all|of|every|any|my|our)\s+)*"
_RANGE = r"lines?\s+(?P<first>\d+)(?:\s*(?:-|–|—|to|through|until|\.\.)\s*(?P<last>\d+))?"
_WITH = (
    r"(?:\s*:\s*|\s*\n|,?\s+(?:with|containing|that\s+(?:says|contains|holds|reads)|saying|holding)\s+)"
    r"(?:(?:the|this)\s+)?(?:(?:text|contents?|words?|line)\s*:?\s+)?"
)
_NEW = r"(?:(?:a|an|the|new|empty)\s+)*(?P<named>(?:file|document|script)\s+)?(?:(?:called|named|at)\s+)?(?P<path>\S+?)"
_CHANGES = (
    r"(?:(?:the|my|our|all|these|this|a|your|me)\s+)*"
    r"(?:(?:staged|unstaged|uncommitted|current|latest|last|local|git|open)\s+)*"
    r"(?:diffs?|changes|edits|modifications)"
)
_END = r"(?:(?<=\S)\s*+)?[.?!]*"

_FORMS = _forms(
    (r"help|\?|hi|hello|hey|help me|what (?:can|do) you (?:do|understand|know)|what can i (?:ask|do|say)\W*", _help),
    (rf"what can you do(?: for me| here)?{_END}|how does this work{_END}|(?:hi|hello|hey|help)\W+", _help),
    (
        r"(?:(?:make|write|draft|propose|create|prepare)\s+)?(?:(?:me|a|the)\s+)*plan"
        r"(?:\s*[:,]\s*(?P<goal>.*)|\s+(?:(?:for|how\s+to|to|of)\s+)?(?P<goal2>.+))?",
        _plan,
    ),
    (
        r"(?:(?:make|create|set|write|add|start)\s+)?(?:(?:a|the|my)\s+)*to-?do(?:s|\s+list|-list)?"
        r"(?:\s*:\s*|\s*\n|\s+(?:with|for|to)\s+|\s+(?!list$|in\b))(?P<items>.+)",
        _todos,
    ),
    (r"ask me\b\s*(?::|about\b|for\b|to\b)?\s*(?P<question>.*)", _ask),
    (rf"(?:(?:code[- ])?review|check|inspect|look at|look over|go over|read|show)\s+{_CHANGES}{_END}", _review),
    (rf"(?:code[- ])?review{_END}|git diff(?: --staged| --cached)?", _review),
    (rf"what (?:did (?:i|we|you) change|(?:has |have )?changed|are (?:the|my) changes){_END}", _review),
    (r"(?:run|execute|exec)\s+(?:(?:the\s+)?(?:shell\s+)?command\s*:?\s+)?(?P<command>.+)", _run),
    (r"\$\s+(?P<command>.+)|(?:bash|shell)\s*:\s*(?P<command2>.+)", _run),
    (rf"(?:replace|substitute|swap)\s+{_EACH}(?P<old>.+?)\s+(?:with|by)\s+(?P<new>.+?){_IN_WHERE}", _replace),
    (rf"(?P<loose>change|rename|turn|convert)\s+{_EACH}(?P<old>.+?)\s+(?:in)?to\s+(?P<new>.+?){_IN_WHERE}", _replace),
    (
        rf"in\s+{_FILE}{_WHERE},?\s+(?:replace|substitute|change|rename|turn)\s+{_EACH}"
        r"(?P<old>.+?)\s+(?:with|by|to|into)\s+(?P<new>.+)",
        _replace,
    ),
    (rf"(?:remove|delete)\s+{_EACH}(?P<old>.+)\s+(?:from|in)\s+{_FILE}{_WHERE}", _remove),
    (rf"(?P<verb>create|make|add|write|overwrite)\s+{_NEW}{_WITH}(?P<content>.+)", _create),
    (
        r"(?P<verb>write|put|save|store)\s+(?P<content>.+)\s+(?:to|into|in|as)\s+(?:(?:a|the|new)\s+)*"
        r"(?P<named>file\s+)?(?:(?:called|named)\s+)?(?P<path>\S+)",
        _create,
    ),
    (rf"(?P<verb>create|make|touch)\s+{_NEW}{_END}", _create),
    (rf"(?:ls|dir|list|what is here|what files are (?:there|here)|list (?:everything|all)){_END}", _list),
    (
        rf"(?:list|show|display|find|get|give|count|which|what|what are|locate|search(?: for)?)\s+{_OPEN}"
        rf"(?:(?P<what>\S+)\s+)?files?(?:\s+(?:are|is)\s+(?:there|here))?{_IN_FOLDER}{_END}",
        _list,
    ),
    (rf"(?:list|ls|find|show|locate)\s+{_OPEN}(?P<what>[^\s*?]*[*?]\S*){_IN_FOLDER}{_END}", _list),
    (
        rf"(?:find|locate|list|search for|where is|where are)\s+{_OPEN}(?P<named>files?)\s+"
        rf"(?:(?:called|named|like|matching)\s+)?(?P<what>\S+?){_IN_FOLDER}{_END}",
        _list,
    ),
    (rf"(?:list|ls)\s+(?:(?:everything|all|the contents?)\s+)?(?:(?:in|of|under)\s+)?{_FOLDER}{_END}", _folder),
    (rf"what(?:'s|\s+is)\s+in\s+(?:the\s+)?(?:folder|directory)\s+(?P<folder>\S+?){_END}", _folder),
    (
        rf"(?P<verb>read|show|print|view|display|cat)\s+{_OPEN}{_RANGE}\s+(?:of|in|from)\s+{_FILE}(?P<path>\S+?){_END}",
        _read,
    ),
    (
        r"(?P<verb>read|open|show|cat|print|view|display|look at|look into|see|what(?:'s|\s+is)\s+in|what\s+does)\s+"
        rf"{_OPEN}(?:file\s+)?(?P<path>\S+?)(?:\s+(?:file|say|contain|hold))?(?:[\s,(]+{_RANGE}\)?)?{_END}",
        _read,
    ),
    (rf"(?:search|grep|look)\s+(?:in\s+)?{_FILE}{_WHERE}\s+for\s+{_EACH}(?P<text>.+)", _search),
    (
        rf"(?:(?P<exact>grep|rg|search)|find|look|locate)\s+(?:for\s+)?{_OPEN}{_EACH}(?P<regex>(?:regex|pattern)\s+)?"
        rf"(?P<text>(?!in\s).+?){_IN_WHERE}{_END}",
        _search,
    ),
    (
        r"where\s+(?:is|are|do(?:es)?|did)\s+(?:the\s+)?(?P<text>\S+?)"
        rf"(?:\s+(?:used|defined|called|imported|mentioned|set|declared)){{0,1}}{_IN_WHERE}{_END}",
        _search,
    ),
)
