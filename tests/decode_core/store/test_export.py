"""Exports: complete, redacted, inert; a script plays the session again."""

import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings, strategies as st

from decode_core.engine.script_file import load_script
from decode_core.events import (
    AssistantMessage,
    CallOutcome,
    EventBase,
    PermissionDecided,
    Plan,
    PlanComment,
    PlanDecided,
    PlanProposed,
    ToolCallFinished,
    ToolCallStarted,
    TurnEnd,
    TurnFinished,
    TurnStarted,
    UsageUpdated,
    parse_event,
)
from decode_core.store.database import Database
from decode_core.store.export import Exported, ExportFormat, export, write_export
from decode_core.store.faults import StoreError, StoreFault
from decode_core.store.records import Records
from decode_core.store.redact import Redactor
from decode_core.store.sessions import Sessions
from sessions import Played, play
from stored import conversation, store_session

HOSTILE = "\x1b[2J</pre><script>alert(1)</script>\n```\n![x](https://evil.example/p.png)\n<img src=x onerror=y>\u202e"
SECRET = "ghp_" + "a1" * 15


def exported(database: Database, form: ExportFormat, session_id: str = "s1") -> Exported:
    return export(Records(database), Sessions(database).find(session_id), form, Redactor({}))


@pytest.mark.parametrize("form", [ExportFormat.MARKDOWN, ExportFormat.HTML])
def test_a_reader_finds_everything_in_order(database: Database, form: ExportFormat) -> None:
    store_session(database)
    text = exported(database, form).text
    places = [
        text.index(words)
        for words in (
            "Rename the flag",
            "The flag is in cli.py",
            "I will look",
            "edit",
            "ask, by mode",
            "Answered: once",
            "+ b",
            "I renamed it",
            "completed",
        )
    ]
    assert places == sorted(places)
    assert "look it over before you give it away" in text


def test_json_lines_are_the_events(database: Database) -> None:
    kept = store_session(database)
    lines = exported(database, ExportFormat.JSON_LINES).text.splitlines()
    assert [parse_event(line) for line in lines] == kept


@pytest.mark.parametrize("form", [ExportFormat.MARKDOWN, ExportFormat.HTML])
def test_what_was_said_on_a_plan_is_exported_without_secrets(database: Database, form: ExportFormat) -> None:
    comments = (PlanComment(quoted="2. Use it", text=f"with the key {SECRET}"),)
    plan = Plan(version=1, title="T", text="2. Use it")
    store_session(database, events=[PlanDecided(plan=plan, answer="refine", note="smaller", comments=comments)])
    text = exported(database, form).text
    assert text.index("smaller") < text.index("Use it”: with the key")
    assert SECRET not in text


def hostile_session(database: Database, text: str = HOSTILE) -> None:
    events: list[EventBase] = [
        *conversation(text, text)[:-1],
        ToolCallStarted(call_id="h", tool=text, subject=text, args={text: [text]}),
        ToolCallFinished(call_id="h", tool=text, outcome=CallOutcome.FAILED, summary=text, text=text),
        PlanProposed(plan=Plan(version=1, title=text, text=text)),
        PlanDecided(
            plan=Plan(version=1, title=text, text=text),
            answer="refine",
            note=text,
            comments=(PlanComment(quoted=text, text=text),),
        ),
        TurnFinished(end=TurnEnd.FAILED, reason=text, hint=text),
    ]
    store_session(database, events=events)


