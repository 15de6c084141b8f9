"""decode with a conversation that already stands, and a note of when typing first worked.

    python -m bench.full_app [--messages N] [--model NAME] [--note FILE]

The note holds, as JSON, whether the model library was imported when the first key arrived.
"""

import argparse
import asyncio
import json
import sys
from pathlib import Path

from bench.conversation import events
from decode_core.opening import SessionOptions, new_session, survey
from decode_core.workspace import Workspace
from decode_ui.frame_rate import raise_frame_rate

raise_frame_rate()  # as the command does, before the application is imported

from decode_ui.app import DecodeApp  # noqa: E402


class NotedApp(DecodeApp):
    """The application; writes the note once."""

    note: Path | None = None

    def on_text_area_changed(self) -> None:
        """The first key is on its way to the screen."""
        if self.note is not None:
            imported = "pydantic_ai.agent" in sys.modules
            self.note.write_text(json.dumps({"model_library_imported": imported}))
            self.note = None


async def show(messages: int, model: str | None, note: Path | None) -> None:
    """Run the application on a session that holds `messages` messages already."""
    session = new_session(survey(Workspace.open(Path.cwd())), SessionOptions(model=model))
    try:
        for event in events(messages):
            session._log.append(event)  # what a stored session will give back when it is resumed
        app = NotedApp(session)
        app.note = note
        await app.run_async()
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
