"""The registry: names, schemas, and sentences that a model can mend its call by."""

from typing import Any

import pytest
from pydantic import Field

from decode_core.permissions.modes import ToolKind
from decode_core.permissions.request import SubjectKind
from decode_core.tools.registry import Registry, builtin_registry
from decode_core.tools.spec import ToolArgs, ToolContext, ToolResult, ToolSpec

KINDS = {
    "read": ToolKind.READ_ONLY,
    "glob": ToolKind.READ_ONLY,
    "grep": ToolKind.READ_ONLY,
    "edit": ToolKind.FILE_EDIT,
    "multi_edit": ToolKind.FILE_EDIT,
    "write": ToolKind.FILE_EDIT,
    "bash": ToolKind.OTHER,
    "web_fetch": ToolKind.READ_ONLY,
    "todo_write": ToolKind.READ_ONLY,
    "ask_user": ToolKind.CONTROL,
    "sleep": ToolKind.CONTROL,
    "enter_plan_mode": ToolKind.CONTROL,
    "exit_plan_mode": ToolKind.CONTROL,
}


class Args(ToolArgs):
    count: int = Field(ge=1, description="How many.")


async def run(args: Args, ctx: ToolContext) -> ToolResult:
    return ToolResult("ok")


SPEC = ToolSpec("count", "Counts.", ToolKind.READ_ONLY, Args, run)


def test_the_kind_of_every_tool_is_what_the_gate_expects() -> None:
    registry = builtin_registry()
    kinds = {name: spec.kind for name in registry.names if (spec := registry.get(name)) is not None}
    assert kinds == KINDS


def test_the_order_is_stable_and_as_given() -> None:
    other = ToolSpec("another", "x", ToolKind.READ_ONLY, Args, run)
    assert Registry((SPEC, other)).names == ("count", "another")
    assert builtin_registry().names == builtin_registry().names


def test_two_tools_of_one_name_are_an_error() -> None:
    with pytest.raises(ValueError, match="two tools are named 'count'"):
        Registry((SPEC, SPEC))


@pytest.mark.parametrize("name", ["read", "write", "edit", "multi_edit", "glob", "grep"])
def test_file_tools_have_their_path_as_subject(name: str) -> None:
    spec = builtin_registry().get(name)
    assert spec is not None
    assert (spec.subject, spec.subject_kind) == ("path", SubjectKind.PATH)


@pytest.mark.parametrize(
    ("tool", "raw", "told"),
    [
        ("read", {}, "The arguments of read do not fit: 'path' is missing."),
        ("read", {"path": ""}, "'path': string should have at least 1 character"),
        ("read", {"pth": "a", "path": "b"}, "there is no argument 'pth', did you mean 'path'?"),
        ("read", {"path": "b", "verbose": 1}, "there is no argument 'verbose', it takes path, offset, limit"),
        ("read", {"path": 7}, "'path': input should be a valid string"),
        ("read", {"path": "a", "offset": 0}, "'offset': input should be greater than or equal to 1"),
        ("read", {"path": "a", "limit": -1}, "'limit':"),
        ("read", {"path": "a\ud800"}, "'path':"),
        ("grep", {"pattern": "x", "context": 1000}, "'context': input should be less than or equal to 20"),
        ("grep", {"pattern": "x", "case": "upper"}, "'case': input should be 'sensitive', 'ignore' or 'smart'"),
        ("bash", {"command": "a", "timeout": 1e9}, "'timeout': input should be less than or equal to 600"),
        ("bash", {"command": "a", "timeout": float("nan")}, "'timeout':"),
        ("edit", {"a": 1, "b": 2, "c": 3}, "; and 3 more."),
        ("enter_plan_mode", {"x": 1}, "there is no argument 'x', it takes none"),
        ("raed", {"path": "a"}, "There is no tool named 'raed'; did you mean 'read'?"),
    ],
)
def test_arguments_that_do_not_fit_are_told_in_a_sentence(tool: str, raw: dict[str, Any], told: str) -> None:
    problem = builtin_registry().validate(tool, raw)
    assert isinstance(problem, str)
    assert told in problem
    assert "\n" not in problem
    assert "pydantic" not in problem


def test_arguments_that_fit_become_a_value() -> None:
    args = Registry((SPEC,)).validate("count", {"count": "3"})
    assert isinstance(args, Args)
    assert args.count == 3


@pytest.mark.parametrize(
    ("name", "offered", "told"),
    [
        ("Read", ["read", "grep"], "There is no tool named 'Read'; did you mean 'read'?"),
        ("frobnicate", ["read", "grep"], "There is no tool named 'frobnicate'; there are: read, grep."),
        ("x", [], "There is no tool named 'x'; no tools are offered now."),
        ("wirte", ["read"], "There is no tool named 'wirte'; there are: read."),
    ],
)
def test_an_unknown_name_is_told_with_what_is_offered(name: str, offered: list[str], told: str) -> None:
    assert builtin_registry().unknown(name, offered) == told


def test_a_hostile_name_is_cut() -> None:
    assert len(builtin_registry().unknown("x" * 100_000, ["read"])) < 200


@pytest.mark.parametrize("name", builtin_registry().names)
def test_every_schema_says_what_each_argument_means_and_no_more(name: str) -> None:
    schema = builtin_registry().json_schema(name)
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert "title" not in schema
    assert all(field.get("description") for field in schema.get("properties", {}).values())
    assert all("title" not in field for field in schema.get("properties", {}).values())


def test_an_argument_that_is_named_title_stays_in_the_schema() -> None:
    assert "title" in builtin_registry().json_schema("exit_plan_mode")["properties"]


@pytest.mark.parametrize("name", builtin_registry().names)
def test_every_description_is_short_and_ends_as_a_sentence(name: str) -> None:
    spec = builtin_registry().get(name)
    assert spec is not None
    assert len(spec.description) < 400
    assert spec.description.endswith(".")
