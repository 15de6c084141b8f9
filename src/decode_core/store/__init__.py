"""The session store: one SQLite file for all workspaces in the user's data directory (core.md §6)."""
