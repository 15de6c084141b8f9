"""A person's own keys: settings `keys: {"<action id>": "key[,key]"}`, checked against the table of actions. Pure."""

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from decode_ui import actions
from decode_ui.actions import Action
from decode_ui.keys import agents, plans, rules, sessions, trust, work_plans
from decode_ui.transcript.keys import CHAT

SCOPES: dict[str, tuple[Action, ...]] = {
    "work": (*actions.WORK, *actions.OUTSIDE_TEXT),
    "prompt": actions.PROMPT,
    "chat": CHAT,
    "lists": actions.LIST,
    "agents": (*agents.AGENTS, *actions.LIST),
    "agent editor": agents.AGENT_EDITOR,
    "permissions": (*actions.PERMISSIONS, *actions.LIST),
    "rules": (*rules.RULES, *actions.LIST),
    "rule": (*rules.RULE, *rules.RULE_MOVES),
    "segments": rules.SEGMENTS,
    "call test": rules.TRIAL,
    "to-do pane": (*plans.TODO_PANE, *actions.LIST),
    "plan pane": (*plans.PLAN_PANE, *actions.LIST),
    "changed files": (*actions.CHANGES, *actions.LIST),
    "permission question": (*actions.ASK, *actions.ASK_MOVES),
    "pattern": (*rules.PATTERN, *rules.PATTERN_MOVES),
    "changed call": rules.CHANGE,
    "question": (*actions.QUESTION, *actions.QUESTION_MOVES),
    "plan review": (*plans.PLAN_REVIEW, *plans.PLAN_MOVES),
    "versions": plans.PLAN_VERSIONS,
    "plan reader": plans.PLAN_READER,
    "work plan": (*work_plans.WORK_PLAN, *work_plans.WORK_PLAN_MOVES),
    "outside change": (*agents.OUTSIDE, *agents.OUTSIDE_MOVES),
    "trust": (*trust.TRUST, *trust.TRUST_MOVES),
    "confirm": (*actions.CONFIRM, *actions.CONFIRM_MOVES),
    "picker": actions.PICKER,
    "session picker": (*actions.PICKER, *sessions.SESSION_PICKER),
    "sessions": (*sessions.SESSIONS, *sessions.SESSION_PICKER),
    "reader": actions.READER,
}
"""Actions that can act at the same time: inside one scope no key may mean two things."""

NEEDED = ("app.interrupt", "ask.deny", "mode.cycle")
"""Actions that must keep a key."""


@dataclass(frozen=True)
class Keymap:
    """Changed keys by action id, as Textual takes them, and what was refused, a sentence each."""

    keys: dict[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def of(self, action: Action) -> str:
        """The keys of an action under this map, comma-separated."""
        return self.keys.get(action.id, action.keys)

    def sign(self, action: Action) -> str:
        """How the first key of an action is shown, a dash where it has none."""
        return sign_of(self.of(action).partition(",")[0]) if self.changed(action) else action.sign

    def changed(self, action: Action) -> bool:
        """Whether the person has given this action other keys."""
        return action.id in self.keys


SIGNS = {
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "tab": "⇥",
    "shift+tab": "⇧⇥",
    "space": "␣",
    "escape": "esc",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "end": "End",
    "question_mark": "?",
    "slash": "/",
    "colon": ":",
    "equals_sign": "=",
    "full_stop": ".",
    "comma": ",",
}
"""How keys are shown that are not shown by their name."""


def sign_of(key: str) -> str:
    """How a key is shown: `^O`, `⇧⇥`, `esc`, `F2`; a dash for none."""
    if not key:
        return "–"
    if key in SIGNS:
        return SIGNS[key]
    if key.startswith("ctrl+"):
        return "^" + sign_of(key.removeprefix("ctrl+")).capitalize()
    if key.startswith("shift+"):
        return "⇧" + sign_of(key.removeprefix("shift+"))
    return key.upper() if key[0] == "f" and key[1:].isdigit() else key


def read_keymap(wishes: Mapping[str, str]) -> Keymap:
    """Take the wishes that are sound one after the other; each of the others is refused with a sentence."""
    accepted: dict[str, str] = {}
    problems: list[str] = []
    for action_id, wish in wishes.items():
        keys = ",".join(part.strip() for part in wish.split(",") if part.strip())
        problem = _problem(action_id, keys, accepted)
        if problem is None:
            accepted[action_id] = keys
        else:
            problems.append(f"keys.{action_id}: {problem}")
    return Keymap(accepted, tuple(problems))


def all_actions() -> Iterator[Action]:
    """Every action once, in the order of the scopes."""
    seen: set[str] = set()
    for scope in SCOPES.values():
        for action in scope:
            if action.id not in seen:
                seen.add(action.id)
                yield action


def _problem(action_id: str, keys: str, accepted: Mapping[str, str]) -> str | None:
    known = {action.id: action for action in all_actions()}
    action = known.get(action_id)
    if action is None:
        close = difflib.get_close_matches(action_id, known, n=1)
        return f"there is no such action; did you mean {close[0]}?" if close else "there is no such action"
    if not keys:
        return "an action that must keep a key cannot be without one" if action_id in NEEDED else None
    letter = next((key for key in keys.split(",") if len(key) == 1), None)
    if action.priority and letter is not None:
        return f"{letter!r} is a letter, and this action wins over text fields: typing would be swallowed"
    return _clash(replace(action, keys=keys), accepted)


def _clash(action: Action, accepted: Mapping[str, str]) -> str | None:
    wanted = set(action.keys.split(","))
    for name, scope in SCOPES.items():
        if action.id not in {other.id for other in scope}:
            continue
        for other in scope:
            taken = wanted & set(accepted.get(other.id, other.keys).split(","))
            if other.id != action.id and taken:
                return f"{min(taken)} already means {other.label!r} ({other.id}) in the scope {name}"
    for other in actions.WORK:
        taken = wanted & set(accepted.get(other.id, other.keys).split(","))
        if other.priority and other.id != action.id and taken and action.id not in _DIALOGS:
            return f"{min(taken)} already means {other.label!r} ({other.id}) everywhere"
    return None


_DIALOGS = frozenset(
    action.id
    for name in (
        "permission question",
        "pattern",
        "changed call",
        "rule",
        "segments",
        "call test",
        "question",
        "plan review",
        "plan reader",
        "versions",
        "work plan",
        "outside change",
        "trust",
        "confirm",
        "picker",
        "reader",
    )
    for action in SCOPES[name]
)
"""Dialogs lie above the work screen, whose keys do not act under them."""
