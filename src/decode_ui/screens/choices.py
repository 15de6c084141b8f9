"""What pickers offer: actions, commands, agents, modes and models, as rows. Pure."""

from collections.abc import Iterable

from decode_core.catalog.loader import Catalog
from decode_core.engine.model_choice import OFFLINE
from decode_core.engine.providers import PROVIDERS
from decode_core.neutral import neutralise_line
from decode_core.permissions.modes import PermissionMode
from decode_ui.actions import (
    ASK,
    CHANGES,
    LIST,
    OUTSIDE_TEXT,
    PERMISSIONS,
    PROMPT,
    QUESTION,
    WORK,
    Action,
)
from decode_ui.keys.agents import AGENT_EDITOR, AGENTS
from decode_ui.keys.keymap import SCOPES, Keymap
from decode_ui.keys.plans import PLAN_PANE, PLAN_REVIEW, TODO_PANE
from decode_ui.keys.rules import RULES
from decode_ui.screens.picker import Item
from decode_ui.slash import COMMANDS
from decode_ui.transcript.keys import CHAT

HERE: dict[str, tuple[Action, ...]] = {
    "prompt": PROMPT,
    "transcript": CHAT,
    "agents": (*AGENTS, *LIST),
    "editor": AGENT_EDITOR,
    "changes": (*CHANGES, *LIST),
    "todo": (*TODO_PANE, *LIST),
    "plan": (*PLAN_PANE, *LIST),
    "permissions": (*PERMISSIONS, *RULES, *LIST),
}
"""The keys of each widget, by its id."""

PLACES = {
    "prompt": "the prompt",
    "transcript": "the chat",
    "agents": "the agents",
    "editor": "the agent editor",
    "changes": "the changed files",
    "todo": "the to-do list",
    "plan": "the plan",
    "permissions": "the log",
}
"""How the panes are called."""

MODES = {
    PermissionMode.DEFAULT: "asks before file edits and commands",
    PermissionMode.EDIT: "runs file edits in the workspace, asks before commands",
    PermissionMode.PLAN: "reads and plans, changes nothing",
    PermissionMode.BYPASS: "runs everything that no rule stops",
    PermissionMode.DONT_ASK: "refuses whatever would ask",
}
"""What a mode means, in one line."""

WORDS = (
    ("allow", "the call runs; the log says which rule, mode or answer allowed it"),
    ("ask", "you are asked before the call runs"),
    ("deny", "the call does not run, in any mode; the model is told why"),
    ("protected", "settings, hooks, secrets and places outside: ask in every mode but bypass"),
)


def palette_items(keymap: Keymap, focus: str) -> list[Item]:
    """Every action there is, with its key, and every slash command.

    What belongs to the pane in focus can be run; what belongs to another one is dim, and says where it acts.
    """
    offered = (*WORK, *(action for action in OUTSIDE_TEXT if action.does not in {each.does for each in WORK}))
    actions = [_palette_item(action, keymap, "actions") for action in offered]
    commands = [Item(f"slash {c.name}", c.usage, c.help, "commands") for c in COMMANDS]
    here = [_palette_item(action, keymap, "here") for action in HERE.get(focus, ())]
    elsewhere = [
        _palette_item(action, keymap, "elsewhere", f"in {PLACES[name]}")
        for name, table in HERE.items()
        if name != focus
        for action in table
        if action not in LIST
    ]
    return [*actions, *commands, *here, *elsewhere]


def _palette_item(action: Action, keymap: Keymap, group: str, where: str = "") -> Item:
    kind = "here" if group == "here" else "elsewhere" if where else "action"
    note = f"{keymap.sign(action)}  {action.help}"
    why = f"{note} · {where}" if where else ""
    return Item(
        f"{kind} {action.id} {action.does}" if where else f"{kind} {action.does}", action.label, note, group, why
    )


def help_items(focus: str, keymap: Keymap) -> list[Item]:
    """The keys of what has focus, those that work everywhere, and the words of the gate."""

    def _key(action: Action, group: str) -> Item:
        kind = {"everywhere": "action", "here": "here"}.get(group)
        does = f"{kind} {action.does}" if kind else f"key {group} {action.id}"
        return Item(does, keymap.sign(action), action.help, group)

    here = [_key(action, "here") for action in HERE.get(focus, ())]
    tables = {"at a question": ASK, "when the agent asks": QUESTION, "at a plan": PLAN_REVIEW}
    dialogs = [_key(action, group) for group, table in tables.items() for action in table]
    everywhere = [_key(action, "everywhere") for action in WORK]
    outside = [_key(action, "outside text") for action in OUTSIDE_TEXT]
    modes = [Item(f"mode {mode}", mode.value.upper(), text, "modes") for mode, text in MODES.items()]
    words = [Item(f"word {word}", word, text, "words") for word, text in WORDS]
    commands = [Item(f"slash {c.name}", c.usage, c.help, "commands") for c in COMMANDS]
    return [*here, *everywhere, *outside, *commands, *dialogs, *modes, *words]


PROBE = "probe"
"""The row of `/keys` that shows what the terminal sends."""


def keys_items(keymap: Keymap) -> list[Item]:
    """Every key of every scope, the changed ones marked, under a row that shows what a key really sends."""
    items = [Item(PROBE, "press a key…", "shows what your terminal sends, and what it would do", "try")]
    for scope, table in SCOPES.items():
        for action in table:
            was = f" · changed, was {action.sign}" if keymap.changed(action) else ""
            note = f"{action.help}{was} · {action.id}"
            items.append(Item(f"key {scope} {action.id}", keymap.sign(action), note, scope))
    return items


def agent_items(catalog: Catalog) -> list[Item]:
    """All agents."""
    return [
        Item(name, neutralise_line(name), neutralise_line(f"{agent.mode}  {agent.description}"), agent.layer.value)
        for name, agent in catalog.agents.items()
    ]


def mode_items() -> list[Item]:
    """All modes."""
    return [Item(mode.value, mode.value, text) for mode, text in MODES.items()]


def model_items(configured: Iterable[str]) -> list[Item]:
    """Models of the settings, providers with the variable that each wants, and the offline model."""
    items = [Item(name, neutralise_line(name), "from your settings", "configured") for name in configured]
    for provider in PROVIDERS:
        missing = "" if provider.is_set() else f"export {provider.variable} first"
        library = "" if provider.is_installed else f"pip install 'pydantic-ai-slim[{provider.prefix}]' first"
        why = missing or library
        items.append(Item(provider.example, provider.example, provider.label, "providers", why))
    items.append(Item(OFFLINE, OFFLINE, "rules instead of a model, no network", "always there"))
    return items
