"""decode, and a note of when typing first worked: `python -m bench.noted_app FILE`.

The note holds, as JSON, whether the model library was imported when the first key arrived.
"""

import asyncio
import json
import sys
from pathlib import Path

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


async def show(note: Path) -> None:
    """Run the application on a new session."""
    session = new_session(survey(Workspace.open(Path.cwd())), SessionOptions())
    try:
        app = NotedApp(session)
        app.note = note
        await app.run_async()
    finally:
        await session.close()


if __name__ == "__main__":
    asyncio.run(show(Path(sys.argv[1])))