class Page(HTMLParser):
    """Collects tags, attributes and text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.content: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.content.append(data)


OWN_TAGS = {
    *("html", "head", "meta", "title", "style", "body", "h1", "h2", "dl", "dt", "dd", "p", "hr", "div", "pre", "code"),
    *("span", "details", "summary"),
}


def test_a_page_loads_and_runs_nothing(database: Database) -> None:
    hostile_session(database)
    text = exported(database, ExportFormat.HTML).text
    page = Page(text)
    assert page.tags <= OWN_TAGS
    assert page.attributes <= {"lang", "charset", "http-equiv", "content", "name", "class"}
    assert "default-src 'none'" in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "<script>alert(1)</script>" in "".join(page.content)  # told, not run


@given(text=st.text(st.sampled_from("<>&\"'/=abc script\n\x1b\0`!-[]{}"), max_size=40))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
def test_no_text_becomes_a_tag(database: Database, text: str) -> None:
    for info in Sessions(database).recent():
        Sessions(database).delete(info.id)
    hostile_session(database, text)
    page = Page(exported(database, ExportFormat.HTML).text)
    assert page.tags <= OWN_TAGS
    assert page.attributes <= {"lang", "charset", "http-equiv", "content", "name", "class"}


def outside_code(text: str) -> str:
    """Markdown without its code: what a renderer may act on."""
    fence = ""
    left = []
    for line in text.splitlines():
        mark = re.match(r" {0,3}(`{3,})", line)
        if fence:
            if mark and len(mark[1]) >= len(fence) and not line.strip().strip("`"):
                fence = ""
        elif mark:
            fence = mark[1]
        else:
            left.append(re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", line))
    return "\n".join(left)


def test_markdown_shows_no_remote_picture_and_no_html(database: Database) -> None:
    hostile_session(database)
    text = exported(database, ExportFormat.MARKDOWN).text
    assert "\x1b" not in text
    assert "\u202e" not in text
    rendered = outside_code(text)
    assert not re.search(r"(?<!\\)!\[", rendered)
    assert not re.search(r"(?<!\\)<[A-Za-z/!]", rendered)


def test_code_in_an_answer_stays_as_it_is(database: Database) -> None:
    answer = "Use:\n```html\n<b>![x](y)</b>\n```\nand <b>."
    store_session(database, events=conversation(answer=answer))
    assert "Use:\n```html\n<b>![x](y)</b>\n```\nand \\<b>." in exported(database, ExportFormat.MARKDOWN).text


def test_an_answer_that_was_cut_in_a_code_block_does_not_swallow_the_rest(database: Database) -> None:
    store_session(database, events=conversation(answer="```python\nx = 1"))
    assert "```python\nx = 1\n```\n" in exported(database, ExportFormat.MARKDOWN).text


@pytest.mark.parametrize("form", list(ExportFormat))
def test_secrets_leave_in_no_form(database: Database, form: ExportFormat) -> None:
    hostile_session(database, f"token is {SECRET} here")
    Sessions(database).rename("s1", f"with {SECRET}")
    text = exported(database, form).text
    assert SECRET not in text
    assert "[redacted]" in text.replace("\\", "")


@pytest.mark.parametrize("form", [ExportFormat.MARKDOWN, ExportFormat.HTML])
def test_what_cannot_be_read_is_said(database: Database, form: ExportFormat) -> None:
    store_session(database)
    with database.write() as connection:
        connection.execute("UPDATE events SET body = 'x' WHERE seq IN (3, 4)")
    done = exported(database, form)
    assert (done.events, done.unreadable) == (9, 2)
    assert "2 events could not be read" in done.text
    assert "I renamed it" in done.text


def without_moments(played: Played) -> list[dict[str, object]]:
    """Events as data, without what differs from run to run: times, ids and the model's name."""
    changing = {
        "seq",
        "ts",
        "elapsed_ms",
        "call_id",
        "question_id",
        "waited_ms",
        "id",
        "model",
        "thinking_s",
        "args_digest",
    }
    return [
        {name: value for name, value in event.model_dump(mode="json").items() if name not in changing}
        for event in played.events
        if type(event).__name__ not in ("TextDelta", "ThinkingDelta", "ToolCallProgress")
    ]


RESPONSES = r"""
    - thinking: "hm: é \u2028 \U0001F600"
      text: "I will look: {a}, 'b' \"c\" \\ # no comment\n- x\n\ttab"
      calls:
        - {tool: read, args: {path: README.md}}
        - {tool: nothing_there, args: {x: 1}}
      usage: {input: 120, output: 30}
    - calls:
        - {tool: write, args: {path: a.txt, content: "x: y\n--- \u0007 \u0085"}}
      usage: {input: 10, output: 3}
    - calls:
        - {tool: write, args: {path: b.txt, content: "yes"}}
    - text: "First done."
    - text: "Second done."
"""


