"""Plays a session again and again, killed with SIGKILL at another point each time, and looks at what a restart finds.

One process loads everything and forks for each point, which makes a point cost as much as the session itself. A point
is the moment before or after a write to the store: an event or messages of the model. What is found wrong is printed, a
line of JSON a point.

    python crash_matrix.py FOLDER [STEP]        STEP: only every so many points
"""

import asyncio
import json
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from decode_core.decisions import Allow, Answer, PlanReview
from decode_core.engine import runtime as _runtime  # noqa: F401 - loaded once, before the forks
from decode_core.events import (
    DecisionRequested,
    EventBase,
    QuestionKind,
    ToolCallFinished,
    ToolCallStarted,
    TurnEnd,
    TurnFinished,
)
from decode_core.opening import SessionOptions, new_session, survey
from decode_core.resuming import Resumed, take_up
from decode_core.session import Session
from decode_core.store.session_record import SessionRecord
from decode_core.workspace import Workspace
from fake_provider import Reply
from strict_provider import strict_server

SCRIPT = [
    Reply(
        text=["I look."],
        calls=[
            ("read", '{"path": "README.md"}'),
            ("bash", '{"command": "echo a >> a.log"}'),
            ("read", '{"path": "README.md"}'),
        ],
    ),
    Reply(calls=[("enter_plan_mode", "{}")]),
    Reply(calls=[("exit_plan_mode", json.dumps({"title": "A plan", "plan": "# Steps\n1. write"}))]),
    Reply(calls=[("bash", '{"command": "echo b >> b.log"}'), ("write", '{"path": "c.txt", "content": "c"}')]),
    Reply(text=["Done."]),
]
"""Two tools with an effect that would show twice, a plan, and a write that mode edit lets through."""


def yes(event: DecisionRequested) -> Answer:
    """Approve everything."""
    return PlanReview("approve") if event.kind is QuestionKind.PLAN_REVIEW else Allow.once()


