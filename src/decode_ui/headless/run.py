"""`decode run`: one turn, its events as text, as one JSON object, or as JSON lines."""

import asyncio
import contextlib
import json
import signal
import sys
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

import click

from decode_core.engine.clearance import OnAsk
from decode_core.events import (
    AssistantMessage,
    CallOutcome,
    EventBase,
    NoticeLevel,
    NoticeRaised,
    PermissionDecided,
    RetryScheduled,
    SessionOpened,
    TextDelta,
    ToolCallFinished,
    TurnEnd,
    TurnFinished,
    UsageUpdated,
    dump_event,
)
from decode_core.neutral import neutralise, neutralise_line
from decode_core.opening import SessionOptions, new_session, survey
from decode_core.permissions.modes import PermissionMode, PermissionOutcome
from decode_core.resuming import take_up
from decode_core.session import Session
from decode_core.workspace import Workspace
from decode_ui.parameters import ModeType

EXIT_CODES = {
    TurnEnd.COMPLETED: 0,
    TurnEnd.FAILED: 1,
    TurnEnd.SUSPENDED: 3,
    TurnEnd.LIMIT: 4,
    TurnEnd.CANCELLED: 130,
}


class Output(StrEnum):
    """What stdout carries."""

    TEXT = "text"
    JSON = "json"
    STREAM_JSON = "stream-json"


@click.command("run")
@click.argument("prompt", required=False)
@click.option("-C", "--directory", type=click.Path(path_type=Path), help="Work in this folder.")
@click.option("--output", type=click.Choice(["text", "json", "stream-json"]), default="text", show_default=True)
@click.option("--mode", type=ModeType(), help="Default: plan if the agent's mode is plan, else dont_ask.")
@click.option("--on-ask", type=click.Choice([it.value for it in OnAsk]), default="deny", show_default=True)
@click.option("--max-turns", type=click.IntRange(min=1), help="Most model requests.")
@click.option("--max-cost", type=click.FloatRange(min=0, min_open=True), help="Most US dollars, where known.")
@click.option("--agent", help="The agent (default: build).")
@click.option("--model", help="PROVIDER:NAME, a model of the settings, offline, or script:FILE.yaml.")
@click.option("--resume", metavar="ID", help="Go on with this session, in its workspace (see decode sessions list).")
def run_command(
    prompt: str | None,
    directory: Path | None,
    output: str,
    mode: PermissionMode | None,
    on_ask: str,
    max_turns: int | None,
    max_cost: float | None,
    agent: str | None,
    model: str | None,
    resume: str | None,
) -> None:
    """Run one turn for PROMPT without the application; `-` or no PROMPT reads standard input."""
    if prompt in (None, "-"):
        if sys.stdin.isatty():
            raise click.UsageError("there is no prompt; write one, or pipe it in")
        prompt = sys.stdin.read()
    if not prompt or not prompt.strip():
        raise click.UsageError("the prompt is empty; say what is to be done")
    resumed = take_up(resume, directory) if resume else None
    if resumed is not None and resumed.held_by:
        raise click.ClickException(resumed.held_by)
    options = SessionOptions(
        agent=agent,
        resumed=resumed,
        mode=mode,
        model=model,
        interactive=False,
        headless_modes=True,
        on_ask=OnAsk(on_ask),
        max_turns=max_turns,
        max_cost=max_cost,
    )
    workspace = Workspace.open(directory) if resumed is None else resumed.workspace
    sys.exit(asyncio.run(run_headless(prompt, workspace, options, Output(output))))


async def run_headless(prompt: str, workspace: Workspace, options: SessionOptions, output: Output) -> int:
    """Run one turn and return the exit code. Raises UnknownAgent, ModelError or ConfigError before it begins."""
    session = new_session(survey(workspace), options)
    report = _REPORTS[output]()
    unsubscribe = session.subscribe(report.take)
    interrupted = asyncio.Event()
    loop = asyncio.get_running_loop()
    for signum in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(signum, interrupted.set)
    try:
        await session.prepare()
        session.watch_files()
        return await _until_done(session, prompt, interrupted, report)
    finally:
        unsubscribe()
        await session.close()


