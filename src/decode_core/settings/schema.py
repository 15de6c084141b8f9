"""Every key of a settings file, with its type, limits and default (settings.md)."""

import json
from collections.abc import Mapping
from contextlib import suppress
from enum import StrEnum
from typing import Annotated, Any, Literal, get_args, get_origin
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    ValidationError,
    field_validator,
)

from decode_core.permissions.modes import PermissionMode
from decode_core.permissions.sandbox.standing import SandboxMode, Standing
from decode_core.settings.merge import stands_at
from decode_core.settings.places import JsonPath


class Switch(StrEnum):
    """On or off."""

    ON = "on"
    OFF = "off"


class Notifications(StrEnum):
    """How a terminal that nobody looks at is told (keys.md §13): OSC 9 with one bell, the bell alone, or not at all."""

    OSC = "osc"
    BELL = "bell"
    OFF = "off"


def _no_script(name: str) -> str:
    if name.startswith("script:"):
        raise ValueError("cannot be a script; name it by --model")
    return name


def _http_address(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("must be an address that begins with http:// or https://")
    if parts.username is not None or parts.password is not None:
        raise ValueError("must not hold a user name or password; name a variable in key_variable")
    return url


Text = Annotated[str, StringConstraints(min_length=1, max_length=10_000)]
ModelName = Annotated[Text, AfterValidator(_no_script)]
VariableName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=200)]
ThinkingLevel = Literal["minimal", "low", "medium", "high", "xhigh", "max"]
Objects = dict[str, JsonValue]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, serialize_by_alias=True)


class PermissionSettings(_Section):
    """Rules (permissions.md §3) and the plan ceiling."""

    deny: tuple[str, ...] = Field(default=(), description="Calls that never run.")
    ask: tuple[str, ...] = Field(default=(), description="Calls that always ask.")
    allow: tuple[str, ...] = Field(default=(), description="Calls that run unasked, except in plan mode.")
    readonly: tuple[str, ...] = Field(default=(), description="Calls that count as reads where that can be proven.")
    plan_ceiling: bool = Field(default=True, description="false: an allow rule wins over plan mode.")


class ModelSettings(_Section):
    """One named model."""

    model: ModelName = Field(description="A name like anthropic:…, openai:…, google:… or ollama:….")
    base_url: Annotated[Text, AfterValidator(_http_address)] | None = Field(
        default=None, description="Address of an OpenAI-compatible server."
    )
    key_variable: VariableName | None = Field(default=None, description="Environment variable that holds the key.")
    thinking: bool | ThinkingLevel | None = Field(
        default=None, description="How much the model thinks before it answers."
    )


class SandboxSettings(_Section):
    """The sandbox around commands. A file may also say `"sandbox": "off"` for the mode alone."""

    mode: SandboxMode = Field(default=SandboxMode.AUTO, description="When commands run in a sandbox.")
    network: Switch = Field(default=Switch.ON, description="Whether commands in the sandbox reach the network.")
    writable: tuple[Text, ...] = Field(default=(), description="Further folders that commands may write to.")
    auto_allow: bool = Field(default=False, description="In edit mode, commands in the sandbox run unasked.")

    def standing(self, mode: SandboxMode | None = None) -> Standing:
        """What the person wants, before anybody has looked what there is; `mode` is that of a flag."""
        return Standing(mode or self.mode, network=self.network is Switch.ON, auto_allow=self.auto_allow)


class EnvironmentSettings(_Section):
    """The environment of commands."""

    passed: tuple[VariableName, ...] = Field(
        default=(), alias="pass", description="Variables that commands see despite their names."
    )


class LimitSettings(_Section):
    """Limits; a project may only lower them."""

    sleep_max_s: float = Field(default=60.0, gt=0, le=86_400, description="Longest sleep of the agent, in seconds.")
    bash_timeout_s: float = Field(default=120.0, gt=0, le=86_400, description="Time a command may take, in seconds.")
    output_lines: int = Field(default=2_000, ge=1, le=1_000_000, description="Lines of a result that the model sees.")
    output_bytes: int = Field(
        default=50_000, ge=100, le=100_000_000, description="Bytes of a result that the model sees."
    )
    max_turns: int = Field(default=100, ge=1, le=100_000, description="Model requests in one turn.")
    subagents: int = Field(default=4, ge=1, le=64, description="Sub-agents that run at once.")


