"""Work that is not on files: commands, reviews, to-dos, questions, and what the model says of itself."""

from decode_core.engine.offline.markdown import bullets, code, cut, fence, one_line
from decode_core.engine.offline.requests import AskPerson, DiffScope, ReviewDiff, RunCommand, SetTodos, Unknown
from decode_core.engine.offline.review import review
from decode_core.engine.offline.work import Work, attempt, must
from decode_core.events import CallOutcome

SHOWN_LINES = 40

ABILITIES = """\
I can:

- **read** a file: `read README.md`, `show src/app.py lines 10-20`
- **search**: `find TODO`, `search "retry" in src`
- **list**: `list the python files`, `list *.md in docs`
- **create**: `create notes.txt with hello`
- **replace**: `replace OLD with NEW in README.md`
- **run**: ``run `git status` ``
- **plan**: `plan a change to README`, `plan: replace OLD with NEW in README.md`
- **to-do**: `todo: first, second`
- **ask**: `ask me: Tea or coffee? (tea, coffee)`
- **review**: `review my changes`"""

HELP = f"""\
I am the offline model: rules, no language model and no network. I work on your real files, through the same \
permissions as any model. {ABILITIES}

For a real model: `/model`"""


def run_command(request: RunCommand) -> Work:
    """Run a command and show the end of its output."""
    result = yield from attempt("bash", command=request.command)
    lines = result.text.strip().splitlines()
    shown = "\n".join(lines[-SHOWN_LINES:])
    title = f"{code(request.command)} failed" if result.outcome is CallOutcome.FAILED else code(request.command)
    if not shown:
        return f"{title}: no output."
    if len(lines) > SHOWN_LINES:
        title += f", the last {SHOWN_LINES} of {len(lines)} lines"
    return f"{title}:\n\n{fence(shown)}"


def review_diff(request: ReviewDiff) -> Work:
    """Review the changes in the working tree."""
    result = yield from must("bash", command=request.scope.value)
    found = review(result.text)
    if found is not None:
        return found
    other = DiffScope.STAGED if request.scope is DiffScope.UNSTAGED else DiffScope.UNSTAGED
    hint = "review my staged changes" if other is DiffScope.STAGED else "review my changes"
    kind = "unstaged" if request.scope is DiffScope.UNSTAGED else "staged"
    return f"There are no {kind} changes. New files count once git knows them. Try also: {code(hint)}"


def set_todos(request: SetTodos) -> Work:
    """Set the to-do list."""
    items = [
        {"id": str(number), "content": item, "status": "pending"} for number, item in enumerate(request.items, start=1)
    ]
    yield from must("todo_write", items=items)
    return f"The to-do list:\n\n{bullets(request.items, 100)}"


def ask_person(request: AskPerson) -> Work:
    """Put a question to the person and repeat the answer."""
    result = yield from must("ask_user", question=request.question, options=list(request.options) or None)
    shown, _ = cut(result.text.strip().splitlines(), SHOWN_LINES)
    return f"You answered: {one_line(shown)}"


def unknown(request: Unknown) -> str:
    """Say honestly that a prompt was not understood, and what would be."""
    if request.hint:
        return f"I did not understand {code(one_line(request.text, 80))}. Perhaps: {request.hint}"
    return (
        f"I did not understand {code(one_line(request.text, 80))}: without a network I work by simple requests only. "
        f"{ABILITIES}\n\nFor a real model: `/model`"
    )
