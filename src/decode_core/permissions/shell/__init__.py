"""What a shell command says: its simple commands, what rules may make of them, and what can be proven of them. Pure."""

MAX_COMMAND_BYTES = 65_536
"""Longer text counts as not parsed (permissions.md §1)."""
