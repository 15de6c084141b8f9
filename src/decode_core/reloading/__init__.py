"""Settings and agents that change while a session runs: watched, read anew, held back where they allow more."""
