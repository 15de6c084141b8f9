"""Many ways to say the same thing: what the offline model understands, and what it honestly does not."""

import pytest
from hypothesis import given, strategies as st

from decode_core.engine.offline.requests import (
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
from decode_core.engine.offline.understanding import LONGEST, understand

PHRASES: list[tuple[str, Request]] = [
    ("plan a change to README", MakePlan("a change to README")),
    ("plan: replace foo with bar in a.py", MakePlan("replace foo with bar in a.py")),
    ("make a plan for the release", MakePlan("the release")),
    ("create plan.md with hello", CreateFile("plan.md", "hello\n")),
    ("plan how to add a test", MakePlan("add a test")),
    ("todo: a, b, c", SetTodos(("a", "b", "c"))),
    ("to-do: write tests; run them", SetTodos(("write tests", "run them"))),
    ("todo:\n- one\n- [ ] two", SetTodos(("one", "two"))),
    ("make a to-do list: x, y", SetTodos(("x", "y"))),
    ("ask me whether to use tabs", AskPerson("Whether to use tabs?")),
    ("ask me: Tea or coffee? (tea, coffee)", AskPerson("Tea or coffee?", ("tea", "coffee"))),
    (
        "ask me to choose between red, green and blue",
        AskPerson("Choose between red, green and blue?", ("red", "green", "blue")),
    ),
    ("ask me a question", AskPerson("What shall I do next?")),
    ("ask me", AskPerson("What shall I do next?")),
    ("review my changes", ReviewDiff()),
    ("review the diff", ReviewDiff()),
    ("review a diff", ReviewDiff()),
    ("show me the staged changes", ReviewDiff(DiffScope.STAGED)),
    ("git diff", ReviewDiff()),
    ("what did I change?", ReviewDiff()),
    ("run ls -la", RunCommand("ls -la")),
    ("run `pytest -q`.", RunCommand("pytest -q")),
    ("execute the command `make test` please", RunCommand("make test")),
    ("$ git status", RunCommand("git status")),
    ('run echo "a b" | wc', RunCommand('echo "a b" | wc')),
    ("replace foo with bar in src/a.py", Replace("foo", "bar", "src/a.py")),
    ('replace "a b" with "c in d" in "my file.txt"', Replace("a b", "c in d", "my file.txt")),
    ("replace `a` with `b` in `f`", Replace("a", "b", "f")),
    ("replace all foo by bar everywhere", Replace("foo", "bar", "**/*")),
    ("replace foo with bar in *.py", Replace("foo", "bar", "*.py")),
    ("replace foo with bar", Replace("foo", "bar")),
    ("change timeout=3 to timeout=5 in config.toml", Replace("timeout=3", "timeout=5", "config.toml")),
    ("in README.md, replace hello with goodbye", Replace("hello", "goodbye", "README.md")),
    ("In `a.txt` change 1 to 2", Replace("1", "2", "a.txt")),
    ("rename old_name to new_name in src/a.py", Replace("old_name", "new_name", "src/a.py")),
    ("rename foo to bar", Replace("foo", "bar")),
    ('remove "foo " from a.txt', Replace("foo ", "", "a.txt")),
    ("delete all bar from src/x.py", Replace("bar", "", "src/x.py")),
    ("replace a with b in c in f.py", Replace("a", "b in c", "f.py")),
    ("create a.txt with hello world", CreateFile("a.txt", "hello world\n")),
    ('create a file a.txt containing "hi there"', CreateFile("a.txt", "hi there\n")),
    ("create a new file called notes.md with the text hello", CreateFile("notes.md", "hello\n")),
    ("write hello to a.txt", CreateFile("a.txt", "hello\n")),
    ('write "x = 1" into src/x.py', CreateFile("src/x.py", "x = 1\n")),
    ("make a file x.md that says Hello", CreateFile("x.md", "Hello\n")),
    ("create an empty file x.txt", CreateFile("x.txt")),
    ("create x.txt", CreateFile("x.txt")),
    ("create a.py with\n```python\nprint(1)\nprint(2)\n```", CreateFile("a.py", "print(1)\nprint(2)\n")),
    ("overwrite a.txt with new", OverwriteFile("a.txt", "new\n")),
    ("create a.txt: hello", CreateFile("a.txt", "hello\n")),
    ("list the python files", ListFiles("**/*.py")),
    ("list files", ListFiles()),
    ("list", ListFiles()),
    ("ls", ListFiles()),
    ("ls src", ListFiles(folder="src")),
    ("list *.py", ListFiles("**/*.py")),
    ("list *.py in src", ListFiles("**/*.py", "src")),
    ("list the markdown files in docs", ListFiles("**/*.md", "docs")),
    ("list files in src", ListFiles(folder="src")),
    ("list all files in the folder src/", ListFiles(folder="src")),
    ("what files are there?", ListFiles()),
    ("show me all python files", ListFiles("**/*.py")),
    ("list test files", ListFiles("**/*test*")),
    ("list all .toml files", ListFiles("**/*.toml")),
    ("find the python files", ListFiles("**/*.py")),
    ("find files named conftest.py", ListFiles("**/conftest.py")),
    ("where is the file app.py?", ListFiles("**/app.py")),
    ("find README.md", ListFiles("**/README.md")),
    ("what is in src/", ListFiles(folder="src")),
    ("what's in the folder src", ListFiles(folder="src")),
    ("find TODO", Search("TODO")),
    ("search TODO", Search("TODO")),
    ('search for "foo bar" in src', Search("foo bar", "src")),
    ("find foo in README.md", Search("foo", "README.md")),
    ("grep foo.bar", Search("foo.bar")),
    ("search src for foo", Search("foo", "src")),
    ("search in the python files for import os", Search("import os", glob="**/*.py")),
    ("find all uses of connect in src/", Search("connect", "src/")),
    ("where is Session defined?", Search("Session")),
    ("where is connect used in src", Search("connect", "src")),
    ("find a in f.txt", Search("a", "f.txt")),
    ("search for /def \\w+/ in *.py", Search("def \\w+", glob="**/*.py", is_regex=True)),
    ("look for TODO in the markdown files", Search("TODO", glob="**/*.md")),
    ("read README.md", ReadFile("README.md")),
    ("read README", ReadFile("README")),
    ("read src/a.py lines 10-20", ReadFile("src/a.py", 10, 20)),
    ("read lines 3 to 5 of src/a.py", ReadFile("src/a.py", 3, 5)),
    ("show a.py, line 5", ReadFile("a.py", 5, 5)),
    ('open "my file.txt"', ReadFile("my file.txt")),
    ('open @"my file.txt"', ReadFile("my file.txt")),
    ("read @src/a.py", ReadFile("src/a.py")),
    ('replace foo with bar in @"my file.txt"', Replace("foo", "bar", "my file.txt")),
    ("cat x", ReadFile("x")),
    ("please read @src/x.py.", ReadFile("src/x.py")),
    ("can you show me README.md?", ReadFile("README.md")),
    ("what does README.md say?", ReadFile("README.md")),
    ("what is in pyproject.toml?", ReadFile("pyproject.toml")),
]


@pytest.mark.parametrize(("prompt", "request_"), PHRASES, ids=[prompt for prompt, _ in PHRASES])
def test_a_phrase_is_understood(prompt: str, request_: Request) -> None:
    assert understand(prompt) == request_


@pytest.mark.parametrize("prompt", ["list the python files", "find TODO", "plan a change to README"])
def test_what_the_first_screen_promises_is_understood(prompt: str) -> None:
    assert not isinstance(understand(prompt), Unknown)


@pytest.mark.parametrize("prompt", ["help", "?", "hi", "Hello!", "what can you do?", "how does this work"])
def test_help_is_understood(prompt: str) -> None:
    assert understand(prompt) == Help()


@pytest.mark.parametrize("frame", ["{}", "please {}", "can you {}?", "{}, please", "Now {}.", "  {}  ", "{} thanks"])
def test_politeness_changes_nothing(frame: str) -> None:
    assert understand(frame.format("replace `a` with `b` in `f.py`")) == Replace("a", "b", "f.py")


@pytest.mark.parametrize(
    "prompt",
    [
        "fix the bug in a.py",
        "tell me a joke",
        "change README to be nicer",
        "create a function that adds numbers",
        "write hello",
        "show me the money",
        "",
        "   ",
        "...",
        "delete README.md",
        "todo",
    ],
)
def test_anything_else_is_unknown_and_never_guessed_at(prompt: str) -> None:
    assert isinstance(understand(prompt), Unknown)


@pytest.mark.parametrize(
    ("prompt", "hint"),
    [
        ("plan", "say what for: `plan a change to README`"),
        ("run the tests", "name the command: ``run `pytest -q` ``"),
        ("rename a.py to b.py", "to rename a file: ``run `git mv a.py b.py` ``"),
    ],
)
def test_a_near_miss_gets_a_hint(prompt: str, hint: str) -> None:
    assert understand(prompt) == Unknown(prompt, hint)


@pytest.mark.parametrize("quote", ["`{}`", '"{}"', "'{}'", "“{}”", "``{}``"])
def test_words_of_the_grammar_inside_quotes_are_text(quote: str) -> None:
    old, new = quote.format("a with b in c"), quote.format("x to y")
    assert understand(f"replace {old} with {new} in f.py") == Replace("a with b in c", "x to y", "f.py")


def test_an_apostrophe_is_no_quote() -> None:
    assert understand("find don't in it's.txt") == Search("don't", "it's.txt")


def test_blanks_inside_quotes_are_kept() -> None:
    assert understand('replace "  a" with "b  " in f') == Replace("  a", "b  ", "f")


def test_a_command_keeps_its_own_quotes() -> None:
    assert understand("run git commit -m 'a with b'") == RunCommand("git commit -m 'a with b'")


def test_a_text_that_is_too_long_asks_for_quotes() -> None:
    request = understand("find " + "a " * LONGEST)
    assert isinstance(request, Unknown)
    assert "quotes" in request.hint


def test_long_quoted_content_is_taken_whole() -> None:
    content = "line\n" * LONGEST
    assert understand(f"create a.txt with\n```\n{content}```") == CreateFile("a.txt", content)


@given(st.text(max_size=300))
def test_no_text_raises(prompt: str) -> None:
    understand(prompt)


WORDS = (
    'replace with in to find list show read write create the all files a b.py `x` "y z" lines 1-2 plan ask me : , ? \n'
)


@given(st.lists(st.sampled_from(WORDS.split(" ")), max_size=25).map(" ".join))
def test_no_salad_of_known_words_raises(prompt: str) -> None:
    understand(prompt)


@pytest.mark.parametrize(
    "verb", ["replace", "change", "find", "show", "write", "create a.txt", "remove", "ask me", "in"]
)
@pytest.mark.parametrize("filling", [" ", "\n", "a ", "with ", "in ", "to ", "the ", "`", '"', "“", "`a "])
def test_long_texts_come_to_an_end(verb: str, filling: str) -> None:
    """A form that backtracks through a run of blanks takes hours for this; a sound one a few milliseconds."""
    understand((f"{verb} " + filling * LONGEST)[: LONGEST - 1] + "\x01")
