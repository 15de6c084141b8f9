"""`decode run`: one turn, its events as text, as one JSON object, or as JSON lines."""

import asyncio
import contextlib
import signal
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import click

from decode_core.engine.clearance import OnAsk
from decode_core.events import EventBase, TurnEnd, TurnFinished
from decode_core.opening import SessionOptions, new_session, survey
from decode_core.permissions.modes import PermissionMode
from decode_core.permissions.sandbox.standing import SandboxMode
from decode_core.resuming import Resumed, take_up
from decode_core.session import Session
from decode_core.workspace import Workspace
from decode_ui.headless import trust
from decode_ui.headless.reports import REPORTS, Output, Report
from decode_ui.headless.waiting import question_line
from decode_ui.parameters import ModeType, sandbox_option

EXIT_CODES = {
    TurnEnd.COMPLETED: 0,
    TurnEnd.FAILED: 1,
    TurnEnd.SUSPENDED: 3,
    TurnEnd.LIMIT: 4,
    TurnEnd.CANCELLED: 130,
}


@click.command("run")
@click.argument("prompt", required=False)
@click.option("-C", "--directory", type=click.Path(path_type=Path), help="Work in this folder.")
@click.option("--output", type=click.Choice(["text", "json", "stream-json"]), default="text", show_default=True)
@click.option(
    "--mode",
    type=ModeType(),
    help="Default: plan if the agent's mode is plan, else dont_ask; with --on-ask suspend or fail the agent's.",
)
@click.option(
    "--on-ask",
    type=click.Choice([it.value for it in OnAsk]),
    default="deny",
    show_default=True,
    help="What becomes of a question: deny the call, suspend the turn until it is answered, or fail.",
)
@click.option("--max-turns", type=click.IntRange(min=1), help="Most model requests.")
@click.option("--max-cost", type=click.FloatRange(min=0, min_open=True), help="Most US dollars, where known.")
@click.option("--agent", help="The agent (default: build).")
@click.option("--model", help="PROVIDER:NAME, a model of the settings, offline, or script:FILE.yaml.")
@click.option("--resume", metavar="ID", help="Go on with this session, in its workspace (see decode sessions list).")
@sandbox_option
@click.option("--trust-workspace", is_flag=True, help="Trust what the folder brings, as decode trust does.")
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
    sandbox: SandboxMode | None,
    *,
    trust_workspace: bool,
) -> None:
    """Run one turn for PROMPT without the application; `-` or no PROMPT reads standard input."""
    if prompt in (None, "-"):
        if sys.stdin.isatty():
            raise click.UsageError("there is no prompt; write one, or pipe it in")
        prompt = sys.stdin.read()
    if not prompt or not prompt.strip():
        raise click.UsageError("the prompt is empty; say what is to be done")
    resumed = take_up(resume, directory) if resume else None
    if resumed is not None:
        refuse_unless_free(resumed)
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
        sandbox=sandbox,
    )
    workspace = Workspace.open(directory) if resumed is None else resumed.workspace
    if trust_workspace:
        trust.trust_workspace(workspace.root)
    text = prompt
    sys.exit(asyncio.run(run_headless(workspace, options, Output(output), lambda session: session.send(text))))


class QuestionWaits(click.ClickException):
    """The session is suspended."""

    exit_code = EXIT_CODES[TurnEnd.SUSPENDED]


def refuse_unless_free(resumed: Resumed) -> None:
    """Raise ClickException where another process has the session, or a question of it is to be answered first."""
    if resumed.held_by:
        raise click.ClickException(resumed.held_by)
    if resumed.waits:
        resumed.give_back()
        told = f": {question_line(resumed.question)}" if resumed.question is not None else ""
        raise QuestionWaits(
            f"a question of this session waits for your answer{told}; answer it first with: "
            f"decode sessions answer {resumed.id} --allow (or --deny)"
        )


async def run_headless(
    workspace: Workspace,
    options: SessionOptions,
    output: Output,
    start: Callable[[Session], AsyncIterator[EventBase]],
) -> int:
    """Open a session, run the turn that `start` begins, and return the exit code.

    Raises UnknownAgent, ModelError or ConfigError before it begins.
    """
    session = new_session(survey(workspace), options)
    report = REPORTS[output]()
    opened_at = session.events[-1].seq

    def take(event: EventBase) -> None:
        # the end of a turn that decode did not live to end is no news of this one
        if event.seq > opened_at or not isinstance(event, TurnFinished):
            report.take(event)

    unsubscribe = session.subscribe(take)
    interrupted = asyncio.Event()
    loop = asyncio.get_running_loop()
    for signum in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(signum, interrupted.set)
    try:
        await session.prepare()
        session.watch_files()
        return await _until_done(session, start(session), interrupted, report)
    finally:
        unsubscribe()
        await session.close()


async def _until_done(
    session: Session, events: AsyncIterator[EventBase], interrupted: asyncio.Event, report: Report
) -> int:
    async def turn() -> int:
        code = 1
        async for event in events:
            if isinstance(event, TurnFinished):
                code = EXIT_CODES[event.end]
        return code

    running = asyncio.ensure_future(turn())
    stopped = asyncio.ensure_future(interrupted.wait())
    await asyncio.wait({running, stopped}, return_when=asyncio.FIRST_COMPLETED)
    if not running.done():
        await session.suspend()
    stopped.cancel()
    code = await running
    report.close()
    return code
