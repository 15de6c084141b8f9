"""Bypass comes from a flag alone: permissions.md §9, catalog.md §5."""

import asyncio
from pathlib import Path

import pytest

from decode_core import open_session
from decode_core.config import config_dir
from decode_core.permissions.modes import PermissionMode
from decode_core.session import Session

BYPASS = PermissionMode.BYPASS


def write_agent(mode: str) -> None:
    folder = config_dir() / "agents"
    folder.mkdir(parents=True)
    (folder / "hasty.md").write_text(f"---\nname: hasty\ndescription: Hurries\ntools: [read]\nmode: {mode}\n---\nGo.\n")


def opened(folder: Path, mode: PermissionMode | None = None) -> tuple[object, list[str]]:
    async def play() -> tuple[object, list[str]]:
        async with open_session(folder, agent="hasty", mode=mode, model="offline") as session:
            return session.mode, notices(session)

    return asyncio.run(play())


def notices(session: Session) -> list[str]:
    return [getattr(event, "text", "") for event in session.events]


@pytest.mark.parametrize(
    ("of_agent", "flag", "starts_in"),
    [
        ("bypass", None, PermissionMode.DEFAULT),
        ("bypass", BYPASS, BYPASS),
        ("edit", None, PermissionMode.EDIT),
        ("edit", BYPASS, BYPASS),
    ],
)
def test_an_agent_alone_never_starts_in_bypass(
    tmp_path: Path, of_agent: str, flag: PermissionMode | None, starts_in: PermissionMode
) -> None:
    write_agent(of_agent)
    mode, told = opened(tmp_path, flag)
    assert mode is starts_in
    was_held_back = of_agent == "bypass" and starts_in is PermissionMode.DEFAULT
    assert any("hasty is of mode bypass" in text for text in told) == was_held_back
