"""The registry: which tools there are, what their arguments are, and whether given arguments fit."""

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from decode_core.tools.spec import ToolArgs, ToolSpec

TOLD_PROBLEMS = 3
"""So many faults of arguments are named at once."""


class Registry:
    """Tools by name, in the order in which they were given: the order that models see."""

    def __init__(self, specs: Iterable[ToolSpec]) -> None:
        """Raises ValueError when two tools have one name."""
        self._specs: dict[str, ToolSpec] = {}
        self._schemas: dict[str, dict[str, Any]] = {}
        for spec in specs:
            if spec.name in self._specs:
                raise ValueError(f"two tools are named {spec.name!r}; give one of them another name")
            self._specs[spec.name] = spec

    def __iter__(self) -> Iterator[ToolSpec]:
        """All tools, in their stable order."""
        return iter(self._specs.values())

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all tools, in their stable order."""
        return tuple(self._specs)

    def get(self, name: str) -> ToolSpec | None:
        """The tool of that name, or None."""
        return self._specs.get(name)

    def validate(self, name: str, raw: Mapping[str, Any]) -> ToolArgs | str:
        """Return the arguments as the tool takes them, or one sentence that says how to mend them."""
        spec = self._specs.get(name)
        if spec is None:
            return self.unknown(name)
        try:
            return spec.args.model_validate(dict(raw))
        except ValidationError as error:
            details = error.errors(include_url=False, include_input=False)
        told = [_problem(detail, tuple(spec.args.model_fields)) for detail in details[:TOLD_PROBLEMS]]
        more = len(details) - len(told)
        return f"The arguments of {name} do not fit: {'; '.join(told)}{f'; and {more} more' if more else ''}."

    def json_schema(self, name: str) -> dict[str, Any]:
        """JSON schema of a tool's arguments. Raises KeyError for an unknown name."""
        if name not in self._schemas:
            schema = self._specs[name].args.model_json_schema()
            schema.pop("description", None)
            self._schemas[name] = _without_titles(schema)
        return self._schemas[name]

    def unknown(self, name: str, offered: Sequence[str] | None = None) -> str:
        """One sentence for a call of a tool that does not exist; `offered` are the tools that the model may use."""
        usable = list(self.names if offered is None else offered)
        shown = name if len(name) <= 60 else f"{name[:60]}…"
        if near := difflib.get_close_matches(name[:60].casefold(), usable, n=1):
            return f"There is no tool named {shown!r}; did you mean {near[0]!r}?"
        if not usable:
            return f"There is no tool named {shown!r}; no tools are offered now."
        return f"There is no tool named {shown!r}; there are: {', '.join(usable)}."


@cache
def builtin_registry() -> Registry:
    """The built-in tools."""
    from decode_core.tools import editing, multi_edit, planning, reading, searching, shell, steering, web, writing

    return Registry(
        (
            reading.READ,
            searching.GLOB,
            searching.GREP,
            editing.EDIT,
            multi_edit.MULTI_EDIT,
            writing.WRITE,
            shell.BASH,
            web.WEB_FETCH,
            steering.TODO_WRITE,
            steering.ASK_USER,
            steering.SLEEP,
            planning.ENTER_PLAN_MODE,
            planning.EXIT_PLAN_MODE,
        )
    )


def _problem(detail: ErrorDetails, fields: tuple[str, ...]) -> str:
    place = ".".join(str(part) for part in detail["loc"])[:80]
    match detail["type"]:
        case "missing":
            return f"{place!r} is missing"
        case "extra_forbidden":
            near = difflib.get_close_matches(place, fields, n=1)
            way_out = f"did you mean {near[0]!r}?" if near else f"it takes {', '.join(fields) or 'none'}"
            return f"there is no argument {place!r}, {way_out}"
        case _:
            message = detail["msg"].removeprefix("Value error, ")
            return f"{place!r}: {message[:1].lower()}{message[1:]}" if place else message


def _without_titles(schema: Any) -> Any:
    """The schema without the titles that pydantic makes of names: they cost tokens and say nothing."""
    match schema:
        case dict():
            return {
                key: {name: _without_titles(each) for name, each in value.items()}
                if key in ("properties", "$defs")
                else _without_titles(value)
                for key, value in schema.items()
                if key != "title"
            }
        case list():
            return [_without_titles(each) for each in schema]
        case _:
            return schema
