"""What the Checks box says about the text in the editor: faults with their place, and what is in force. Pure."""

from collections.abc import Iterator, Sequence

from textual.content import Content

from decode_core.catalog.definition import AgentDef, CatalogError
from decode_core.catalog.reading import Reading
from decode_core.neutral import neutralise_line
from decode_core.trust.loosening import agent_loosening

MAX_SHOWN = 3
"""Faults that are listed; F8 goes from one to the next, and the rest is counted."""


def check_lines(reading: Reading, in_force: AgentDef | None, *, unsaved: bool) -> list[Content]:
    """Faults first, then what saving would loosen, then what is in force now."""
    faults = (*reading.errors, *reading.warnings)
    lines = [_fault(fault, is_error=fault in reading.errors) for fault in faults[:MAX_SHOWN]]
    if len(faults) > MAX_SHOWN:
        lines.append(Content.styled(f"  … and {len(faults) - MAX_SHOWN} more · F8 goes to the next", "$muted"))
    if reading.errors:
        stays = (
            "the last good version stays in force" if in_force is not None else "an agent comes of it once it is sound"
        )
        lines.append(Content.styled(f"  {stays}", "$muted"))
    elif reading.agent is not None and unsaved:
        lines += _after_saving(reading.agent, in_force)
    else:
        lines.append(Content.assemble(("✓ ", "$success"), "sound"))
    if in_force is not None:
        lines.append(Content.assemble(("in force: ", "$muted"), Content(" · ").join(_abilities(in_force))))
    return lines


def _fault(error: CatalogError, *, is_error: bool) -> Content:
    hint = f"; {error.hint}" if error.hint else ""
    sign = ("✗ ", "$error") if is_error else ("! ", "$warning")
    place = (f"line {error.line}, column {error.column}: ", "$error" if is_error else "$warning")
    return Content.assemble(sign, place, neutralise_line(error.problem + hint))


def _after_saving(agent: AgentDef, in_force: AgentDef | None) -> Iterator[Content]:
    yield Content.assemble(("✓ ", "$success"), "sound · esc then s saves it")
    more = [each.what for each in agent_loosening(in_force, agent)] if in_force is not None else []
    if more:
        yield Content.assemble(("  saved, it may do more: ", "$warning"), neutralise_line("; ".join(more)))


def _abilities(agent: AgentDef) -> Sequence[Content]:
    tools = "all tools" if "*" in agent.tools else f"{len(agent.tools)} tools" if len(agent.tools) != 1 else "1 tool"
    mode = Content.assemble("mode ", (agent.mode.value, f"$mode-{agent.mode.value.replace('_', '-')}"))
    rules = [Content(neutralise_line(f"{rule.list} {rule.text}")) for rule in agent.rules]
    model = [Content(neutralise_line(agent.model))] if agent.model else []
    return [Content(tools), mode, *model, *rules]
