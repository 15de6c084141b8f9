"""Keys of the session picker; they belong to the one table of `actions`."""

from decode_ui.actions import Action

SESSION_PICKER: tuple[Action, ...] = (
    Action("sessions.to_list", "tab", "⇥", "list", "to_list", "into the list, where letters act; again: the filter"),
)
"""Keys of the picker beside those that every picker has."""

SESSIONS: tuple[Action, ...] = (
    Action("sessions.rename", "r", "r", "rename", "screen.rename_row", "give the marked session another title"),
    Action("sessions.fork", "f", "f", "fork", "screen.fork_row", "copy the marked session, to go on in another way"),
    Action("sessions.export", "e", "e", "export", "screen.export_row", "write the marked session to a file"),
    Action("sessions.delete", "x", "x", "delete…", "screen.delete_row", "remove the marked session for good"),
)
"""Keys of the list in it."""
