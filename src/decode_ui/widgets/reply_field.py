"""The field in which a question of the agent is answered in one's own words."""

from textual.binding import Binding

from decode_ui.actions import QUESTION_MOVES
from decode_ui.widgets.note_field import NoteField


class ReplyField(NoteField):
    """A note field in which PageUp and PageDown read the question, as they do everywhere in its dialog."""

    BINDINGS = [
        Binding(action.keys, f"screen.{action.does}", show=False)
        for action in QUESTION_MOVES
        if action.does.startswith("read(")
    ]
