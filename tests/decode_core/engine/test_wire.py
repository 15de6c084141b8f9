"""The OpenAI-compatible provider over real HTTP and SSE: streams, tools, errors, retries, keys."""

from pathlib import Path

import pytest

from decode_core.events import AssistantMessage, RetryScheduled, TextDelta, TurnEnd, UsageUpdated
from fake_provider import FakeProvider, Reply, fake_provider
from sessions import Played, play
from wire_model import use_provider


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    (folder / "README.md").write_text("retries\n")
    return folder


def run(workspace: Path, provider: FakeProvider, **more: object) -> Played:
    use_provider(provider, key_variable=more.pop("key_variable", None))
    return play(workspace, **more)  # type: ignore[arg-type]


def test_an_answer_streams_and_its_tokens_are_counted(workspace: Path) -> None:
    with fake_provider(Reply(text=["Hel", "lo."], reasoning="hm")) as provider:
        played = run(workspace, provider)
    assert "".join(event.text for event in played.of(TextDelta)) == "Hello."
    assert played.of(AssistantMessage)[0].text == "Hello."
    assert played.of(AssistantMessage)[0].thinking == "hm"
    assert played.of(UsageUpdated)[-1].input_tokens == 12
    assert provider.requests[0]["stream"] is True


def test_a_call_over_the_wire_is_gated_and_its_result_goes_back(workspace: Path) -> None:
    read = Reply(calls=[("read", '{"path": "README.md"}')])
    with fake_provider(read, Reply(text=["Done."])) as provider:
        played = run(workspace, provider)
    assert played.calls == [("read", "ok")]
    assert played.verdicts == [("read", "allow")]
    (result,) = [m for m in provider.requests[1]["messages"] if m["role"] == "tool"]
    assert "retries" in result["content"]
    assert "read" in provider.tools(0)


def test_malformed_arguments_go_back_to_the_model_and_the_turn_goes_on(workspace: Path) -> None:
    bad = Reply(calls=[("read", '{"path": ')])
    with fake_provider(bad, bad, bad, Reply(text=["Sorry."])) as provider:
        played = run(workspace, provider)
    assert played.verdicts == [("read", "invalid")] * 3
    assert played.end.end is TurnEnd.COMPLETED


def test_rate_limits_and_server_errors_are_retried_in_the_open(workspace: Path) -> None:
    with fake_provider(
        Reply(status=429, retry_after=0), Reply(status=503, retry_after=0), Reply(text=["ok"])
    ) as provider:
        played = run(workspace, provider)
    assert [event.attempt for event in played.of(RetryScheduled)] == [1, 2]
    assert played.end.end is TurnEnd.COMPLETED
    assert len(provider.requests) == 3


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (Reply(status=401), "does not accept the key"),
        (Reply(status=400, error="context_length_exceeded"), "longer than the model can read"),
        (Reply(status=404), "404"),
    ],
)
def test_what_a_retry_cannot_mend_ends_the_turn_with_a_sentence(workspace: Path, reply: Reply, says: str) -> None:
    with fake_provider(reply) as provider:
        played = run(workspace, provider)
    assert played.end.end is TurnEnd.FAILED
    assert says in played.end.reason
    assert played.end.hint
    assert len(provider.requests) == 1


def test_a_dead_stream_keeps_what_arrived_for_the_person_and_for_the_model(workspace: Path) -> None:
    with fake_provider(Reply(text=["Half an "], cut=True), Reply(text=["ok"])) as provider:
        played = run(workspace, provider, prompts=("go", "on"))
    message = played.of(AssistantMessage)[0]
    assert (message.text, message.interrupted) == ("Half an ", True)
    kept = [m.get("content") for m in provider.requests[1]["messages"] if m["role"] == "assistant"]
    assert "Half an " in kept


def test_the_persons_openai_key_never_goes_to_another_address(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    with fake_provider(Reply(text=["ok"])) as provider:
        run(workspace, provider)
    assert all("sk-secret" not in (header or "") for header in provider.authorisations)


def test_a_missing_key_names_its_variable(workspace: Path) -> None:
    with fake_provider() as provider:
        played = run(workspace, provider, key_variable="LOCAL_KEY")
    assert played.end.end is TurnEnd.FAILED
    assert "LOCAL_KEY" in played.end.reason
    assert provider.requests == []


def test_prompt_and_tools_follow_the_agent_at_the_next_request(workspace: Path) -> None:
    with fake_provider(Reply(text=["one"]), Reply(text=["two"])) as provider:
        run(workspace, provider, prompts=("go", "on"), hook=_select_plan)
    assert "write" in provider.tools(0)
    assert "write" not in provider.tools(1)
    assert "exit_plan_mode" in provider.tools(1)
    assert "plan mode" in provider.system(1)
    assert "plan mode" not in provider.system(0)


def _select_plan(event: object, session: object) -> None:
    if isinstance(event, AssistantMessage) and event.text == "one":
        session.select_agent("plan")  # type: ignore[attr-defined]
