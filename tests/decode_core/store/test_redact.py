"""Secrets do not leave the store in an export; harmless text does."""

import pytest
from hypothesis import given, strategies as st

from decode_core.events import TodoChanged, TodoItem, ToolCallStarted
from decode_core.store.redact import REDACTED, Redactor

NOBODY = Redactor({})


@pytest.mark.parametrize(
    "secret",
    [
        "sk-ant-api03-abcdefghijklmnop",
        "sk-proj-abcdefghijklmnop1234",
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
        "github_pat_11ABCDEFG0abcdefghijkl_mnop",
        "glpat-abcdefghij1234567890",
        "xoxb-123456789012-abcdef",
        "AKIAIOSFODNN7EXAMPLE",
        "AIzaSyA1234567890abcdefghijklmnopqrstuv",
        "npm_abcdefghijklmnopqrstuvwxyz0123456789",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghijklmnop",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\\nMIIEpAIBAAKCAQEA, cut off",
    ],
)
@pytest.mark.parametrize("around", ["{}", "key: {} end", "('{}')", "x={}\n"])
def test_a_secret_of_a_known_shape_is_taken_out(secret: str, around: str) -> None:
    assert secret not in NOBODY.text(around.format(secret))
    assert REDACTED in NOBODY.text(around.format(secret))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("password = hunter22", f"password = {REDACTED}"),
        ('DB_PASSWORD="hunter22"', f'DB_PASSWORD="{REDACTED}"'),
        ('{"api_key": "abcdef123"}', f'{{"api_key": "{REDACTED}"}}'),
        ("Authorization: Bearer abcdefghijkl.mnop", f"Authorization: Bearer {REDACTED}"),
        ("postgres://me:pa55word@db/x", f"postgres://me:{REDACTED}@db/x"),
    ],
)
def test_what_is_assigned_to_a_secrets_name_is_taken_out(text: str, left: str) -> None:
    assert NOBODY.text(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "the token is read from the settings",
        "password = ''",
        "sk-learn and task-force",
        "https://example.com/a:b@c",
        "max_tokens = 4096",
        "def secret(x): pass",
        "keyboard = qwertyuiop",
    ],
)
def test_harmless_text_stays(text: str) -> None:
    assert NOBODY.text(text) == text


def test_values_of_secret_variables_are_taken_out_wherever_they_stand() -> None:
    redactor = Redactor(
        {"MY_TOKEN": "correct horse", "SHORT_KEY": "abc", "SSH_KEY": "/home/me/.ssh/id", "EDITOR": "emacs-nox"}
    )
    text = "say correct horse, abc, /home/me/.ssh/id, emacs-nox"
    assert redactor.text(text) == f"say {REDACTED}, abc, /home/me/.ssh/id, emacs-nox"


def test_events_stay_events_and_only_their_free_texts_change() -> None:
    redactor = Redactor({"A_TOKEN": "in_progress", "B_TOKEN": "tool_call_started", "C_TOKEN": "some-call"})
    todo = TodoChanged(items=(TodoItem(id="1", content="in_progress", status="in_progress"),))  # type: ignore[arg-type]
    changed = redactor.event(todo)
    assert isinstance(changed, TodoChanged)
    assert changed.items[0].content == REDACTED
    assert changed.items[0].status == "in_progress"
    call = ToolCallStarted(
        call_id="some-call",
        tool="bash",
        args={"id": "sk-abcdefghijklmnopqrst", "token": "x", "list": ["some-call", 1, None]},
    )
    changed_call = redactor.event(call)
    assert isinstance(changed_call, ToolCallStarted)
    assert changed_call.call_id == "some-call"
    assert changed_call.args == {"id": REDACTED, "token": REDACTED, "list": [REDACTED, 1, None]}


@given(st.text(max_size=200))
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once = NOBODY.text(text)
    assert NOBODY.text(once) == once


@pytest.mark.parametrize(
    "piece", ["a", "-----BEGIN PRIVATE KEY-----", "Bearer ", "a://b:", "API_KEY", "token = ", "eyJaaaaaaaaaaa.", "_-"]
)
def test_a_megabyte_that_almost_is_a_secret_takes_no_time(piece: str) -> None:
    """What is not linear would not come back from this within the day."""
    text = piece * (1_000_000 // len(piece))
    assert NOBODY.text(text + " ghp_" + "a1" * 20).endswith(REDACTED)
