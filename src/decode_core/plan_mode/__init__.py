"""Plans of a session (plan-mode.md): versions, progress, what changed, approved plans as files."""
