"""`decode sessions`: list, read, search, name, fork, export and delete sessions."""

import contextlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from decode_core.events import (
    AssistantMessage,
    EventBase,
    ModeChanged,
    NoticeRaised,
    PlanProposed,
    SteeringTaken,
    ToolCallFinished,
    TurnFinished,
    TurnStarted,
    dump_event,
)
from decode_core.neutral import neutralise, neutralise_line
from decode_core.store.database import Database, store_path
from decode_core.store.export import ExportFormat, export, form_of, write_export
from decode_core.store.faults import StoreError
from decode_core.store.fork import fork
from decode_core.store.holding import holder_of
from decode_core.store.keys import no_such
from decode_core.store.records import Records
from decode_core.store.sessions import Hit, SessionInfo, Sessions
from decode_core.workspace import Workspace

ID_CELLS = 12
TITLE_CELLS = 60

as_json_option = click.option("--json", "as_json", is_flag=True, help="JSON instead of lines.")
here_option = click.option("--here", is_flag=True, help="Only sessions of this workspace.")


class SessionsGroup(click.Group):
    """`answer` goes on with a turn: what that needs is imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All of them."""
        return sorted([*super().list_commands(ctx), "answer"])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command by its name."""
        if cmd_name == "answer":
            from decode_ui.headless.answer import answer_command

            return answer_command
        return super().get_command(ctx, cmd_name)


@click.group(cls=SessionsGroup)
def sessions() -> None:
    """List, read, search, name, answer, fork, export and delete sessions.

    An ID may be shortened while it stays unique.
    """


@sessions.command("list")
@here_option
@click.option("--limit", type=click.IntRange(min=1), help="At most so many.")
@as_json_option
def list_command(*, here: bool, limit: int | None, as_json: bool) -> None:
    """All sessions, the one that changed last first."""
    with _opened() as database:
        found = Sessions(database).recent(_place(here=here), limit=limit) if database else []
    if as_json:
        _write_json([row(info) for info in found])
        return
    for info in found:
        turns = f"{info.turns} turn{'' if info.turns == 1 else 's'}"
        _say(
            f"{info.id:<{ID_CELLS}}  {info.changed:%Y-%m-%d %H:%M}  {turns:>9}  "
            f"{'? waits for you  ' if info.question else ''}{_short(info.title)}  {info.workspace}"
        )
    if not found:
        click.echo("there are no sessions yet; start one with `decode`", err=True)


@sessions.command("show")
@click.argument("session_id", metavar="ID")
@as_json_option
def show_command(session_id: str, *, as_json: bool) -> None:
    """What was said and done in a session; the numbers are those that `fork --at` takes."""
    with _found(session_id) as (database, info):
        stored = Records(database).events(info.id)
        holder = holder_of(database.path.parent, info.id)
    if as_json:
        held = None if holder is None else {"pid": holder.pid}
        events = [json.loads(dump_event(event)) for event in stored.events]
        _write_json(row(info) | {"open_in": held, "unreadable": stored.unreadable, "events": events})
        return
    for name, value in _facts(info):
        _say(f"{name:<10} {value}")
    if holder is not None:
        _say(f"{'open in':<10} {holder}")
    if stored.unreadable:
        click.echo(f"{_events(stored.unreadable)} cannot be read and left out", err=True)
    for event in stored.events:
        if text := _shown(event):
            click.echo(f"\n{event.seq:>5}  " + neutralise(text).strip().replace("\n", "\n       "))


@sessions.command("search")
@click.argument("words", nargs=-1, required=True)
@here_option
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True)
@as_json_option
def search_command(words: tuple[str, ...], *, here: bool, limit: int, as_json: bool) -> None:
    """Where all WORDS stand in a prompt, an answer, a plan, or the subject of a call; exits 1 where nowhere."""
    with _opened() as database:
        place = _place(here=here)
        hits = Sessions(database).search(" ".join(words), workspace=place, limit=limit) if database else []
    if as_json:
        _write_json([_hit_row(hit) for hit in hits])
    for hit in [] if as_json else hits:
        excerpt = " ".join(hit.excerpt.split())
        _say(f"{hit.session.id:<{ID_CELLS}}  {hit.seq:>5}  {_short(hit.session.title)}  {excerpt}")
    sys.exit(0 if hits else 1)


@sessions.command("rename")
@click.argument("session_id", metavar="ID")
@click.argument("title")
@as_json_option
def rename_command(session_id: str, title: str, *, as_json: bool) -> None:
    """Give a session another title."""
    with _found(session_id) as (database, info):
        Sessions(database).rename(info.id, title)
        _report(Sessions(database).find(info.id), "renamed", as_json=as_json)


@sessions.command("fork")
@click.argument("session_id", metavar="ID")
@click.option(
    "--at", type=click.IntRange(min=1), help="The number of the last event (see show); at a prompt: before it."
)
@as_json_option
def fork_command(session_id: str, at: int | None, *, as_json: bool) -> None:
    """Copy a session, whole or up to a message, to go on from there in another way."""
    with _found(session_id) as (database, info):
        _report(fork(database, info.id, at), f"forked from {info.id}", as_json=as_json)


@sessions.command("delete")
@click.argument("session_ids", metavar="ID...", nargs=-1, required=True)
@click.option("--yes", is_flag=True, help="Do not ask.")
@as_json_option
def delete_command(session_ids: tuple[str, ...], *, yes: bool, as_json: bool) -> None:
    """Remove sessions for good."""
    with _opened() as database:
        if database is None:
            raise _fault(no_such(session_ids[0]))
        found = list({info.id: info for info in map(Sessions(database).find, session_ids)}.values())
        if not yes:
            for info in found:
                click.echo(neutralise_line(f"{info.id}  {_short(info.title)}  {info.workspace}"), err=True)
            click.confirm(
                f"Delete {len(found)} session{'' if len(found) == 1 else 's'} for good?", abort=True, err=True
            )
        for info in found:
            Sessions(database).delete(info.id)
            if not as_json:
                _say(f"{info.id}  deleted")
    if as_json:
        _write_json([row(info) for info in found])


@sessions.command("export")
@click.argument("session_id", metavar="ID")
@click.option(
    "--format",
    "form",
    type=click.Choice([it.value for it in ExportFormat]),
    help="Default: by the name of FILE, else markdown.",
)
@click.option("--script", is_flag=True, help="Short for --format script: a script that plays the session again.")
@click.option("--to", "file", type=click.Path(path_type=Path), help="Write to FILE instead of standard output.")
@as_json_option
def export_command(session_id: str, form: str | None, *, script: bool, file: Path | None, as_json: bool) -> None:
    """A session as Markdown, JSON lines, an HTML page, or a script; recognised secrets are redacted."""
    chosen = _format(form, file, script=script, as_json=as_json)
    with _found(session_id) as (database, info):
        exported = export(Records(database), info, chosen)
    if exported.unreadable:
        click.echo(f"{_events(exported.unreadable)} cannot be read and left out", err=True)
    if file is None:
        click.echo(exported.text if chosen is ExportFormat.JSON_LINES else neutralise(exported.text), nl=False)
        return
    try:
        write_export(exported, file)
    except StoreError as error:
        raise _fault(error) from error
    click.echo(neutralise_line(f"{file}: {exported.events} events as {chosen}"), err=True)


def row(info: SessionInfo) -> dict[str, Any]:
    """A session as plain data."""
    return {
        "id": info.id,
        "title": info.title,
        "workspace": info.workspace,
        "agent": info.agent,
        "mode": info.mode,
        "model": info.model,
        "created": info.created.isoformat(),
        "changed": info.changed.isoformat(),
        "turns": info.turns,
        "forked_from": info.forked_from,
        "forked_at": info.forked_at,
        "question": info.question,
    }


def _format(form: str | None, file: Path | None, *, script: bool, as_json: bool) -> ExportFormat:
    wanted = {*([form] if form else []), *(["script"] if script else []), *(["jsonl"] if as_json else [])}
    if len(wanted) > 1:
        raise click.UsageError(f"the export cannot be {' and '.join(sorted(wanted))} at once; choose one")
    if wanted:
        return ExportFormat(wanted.pop())
    return form_of(file)


@contextlib.contextmanager
def _opened() -> Iterator[Database | None]:
    """The store, None where there is none yet: looking does not make one."""
    try:
        database = Database.open() if store_path().exists() else None
        try:
            yield database
        finally:
            if database is not None:
                database.close()
    except StoreError as error:
        raise _fault(error) from error


@contextlib.contextmanager
def _found(session_id: str) -> Iterator[tuple[Database, SessionInfo]]:
    with _opened() as database:
        if database is None:
            raise no_such(session_id)
        yield database, Sessions(database).find(session_id)


def _fault(error: StoreError) -> click.ClickException:
    return click.ClickException(str(error))


def _place(*, here: bool) -> str | None:
    return str(Workspace.open(None).root) if here else None


def _facts(info: SessionInfo) -> Iterator[tuple[str, str]]:
    yield "id", info.id
    yield "title", info.title
    yield "workspace", info.workspace
    yield "agent", f"{info.agent} in mode {info.mode}"
    yield "model", info.model
    yield "created", f"{info.created:%Y-%m-%d %H:%M} UTC"
    yield "changed", f"{info.changed:%Y-%m-%d %H:%M} UTC"
    if info.question is not None:
        yield "waits", f"{info.question} (decode sessions answer {info.id})"
    if info.forked_from is not None:
        yield "fork of", f"{info.forked_from} up to {info.forked_at}"


def _shown(event: EventBase) -> str:
    match event:
        case TurnStarted(prompt=prompt):
            return f"> {prompt}"
        case SteeringTaken(text=text):
            return f"> (during the turn) {text}"
        case AssistantMessage(text=text):
            return text
        case ToolCallFinished(tool=tool, outcome=outcome, summary=summary):
            return f"● {tool} {outcome} {summary}"
        case ModeChanged(from_mode=before, to_mode=after):
            return f"· mode {before} → {after}"
        case PlanProposed(plan=plan):
            return f"◇ plan, version {plan.version}: {plan.title}\n{plan.text}"
        case NoticeRaised(level=level, text=text):
            return f"! {level}: {text}"
        case TurnFinished(end=end, reason=reason):
            return f"· turn {end}" + (f": {reason}" if reason else "")
        case _:
            return ""


def _hit_row(hit: Hit) -> dict[str, Any]:
    return {"session": row(hit.session), "seq": hit.seq, "type": hit.type, "excerpt": hit.excerpt}


def _report(info: SessionInfo, word: str, *, as_json: bool) -> None:
    if as_json:
        _write_json(row(info))
    else:
        _say(f"{info.id}  {word}  {_short(info.title)}")


def _short(title: str) -> str:
    title = title or "(no prompt yet)"
    return title if len(title) <= TITLE_CELLS else title[: TITLE_CELLS - 1] + "…"


def _events(count: int) -> str:
    return f"{count} event{'' if count == 1 else 's'}"


def _say(line: str) -> None:
    click.echo(neutralise_line(line))


def _write_json(value: object) -> None:
    click.echo(json.dumps(value, ensure_ascii=False))
