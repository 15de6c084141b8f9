"""`decode permissions`: `check` explains a verdict step by step, without running anything; the rest lives beside it."""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import click

from decode_core.neutral import neutralise_line
from decode_core.opening import Surroundings, make_gate, survey
from decode_core.permissions.gate import PermissionGate
from decode_core.permissions.modes import PermissionMode
from decode_core.permissions.request import PermissionDecision, PermissionRequest, SubjectKind
from decode_core.permissions.rules import Rule, RuleError, RuleList, RuleSource, parse_rule
from decode_core.permissions.sandbox import probe
from decode_core.permissions.told import verdict_lines
from decode_core.tools.calls import freeze_call
from decode_core.tools.registry import Registry
from decode_core.tools.spec import ToolArgs
from decode_core.workspace import Workspace
from decode_ui.headless.permission_import import import_command
from decode_ui.headless.permission_log import log_command
from decode_ui.headless.permission_rules import add_command, list_command, remove_command
from decode_ui.parameters import ModeType


@dataclass(frozen=True)
class CheckOptions:
    """One call to explain."""

    tool: str
    subject: str | None = None
    args_json: str | None = None
    mode: PermissionMode | None = None
    agent: str | None = None
    lists: Mapping[str, Sequence[str]] = field(default_factory=dict)
    as_json: bool = False


@click.group()
def permissions() -> None:
    """The rules of the permission gate, why it decides as it does, and what it decided."""


for command in (list_command, add_command, remove_command, import_command, log_command):
    permissions.add_command(command)


@permissions.command("check")
@click.argument("tool", required=False)
@click.argument("subject", required=False)
@click.option("--args", "args_json", help="The arguments as a JSON object, instead of SUBJECT.")
@click.option("--mode", type=ModeType(), help="Judge in this mode (default: the agent's).")
@click.option("--agent", help="Judge under this agent's rules (default: build).")
@click.option("--allow", multiple=True, metavar="RULE", help="A further allow rule.")
@click.option("--deny", multiple=True, metavar="RULE", help="A further deny rule.")
@click.option("--ask", multiple=True, metavar="RULE", help="A further ask rule.")
@click.option("--readonly", multiple=True, metavar="RULE", help="A further readonly rule.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--batch", type=click.File("r", encoding="utf-8"), help="Judge JSON lines from FILE or -.")
def check_command(
    *,
    tool: str | None,
    subject: str | None,
    args_json: str | None,
    mode: PermissionMode | None,
    agent: str | None,
    allow: tuple[str, ...],
    deny: tuple[str, ...],
    ask: tuple[str, ...],
    readonly: tuple[str, ...],
    as_json: bool,
    batch: Any,
) -> None:
    """Explain the verdict over a call of TOOL about SUBJECT, without running anything."""
    around = survey(Workspace.open(None))
    if batch is not None:
        if tool is not None:
            raise click.UsageError("--batch takes its calls from the file; leave TOOL out")
        sys.exit(check_batch(around, batch))
    if tool is None:
        raise click.UsageError("name a TOOL, or give calls with --batch")
    lists = {"deny": deny, "ask": ask, "allow": allow, "readonly": readonly}
    sys.exit(check_one(around, CheckOptions(tool, subject, args_json, mode, agent, lists, as_json=as_json)))


def check_one(around: Surroundings, options: CheckOptions) -> int:
    """Print the verdict under the real settings and the agent's rules. Returns the exit code."""
    agent = around.catalog.get(options.agent or around.settings.values.agent)
    mode = options.mode or around.settings.values.mode or agent.mode
    gate = make_gate(around.settings, mode)
    gate.set_rules(RuleSource.AGENT, agent.rules)
    try:
        gate.set_rules(RuleSource.SESSION, _rules(options.lists, RuleSource.SESSION))
        raw = _arguments(around.registry, options)
    except (RuleError, ValueError) as error:
        raise click.UsageError(str(error)) from None
    request = request_for(around.registry, around.workspace, options.tool, raw)
    if request.subject_kind is SubjectKind.COMMAND:
        gate.sandbox = probe.find_sandbox().under(around.settings.values.sandbox.standing())
    decision = gate.check(request)
    if options.as_json:
        click.echo(json.dumps({**_row(request, decision), "steps": list(decision.steps)}, ensure_ascii=False))
        return 0
    for line in verdict_lines(
        outcome=decision.outcome,
        tool=request.tool,
        subject=request.subject,
        reason=decision.reason,
        by=decision.by,
        mode=decision.mode,
        steps=decision.steps,
    ):
        click.echo(neutralise_line(line))
    return 0


def check_batch(around: Surroundings, lines: Iterable[str]) -> int:
    """Judge JSON lines `{id, tool, args, mode, agent?, rules, cwd?}`; one JSON object a line out.

    A case's rules are all the rules, read as the person's own: no settings, and no agent unless named. Exit code 2 for
    a bad line, with its number on stderr; the lines before it are answered.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            case = json.loads(line)
            row = _judge_case(around, case)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            click.echo(f"decode: line {number}: {neutralise_line(str(error))}", err=True)
            return 2
        sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
    return 0


def request_for(registry: Registry, workspace: Workspace, tool: str, raw: Mapping[str, Any]) -> PermissionRequest:
    """The request of a call, as the engine would make it."""
    spec = registry.get(tool)
    if spec is None:
        return PermissionRequest("check", tool, None)
    args = registry.validate(tool, raw)
    if not isinstance(args, ToolArgs):
        return PermissionRequest("check", tool, spec.kind, invalid=args)
    return freeze_call(spec, args, workspace, call_id="check")


def _judge_case(around: Surroundings, case: Mapping[str, Any]) -> dict[str, Any]:
    rules = _rules(case.get("rules") or {}, RuleSource.USER)
    gate = PermissionGate(PermissionMode.parse(case.get("mode", "default")), rules)
    if case.get("agent"):
        gate.set_rules(RuleSource.AGENT, around.catalog.get(case["agent"]).rules)
    workspace = around.workspace
    if case.get("cwd"):
        workspace = Workspace(workspace.absolute(case["cwd"]).resolve(), workspace.added, workspace.readable)
    request = request_for(around.registry, workspace, case["tool"], case.get("args") or {})
    return {"id": case.get("id"), **_row(request, gate.check(request))}


def _row(request: PermissionRequest, decision: PermissionDecision) -> dict[str, Any]:
    rule = decision.rule
    return {
        "outcome": decision.outcome,
        "by": decision.by,
        "rule": {"text": rule.text, "list": rule.list, "source": rule.source} if rule else None,
        "kind": decision.kind,
        "effective_kind": decision.effective_kind,
        "subject": request.subject,
        "reason": decision.reason,
    }


def _rules(lists: Mapping[str, Sequence[str]], source: RuleSource) -> list[Rule]:
    return [parse_rule(text, RuleList(name), source) for name, texts in lists.items() for text in texts]


def _arguments(registry: Registry, options: CheckOptions) -> dict[str, Any]:
    if options.args_json is not None:
        given = json.loads(options.args_json)
        if not isinstance(given, dict):
            raise ValueError("--args takes a JSON object")
        return given
    spec = registry.get(options.tool)
    if options.subject is None or spec is None or spec.subject is None:
        return {}
    return _with_required(spec.args, {spec.subject: options.subject})


def _with_required(model: type[ToolArgs], args: dict[str, Any]) -> dict[str, Any]:
    """Fill required fields that a verdict does not look at, so that `check write a.txt` needs no content."""
    for name, info in model.model_fields.items():
        if info.is_required() and name not in args:
            args[name] = "…"
    return args
