"""The offline model in a real agent, over a small set of files held in memory."""

import asyncio

import pytest
from pydantic_ai import Agent
from pydantic_ai.messages import PartDeltaEvent, PartStartEvent, TextPart, TextPartDelta

from decode_core.engine.local_model import DEFAULT_CHUNK
from decode_core.engine.offline import OfflineModel
from decode_core.engine.offline.others import HELP
from offline_desktop import Desktop, calls, talk


def test_the_python_files_are_listed() -> None:
    answer, messages = talk(Desktop(), "list the python files")
    assert answer == "2 files for `**/*.py`:\n\n- `src/app.py`\n- `src/b.py`"
    assert calls(messages) == [("glob", {"pattern": "**/*.py"})]


def test_a_text_is_found_with_its_places() -> None:
    answer, _ = talk(Desktop(), "find TODO")
    assert answer.startswith("`TODO`: 2 matches in 2 files\n\n- `src/app.py:2` `# TODO one`")


def test_signs_of_regular_expressions_are_searched_as_text() -> None:
    _, messages = talk(Desktop(), "find main()")
    assert calls(messages) == [("grep", {"pattern": r"main\(\)"})]


def test_nothing_found_is_a_normal_answer() -> None:
    assert talk(Desktop(), "find zebra")[0] == "`zebra` was not found."


def test_lines_of_a_file_are_read() -> None:
    answer, messages = talk(Desktop(), "show src/app.py lines 2-3")
    assert answer == "`src/app.py`, lines 2 to 3:\n\n```python\n# TODO one\ndef main():\n```"
    assert calls(messages) == [("read", {"path": "src/app.py", "offset": 2, "limit": 2})]


@pytest.mark.parametrize("prompt", ["read app.py", "read APP.py", "read lib/app.py"])
def test_a_file_is_found_by_its_name(prompt: str) -> None:
    answer, messages = talk(Desktop(), prompt)
    assert answer.startswith("`src/app.py`:\n\n```python\nimport os")
    assert [tool for tool, _ in calls(messages)] == ["read", "glob", "read"]


def test_a_missing_file_is_named() -> None:
    answer, messages = talk(Desktop(), "read gone.txt")
    assert answer == "`read gone.txt` failed: gone.txt does not exist."
    assert [tool for tool, _ in calls(messages)] == ["read", "glob"]


def test_of_several_files_with_the_name_the_person_chooses() -> None:
    desktop = Desktop({"a/x.py": "1\n", "b/x.py": "2\n"})
    assert talk(desktop, "read x.py")[0] == "`x.py` is not there; which of these?\n\n- `a/x.py`\n- `b/x.py`"


def test_replacing_reads_first_and_tells_how_often() -> None:
    desktop = Desktop()
    answer, messages = talk(desktop, "replace foo with baz in README.md")
    assert answer == "Replaced `foo` with `baz` in `README.md`: 2 replacements."
    assert calls(messages) == [
        ("read", {"path": "README.md"}),
        ("edit", {"path": "README.md", "old": "foo", "new": "baz", "replace_all": True}),
    ]
    assert "baz bar baz" in desktop.files["README.md"]


def test_replacing_without_a_file_asks_which_where_there_are_several() -> None:
    desktop = Desktop()
    before = dict(desktop.files)
    answer, _ = talk(desktop, "replace TODO with DONE")
    assert answer == "`TODO` is in 2 files; say in which, or add `everywhere`:\n\n- `src/app.py`\n- `src/b.py`"
    assert desktop.files == before


def test_replacing_everywhere_changes_each_file() -> None:
    desktop = Desktop()
    answer, _ = talk(desktop, "replace TODO with DONE everywhere")
    assert answer.count("1 replacement.") == 2
    assert "TODO" not in "".join(desktop.files.values())


def test_replacing_what_is_not_there_says_so() -> None:
    answer, _ = talk(Desktop(), "replace zebra with lion in README.md")
    assert answer == "`zebra` does not occur in `README.md`; nothing was changed there."


def test_in_plan_mode_an_edit_is_called_once_and_its_reason_passed_on() -> None:
    answer, messages = talk(Desktop(in_plan_mode=True), "replace foo with baz in README.md")
    assert answer == (
        "`edit README.md` was not allowed: plan mode changes nothing; finish the plan with exit_plan_mode."
    )
    assert [tool for tool, _ in calls(messages)] == ["read", "edit"]


