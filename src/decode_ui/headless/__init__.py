"""Commands without the application; nothing here imports textual."""
