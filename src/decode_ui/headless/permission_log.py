"""`decode permissions log`: what the gate decided and the person answered, and whether the record of it is whole."""

import json
import sys
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import click

from decode_core.events import PermissionDecided, ToolCallStarted
from decode_core.neutral import neutralise_line
from decode_core.store.audit import AUDITED, verify
from decode_core.store.database import Database, store_path
from decode_core.store.faults import StoreError
from decode_core.store.records import Records
from decode_core.store.redact import Redactor
from decode_core.store.sessions import SessionInfo, Sessions
from decode_core.workspace import Workspace
from decode_ui.parameters import MomentType

WEAKNESS = "this finds accidents and careless changes; whoever can act as you can write all of it anew"


@click.command("log")
@click.option("--session", "session_id", metavar="ID", help="Of this session (default: all of this workspace).")
@click.option("--since", type=MomentType(), help="Only from then on: 2026-01-31, 2026-01-31T14:00, or 30m, 2h, 3d ago.")
@click.option("--verify", "verifying", is_flag=True, help="Look for records that were changed, removed or cut off.")
@click.option("--json", "as_json", is_flag=True, help="JSON lines.")
def log_command(session_id: str | None, *, since: datetime | None, verifying: bool, as_json: bool) -> None:
    """Verdicts, answers and changes of the mode; with --verify exits 1 where something is wrong with the record."""
    if not store_path().exists():
        return
    try:
        database = Database.open()
        try:
            sessions = Sessions(database)
            root = str(Workspace.open(None).root)
            found = [sessions.find(session_id)] if session_id else sessions.recent(root)[::-1]
            if verifying:
                sys.exit(0 if _verified(database, found, as_json=as_json) else 1)
            for info in found:
                for record in _records(database, info, since):
                    click.echo(json.dumps(record, ensure_ascii=False) if as_json else neutralise_line(_line(record)))
        finally:
            database.close()
    except StoreError as error:
        raise click.ClickException(str(error)) from error


def _verified(database: Database, found: list[SessionInfo], *, as_json: bool) -> bool:
    sound = True
    for info in found:
        result = verify(database, info.id)
        sound = sound and not result.faults
        if as_json:
            row = {"session_id": info.id, "records": result.records, "faults": list(result.faults)}
            click.echo(json.dumps(row, ensure_ascii=False))
            continue
        click.echo(neutralise_line(f"{info.id}  {result.records} records  {'; '.join(result.faults) or 'whole'}"))
    click.echo(WEAKNESS, err=True)
    return sound


def _records(database: Database, info: SessionInfo, since: datetime | None) -> Iterator[dict[str, Any]]:
    """The records from `since` on as plain data; a verdict with the arguments of its call, secrets redacted."""
    redactor = Redactor()
    args: dict[str, Any] = {}
    for event in Records(database).events(info.id).events:
        if isinstance(event, ToolCallStarted):
            args[event.call_id] = redactor.value(event.args)
        elif isinstance(event, AUDITED) and (since is None or event.ts >= since):
            row = redactor.event(event).model_dump(mode="json")
            yield row | {"args": args.get(event.call_id, {})} if isinstance(event, PermissionDecided) else row


def _line(row: dict[str, Any]) -> str:
    when = str(row["ts"])[:19].replace("T", " ")
    match row["type"]:
        case "permission_decided":
            text = (
                f"{row['outcome']:<7} {row['tool']} {row['subject']}  by {row['by']} in {row['mode']}: {row['reason']}"
            )
        case "decision_answered":
            text = f"answer  {row['answer']}" + (f": {row['note']}" if row["note"] else "")
        case _:
            text = f"mode    {row['from_mode']} → {row['to_mode']} ({row['cause']})"
    return f"{row['session_id']}  {when}  {text}"
