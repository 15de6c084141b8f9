"""What a person typed in a workspace: the history of prompts and the draft that was left."""

from datetime import UTC, datetime

from decode_core.store.database import Database
from decode_core.store.lines import storable

MAX_PROMPTS = 1_000
"""Prompts that are remembered for a workspace; older ones are forgotten."""
MAX_LENGTH = 100_000
"""Characters of a prompt or draft that is remembered; a longer one is left out."""


class Prompts:
    """Prompt history and drafts of the workspaces of a database. Every method raises StoreError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def history(self, workspace: str) -> list[str]:
        """The prompts of a workspace, the latest last."""
        query = "SELECT text FROM prompts WHERE workspace = ? ORDER BY key DESC LIMIT ?"
        with self._database.read() as connection:
            return [text for (text,) in connection.execute(query, [workspace, MAX_PROMPTS])][::-1]

    def remember(self, workspace: str, text: str) -> None:
        """Put a prompt at the end of the history; one that stood there before moves to the end."""
        text = _kept(text)
        if not text.strip():
            return
        with self._database.write() as connection:
            connection.execute("DELETE FROM prompts WHERE workspace = ? AND text = ?", [workspace, text])
            connection.execute("INSERT INTO prompts (workspace, text) VALUES (?, ?)", [workspace, text])
            connection.execute(
                "DELETE FROM prompts WHERE workspace = ?1 AND key <= (SELECT key FROM prompts WHERE workspace = ?1 "
                "ORDER BY key DESC LIMIT 1 OFFSET ?2)",
                [workspace, MAX_PROMPTS],
            )

    def draft(self, workspace: str) -> str:
        """What was in the prompt when the application was left, empty where nothing was."""
        with self._database.read() as connection:
            row = connection.execute("SELECT text FROM drafts WHERE workspace = ?", [workspace]).fetchone()
        return row[0] if row else ""

    def keep_draft(self, workspace: str, text: str) -> None:
        """Keep what is in the prompt; an empty text removes what was kept."""
        text = _kept(text)
        with self._database.write() as connection:
            if text.strip():
                connection.execute(
                    "INSERT OR REPLACE INTO drafts VALUES (?, ?, ?)", [workspace, text, datetime.now(UTC).isoformat()]
                )
            else:
                connection.execute("DELETE FROM drafts WHERE workspace = ?", [workspace])


def _kept(text: str) -> str:
    return "" if len(text) > MAX_LENGTH else storable(text)
