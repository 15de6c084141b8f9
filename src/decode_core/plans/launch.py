"""Whether a delegation may be launched, collected or cancelled: pure rules over a plan's standing.

Source: dwp-records (c). The publisher's conditions come first and in its order; then the guardrails that it leaves to
manners and that are enforced here (delegation.md §2): depth, fan-out, prerequisites, one writer per path, worktree,
brief.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from decode_core.plans.brief import brief_fault
from decode_core.plans.contract import Contract, Grant, Task
from decode_core.plans.depth import depth_mark
from decode_core.plans.generation import Generation
from decode_core.plans.standing import DelegationStanding, Standing
from decode_core.plans.surface import overlap

DEFAULT_FAN_OUT = 4
"""Open delegations of a plan at one time."""


@dataclass(frozen=True)
class AddonAnswer:
    """What is known of the addon that is to carry a delegate."""

    transport: str | None
    """The transport its descriptor names; None for a key that is no addon."""
    usable: bool
    """Whether it is a source of subagents now."""
    sources: tuple[str, ...] = ()
    """All sources of subagents."""
    obstacle: str = ""
    """Why the machine cannot use it although it is enabled; empty where that is not the reason."""


@dataclass(frozen=True)
class Surroundings:
    """What a launch asks the machine; each is asked only when a rule needs it."""

    has_git: Callable[[], bool]
    addon: Callable[[str], AddonAnswer]
    is_worktree: Callable[[str], bool]
    """Whether a path is a work tree of this repository, other than the plan's own checkout."""
    real_place: Callable[[str], str]
    """Where a worktree's path really leads, so that one place has one name."""
    is_inside_delegation: Callable[[], bool]
    """Whether the plan itself lies in the worktree of another delegation."""
    environment: Mapping[str, str]
    fan_out: int = DEFAULT_FAN_OUT


def launch_refusal(standing: Standing, task_id: str, payload: Mapping[str, Any], around: Surroundings) -> str | None:
    """The publisher's conditions, first failure wins; None when all hold."""
    contract, task = standing.contract, standing.contract.task(task_id)
    read_only = "worktree" in payload and payload["worktree"] is None
    via, transport = payload.get("via"), payload.get("transport")
    if contract.generation is not Generation.V7:
        return "the plan is no v7 plan, and only v7 plans delegate"
    if not contract.grants(Grant.AGENT_DELEGATION):
        return "the contract does not grant agent_delegation"
    if task is None:
        return f"there is no task {task_id!r} in the contract"
    if standing.start(task_id) is None:
        return "the task has not started - start it before delegating"
    if standing.is_complete(task):
        return "the task is already complete"
    if not task.parallel_safe and not read_only:
        return "the task is not marked parallel_safe by create and the delegate is not read-only (worktree null)"
    if not task.parallel_safe and not around.has_git():
        return "a read-only delegate of a task that is not parallel_safe needs git, to see that it changed nothing"
    return _addon_refusal(via, transport, around) or _id_refusal(standing, payload.get("delegation_id"))


def guardrail_refusal(
    standing: Standing, task: Task, payload: Mapping[str, Any], brief: str | None, around: Surroundings
) -> str | None:
    """What the format leaves open and this program enforces, first failure wins; None when all hold."""
    mark = depth_mark(around.environment)
    if mark is not None:
        return f"this session is itself a delegate ({mark} is set), and a delegate does not delegate"
    if around.is_inside_delegation():
        return "the plan lies in the worktree of another plan's delegation; its tasks are not delegated"
    waiting = standing.open_prerequisites(task)
    if waiting:
        return f"prerequisites are not complete: {', '.join(waiting)}"
    still_open = standing.open_delegations()
    if len(still_open) >= around.fan_out:
        return f"{len(still_open)} delegations are open, and {around.fan_out} is the limit; collect one first"
    worktree = payload.get("worktree")
    if "worktree" not in payload or worktree is not None:
        refusal = _writer_refusal(standing.contract, task, worktree, still_open, around.real_place)
        if refusal is not None:
            return refusal
    if worktree is not None and not around.is_worktree(worktree):
        return f"{worktree} is no existing worktree of this repository; make one with git worktree add"
    if brief is not None:
        return brief_fault(brief, standing.contract, task, worktree, around.environment)
    return None


def closing_refusal(standing: Standing, task_id: str, delegation_id: str) -> str | None:
    """Why a delegation cannot be collected or cancelled now, or None."""
    known = standing.delegations.get(delegation_id)
    if known is None or known.launch.task != task_id:
        return f"no launched delegation {delegation_id!r} for this task"
    if not known.is_open:
        return f"delegation {delegation_id} is already {known.latest.state}"
    return None


def _addon_refusal(via: object, transport: object, around: Surroundings) -> str | None:
    answer = around.addon(via) if isinstance(via, str) else AddonAnswer(None, usable=False)
    if answer.transport is None:
        return f"{via!r} is no delegation addon"
    if transport != answer.transport:
        return f"addon {via} carries transport {answer.transport!r}, not {transport!r}"
    if not answer.usable:
        sources = ", ".join(answer.sources) or "none"
        return (
            f"addon {via} is not enabled and detected with a compatible interface "
            f"(effective subagents sources: {sources}){f'; {answer.obstacle}' if answer.obstacle else ''}"
        )
    return None


def _id_refusal(standing: Standing, delegation_id: object) -> str | None:
    if isinstance(delegation_id, str) and delegation_id in standing.delegations:
        return f"delegation_id {delegation_id} already recorded"
    return None


def _writer_refusal(
    contract: Contract,
    task: Task,
    worktree: str | None,
    still_open: list[DelegationStanding],
    real_place: Callable[[str], str],
) -> str | None:
    place = None if worktree is None else real_place(worktree)
    for one in still_open:
        if one.launch.is_read_only:
            continue
        if place is not None and one.launch.worktree is not None and real_place(one.launch.worktree) == place:
            return f"delegation {one.launch.delegation_id} already writes in {worktree}"
        other = contract.task(one.launch.task)
        pair = None if other is None else overlap(task.touched_surface, other.touched_surface)
        if pair is not None:
            return f"delegation {one.launch.delegation_id} may write {pair[1]} now; {pair[0]} has one writer at a time"
    return None
