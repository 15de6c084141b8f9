"""A script file is checked as a whole, and every fault is told with its line."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from decode_core.engine.script_file import (
    ExpectedOutcome,
    ScriptError,
    load_script,
    parse_script,
)

SPEC_EXAMPLE = """\
version: 1
chunk: 24                 # characters per streamed delta (default 24); delay_ms between deltas (default 0)
responses:                # one per model request, in order; when they are used up the model says so and stops
  - thinking: "…"         # all keys optional
    text: "I will look."
    calls:                # tool calls of this response, in order
      - {tool: read, args: {path: README.md}}
      - {tool: write, args: {path: a.txt, content: "x"}}
    usage: {input: 120, output: 30}
  - expect:               # checked before this response against the request
      results: [{tool: read, outcome: ok, contains: "hello"}, {tool: write, outcome: denied}]
      tools_include: [edit]
      tools_exclude: [bash]
      instructions_contain: "plan mode"
    text: "Done."
  - error: {status: 429, retry_after: 1}
"""


def test_the_format_of_the_specification_is_read() -> None:
    script = parse_script(SPEC_EXAMPLE.encode())
    first, second, third = script.responses
    assert (script.chunk, script.delay_ms) == (24, 0)
    assert (first.thinking, first.text) == ("…", "I will look.")
    assert [(call.tool, dict(call.args)) for call in first.calls] == [
        ("read", {"path": "README.md"}),
        ("write", {"path": "a.txt", "content": "x"}),
    ]
    assert first.usage is not None
    assert (first.usage.input, first.usage.output) == (120, 30)
    assert second.expect is not None
    assert second.expect.results is not None
    assert [(want.tool, want.outcome, want.contains) for want in second.expect.results] == [
        ("read", ExpectedOutcome.OK, "hello"),
        ("write", ExpectedOutcome.DENIED, None),
    ]
    assert second.expect.tools_include == ("edit",)
    assert second.expect.tools_exclude == ("bash",)
    assert second.expect.instructions_contain == "plan mode"
    assert third.error is not None
    assert (third.error.status, third.error.retry_after) == (429, 1.0)


def test_every_key_of_a_response_may_be_left_out() -> None:
    (response,) = parse_script(b"version: 1\nresponses: [{}]").responses
    assert response.text == ""
    assert response.calls == ()


def test_a_script_knows_its_file(tmp_path: Path) -> None:
    path = tmp_path / "demo.yaml"
    path.write_text("version: 1\nresponses: []\n", encoding="utf-8")
    assert load_script(path).name == "demo.yaml"


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ("version: 2\nresponses: []", 1, '"version" should be 1'),
        ("responses: []", 1, '"version" is missing'),
        ("version: 1", 1, '"responses" is missing'),
        ("version: 1\nchunk: 0\nresponses: []", 2, '"chunk" should be greater than or equal to 1'),
        ("version: 1\ndelay_ms: -1\nresponses: []", 2, '"delay_ms" should be greater than or equal to 0'),
        ("version: 1\nresponses: []\nresponces: []", 3, 'unknown key "responces"; did you mean "responses"?'),
        (
            "version: 1\nresponses: []\nname: x",
            3,
            'unknown key "name"; known here: version, chunk, delay_ms, responses',
        ),
        ("version: 1\nresponses:\n  - txt: a", 3, 'unknown key "txt"; did you mean "text"?'),
        ("version: 1\nresponses:\n  - text: 5", 3, '"text" should be text; put it in quotes'),
        ("version: 1\nresponses:\n  - text: a\n  - 7", 4, '"responses" should hold keys and values'),
        ("version: 1\nresponses:\n  - calls:\n      - {args: {}}", 4, '"tool" is missing'),
        ("version: 1\nresponses:\n  - calls:\n    - {tool: a, args: [1]}", 4, '"args" should be a valid dictionary'),
        ("version: 1\nresponses:\n  - calls:\n    - {tool: a, args: {b: .inf}}", 4, '"b" should be a finite number'),
        ("version: 1\nresponses:\n  - error: {status: 200}", 3, '"status" should be greater than or equal to 400'),
        (
            "version: 1\nresponses:\n  - error: {status: 500}\n    calls: [{tool: a}]",
            3,
            "a response with an error cannot make calls; move them to a response of their own",
        ),
        (
            "version: 1\nresponses:\n  - expect: {results: [{tool: a, outcome: good}]}",
            3,
            "\"outcome\" should be 'ok', 'failed' or 'denied'",
        ),
        ("version: 1\nresponses:\n  - text: a\n    text: b", 4, 'the key "text" is there twice; remove one'),
        ("a: &x 1\nb: *x", 1, "anchors and aliases are not supported; write the value out"),
        ("version: 1\nresponses: *x", 2, "anchors and aliases are not supported; write the value out"),
        ("version: 1\nx: {[a]: 1}", 2, "a key has to be plain text"),
        ("version: 1\nx: !!int abc", 2, "this is no value of its type; put it in quotes"),
        ("version: 1\na: b: c", 2, "this is not YAML: mapping values are not allowed in this context"),
        ("- 1", 1, "a script is a mapping that starts with `version: 1`"),
        ("", 1, "a script is a mapping that starts with `version: 1`"),
        ("x:\n  " + "[" * 200, 2, "lists and mappings are nested deeper than 100 levels"),
    ],
)
def test_a_fault_is_told_with_its_line(text: str, line: int, sentence: str) -> None:
    with pytest.raises(ScriptError) as caught:
        parse_script(text.encode(), Path("demo.yaml"))
    assert f"demo.yaml:{line}: {sentence}" in str(caught.value).splitlines()


def test_all_faults_are_told_in_the_order_of_their_lines() -> None:
    with pytest.raises(ScriptError) as caught:
        parse_script(b"version: 3\nresponses:\n  - txt: a\n  - calls: [{tol: x}]\nchunk: 0\n", Path("s.yaml"))
    assert str(caught.value).splitlines() == [
        's.yaml:1: "version" should be 1',
        's.yaml:3: unknown key "txt"; did you mean "text"?',
        's.yaml:4: "tool" is missing',
        's.yaml:4: unknown key "tol"; did you mean "tool"?',
        's.yaml:5: "chunk" should be greater than or equal to 1',
    ]


@pytest.mark.parametrize("tag", ["!!python/object/apply:os.system [id]", "!!python/name:os.system x", "!thing {}"])
def test_no_tag_builds_an_object(tag: str) -> None:
    with pytest.raises(ScriptError, match=r"demo\.yaml:2: could not determine a constructor"):
        parse_script(f"version: 1\nx: {tag}".encode(), Path("demo.yaml"))


def test_a_date_and_a_key_that_yaml_reads_as_a_boolean_stay_text() -> None:
    (response,) = parse_script(b"version: 1\nresponses: [{calls: [{tool: a, args: {on: 2024-01-31}}]}]").responses
    assert dict(response.calls[0].args) == {"on": "2024-01-31"}


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ScriptError, match="the script cannot be read: no such file or directory"):
        load_script(tmp_path / "gone.yaml")


def test_other_encodings_are_named_with_their_line() -> None:
    with pytest.raises(ScriptError, match=r"s\.yaml:2: the script is not UTF-8"):
        parse_script(b"version: 1\nx: \xff", Path("s.yaml"))


def test_a_byte_order_mark_and_crlf_are_accepted() -> None:
    script = parse_script(b"\xef\xbb\xbfversion: 1\r\nresponses:\r\n  - text: a\r\n")
    assert script.responses[0].text == "a"


@given(st.binary(max_size=200) | st.text(alphabet="version: 1[]{}-&*!?|>'\"\n\t#%@`,resp", max_size=120))
def test_any_bytes_are_a_script_or_a_script_error(data: bytes | str) -> None:
    raw = data if isinstance(data, bytes) else data.encode()
    try:
        script = parse_script(raw)
    except ScriptError as error:
        assert error.problems
        assert all(1 <= problem.line <= raw.count(b"\n") + raw.count(b"\r") + 2 for problem in error.problems)
    else:
        assert script.version == 1
