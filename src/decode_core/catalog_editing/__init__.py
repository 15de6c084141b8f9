"""Agents written at the person's word: their files, and text that is not saved yet (catalog.md §6)."""