class CompactionSettings(_Section):
    """When the conversation is compacted."""

    at: float = Field(default=0.8, gt=0, le=1, description="Share of the context window that starts a compaction.")


class SettingsValues(_Section):
    """All settings. None stands for "not set": the agent's mode, the first model that is configured."""

    schema_address: str | None = Field(
        default=None, alias="$schema", description="Address of this schema, for editors."
    )
    permissions: PermissionSettings = PermissionSettings()
    agent: Text = Field(default="build", description="Agent of a new session.")
    mode: PermissionMode | None = Field(default=None, description="Mode of a new session; not bypass.")
    model: ModelName | None = Field(
        default=None, description="Model of a new session: a name of models, or provider:model."
    )
    models: dict[Text, ModelSettings] = Field(default={}, description="Named models; the first is the default.")
    fallback: tuple[ModelName, ...] = Field(default=(), description="Models to try, in this order, when one fails.")
    sandbox: SandboxSettings = SandboxSettings()
    env: EnvironmentSettings = EnvironmentSettings.model_validate({})
    directories: tuple[Text, ...] = Field(default=(), description="Folders added to every workspace.")
    hooks: Objects = Field(default={}, description="Commands that run at events, by event.")
    mcp: Objects = Field(default={}, description="MCP servers, by name.")
    skills: Objects = Field(default={}, description="Settings of skills, by name.")
    commands: Objects = Field(default={}, description="Custom commands, by name.")
    trust_hints: dict[Text, bool] = Field(default={}, description="MCP servers whose read-only hints are believed.")
    limits: LimitSettings = LimitSettings()
    theme: Text | None = Field(default=None, description="Name of the theme.")
    keys: dict[Text, str] = Field(default={}, description="Keys by the id of an action, several separated by commas.")
    reduced_motion: bool = Field(default=False, description="No spinner, no smooth scrolling, no blinking.")
    ascii_signs: bool = Field(default=False, description="Frames and signs in ASCII, also where the locale is UTF-8.")
    screen_reader: bool = Field(default=False, description="One column, no borders, text appended once.")
    notifications: Notifications = Field(
        default=Notifications.OSC,
        description="How a question or the end of a long turn is told elsewhere: osc (with a bell), bell, or off.",
    )
    editor: Text | None = Field(default=None, description="Command of the editor; default $VISUAL, then $EDITOR.")
    guard_scale: float = Field(default=1.0, ge=1, le=5, description="Lengthens guard and double-press times.")
    memory: bool = Field(default=True, description="Whether AGENTS.md is read.")
    compaction: CompactionSettings = CompactionSettings()

    @field_validator("mode")
    @classmethod
    def _no_bypass(cls, mode: PermissionMode | None) -> PermissionMode | None:
        if mode is PermissionMode.BYPASS:
            raise ValueError("cannot be bypass; start with --mode bypass")
        return mode


def json_schema() -> dict[str, Any]:
    """The JSON schema of a settings file, for editors and the documentation."""
    schema = SettingsValues.model_json_schema(by_alias=True)
    short, full = {"$ref": "#/$defs/SandboxMode"}, {"$ref": "#/$defs/SandboxSettings"}
    schema["properties"]["sandbox"] = {"anyOf": [short, full], "description": "The sandbox around commands."}
    modes = [mode for mode in schema["$defs"]["PermissionMode"]["enum"] if mode != PermissionMode.BYPASS]
    schema["$defs"]["PermissionMode"]["enum"] = modes
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "Settings of decode"}


def normalise(value: Mapping[str, Any]) -> dict[str, Any]:
    """A file's object with its shorthands and aliases written out."""
    full = dict(value)
    if isinstance(full.get("sandbox"), str):
        full["sandbox"] = {"mode": full["sandbox"]}
    if isinstance(mode := full.get("mode"), str):
        with suppress(ValueError):  # an unknown mode is reported with the other wrong values
            full["mode"] = PermissionMode.parse(mode).value
    return full


