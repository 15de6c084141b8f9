"""Record what becomes of a delegation: launched, then collected or cancelled. Nothing is started or stopped here."""

import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC
from pathlib import Path
from typing import Any, NoReturn

from decode_core.plans.addon_descriptors import Ability, read_descriptor
from decode_core.plans.addon_detection import Probe, effective_abilities, machine_probe
from decode_core.plans.addon_registry import load_registry
from decode_core.plans.canonical import labelled_digest
from decode_core.plans.depth import is_delegate_checkout
from decode_core.plans.durable import file_inside
from decode_core.plans.errors import ExitCode, PlanError, Stage
from decode_core.plans.events import Delegation, DelegationState
from decode_core.plans.folder import PlanFolder, load_settled
from decode_core.plans.launch import (
    DEFAULT_FAN_OUT,
    AddonAnswer,
    Surroundings,
    closing_refusal,
    guardrail_refusal,
    launch_refusal,
)
from decode_core.plans.ledger import Ledger, Writer, open_ledger
from decode_core.plans.standing import DelegationStanding
from decode_core.plans.tree import TreeMark
from decode_core.plans.verbs.tasks import missing_approval

_LAUNCH_FIELDS = ("delegation_id", "transport", "via", "kind", "profile", "target", "worktree", "prompt_digest")
_CARRIED_FIELDS = ("transport", "via", "kind", "profile", "target", "worktree")
_MARK = re.compile(r"read-only tree (none|[0-9a-f]{32})(?: contents (none|[0-9a-f]{32}))?")


@dataclass(frozen=True)
class Machine:
    """What a launch asks besides the plan; tests give their own."""

    home: Path
    environment: Mapping[str, str]
    probe: Probe | None = None
    caps: Mapping[Ability, bool] | None = None
    """An explicit declaration of the host's abilities; it never stands in for an addon."""
    fan_out: int = DEFAULT_FAN_OUT

    @classmethod
    def here(cls) -> "Machine":
        """This machine."""
        return cls(Path.home(), os.environ)


def launch(
    folder: PlanFolder,
    task_id: str,
    payload: Mapping[str, Any],
    writer: Writer,
    machine: Machine,
    brief: bytes | None = None,
) -> Delegation:
    """Record a launch before the delegate is relied on.

    `brief` is the text the delegate will get: its digest must be the payload's `prompt_digest`, or becomes it.
    Raises RefusedError (5, recorded) when a condition does not hold, PlanError when the payload is malformed.
    """
    with open_ledger(folder, replace(writer, mark=None)) as ledger:
        # even a delegate's attempt is recorded: it is refused below, and somebody should know
        standing, subject = ledger.plan.standing, f"delegate {task_id}"
        around = _surroundings(folder, machine)
        reason = launch_refusal(standing, task_id, payload, around) or missing_approval(ledger.plan)
        if reason is not None:
            _refuse(ledger, subject, reason)
        document = {name: payload[name] for name in _LAUNCH_FIELDS if name in payload}
        document |= {"task": task_id, "state": DelegationState.LAUNCHED.value}
        document.setdefault("delegation_id", _new_id(writer))
        text = _hold_brief(document, brief)
        note = _note(payload)
        if "worktree" in document and document["worktree"] is None:
            # measured before anything is written, so that the lock and the journal weigh the same at collect
            note = _marked(folder.repository.read_only_mark(), note)
        ledger.check("delegation", document, note=note)
        task = standing.contract.task(task_id)
        assert task is not None  # noqa: S101 - a launch of an unknown task was refused
        reason = guardrail_refusal(standing, task, document, text, around)
        if reason is not None:
            _refuse(ledger, subject, reason)
        return _recorded(ledger.append("delegation", document, note=note))


def collect(folder: PlanFolder, task_id: str, payload: Mapping[str, Any], writer: Writer) -> Delegation:
    """Record how a delegation ended, `completed` or `failed`, with the digest of its result file if there is one.

    A read-only delegate on a tree that moved is recorded failed, and then refused. Raises RefusedError (5), PlanError.
    """
    with open_ledger(folder, writer) as ledger:
        known = _closing(ledger, task_id, payload)
        state = payload.get("state")
        if state not in (DelegationState.COMPLETED.value, DelegationState.FAILED.value):
            raise PlanError("collect needs the state: completed or failed")
        document = _end_of(known, str(state))
        if "result_path" in payload:
            document["result_path"] = payload["result_path"]
        ledger.check("delegation", document, note=_note(payload))
        _refuse_moved_tree(ledger, known, task_id)
        result = file_inside(str(document.get("result_path", "")), folder.path, folder.root)
        if result is not None:
            try:
                document["result_digest"] = labelled_digest(result.read_bytes())
            except OSError as error:
                raise PlanError(f"{result} could not be read: {error.strerror}") from None
        return _recorded(ledger.append("delegation", document, note=_note(payload)))