def test_a_script_plays_the_session_again(tmp_path: Path, database: Database) -> None:
    first, second = tmp_path / "one" / "ws", tmp_path / "two" / "ws"
    for folder in (first, second):
        folder.mkdir(parents=True)
        (folder / "README.md").write_text("hello\n")
    prompts = ["Make two files", "And then?"]
    played = play(first, RESPONSES, prompts=prompts)
    text = exported(database, ExportFormat.SCRIPT, played.events[0].session_id).text
    file = second.parent / "again.yaml"
    file.write_text(text, encoding="utf-8")
    again = play(second, None, prompts=prompts, model=f"script:{file}")
    there, here = without_moments(played), without_moments(again)
    for event in (*there, *here):
        for name in ("workspace", "payload", "session_id", "model_name", "seen"):
            event.pop(name, None)
    assert here == there
    assert "# prompt: Make two files" in text
    assert (second / "a.txt").read_bytes() == (first / "a.txt").read_bytes()
    assert again.of(PermissionDecided)


any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@given(responses=st.lists(st.tuples(any_text, any_text, st.dictionaries(any_text, any_text, max_size=2)), max_size=4))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
def test_any_session_gives_a_script_that_reads_back(
    tmp_path: Path, database: Database, responses: list[tuple[str, str, dict[str, str]]]
) -> None:
    for info in Sessions(database).recent():
        Sessions(database).delete(info.id)
    events: list[EventBase] = [TurnStarted(prompt="go\n# on: {x}")]
    for number, (text, thinking, args) in enumerate(responses, 1):
        if text or thinking:
            events.append(AssistantMessage(text=text, thinking=thinking))
        events.append(UsageUpdated(requests=number, input_tokens=number * 10, output_tokens=number))
        if args:
            events.append(ToolCallStarted(call_id=f"c{number}", tool="bash", args=args))
    store_session(database, events=[*events, TurnFinished(end=TurnEnd.COMPLETED)])
    content = exported(database, ExportFormat.SCRIPT).text
    assert content.isascii()
    read = yaml.safe_load(content)["responses"] or []
    redactor = Redactor({})
    assert [
        (entry.get("text", ""), entry.get("thinking", ""), entry.get("calls", [{"args": {}}])[0]["args"])
        for entry in read
    ] == [(redactor.text(text), redactor.text(thinking), redactor.value(args)) for text, thinking, args in responses]
    if responses:
        file = tmp_path / "script.yaml"
        file.write_text(content)
        assert len(load_script(file).responses) == len(responses)


def test_an_export_is_written_whole_private_and_over_the_old_one(tmp_path: Path, database: Database) -> None:
    store_session(database)
    file = tmp_path / "out.md"
    file.write_text("old")
    write_export(exported(database, ExportFormat.MARKDOWN), file)
    assert file.read_text(encoding="utf-8").startswith("# Rename the flag")
    assert file.stat().st_mode & 0o777 == 0o600
    assert [it.name for it in tmp_path.iterdir()] == ["out.md"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_an_export_that_fails_half_way_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    file = tmp_path / "out.md"
    file.write_text("old")

    def fail(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os if step == "fsync" else Path, step, fail)
    with pytest.raises(StoreError, match="No space left") as raised:
        write_export(Exported("new", 1), file)
    assert raised.value.fault is StoreFault.NOT_EXPORTED
    assert file.read_text() == "old"
    assert [it.name for it in tmp_path.iterdir()] == ["out.md"]


@pytest.mark.parametrize("place", [".", "missing/out.md"])
def test_an_export_to_nowhere_is_told(tmp_path: Path, place: str) -> None:
    with pytest.raises(StoreError) as raised:
        write_export(Exported("x", 1), tmp_path / place)
    assert raised.value.fault is StoreFault.NOT_EXPORTED
    assert list(tmp_path.iterdir()) == []


def test_a_session_without_an_answer_is_a_script_all_the_same(database: Database) -> None:
    store_session(database, events=[TurnStarted(prompt="go")])
    assert yaml.safe_load(exported(database, ExportFormat.SCRIPT).text)["responses"] == []
    lines = exported(database, ExportFormat.JSON_LINES).text
    assert json.loads(lines)["prompt"] == "go"