def in_child(work: Callable[[], object]) -> tuple[int, str]:
    """Run `work` in a fork: its exit status, and what it wrote to the pipe that `report` holds."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        os.dup2(writing, REPORT)
        try:
            work()
            os._exit(0)
        except BaseException as error:
            os.write(REPORT, json.dumps({"fault": f"{type(error).__name__}: {error}"}).encode() + b"\n")
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        text = pipe.read()
    return os.waitpid(pid, 0)[1], text


REPORT = 100
"""The descriptor that a child reports to; what is written there survives its death."""


def play_and_die(workspace: Path, point: int) -> None:
    """Play the session; die at `point`. Each number that a write acknowledged is reported before anything else."""
    passed = 0

    def pass_point() -> None:
        nonlocal passed
        passed += 1
        if passed == point:
            os.kill(os.getpid(), signal.SIGKILL)

    write, put = SessionRecord.write, SessionRecord.put_messages

    def watched_write(self: SessionRecord, event: EventBase) -> str | None:
        pass_point()
        fault = write(self, event)
        os.write(REPORT, f"{event.seq}\n".encode())
        pass_point()
        return fault

    def watched_put(self: SessionRecord, start: int, messages: Any) -> str | None:
        pass_point()
        fault = put(self, start, messages)
        pass_point()
        return fault

    SessionRecord.write, SessionRecord.put_messages = watched_write, watched_put  # type: ignore[method-assign]
    asyncio.run(_play(new_session_in(workspace), "go"))
    os.write(REPORT, b"end\n")


def new_session_in(workspace: Path) -> Callable[[], Session]:
    """A session of its own, on the strict server."""
    return lambda: new_session(survey(Workspace.open(workspace)), SessionOptions(model="strict"))


async def _play(open_session: Callable[[], Session], prompt: str | None) -> Session:
    session = open_session()
    async for event in session.resume() if prompt is None else session.send(prompt):
        if isinstance(event, DecisionRequested):
            session.answer(event.id, yes(event))
    await session.close()
    return session


def look(workspace: Path, acknowledged: list[int]) -> None:
    """What a restart finds, and how the session goes on; faults are reported."""
    try:
        resumed = take_up(None, workspace)
    except Exception as error:
        # killed before the first prompt was written: there is nothing, and nothing was acknowledged
        if any(number > 1 for number in acknowledged):
            fault(f"the session is gone: {error}")
        return
    stored = {event.seq for event in resumed.events}
    if missing := [number for number in acknowledged if number not in stored and number > 1]:
        fault(f"acknowledged events are missing: {missing}")
    asked = _open_question(resumed)
    if asked is not None and (resumed.question is None or resumed.question.id != asked):
        fault(f"the question {asked} is not open any more")
    done = Counter(event.call_id for event in resumed.events if isinstance(event, ToolCallFinished))
    waits = resumed.waits
    session = asyncio.run(_go_on(resumed, None if waits else "go on"))
    _judge(session, done, workspace)


async def _go_on(resumed: Resumed, prompt: str | None) -> Session:
    def open_again() -> Session:
        return new_session(survey(resumed.workspace), SessionOptions(resumed=resumed))

    return await _play(open_again, prompt)


def _open_question(resumed: Resumed) -> str | None:
    """The question that was asked last and has no answer."""
    opened = [event for event in resumed.events if event.__class__.__name__.startswith("Decision")]
    return opened[-1].id if opened and isinstance(opened[-1], DecisionRequested) else None


def _judge(session: Session, done: Counter[str], workspace: Path) -> None:
    ends = [event for event in session.events if isinstance(event, TurnFinished)]
    if ends[-1].end is not TurnEnd.COMPLETED:
        fault(f"the turn after the restart ended as {ends[-1].end}: {ends[-1].reason}")
    begun = Counter(event.call_id for event in session.events if isinstance(event, ToolCallStarted))
    ended = Counter(event.call_id for event in session.events if isinstance(event, ToolCallFinished))
    if begun != ended or max(begun.values(), default=1) > 1:
        fault(f"calls begun {dict(begun)}, ended {dict(ended)}")
    if any(ended[call_id] != count for call_id, count in done.items()):
        fault("a call that had ended was run again")
    for name in ("a.log", "b.log"):
        file = workspace / name
        if file.exists() and file.read_text().count("\n") != 1:
            fault(f"{name} was written {file.read_text().count(chr(10))} times")


def fault(sentence: str) -> None:
    """Report what is wrong."""
    os.write(REPORT, json.dumps({"fault": sentence}).encode() + b"\n")


def at_point(root: Path, point: int) -> dict[str, Any]:
    """Die at one point in a home of its own; what was found, and whether the session ended before the point."""
    workspace = _home(root / str(point))
    status, written = in_child(lambda: play_and_die(workspace, point))
    lines = written.split()
    if "end" in lines:
        return {"point": point, "ended": True, "faults": []}
    faults = [] if os.WIFSIGNALED(status) else [f"the session did not die but: {written.strip()}"]
    acknowledged = [int(line) for line in lines if line.isdecimal()]
    _, found = in_child(lambda: look(workspace, acknowledged))
    faults += [json.loads(line)["fault"] for line in found.splitlines()]
    return {"point": point, "ended": False, "faults": faults}


def _home(home: Path) -> Path:
    """Make a home with the settings, and return the workspace in it."""
    workspace = home / "ws"
    workspace.mkdir(parents=True)
    (workspace / "README.md").write_text("hello\n")
    for variable in ("CONFIG", "DATA", "STATE", "CACHE"):
        os.environ[f"XDG_{variable}_HOME"] = str(home / variable.lower())
    settings = home / "config" / "decode"
    settings.mkdir(parents=True)
    (settings / "settings.json").write_text(os.environ["CRASH_SETTINGS"])
    return workspace


def load_everything(root: Path) -> None:
    """Play a session here, so that no fork imports and builds again what it needs. Its threads have ended by then."""
    workspace = _home(root / "0")
    asyncio.run(_play(new_session_in(workspace), "go"))
    if threading.active_count() > 1:
        raise RuntimeError(f"threads are left, which no fork survives: {threading.enumerate()}")


def main() -> None:
    """Every point up to the one that the session does not reach any more."""
    root, step = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    server = strict_server(SCRIPT)
    serving = os.fork()
    if serving == 0:
        server.serve_forever(poll_interval=0.01)
        os._exit(0)
    model = {"model": "openai-chat:strict", "base_url": f"http://127.0.0.1:{server.server_address[1]}/v1"}
    os.environ["CRASH_SETTINGS"] = json.dumps({"models": {"strict": model}, "model": "strict"})
    try:
        load_everything(root)
        point = 1
        while True:
            result = at_point(root, point)
            sys.stdout.write(json.dumps(result) + "\n")
            sys.stdout.flush()
            if result["ended"]:
                return
            point += step
    finally:
        os.kill(serving, signal.SIGKILL)
        os.waitpid(serving, 0)


if __name__ == "__main__":
    main()
