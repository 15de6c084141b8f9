"""Makes the README's picture from the program itself: `make screenshot`."""

import asyncio
import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from decode_core.events import TurnFinished  # noqa: E402
from decode_ui.testing import workbench  # noqa: E402
from payments import CHANGE, PROMPT, repository, script  # noqa: E402 - found by the line above


async def main() -> None:
    """Play the demonstration up to the question about its second edit."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        os.environ["HOME"] = folder  # the picture names no folder of this machine
        async with workbench(repository(home), size=(132, 34), model=script(home, CHANGE)) as bench:
            await bench.send(PROMPT)
            await bench.open_question()
            await bench.press("y")
            await bench.open_question(2)
            picture = await bench.picture()
            await bench.press("n")
            await bench.wait_for(TurnFinished)
    (ROOT / "docs" / "screenshot.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
