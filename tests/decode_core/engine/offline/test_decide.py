"""The next response as a pure function of the history and of what the request offers."""

import copy

from hypothesis import given, strategies as st
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from decode_core.engine.local_model import Call, Offer
from decode_core.engine.offline import decide
from decode_core.engine.offline.others import HELP
from offline_desktop import called, gave, prompt

ALL = Offer(frozenset({"read", "glob", "grep", "write", "edit", "bash", "enter_plan_mode"}))


def test_a_tool_that_is_not_offered_is_called_all_the_same() -> None:
    messages: list[ModelMessage] = [
        prompt("replace a with b in f"),
        called("read", path="f"),
        gave("read", "     1\ta"),
    ]
    reply = decide(messages, Offer(frozenset({"read", "glob", "grep", "exit_plan_mode"})))
    assert reply.calls == (Call("edit", {"path": "f", "old": "a", "new": "b", "replace_all": True}),)


def test_a_denied_call_ends_the_work() -> None:
    messages: list[ModelMessage] = [
        prompt("run ls"),
        called("bash", command="ls"),
        gave("bash", "Not permitted: no", outcome="denied"),
    ]
    reply = decide(messages, ALL)
    assert reply.calls == ()
    assert reply.text == "`bash ls` was not allowed: no"


def test_steering_is_answered_after_the_work_that_it_came_in() -> None:
    steered = ModelRequest(
        parts=[ToolReturnPart("grep", "f:1:TODO", tool_call_id="1"), UserPromptPart("list *.md")], run_id="a"
    )
    messages: list[ModelMessage] = [prompt("find TODO"), called("grep", pattern="TODO"), steered]
    assert decide(messages, ALL).calls == (Call("glob", {"pattern": "**/*.md"}),)
    messages += [called("glob", "2", pattern="**/*.md"), gave("glob", "a.md", "2")]
    assert decide(messages, ALL).text == (
        "`TODO`: 1 match in 1 file\n\n- `f:1` `TODO`\n\n1 file for `**/*.md`:\n\n- `a.md`"
    )


def test_a_queued_prompt_is_answered_on_its_own() -> None:
    messages: list[ModelMessage] = [
        prompt("find TODO"),
        called("grep"),
        gave("grep", "No match."),
        ModelResponse(parts=[TextPart("`TODO` was not found.")], run_id="a"),
        prompt("run ls"),
    ]
    assert decide(messages, ALL).calls == (Call("bash", {"command": "ls"}),)


def test_a_turn_that_was_stopped_is_not_taken_up_again() -> None:
    closed = ToolReturnPart("bash", "interrupted", tool_call_id="1", outcome="interrupted")
    messages: list[ModelMessage] = [
        prompt("run sleep 100"),
        called("bash", command="sleep 100"),
        ModelRequest(parts=[closed, UserPromptPart("find TODO")], run_id="b"),
    ]
    assert decide(messages, ALL).calls == (Call("grep", {"pattern": "TODO"}),)


def test_a_suspended_turn_goes_on_where_it_was() -> None:
    messages: list[ModelMessage] = [prompt("run ls"), called("bash", command="ls"), gave("bash", "a.txt", run_id="b")]
    assert decide(messages, ALL).text == "`ls`:\n\n```\na.txt\n```"


def test_what_another_model_began_is_not_continued() -> None:
    messages: list[ModelMessage] = [prompt("run ls"), called("grep", pattern="x"), gave("grep", "f:1:x")]
    assert decide(messages, ALL).text.startswith("I cannot go on with what another model began.")


def test_a_history_without_a_prompt_gets_help() -> None:
    assert decide([], ALL).text == HELP


def test_prompts_of_several_parts_are_read_as_text() -> None:
    messages: list[ModelMessage] = [ModelRequest(parts=[UserPromptPart(["find", "TODO"])])]
    assert decide(messages, ALL).calls == (Call("grep", {"pattern": "TODO"}),)


def test_deciding_changes_nothing_and_is_the_same_each_time() -> None:
    messages: list[ModelMessage] = [
        prompt("replace a with b in f"),
        called("read", path="f"),
        gave("read", "     1\ta"),
    ]
    before = copy.deepcopy(messages)
    assert decide(messages, ALL) == decide(messages, ALL)
    assert messages == before


RESULTS = st.text(alphabet="ab:1\t\n`#-> .", max_size=60)


@given(
    st.sampled_from(
        ["read f", "find a", "list", "replace a with b", "replace a with b in f", "plan a change to f", "run x"]
    ),
    st.lists(
        st.tuples(RESULTS, st.sampled_from(["success", "failed", "denied", "retried", "interrupted"])), max_size=8
    ),
)
def test_no_result_of_a_tool_raises(text: str, results: list[tuple[str, str]]) -> None:
    """Whatever tools say, the answer is a call or a text, and a denial is the last thing that happens."""
    messages: list[ModelMessage] = [prompt(text)]
    for round_, (content, outcome) in enumerate(results):
        reply = decide(messages, ALL)
        if not reply.calls:
            assert reply.text
            return
        parts = [
            ToolCallPart(call.tool, dict(call.args), tool_call_id=f"{round_}-{index}")
            for index, call in enumerate(reply.calls)
        ]
        returns = [
            ToolReturnPart(part.tool_name, content, tool_call_id=part.tool_call_id, outcome=outcome)  # type: ignore[arg-type]
            for part in parts
        ]
        messages += [ModelResponse(parts=parts, run_id="a"), ModelRequest(parts=returns, run_id="a")]
        if outcome == "denied" and len(parts) == 1:
            assert decide(messages, ALL).calls == ()
