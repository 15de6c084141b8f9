"""What a plan is founded on: the real files that its goal speaks of."""

import re
from pathlib import PurePosixPath

from decode_core.engine.local_model import Call
from decode_core.engine.offline.files import Steps, opened, targets
from decode_core.engine.offline.markdown import code, counted, one_line
from decode_core.engine.offline.plan_text import Draft, Step, step_for
from decode_core.engine.offline.requests import (
    CreateFile,
    ListFiles,
    OverwriteFile,
    ReadFile,
    Replace,
    RunCommand,
    Search,
)
from decode_core.engine.offline.results import FileText, any_case, escape_glob, escape_regex, paths
from decode_core.engine.offline.understanding import understand
from decode_core.engine.offline.work import StoppedError, attempt
from decode_core.events import CallOutcome

MOST_WORDS = 3
MOST_FILES = 3
MOST_NAMED = 8

_COMMON = """
a able about add adding all also an and any are as at be better build by can change changes changing clean code create
do does each every file files fix for from get give have how i if improve in into is it its less like make making me
more my new nicer no not of on one or our out please project remove so some than that the their them then there this to
up update us use using want we what when where which will with without work write you your
"""
_STOP_WORDS = frozenset(_COMMON.split())
_HEADING = re.compile(r"^#{1,3} +(.+?)\s*#*$")
_DEFINITION = re.compile(r"^(?:async )?(?:def|class|func|fn|function|interface|struct|type)\s+\w+")


def first_draft(goal: str) -> Steps[Draft]:
    """Look at the files that `goal` speaks of and write a plan. Nothing is changed."""
    match understand(goal):
        case Replace() as request:
            return (yield from _replacement(goal, request))
        case CreateFile() | OverwriteFile() as request:
            return (yield from _creation(goal, request))
        case RunCommand() | ReadFile() | Search() | ListFiles() as request:
            return Draft(goal, steps=(step_for(request),), checks=("The output says that it went well.",))
        case _:
            return (yield from _open_goal(goal))


def _replacement(goal: str, request: Replace) -> Steps[Draft]:
    facts: list[str] = []
    steps: list[Step] = []
    files: list[str] = []
    try:
        wanted = yield from targets(request)
        for each in wanted:
            path, content = yield from opened(each)
            lines = [number for number, line in enumerate(content.lines, content.first) if request.old in line]
            count = content.text.count(request.old)
            if not count:
                facts.append(f"{code(path)}: {code(request.old)} does not occur in what I read")
                continue
            places = ", ".join(map(str, lines[:10])) + (" …" if len(lines) > 10 else "")
            facts.append(
                f"{code(path)}: {counted(count, 'place')} in {counted(len(content.lines), 'line')}, at {places}"
            )
            steps.append(step_for(Replace(request.old, request.new, path)))
            files.append(path)
    except StoppedError as stopped:
        facts.append(one_line(str(stopped)))
    if not steps:
        return Draft(goal, tuple(facts), (Step("Say which file is meant: comment `replace OLD with NEW in FILE`"),))
    steps.append(step_for(Search(request.old, files[0] if len(files) == 1 else None)))
    return Draft(
        goal,
        tuple(facts),
        tuple(steps),
        (f"{code(request.old)} is found no more in the changed files.", "`git diff` shows these lines and no others."),
        tuple(files),
    )


def _creation(goal: str, request: CreateFile | OverwriteFile) -> Steps[Draft]:
    result = yield from attempt("glob", pattern=escape_glob(request.path))
    is_there = result.outcome is CallOutcome.OK and request.path in paths(result.text)
    fact = f"{code(request.path)} is there already" if is_there else f"{code(request.path)} is not there yet"
    return Draft(
        goal,
        (fact,),
        (step_for(request), step_for(ReadFile(request.path))),
        (f"{code(request.path)} holds the content and nothing else.",),
        (request.path,),
    )


def _open_goal(goal: str) -> Steps[Draft]:
    """A goal in the person's own words: find what it names, and leave to the person what needs judgement."""
    words = _words(goal)
    named: list[str] = []
    mentioning: list[str] = []
    facts: list[str] = []
    if words:
        calls = [Call("glob", {"pattern": f"**/*{any_case(word)}*"}) for word in words]
        calls += [Call("grep", {"pattern": escape_regex(word), "files_only": True}) for word in words]
        results = yield tuple(calls)
        for index, result in enumerate(results):
            if result.outcome is CallOutcome.OK:
                (named if index < len(words) else mentioning).extend(paths(result.text))
        missing = [word for word, result in zip(words, results, strict=False) if not paths(result.text)]
        facts += [f"no file is named after {code(word)}" for word in missing if not mentioning]
    candidates = sorted(dict.fromkeys(named), key=lambda path: (path.count("/"), len(path)))
    candidates += [path for path in dict.fromkeys(mentioning) if path not in candidates]
    files: list[str] = []
    for path in candidates[:MOST_FILES]:
        try:
            _, content = yield from opened(path)
        except StoppedError as stopped:
            facts.append(one_line(str(stopped)))
            continue
        files.append(path)
        facts.append(_described(path, content))
    if len(candidates) > MOST_FILES:
        others = ", ".join(code(path) for path in candidates[MOST_FILES:MOST_NAMED])
        facts.append(f"also touched on: {others}" + (" …" if len(candidates) > MOST_NAMED else ""))
    if not files:
        facts.append("I found no file that the goal speaks of.")
    return Draft(
        goal, tuple(facts), _open_steps(files), ("`git diff` shows what was meant and nothing else.",), tuple(files)
    )


def _open_steps(files: list[str]) -> tuple[Step, ...]:
    target = code(files[0]) if files else "the file"
    wish = "`replace OLD with NEW`" if files else "`replace OLD with NEW in FILE` or `create FILE with TEXT`"
    steps = [
        Step(f"Decide the wording of the change to {target}; comment it here as {wish} and send the plan back"),
        Step(f"Make that change in {target}"),
    ]
    return (*steps, *(step_for(ReadFile(path)) for path in files[:1]))


def _words(goal: str) -> list[str]:
    """The words of a goal that may name files or things in them, in their order."""
    found = re.findall(r"[\w./-]*\w", goal)
    words = [word for word in found if len(word) > 2 and word.lower() not in _STOP_WORDS]
    return list(dict.fromkeys(PurePosixPath(word).name or word for word in words))[:MOST_WORDS]


def _described(path: str, content: FileText) -> str:
    is_prose = path.lower().endswith((".md", ".rst", ".txt"))
    marks = (_HEADING.match(line) if is_prose else _DEFINITION.match(line) for line in content.lines)
    names = [mark[1] if is_prose else mark[0] for mark in marks if mark][:MOST_NAMED]
    parts = f"; {'sections' if is_prose else 'defines'}: {', '.join(code(name) for name in names)}" if names else ""
    return f"{code(path)}: {counted(len(content.lines), 'line')}{parts}"