UnknownKey = tuple[JsonPath, tuple[str, ...]]
"""The path of a key that the schema does not have, and the keys that it has at that place."""


def known_part(value: Mapping[str, Any]) -> tuple[dict[str, Any], list[UnknownKey]]:
    """A file's object without the keys that the schema does not have, and these keys."""
    unknown: list[UnknownKey] = []
    return _known(SettingsValues, value, (), unknown), unknown


def wrong_values(value: Mapping[str, Any]) -> dict[JsonPath, str]:
    """What does not fit the schema: paths within `value`, each with the end of a sentence ("must be a string")."""
    try:
        parse_values(value)
    except ValidationError as error:
        # a union reports once per alternative; the last says most
        return {_within(value, found["loc"]): _predicate(dict(found)) for found in error.errors(include_url=False)}
    return {}


def parse_values(value: Mapping[str, Any]) -> SettingsValues:
    """Validate an object without coercion. Raises pydantic.ValidationError."""
    return SettingsValues.model_validate_json(json.dumps(value), strict=True)


def _known(
    section: type[BaseModel], value: Mapping[str, Any], path: JsonPath, unknown: list[UnknownKey]
) -> dict[str, Any]:
    fields = {field.alias or name: field.annotation for name, field in section.model_fields.items()}
    kept: dict[str, Any] = {}
    for key, below in value.items():
        if key not in fields:
            unknown.append(((*path, key), tuple(fields)))
            continue
        kept[key] = below
        if not isinstance(below, dict):
            continue
        if (kind := _section(fields[key])) is not None:
            kept[key] = _known(kind, below, (*path, key), unknown)
        elif (kind := _section_by_name(fields[key])) is not None:
            kept[key] = {
                name: _known(kind, entry, (*path, key, name), unknown) if isinstance(entry, dict) else entry
                for name, entry in below.items()
            }
    return kept


def _section(annotation: Any) -> type[BaseModel] | None:
    return annotation if isinstance(annotation, type) and issubclass(annotation, BaseModel) else None


def _section_by_name(annotation: Any) -> type[BaseModel] | None:
    return _section(get_args(annotation)[1]) if get_origin(annotation) is dict else None


def _within(value: Any, location: tuple[int | str, ...]) -> JsonPath:
    """The part of an error's location that the text holds: pydantic adds names of alternatives behind it."""
    path: list[int | str] = []
    for key in location:
        if not stands_at(value, (key,)):
            break
        value = value[key]
        path.append(key)
    return tuple(path)


def _predicate(error: dict[str, Any]) -> str:
    """What a value must be. The value itself is never repeated: it may be a key pasted into the wrong place."""
    limits = error.get("ctx", {})
    match error["type"]:
        case "missing":
            return f"lacks the key {error['loc'][-1]!r}"
        case "string_type":
            return "must be a string"
        case "string_too_short":
            return "must not be empty"
        case "string_too_long":
            return f"must have at most {limits['max_length']} characters"
        case "string_pattern_mismatch":
            return "must be the name of an environment variable"
        case "bool_type":
            return "must be true or false"
        case "int_type" | "int_from_float":
            return "must be a whole number"
        case "float_type":
            return "must be a number"
        case "tuple_type" | "list_type":
            return "must be a list"
        case "dict_type" | "model_type" | "model_attributes_type":
            return "must be an object in braces"
        case "enum" | "literal_error":
            return f"must be {limits['expected']}"
        case "greater_than":
            return f"must be more than {_number(limits['gt'])}"
        case "greater_than_equal":
            return f"must be at least {_number(limits['ge'])}"
        case "less_than_equal":
            return f"must be at most {_number(limits['le'])}"
        case "value_error":
            return str(limits["error"])
        case _:
            return f"has a wrong value ({str(error['msg'])[:80].lower()})"


def _number(value: float) -> str:
    return f"{int(value):,}" if value == int(value) else f"{value:g}"
