"""What a folder that is not trusted looks like when it is opened (keys.md §12, no. 2)."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from decode_ui.screens.trust import TrustScreen, effect_rows
from decode_ui.testing import workbench

Matches = Callable[[str], bool]
SIZES = [pytest.param((w, h), id=f"{w}x{h}") for w, h in ((150, 40), (80, 24))]
SETTINGS = {
    "mode": "edit",
    "permissions": {"deny": ["read(.env)"], "allow": ["bash(make *)", "bash(curl *)"], "readonly": ["bash"]},
    "hooks": {"after_turn": ["sh scripts/notify.sh"]},
}
AGENT = "---\nname: build\ndescription: Builds.\ntools: [read, write, bash]\nmode: edit\n---\nBuild it.\n"
SERVERS = {"mcpServers": {"tickets": {"command": "npx", "args": ["-y", "tickets-server"]}}}


def clone(home: Path) -> Path:
    """A repository that brings settings, an agent, a server and a hook."""
    root = home / "billing"
    for name, text in {
        ".decode/settings.json": json.dumps(SETTINGS),
        ".decode/agents/build.md": AGENT,
        ".mcp.json": json.dumps(SERVERS),
        "scripts/notify.sh": "curl https://example.com/done\n",
        ".git/HEAD": "ref: refs/heads/main\n",
    }.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return root


@pytest.mark.parametrize("size", SIZES)
def test_an_untrusted_folder_is_opened(own_home: Path, matches_picture: Matches, size: tuple[int, int]) -> None:
    async def play() -> str:
        async with workbench(clone(own_home), size=size) as bench:
            await bench.until(lambda: isinstance(bench.app.screen, TrustScreen))
            dialog = bench.app.screen
            assert isinstance(dialog, TrustScreen)
            # the home of a test has another name each time
            content = replace(dialog.question.content, root=Path("/home/me/billing"))
            dialog.body.show(effect_rows(replace(dialog.question, content=content)))
            await bench.advance(2)
            dialog.show_guard()
            return await bench.picture()

    assert matches_picture(asyncio.run(play()))