def cancel(folder: PlanFolder, task_id: str, payload: Mapping[str, Any], writer: Writer) -> Delegation:
    """Record that a delegation was cancelled. Raises RefusedError (5), PlanError."""
    with open_ledger(folder, writer) as ledger:
        known = _closing(ledger, task_id, payload)
        document = _end_of(known, DelegationState.CANCELLED.value)
        ledger.check("delegation", document, note=_note(payload))
        _refuse_moved_tree(ledger, known, task_id)
        return _recorded(ledger.append("delegation", document, note=_note(payload)))


def observe(folder: PlanFolder, task_id: str | None = None) -> list[DelegationStanding]:
    """Every delegation, of one task or of all, as the journal has it now; nothing is locked or written."""
    return [one for one in load_settled(folder).standing.delegations.values() if task_id in (None, one.launch.task)]


def _surroundings(folder: PlanFolder, machine: Machine) -> Surroundings:
    repository = folder.repository
    return Surroundings(
        has_git=lambda: repository.has_git,
        addon=lambda key: _addon(folder, key, machine),
        is_worktree=lambda path: repository.holds_worktree(folder.root / path),
        real_place=lambda path: os.path.realpath(folder.root / path),
        is_inside_delegation=lambda: is_delegate_checkout(folder.root),
        environment=machine.environment,
        fan_out=machine.fan_out,
    )


def _addon(folder: PlanFolder, key: str, machine: Machine) -> AddonAnswer:
    registry = load_registry(folder.root, machine.home)
    descriptor = read_descriptor(key)
    if descriptor is None or descriptor.transport is None:
        return AddonAnswer(None, usable=False)
    # only what carries this delegate is asked: no other addon's command needs to run for the decision
    asked = replace(registry, addons={name: entry for name, entry in registry.addons.items() if name == key})
    probe = machine.probe or machine_probe(folder.root, machine.home)
    abilities = effective_abilities(asked, probe, machine.caps)
    sources = abilities.sources.get(Ability.SUBAGENTS, ())
    return AddonAnswer(descriptor.transport.value, f"addon:{key}" in sources, sources, abilities.obstacles.get(key, ""))


def _hold_brief(document: dict[str, Any], brief: bytes | None) -> str | None:
    if brief is None:
        return None
    digest = labelled_digest(brief)
    if document.setdefault("prompt_digest", digest) != digest:
        raise PlanError(f"prompt_digest is not the digest of the brief, which is {digest}")
    return brief.decode("utf-8", errors="replace")


def _closing(ledger: Ledger, task_id: str, payload: Mapping[str, Any]) -> DelegationStanding:
    delegation_id = payload.get("delegation_id")
    if not isinstance(delegation_id, str):
        raise PlanError('name the delegation: {"delegation_id": "…"}')
    reason = closing_refusal(ledger.plan.standing, task_id, delegation_id)
    if reason is not None:
        _refuse(ledger, f"delegate {task_id}", reason)
    return ledger.plan.standing.delegations[delegation_id]


def _end_of(known: DelegationStanding, state: str) -> dict[str, Any]:
    launched = known.launch.model_dump(mode="json", include=set(_CARRIED_FIELDS), exclude_unset=True)
    return {**launched, "task": known.launch.task, "delegation_id": known.launch.delegation_id, "state": state}


def _refuse_moved_tree(ledger: Ledger, known: DelegationStanding, task_id: str) -> None:
    if not known.launch.is_read_only:
        return
    mark = _MARK.match(known.launch.note or "")
    now = ledger.folder.repository.read_only_mark()
    if mark is not None and mark[1] == now.mark and mark[2] in (None, now.contents):
        return
    ledger.append(
        "delegation",
        _end_of(known, DelegationState.FAILED.value),
        note="read-only delegate: the working tree changed between launch and collect",
    )
    name = known.launch.delegation_id
    _refuse(
        ledger,
        f"delegate {task_id}",
        f"delegation {name} was launched read-only but the working tree changed — recorded failed; "
        "run the task here or mark it parallel_safe",
    )


def _marked(tree: TreeMark, note: str | None) -> str:
    # the publisher reads what stands at the beginning; the digest of contents sees edits to files already changed
    return f"read-only tree {tree.mark} contents {tree.contents}" + (f"; {note}" if note else "")


def _note(payload: Mapping[str, Any]) -> str | None:
    note = payload.get("note")
    if note is not None and not isinstance(note, str):
        raise PlanError("note is a text")
    return note


def _new_id(writer: Writer) -> str:
    return f"d{writer.now().astimezone(UTC):%Y%m%dT%H%M%S}{secrets.token_hex(3)}"


def _recorded(event: object) -> Delegation:
    if not isinstance(event, Delegation):
        raise TypeError("a delegation was appended")
    return event


def _refuse(ledger: Ledger, subject: str, reason: str) -> NoReturn:
    ledger.refuse(subject, Stage.DISPATCH, reason, ExitCode.DELEGATION_REFUSED)
