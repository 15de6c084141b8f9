"""What ASK shows on request in place of its answers: why it asks, step by step, and the whole call. Pure."""

from collections.abc import Mapping
from typing import Any

from decode_core.permissions.told import verdict_lines
from decode_ui.widgets.body_rows import BodyRow, RowTone, argument_rows, text_rows
from decode_ui.widgets.diff_body import diff_rows


def why_rows(payload: Mapping[str, Any]) -> list[BodyRow]:
    """What `decode permissions check` says of the call: the verdict, its reason, and the steps of the gate."""
    listed = payload.get("steps")
    steps = [step for step in listed if isinstance(step, str)] if isinstance(listed, list | tuple) else []
    verdict, reason, *numbered = verdict_lines(
        outcome="ask",
        tool=_text(payload.get("tool")),
        subject=_text(payload.get("subject")),
        reason=_text(payload.get("reason")) or "no reason was given",
        by=_text(payload.get("by")) or "unknown",
        mode=_text(payload.get("mode")) or "unknown",
        steps=steps,
    )
    rows = [*text_rows(verdict, RowTone.WARNING), *text_rows(reason), BodyRow("")]
    if not numbered:
        return [*rows, BodyRow("no steps were recorded", RowTone.QUIET)]
    for line in numbered:
        number, _, step = line.partition(". ")
        rows += text_rows(step, gutter=f"{number}. ")
    return rows


def call_rows(payload: Mapping[str, Any]) -> list[BodyRow]:
    """Everything about a call: who makes it and where, all arguments in full, and the whole change of a file."""
    agents = payload.get("agent_path")
    names = [name for name in agents if isinstance(name, str)] if isinstance(agents, list | tuple) else []
    about = {
        "tool": _text(payload.get("tool")),
        "kind": _text(payload.get("kind")).replace("_", " "),
        "subject": _text(payload.get("subject")),
        "agent": " › ".join(names),
        "directory": _text(payload.get("cwd")),
        "mode": _text(payload.get("mode")),
    }
    rows = argument_rows({name: text for name, text in about.items() if text})
    args = payload.get("args")
    given = {str(name): value for name, value in args.items()} if isinstance(args, Mapping) else {}
    rows += [BodyRow(""), BodyRow("arguments", RowTone.LABEL), *argument_rows(given)]
    preview = payload.get("preview")
    if isinstance(preview, Mapping) and isinstance(preview.get("after"), str):
        before = preview.get("before")
        change = diff_rows(_text(before) if before is not None else None, preview["after"], most=None)
        rows += [BodyRow(""), BodyRow("change", RowTone.LABEL), *change]
    return rows


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
