"""Conversations in the store, as sessions leave them there: `python -m bench.stored_session MESSAGES ID` writes one."""

import asyncio
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

from bench.conversation import events
from bench.places import Place
from decode_core.opening import SessionOptions, new_session, survey
from decode_core.workspace import Workspace


def resuming(here: Place, messages: int) -> list[str]:
    """Arguments that open a conversation of `messages` messages (written once); none for 0, which is a new session."""
    if not messages:
        return []
    session_id = f"bench{messages}"
    _write_once(here.project, tuple(here.env.items()), messages, session_id)
    return ["--resume", session_id]


@cache
def _write_once(project: Path, env: tuple[tuple[str, str], ...], messages: int, session_id: str) -> None:
    command = [sys.executable, "-m", "bench.stored_session", str(messages), session_id]
    subprocess.run(command, cwd=project, env={**os.environ, **dict(env)}, check=True)


async def _write(messages: int, session_id: str) -> None:
    session = new_session(survey(Workspace.open(Path.cwd())), SessionOptions(session_id=session_id))
    for event in events(messages):
        session._log.append(event)
    await session.close()


if __name__ == "__main__":
    asyncio.run(_write(int(sys.argv[1]), sys.argv[2]))
