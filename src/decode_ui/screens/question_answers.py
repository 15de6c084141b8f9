"""The answers at the foot of the question dialog: which are shown, and what they are called. Pure."""

from enum import StrEnum

from decode_core.decisions import Reply
from decode_ui.actions import QUESTION, QUESTION_MOVES
from decode_ui.screens.question_view import QuestionView, Takes
from decode_ui.widgets.answers import Choice, Tone
from decode_ui.widgets.option_rows import KEYS


class Part(StrEnum):
    """Where the person stands; what Enter sends and what Esc does depends on it. On an answer: where they came from."""

    OPTIONS = "options"
    FILTER = "filter"
    FIELD = "field"


_BY_ID = {action.id: action for action in (*QUESTION, *QUESTION_MOVES)}

CHOICES = (
    Choice(_BY_ID["question.send"], Tone.ALLOW),
    Choice(_BY_ID["question.tick"], Tone.NEUTRAL),
    Choice(_BY_ID["question.write"], Tone.NEUTRAL),
    Choice(_BY_ID["question.filter"], Tone.NEUTRAL),
    Choice(_BY_ID["question.read_on"], Tone.NEUTRAL),
    Choice(_BY_ID["question.decline"], Tone.DENY),
    Choice(_BY_ID["question.aside"], Tone.NEUTRAL),
    Choice(_BY_ID["question.keys"], Tone.NEUTRAL),
)
"""The answers in their order."""

MORE = tuple(
    Choice(action, Tone.DENY if action.id == "question.stop" else Tone.NEUTRAL)
    for action in QUESTION_MOVES
    if action.id != "question.read_on"
)
"""The other keys, shown and hidden by `?`."""


_TYPED = frozenset({"tick", "write", "filter", "keys", "first", "last"})
_DEAD_IN = {Part.OPTIONS: frozenset[str](), Part.FILTER: _TYPED, Part.FIELD: _TYPED | {"up", "down"}}
"""What a text field takes for itself."""


def acts(view: QuestionView, verb: str) -> bool:
    """Whether an action, by the verb of its id, can ever act in a dialog that puts this question."""
    match verb:
        case "tick":
            return view.takes is Takes.SEVERAL
        case "filter":
            return len(view.options) > len(KEYS)
        case "write":
            return view.allows_text and view.takes is not Takes.TEXT
        case "choose" | "up" | "down" | "first" | "last":
            return view.takes is not Takes.TEXT
        case _:
            return True


def shown(view: QuestionView, part: Part, *, overflows: bool) -> frozenset[str]:
    """Ids of the answers that act by key where the person stands. `overflows`: the question must be scrolled."""
    dead = _DEAD_IN[part] | (frozenset() if overflows else {"read_on", "read_back"})
    verbs = {choice.action.verb for choice in (*CHOICES, *MORE)} - dead
    return frozenset(f"question.{verb}" for verb in verbs if acts(view, verb))


def send_label(view: QuestionView, part: Part, reply: Reply | None) -> str:
    """What Enter does, in words; `reply` is what it would send."""
    text = bool(reply and reply.text)
    chosen = len(reply.chosen) if reply else 0
    if part is Part.FILTER:
        return "to the options"
    if view.takes is Takes.SEVERAL and (chosen or not text):
        return f"send {chosen} of {len(view.options)}" + (" with your words" if text else "")
    if text:
        return "send with your words" if chosen else "send your words"
    return "send"


def escape_label(view: QuestionView, part: Part) -> str:
    """What Esc does, in words."""
    if view.takes is Takes.TEXT or part is Part.OPTIONS:
        return "decline"
    return "show all" if part is Part.FILTER else "back to the options"