def test_the_persons_refusal_is_passed_on_with_the_note() -> None:
    answer, messages = talk(Desktop(), "run `secret`")
    assert answer == "You refused `bash secret` and said: use make instead"
    assert len(calls(messages)) == 1


def test_a_new_file_is_created_and_an_old_one_left_alone() -> None:
    desktop = Desktop()
    assert talk(desktop, "create notes.txt with hello")[0] == "Created `notes.txt` (1 line)."
    assert desktop.files["notes.txt"] == "hello\n"
    answer, _ = talk(desktop, "create README.md with hello")
    assert answer.startswith("`README.md` is there already; I left it alone.")
    assert "overwrite README.md with TEXT" in answer
    assert desktop.files["README.md"].startswith("# Demo")


def test_overwriting_is_said_so_and_reads_first() -> None:
    desktop = Desktop()
    _, messages = talk(desktop, "overwrite README.md with hello")
    assert [tool for tool, _ in calls(messages)] == ["read", "write"]


def test_a_command_shows_its_output() -> None:
    answer, messages = talk(Desktop(), "run make test")
    assert answer == "`make test`:\n\n```\nran make test\nexit 0\n```"
    assert calls(messages) == [("bash", {"command": "make test"})]


def test_todos_are_written() -> None:
    answer, messages = talk(Desktop(), "todo: buy milk, drink it")
    assert answer == "The to-do list:\n\n- `buy milk`\n- `drink it`"
    assert calls(messages) == [
        (
            "todo_write",
            {
                "items": [
                    {"id": "1", "content": "buy milk", "status": "pending"},
                    {"id": "2", "content": "drink it", "status": "pending"},
                ]
            },
        )
    ]


def test_a_question_is_put_and_its_answer_repeated() -> None:
    answer, messages = talk(Desktop(), "ask me: Tea or coffee? (tea, coffee)")
    assert answer == "You answered: coffee"
    assert calls(messages) == [("ask_user", {"question": "Tea or coffee?", "options": ["tea", "coffee"]})]


def test_changes_are_reviewed() -> None:
    diff = "diff --git a/f.py b/f.py\n--- a/f.py\n+++ b/f.py\n@@ -1 +1 @@\n-x\n+breakpoint()\n"
    answer, messages = talk(Desktop(diff=diff), "review my changes")
    assert calls(messages) == [("bash", {"command": "git diff"})]
    assert "- `f.py:1` debug output: `breakpoint()`" in answer


def test_without_changes_the_review_says_so() -> None:
    answer, _ = talk(Desktop(), "review my changes")
    assert answer.startswith("There are no unstaged changes.")


def test_an_unknown_request_gets_a_short_honest_answer_and_no_call() -> None:
    answer, messages = talk(Desktop(), "write me a poem")
    assert answer.startswith("I did not understand `write me a poem`: without a network")
    assert "`list the python files`" in answer
    assert calls(messages) == []


def test_help_lists_every_kind_of_request() -> None:
    answer, _ = talk(Desktop(), "help")
    assert answer == HELP
    kinds = ("read", "search", "list", "create", "replace", "run", "plan", "to-do", "ask", "review")
    assert all(f"**{kind}**" in answer for kind in kinds)


def test_hostile_contents_stay_inside_their_fence() -> None:
    desktop = Desktop({"a.txt": "```\n# not a heading\n````\n"})
    answer, _ = talk(desktop, "read a.txt")
    assert answer == "`a.txt`:\n\n`````\n```\n# not a heading\n````\n`````"


def test_text_is_streamed_in_small_pieces() -> None:
    async def pieces() -> list[str]:
        found = []
        agent = Agent(OfflineModel(), toolsets=[Desktop().tools()])
        async with agent.run_stream_events("help") as events:
            async for event in events:
                match event:
                    case PartStartEvent(part=TextPart(content=text)):
                        found.append(text)
                    case PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
                        found.append(text)
        return found

    found = asyncio.run(pieces())
    assert "".join(found) == HELP
    assert max(map(len, found)) == DEFAULT_CHUNK


def test_each_turn_of_a_conversation_stands_alone() -> None:
    desktop = Desktop()
    _, first = talk(desktop, "find TODO")
    answer, second = talk(desktop, "list the python files", first)
    assert answer.startswith("2 files")
    assert [tool for tool, _ in calls(second)] == ["glob"]
