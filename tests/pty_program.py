"""The application for tests of raw bytes: writes its mode, prompt text and sent prompts to a file, as they change."""

import asyncio
import json
import sys
from pathlib import Path

from decode_core.opening import SessionOptions, new_session, survey
from decode_core.workspace import Workspace
from decode_ui.app import DecodeApp
from decode_ui.widgets.prompt import Prompt


async def main(workspace: Path, report: Path) -> None:
    session = new_session(survey(Workspace.open(workspace)), SessionOptions())
    session.warm_up = lambda then=None: None  # type: ignore[method-assign]
    sent: list[str] = []
    session.submit = lambda prompt, **more: sent.append(prompt)  # type: ignore[method-assign]
    app = DecodeApp(session)

    def write() -> None:
        prompts = list(app.screen.query(Prompt))
        text = prompts[0].text if prompts else ""
        state = {"ready": bool(prompts), "mode": session.mode, "text": text, "sent": sent}
        part = report.with_suffix(".part")
        part.write_text(json.dumps(state))
        part.replace(report)

    app.call_later(lambda: app.set_interval(0.02, write))
    await app.run_async()
    await session.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2])))
