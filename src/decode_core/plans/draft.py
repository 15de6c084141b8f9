"""Checks for a contract before it is approved; they are never held against a plan that already exists."""

from dataclasses import dataclass

from decode_core.plans.commands import MAX_COMMAND, first_program
from decode_core.plans.contract import Contract, Criterion, Trust


@dataclass(frozen=True)
class DraftReport:
    """What is wrong with a draft, and what a person should know about it."""

    faults: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def check_draft(contract: Contract) -> DraftReport:
    """Whether every criterion can be closed, and every gate started.

    An imported record alone can never close a criterion; a gate's program must be one the scope allows. A criterion
    that no task owns is a warning: it can never be shown.
    """
    owned = {intent.criterion for task in contract.tasks for intent in task.gate_intent}
    faults: list[str] = []
    warnings: list[str] = []
    for criterion in contract.acceptance.criteria:
        if criterion.id not in owned:
            warnings.append(f"no task owns {criterion.id}; nothing will ever show it")
        elif not _can_close(criterion):
            faults.append(f"{criterion.id} accepts imported evidence alone, so it can never be closed")
    for task in contract.tasks:
        for intent in task.gate_intent:
            criterion_or_none = contract.criterion(intent.criterion)
            if criterion_or_none is None or Trust.OBSERVED not in criterion_or_none.accepted_evidence:
                continue
            gate = f"the gate of {task.id} for {intent.criterion}"
            program = first_program(intent.check)
            if program not in contract.scope.allowed_command_classes:
                faults.append(
                    f"{gate} starts {program or 'nothing'!r}, which scope.allowed_command_classes does not name; "
                    "wrap compound commands in a declared shell"
                )
            if len(intent.check) > MAX_COMMAND:
                faults.append(f"{gate} has more than {MAX_COMMAND} characters, so no run of it can be recorded")
            if further := _further_commands(intent.check):
                warnings.append(f"{gate} runs more than its first word says, and that alone is checked: {further}")
    return DraftReport(tuple(faults), tuple(warnings))


def _can_close(criterion: Criterion) -> bool:
    if criterion.control is not None and criterion.control.kind != "exempt":
        return True
    return Trust.OBSERVED in criterion.accepted_evidence or Trust.ASSERTED in criterion.accepted_evidence


def _further_commands(check: str) -> str:
    """What a check runs beside its first command, as written; empty if nothing."""
    # the grammar is loaded for a draft alone
    from decode_core.permissions.shell.reading import read_script

    script = read_script(check)
    if script.problem is not None:
        return f"it cannot be read, since {script.problem}"
    return ", ".join(command.raw for command in script.commands[1:])
