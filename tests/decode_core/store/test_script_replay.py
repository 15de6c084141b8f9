"""`decode sessions export --script`: a script of any session gives the same events again (core.md §5)."""

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import yaml
from hypothesis import HealthCheck, given, settings, strategies as st

from decode_core.decisions import Allow, Answer, Deny, PlanReview, Reply
from decode_core.engine.clearance import OnAsk
from decode_core.events import DecisionRequested, QuestionKind
from decode_core.permissions.modes import PermissionMode
from decode_core.resuming import take_up
from decode_core.session import Session
from decode_core.store.database import Database
from decode_core.store.export import ExportFormat, export
from decode_core.store.records import Records
from decode_core.store.redact import Redactor
from decode_core.store.sessions import Sessions
from sessions import Played, play

CALLS: list[dict[str, Any]] = [
    {"tool": "read", "args": {"path": "README.md"}},
    {"tool": "read", "args": {"path": "missing.txt"}},
    {"tool": "write", "args": {"path": "a.txt", "content": "one"}},
    {"tool": "write", "args": {"path": "b.txt", "content": "two"}},
    {"tool": "write", "args": {"path": "secret.txt", "content": "x"}},
    {"tool": "write", "args": {"path": 5}},
    {"tool": "fly", "args": {"to": "the moon"}},
    {"tool": "todo_write", "args": {"items": [{"id": "1", "content": "Look"}]}},
    {"tool": "ask_user", "args": {"question": "Which?", "options": ["a", "b"]}},
    {"tool": "enter_plan_mode", "args": {}},
    {"tool": "exit_plan_mode", "args": {"title": "T", "plan": "# Steps\n1. x"}},
]
"""Calls that run, fail, are asked, are denied by a rule, are malformed, are unknown, or ask the person themselves."""

responses = st.lists(
    st.fixed_dictionaries(
        {"text": st.sampled_from(["", "I look.", "é \u2028 'x': {y}"])},
        optional={"calls": st.lists(st.sampled_from(CALLS), min_size=1, max_size=3), "thinking": st.just("hm")},
    ).filter(lambda response: response["text"] or "calls" in response),
    min_size=1,
    max_size=4,
)

MOMENTARY = frozenset(
    (
        *("ts", "seq", "session_id", "call_id", "id", "question_id", "elapsed_ms", "waited_ms", "thinking_s"),
        *("model", "model_name", "args_digest", "workspace", "payload", "seen", "content"),
    )
)
"""Fields that differ between two runs of one script in two folders."""


def answers(yes: list[bool]) -> Any:
    """One answer after the other; what is not said is a no."""
    left = iter(yes)

    def answer(question: DecisionRequested, session: Session) -> Answer:
        agreed = next(left, False)
        match question.kind:
            case QuestionKind.PLAN_REVIEW:
                return PlanReview("approve_ask" if agreed else "refine", note="n")
            case QuestionKind.ASK_USER:
                return Reply(("a",)) if agreed else Deny()
            case _:
                return Allow.once() if agreed else Deny("not now")

    return answer


def events_of(played: Played) -> list[dict[str, Any]]:
    return [
        {name: value for name, value in event.model_dump(mode="json").items() if name not in MOMENTARY}
        for event in played.events
        if type(event).__name__ not in ("TextDelta", "ThinkingDelta", "ToolCallProgress")
    ]


def fresh(home: Path) -> Path:
    workspace = home / "ws"
    (workspace / ".decode").mkdir(parents=True)
    (workspace / "README.md").write_text("hello\n")
    (workspace / ".decode" / "settings.json").write_text('{"permissions": {"deny": ["write(secret*)"]}}')
    return workspace


def script_of(session_id: str, file: Path) -> str:
    """Export a session as a script; the model that plays it."""
    database = Database.open()
    info = Sessions(database).find(session_id)
    file.write_text(export(Records(database), info, ExportFormat.SCRIPT, Redactor({})).text, encoding="utf-8")
    database.close()
    return f"script:{file}"


@given(responses=responses, yes=st.lists(st.booleans(), max_size=6))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=12, deadline=None)
def test_a_script_of_a_session_replays_to_the_same_events(
    own_home: Path, responses: list[dict[str, Any]], yes: list[bool]
) -> None:
    home = Path(tempfile.mkdtemp(dir=own_home))
    model = home / "first.yaml"
    model.write_text(json.dumps({"version": 1, "responses": responses}), encoding="utf-8")
    first = play(fresh(home / "one"), answer=answers(yes), model=f"script:{model}")
    again_model = script_of(first.end.session_id, home / "again.yaml")
    again = play(fresh(home / "two"), answer=answers(yes), model=again_model)
    assert events_of(again) == events_of(first)
    shutil.rmtree(home)


def test_a_session_that_was_suspended_is_one_response_in_its_script(tmp_path: Path) -> None:
    workspace = fresh(tmp_path)
    batch = """
    - text: "I write."
      calls:
        - {tool: write, args: {path: a.txt, content: "one"}}
        - {tool: read, args: {path: a.txt}}
    - text: Done.
    """
    left = play(workspace, batch, interactive=False, on_ask=OnAsk.SUSPEND, mode=PermissionMode.DEFAULT)
    play(workspace, None, prompts=(), resumed=take_up(left.end.session_id, None))
    script_of(left.end.session_id, tmp_path / "again.yaml")
    written = yaml.safe_load((tmp_path / "again.yaml").read_text())["responses"]
    assert [len(response.get("calls", ())) for response in written] == [2, 0]
    assert [response["text"] for response in written] == ["I write.", "Done."]
