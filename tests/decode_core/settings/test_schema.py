"""Every key of the settings table: types, limits, defaults, and who may set it."""

import json
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from decode_core.permissions.modes import PermissionMode
from decode_core.permissions.sandbox.standing import SandboxMode
from decode_core.settings.jsontext import parse_json_text
from decode_core.settings.rights import PROJECT_MAY, ProjectMay, project_may
from decode_core.settings.schema import (
    SettingsValues,
    Switch,
    json_schema,
    known_part,
    normalise,
    parse_values,
    wrong_values,
)

FULL: dict[str, Any] = {
    "$schema": "https://example.org/settings.schema.json",
    "permissions": {"deny": ["bash(rm *)"], "ask": ["read"], "allow": [], "readonly": ["bash"], "plan_ceiling": False},
    "agent": "plan",
    "mode": "edit",
    "model": "fast",
    "models": {
        "fast": {"model": "openai:x", "base_url": "http://localhost:1/v1", "key_variable": "MY_KEY", "thinking": "low"},
        "deep": {"model": "anthropic:y", "thinking": True},
    },
    "fallback": ["deep"],
    "sandbox": {"mode": "require", "network": "off", "writable": ["~/.cache/x"], "auto_allow": True},
    "env": {"pass": ["API_KEY"]},
    "directories": ["../other"],
    "hooks": {"pre_tool": [{"command": ["x"]}]},
    "mcp": {"docs": {"command": "x"}},
    "skills": {},
    "commands": {},
    "trust_hints": {"docs": True},
    "limits": {
        "sleep_max_s": 1.5,
        "bash_timeout_s": 30,
        "output_lines": 10,
        "output_bytes": 1000,
        "max_turns": 3,
        "subagents": 1,
    },
    "theme": "light",
    "keys": {"mode.cycle": "f4,ctrl+t"},
    "reduced_motion": True,
    "ascii_signs": True,
    "screen_reader": True,
    "notifications": "bell",
    "editor": "vim",
    "guard_scale": 2,
    "memory": False,
    "compaction": {"at": 0.5},
}


def test_every_key_can_be_set_and_is_in_this_test() -> None:
    assert wrong_values(FULL) == {}
    assert set(FULL) == set(json_schema()["properties"])
    assert parse_values(FULL).model_dump(mode="json", exclude_unset=True) == FULL


def test_defaults_are_those_of_the_table() -> None:
    values = SettingsValues()
    assert values == parse_values({})
    assert values.permissions.plan_ceiling is True
    assert (values.agent, values.mode, values.model, values.fallback) == ("build", None, None, ())
    assert (values.sandbox.mode, values.sandbox.network) == (SandboxMode.AUTO, Switch.ON)
    assert (values.sandbox.writable, values.sandbox.auto_allow) == ((), False)
    assert values.limits.model_dump() == {
        "sleep_max_s": 60,
        "bash_timeout_s": 120,
        "output_lines": 2000,
        "output_bytes": 50000,
        "max_turns": 100,
        "subagents": 4,
    }
    assert (values.memory, values.compaction.at, values.guard_scale) == (True, 0.8, 1)


@pytest.mark.parametrize(
    ("value", "path", "sentence"),
    [
        ({"theme": 5}, ("theme",), "must be a string"),
        ({"agent": ""}, ("agent",), "must not be empty"),
        ({"memory": 1}, ("memory",), "must be true or false"),
        ({"memory": "yes"}, ("memory",), "must be true or false"),
        ({"permissions": []}, ("permissions",), "must be an object in braces"),
        ({"permissions": None}, ("permissions",), "must be an object in braces"),
        ({"permissions": {"deny": "bash"}}, ("permissions", "deny"), "must be a list"),
        ({"permissions": {"plan_ceiling": "off"}}, ("permissions", "plan_ceiling"), "must be true or false"),
        ({"mode": "bypass"}, ("mode",), "cannot be bypass; start with --mode bypass"),
        ({"mode": "fast"}, ("mode",), "must be 'default', 'plan', 'edit', 'dont_ask' or 'bypass'"),
        ({"model": "script:x.yaml"}, ("model",), "cannot be a script; name it by --model"),
        ({"fallback": ["a", "script:x"]}, ("fallback", 1), "cannot be a script; name it by --model"),
        ({"models": {"a": {}}}, ("models", "a"), "lacks the key 'model'"),
        ({"models": {"a": {"model": "x", "thinking": 3}}}, ("models", "a", "thinking"), "must be 'minimal'"),
        ({"models": {"a": {"model": "x", "base_url": "file:///x"}}}, ("models", "a", "base_url"), "http"),
        ({"models": {"a": {"model": "x", "base_url": "http://u:p@h"}}}, ("models", "a", "base_url"), "password"),
        ({"sandbox": {"network": True}}, ("sandbox", "network"), "must be 'on' or 'off'"),
        ({"env": {"pass": ["A B"]}}, ("env", "pass", 0), "must be the name of an environment variable"),
        ({"limits": {"max_turns": 0}}, ("limits", "max_turns"), "must be at least 1"),
        ({"limits": {"max_turns": 1.5}}, ("limits", "max_turns"), "must be a whole number"),
        ({"limits": {"max_turns": True}}, ("limits", "max_turns"), "must be a whole number"),
        ({"limits": {"sleep_max_s": 0}}, ("limits", "sleep_max_s"), "must be more than 0"),
        ({"limits": {"output_lines": 10**9}}, ("limits", "output_lines"), "must be at most 1,000,000"),
        ({"compaction": {"at": 1.5}}, ("compaction", "at"), "must be at most 1"),
        ({"guard_scale": 6}, ("guard_scale",), "must be at most 5"),
        ({"keys": {"mode.cycle": 4}}, ("keys", "mode.cycle"), "must be a string"),
        ({"models": {"": []}}, ("models", ""), "must"),
        ({"trust_hints": True}, ("trust_hints",), "must be an object in braces"),
    ],
)
def test_a_wrong_value_is_one_sentence_at_its_path(value: dict[str, Any], path: tuple[Any, ...], sentence: str) -> None:
    (found,) = wrong_values(value).items()
    assert found[0] == path
    assert sentence in found[1]


