"""What the question dialog puts, read from the payload of `ask_user`, and an answer that was begun. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from decode_core.decisions import Reply
from decode_ui.widgets.body_rows import BodyRow, text_rows


class Takes(StrEnum):
    """What a question takes for an answer, beside text."""

    TEXT = "text"
    """Nothing else: it has no options."""
    ONE = "one"
    SEVERAL = "several"


@dataclass(frozen=True)
class QuestionView:
    """One question of the agent. `options` are as the agent wrote them: one of them goes back to it unchanged."""

    rows: tuple[BodyRow, ...]
    options: tuple[str, ...]
    takes: Takes
    allows_text: bool

    def reply(self, places: Iterable[int], text: str) -> Reply | None:
        """The answer of the options at `places`, in their own order, and `text`; None where that is nothing."""
        chosen, text = tuple(self.options[place] for place in sorted(places)), text.strip()
        return Reply(chosen, text) if chosen or text else None


@dataclass(frozen=True)
class QuestionDraft:
    """An answer that was begun: kept when the question is set aside, and given to the dialog that goes on with it."""

    ticked: frozenset[int] = frozenset()
    """Places of the ticked options, from 0."""
    text: str = ""
    option: int = 0
    """Place of the option under the cursor."""


def question_view(payload: Mapping[str, Any]) -> QuestionView:
    """Read the payload of an `ask_user` question (`decisions.Question`).

    What is missing or of another shape counts as not there. A question without options always takes text: each one can
    be answered.
    """
    text = payload.get("question")
    listed = payload.get("options")
    options = tuple(option for option in listed if isinstance(option, str)) if isinstance(listed, list | tuple) else ()
    options = tuple(dict.fromkeys(option for option in options if option.strip()))
    several = payload.get("multiple") is True
    question = text.strip() if isinstance(text, str) else ""
    return QuestionView(
        rows=tuple(text_rows(question or "The agent asks without a question.")),
        options=options,
        takes=(Takes.SEVERAL if several else Takes.ONE) if options else Takes.TEXT,
        allows_text=payload.get("allow_free_text") is not False or not options,
    )


def share(room: int, asked: int, listed: int) -> tuple[int, int]:
    """Divide `room` lines between the question, which wants `asked`, and its options, which want `listed`.

    Both get all that they want if there is room. Else the question gets what the options leave, but a third at least.
    """
    question = min(asked, max(room - listed, room // 3, 1))
    return question, max(min(listed, room - question), 0)
