"""An agent as a text of its own, one thing a line, so that two versions can be held side by side. Pure.

It is made from what the file means, not from how it is written: comments, order and quoting make no difference.
"""

from decode_core.catalog.definition import AgentDef


def written(agent: AgentDef) -> str:
    """What the agent may do and is told, lines ending in LF."""
    keys = [
        f"name: {agent.name}",
        f"description: {agent.description}",
        f"mode: {agent.mode}",
        *([f"model: {agent.model}"] if agent.model is not None else []),
        *([f"subagent: {agent.subagent}"] if agent.subagent != "primary" else []),
        *([f"max_turns: {agent.max_turns}"] if agent.max_turns is not None else []),
        *(f"tool: {tool}" for tool in sorted(agent.tools)),
        *(f"{rule.list}: {rule.text}" for rule in agent.rules),
    ]
    return "\n".join([*keys, "", agent.prompt.strip(), ""])
