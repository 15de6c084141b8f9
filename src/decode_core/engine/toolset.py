"""The registry's tools as a pydantic-ai toolset.

Every tool of the registry stands in it, offered or not: what the model may see is cut down per request by the
gatekeeper, so that a hidden tool that is called all the same reaches the gate and gets its real reason. Arguments are
not validated here but by the authoriser, so that a malformed call is recorded and spends no retry budget.
"""

from typing import Any

from pydantic_ai import ModelResponse, RunContext, ToolDefinition
from pydantic_ai.toolsets.abstract import AbstractToolset, ToolsetTool
from pydantic_core import SchemaValidator, core_schema

from decode_core.engine.deps import TurnDeps
from decode_core.tools.registry import Registry

UNLIMITED = 1_000_000
"""Retries per tool: nothing of ours spends them, and a run must never end by them."""

UNREADABLE = "\0unreadable"
"""Key under which the gatekeeper passes on arguments that are no JSON object."""

_ANY_OBJECT = SchemaValidator(core_schema.dict_schema(core_schema.str_schema(), core_schema.any_schema()))


class RegistryToolset(AbstractToolset[TurnDeps]):
    """All tools of a registry, in its stable order (changing the order would break the provider's prompt cache)."""

    def __init__(self, registry: Registry) -> None:
        self._tools = {
            name: self._tool(
                ToolDefinition(
                    name=name,
                    description=spec.description,
                    parameters_json_schema=registry.json_schema(name),
                    sequential=spec.runs_alone,
                )
            )
            for name, spec in ((name, registry.get(name)) for name in registry.names)
            if spec is not None
        }

    @property
    def id(self) -> str | None:
        """The toolset's name."""
        return "decode"

    def stand_in(self, name: str) -> ToolsetTool[TurnDeps]:
        """A tool for a name that no registry knows, so that its call reaches the gate, too."""
        return self._tool(ToolDefinition(name=name, description="unknown"))

    def add_stand_ins(self, tools: dict[str, ToolsetTool[TurnDeps]], response: ModelResponse) -> None:
        """Put a stand-in into `tools` for every name of the response that is not there."""
        for part in response.tool_calls:
            if part.tool_name not in tools:
                tools[part.tool_name] = self.stand_in(part.tool_name)

    async def get_tools(self, ctx: RunContext[TurnDeps]) -> dict[str, ToolsetTool[TurnDeps]]:
        """All tools; a copy, since stand-ins are added to it for one step.

        A suspended turn goes on with a response that is there already: its unknown names are seen to here.
        """
        tools = dict(self._tools)
        if ctx.messages and isinstance(ctx.messages[-1], ModelResponse):
            self.add_stand_ins(tools, ctx.messages[-1])
        return tools

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[TurnDeps], tool: ToolsetTool[TurnDeps]
    ) -> Any:
        """Never reached: the gatekeeper runs what it has cleared itself."""
        raise RuntimeError(f"{name} was called past the gate")

    def _tool(self, definition: ToolDefinition) -> ToolsetTool[TurnDeps]:
        return ToolsetTool(toolset=self, tool_def=definition, max_retries=UNLIMITED, args_validator=_ANY_OBJECT)
