"""A Deep Work Plan as rows: what a plan would become, and a draft as it lies on disk. Pure."""

from collections.abc import Iterator, Sequence

from decode_core.plans.contract import Contract, Task, Trust
from decode_core.plans.proposal import WHOLE_REPOSITORY, Proposal, ProposedTask
from decode_core.work_plans.drafts import DraftState
from decode_ui.widgets.body_rows import BodyRow, RowTone, text_rows

_INDENT = "  "
_NAME = 10


def proposal_rows(proposal: Proposal) -> list[BodyRow]:
    """Every step with the task it becomes, and where the plan was silent."""
    rows: list[BodyRow] = []
    for task in proposal.tasks:
        rows += [*text_rows(task.title, RowTone.PLAIN, f"step {task.step}  "), *_facts(task), *_verdict(task)]
        rows += [row for note in task.notes for row in text_rows(note, RowTone.WARNING, _gutter("note"))]
        rows.append(BodyRow(""))
    return [*rows, BodyRow("Nothing is written yet, and nothing is approved.", RowTone.QUIET)]


def draft_rows(state: DraftState) -> list[BodyRow]:
    """What stands in the way of the draft's approval, then its tasks with their checks."""
    rows = [row for fault in state.faults for row in text_rows(fault, RowTone.REMOVED, "✗ ")]
    rows += [row for warning in state.warnings for row in text_rows(warning, RowTone.WARNING, "! ")]
    if rows:
        rows.append(BodyRow(""))
    if state.contract is None:
        return [*rows, BodyRow("The draft is no valid contract; edit it.", RowTone.QUIET)]
    for task in state.contract.tasks:
        rows += [*_task(state.contract, task), BodyRow("")]
    for invariant in state.contract.invariants:
        rows += text_rows(f"{invariant.id}  {invariant.statement}", RowTone.PLAIN, "stays true  ")
    granted = ", ".join(grant.value for grant in state.contract.permissions.granted)
    rows += text_rows(granted, RowTone.QUIET, "granted     ")
    return [*rows, *text_rows(what_runs(state.contract), RowTone.QUIET)]


def what_runs(contract: Contract) -> str:
    """What an approval lets happen here, as one sentence."""
    criteria = [contract.criterion(intent.criterion) for task in contract.tasks for intent in task.gate_intent]
    count = sum(criterion is not None and Trust.OBSERVED in criterion.accepted_evidence for criterion in criteria)
    if not count:
        return "Nothing of it runs by itself: a person signs every criterion."
    return f"Its {count} checks may run on this machine." if count > 1 else "Its check may run on this machine."


def approved_rows(identity: str, first: str) -> list[BodyRow]:
    """An approved plan, and what comes next."""
    return [
        BodyRow("approved", RowTone.ADDED, "✓ "),
        *text_rows(identity, RowTone.QUIET, _INDENT),
        BodyRow(""),
        *text_rows(first, RowTone.PLAIN, "next  "),
    ]


def _facts(task: ProposedTask) -> Iterator[BodyRow]:
    yield from text_rows(task.task, RowTone.QUIET, _gutter("task"))
    yield from _files(task.surface)
    yield from _several("check", task.checks)


def _verdict(task: ProposedTask) -> Iterator[BodyRow]:
    if task.parallel_safe:
        yield from text_rows("may be delegated beside others (proposed)", RowTone.ADDED, _gutter("delegate"))
    else:
        reasons = "; ".join(task.failing.values())
        yield from text_rows(f"not beside others: {reasons}", RowTone.QUIET, _gutter("delegate"))


def _task(contract: Contract, task: Task) -> Iterator[BodyRow]:
    yield from text_rows(task.title, RowTone.PLAIN)
    yield from text_rows(task.id, RowTone.QUIET, _gutter("task"))
    yield from _files(task.touched_surface)
    if task.prerequisites:
        yield from text_rows(", ".join(task.prerequisites), RowTone.QUIET, _gutter("after"))
    for intent in task.gate_intent:
        criterion = contract.criterion(intent.criterion)
        if criterion is None:
            continue
        if Trust.OBSERVED in criterion.accepted_evidence:
            yield from text_rows(intent.check, RowTone.PLAIN, _gutter("check"))
        else:
            yield from text_rows(criterion.statement, RowTone.PLAIN, _gutter("signed"))
        accepted = ", ".join(criterion.accepted_evidence)
        yield from text_rows(f"{criterion.id} ({accepted})", RowTone.QUIET, _gutter(""))
    if task.parallel_safe:
        yield from text_rows("may be delegated beside others (parallel_safe)", RowTone.ADDED, _gutter("delegate"))


def _files(surface: Sequence[str]) -> Iterator[BodyRow]:
    whole = WHOLE_REPOSITORY in surface
    tone = RowTone.WARNING if whole else RowTone.QUIET
    yield from text_rows("anything in the repository" if whole else ", ".join(surface), tone, _gutter("files"))


def _several(name: str, texts: Sequence[str]) -> Iterator[BodyRow]:
    for index, text in enumerate(texts):
        yield from text_rows(text, RowTone.PLAIN, _gutter("" if index else name))


def _gutter(name: str) -> str:
    return f"{_INDENT}{name:<{_NAME}}"