async def _until_done(session: Session, prompt: str, interrupted: asyncio.Event, report: "_Report") -> int:
    async def turn() -> int:
        code = 1
        async for event in session.send(prompt):
            if isinstance(event, TurnFinished):
                code = EXIT_CODES[event.end]
        return code

    running = asyncio.ensure_future(turn())
    stopped = asyncio.ensure_future(interrupted.wait())
    await asyncio.wait({running, stopped}, return_when=asyncio.FIRST_COMPLETED)
    if not running.done():
        await session.cancel()
    stopped.cancel()
    code = await running
    report.close()
    return code


class _Report(Protocol):
    """What a form of output does with events."""

    def take(self, event: EventBase) -> None: ...

    def close(self) -> None: ...


class _TextReport:
    """Answers on stdout, everything else as short lines on stderr."""

    def __init__(self) -> None:
        self._at_line_start = True

    def take(self, event: EventBase) -> None:
        match event:
            case TextDelta(text=text):
                self._write(neutralise(text))
            case AssistantMessage():
                self._end_line()
            case ToolCallFinished(tool=tool, summary=summary, outcome=outcome):
                sign = {CallOutcome.OK: "●", CallOutcome.FAILED: "✗", CallOutcome.DENIED: "⊘"}[outcome]
                self._say(f"{sign} {tool} {summary}")
            case PermissionDecided(outcome=PermissionOutcome.DENY, tool=tool, subject=subject, reason=reason):
                self._say(f"denied {tool} {subject}: {reason}")
            case RetryScheduled(delay_s=delay_s, reason=reason):
                self._say(f"retrying in {delay_s:g} s: {reason}")
            case NoticeRaised(level=level, text=text, hint=hint) if level is not NoticeLevel.INFO:
                self._say(f"{level}: {text}" + (f" ({hint})" if hint else ""))
            case TurnFinished(end=end, reason=reason, hint=hint) if end is not TurnEnd.COMPLETED:
                self._say(f"{end}: {reason}" + (f" ({hint})" if hint else ""))
            case _:
                pass

    def close(self) -> None:
        self._end_line()

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()
        if text:
            self._at_line_start = text.endswith("\n")

    def _end_line(self) -> None:
        if not self._at_line_start:
            self._write("\n")

    def _say(self, line: str) -> None:
        self._end_line()
        sys.stderr.write(neutralise_line(line) + "\n")


class _StreamReport:
    """Every event as one line of JSON, as it happens."""

    def take(self, event: EventBase) -> None:
        sys.stdout.write(dump_event(event) + "\n")
        sys.stdout.flush()

    def close(self) -> None:
        pass


class _JsonReport:
    """One object at the end: the answer, how the turn ended, what was called and what was denied."""

    def __init__(self) -> None:
        self._result: dict[str, Any] = {"text": "", "end": TurnEnd.FAILED.value, "calls": [], "denials": []}

    def take(self, event: EventBase) -> None:
        match event:
            case SessionOpened():
                self._result |= {"session_id": event.session_id, "agent": event.agent, "model": event.model}
            case AssistantMessage(text=text) if text:
                self._result["text"] = text
            case ToolCallFinished():
                call = {"id": event.call_id, "tool": event.tool, "outcome": event.outcome, "summary": event.summary}
                self._result["calls"].append(call)
            case PermissionDecided(outcome=PermissionOutcome.DENY):
                denial = {"tool": event.tool, "subject": event.subject, "by": event.by, "reason": event.reason}
                self._result["denials"].append(denial)
            case UsageUpdated():
                usage = {"requests": event.requests, "input": event.input_tokens, "output": event.output_tokens}
                self._result["usage"] = usage | {"cost": event.cost}
            case TurnFinished():
                self._result |= {"end": event.end, "reason": event.reason, "hint": event.hint}
            case _:
                pass

    def close(self) -> None:
        sys.stdout.write(json.dumps(self._result, ensure_ascii=False) + "\n")


_REPORTS: dict[Output, type[_Report]] = {
    Output.TEXT: _TextReport,
    Output.JSON: _JsonReport,
    Output.STREAM_JSON: _StreamReport,
}