def test_a_key_pasted_into_the_wrong_place_is_not_repeated() -> None:
    wrong = wrong_values({"models": {"a": {"model": "x", "key_variable": "sk-secret-123"}}})
    assert wrong == {("models", "a", "key_variable"): "must be the name of an environment variable"}


@pytest.mark.parametrize(("alias", "mode"), [("acceptEdits", "edit"), ("dontAsk", "dont_ask"), ("plan", "plan")])
def test_modes_may_be_written_as_other_tools_write_them(alias: str, mode: str) -> None:
    assert parse_values(normalise({"mode": alias})).mode is PermissionMode(mode)


def test_the_sandbox_may_be_one_word() -> None:
    assert parse_values(normalise({"sandbox": "off"})).sandbox.mode is SandboxMode.OFF


def test_unknown_keys_are_told_at_every_depth() -> None:
    value = {"theem": 1, "permissions": {"alow": []}, "models": {"a": {"modl": 1, "model": "x"}}, "keys": {"any": "x"}}
    known, unknown = known_part(value)
    assert [path for path, _ in unknown] == [("theem",), ("permissions", "alow"), ("models", "a", "modl")]
    assert known == {"permissions": {}, "models": {"a": {"model": "x"}}, "keys": {"any": "x"}}


def test_the_schema_is_plain_json_with_a_word_on_every_key() -> None:
    schema = json_schema()
    assert parse_json_text(json.dumps(schema).encode()).value == schema
    assert schema["additionalProperties"] is False
    assert "bypass" not in schema["$defs"]["PermissionMode"]["enum"]
    assert schema["properties"]["sandbox"]["anyOf"][0] == {"$ref": "#/$defs/SandboxMode"}
    models: list[type[BaseModel]] = [SettingsValues, *_sections()]
    for model in models:
        for name, field in model.model_fields.items():
            assert field.description or _is_section(field.annotation), f"{model.__name__}.{name} has no description"


NEVER = [
    "permissions.plan_ceiling",
    "models",
    "fallback",
    "sandbox",
    "env",
    "directories",
    "trust_hints",
    "theme",
    "keys",
    "reduced_motion",
    "ascii_signs",
    "screen_reader",
    "notifications",
    "editor",
    "guard_scale",
]
WHEN_TRUSTED = ["agent", "mode", "model", "hooks", "mcp", "skills", "commands", "memory", "compaction"]


def test_every_key_has_a_right_and_the_rights_are_those_of_the_table() -> None:
    by_right = {
        right: {".".join(map(str, path)) for path, own in PROJECT_MAY.items() if own is right} for right in ProjectMay
    }
    assert by_right[ProjectMay.NEVER] == set(NEVER)
    assert by_right[ProjectMay.WHEN_TRUSTED] == set(WHEN_TRUSTED)
    assert by_right[ProjectMay.LOWER_ONLY] == {"limits"}
    assert by_right[ProjectMay.ALWAYS] == {
        "$schema",
        *(f"permissions.{name}" for name in ["deny", "ask", "allow", "readonly"]),
    }
    assert {path[0] for path in PROJECT_MAY} == set(FULL)
    assert project_may(("sandbox", "network")) is ProjectMay.NEVER
    assert project_may(("a key of tomorrow",)) is ProjectMay.NEVER


def _is_section(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def _sections() -> list[type[BaseModel]]:
    annotations = [field.annotation for field in SettingsValues.model_fields.values()]
    nested = [argument for annotation in annotations for argument in get_args(annotation)]
    return [kind for kind in (*annotations, *nested) if isinstance(kind, type) and issubclass(kind, BaseModel)]
