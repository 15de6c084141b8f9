"""decode with a conversation that already stands, and a note of when typing first worked.

    python -m bench.full_app [--messages N] [--model NAME] [--note FILE]

The note holds, as JSON, whether the model library was imported when the first key arrived.
"""

import argparse
import asyncio
import json
import sys
from pathlib import Path

from textual import on
from textual.widgets import TextArea

from bench.conversation import events
from decode_core.opening import SessionOptions, new_session, survey
from decode_core.session import Session
from decode_core.workspace import Workspace
from decode_ui.app import DecodeApp


class NotedApp(DecodeApp):
    """The application; writes the note once."""

    def __init__(self, session: Session, note: Path | None) -> None:
        super().__init__(session)
        self._note = note

    @on(TextArea.Changed)
    def _first_key(self) -> None:
        if self._note is not None:
            imported = "pydantic_ai.agent" in sys.modules
            self._note.write_text(json.dumps({"model_library_imported": imported}))
            self._note = None


async def show(messages: int, model: str | None, note: Path | None) -> None:
    """Run the application on a session that holds `messages` messages already."""
    session = new_session(survey(Workspace.open(Path.cwd())), SessionOptions(model=model))
    try:
        for event in events(messages):
            session._log.append(event)  # what a stored session will give back when it is resumed
        await NotedApp(session, note).run_async()
    finally:
        await session.close()


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m bench.full_app")
    parser.add_argument("--messages", type=int, default=0)
    parser.add_argument("--model")
    parser.add_argument("--note", type=Path)
    given = parser.parse_args()
    asyncio.run(show(given.messages, given.model, given.note))


if __name__ == "__main__":
    main()
