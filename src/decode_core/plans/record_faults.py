"""What a well-formed journal says that it cannot say under its contracts: names, pairs, and order of delegations.

An event is held against the contract it cites, not against the live one: an amendment may drop a task that ran.
"""

from collections.abc import Iterable, Iterator, Sequence

from decode_core.plans.contract import Contract, StampedContract
from decode_core.plans.events import AnyEvent, Delegation, DelegationState, GateRun, Selection, TaskStart

_CARRIED = ("task", "transport", "via", "kind", "profile", "target", "worktree")


def record_faults(contracts: Sequence[StampedContract], events: Iterable[AnyEvent]) -> list[str]:
    """Every fault as one sentence with its number, in the order of the journal; `contracts` are all revisions."""
    known = {contract.id: contract.model for contract in contracts}
    plan = contracts[-1].model.plan
    launches: dict[str, Delegation] = {}
    ended: set[str] = set()
    faults: list[str] = []
    for event in events:
        if event.plan != plan:
            faults.append(f"seq {event.seq}: belongs to {event.plan}")
        contract = known.get(event.contract_id)
        if contract is None:
            faults.append(f"seq {event.seq}: cites a contract that is not in this plan")
        else:
            faults += [f"seq {event.seq}: {fault}" for fault in _name_faults(contract, event)]
        if isinstance(event, Delegation):
            faults += [f"seq {event.seq}: {fault}" for fault in _delegation_faults(event, launches, ended)]
    return faults


def _name_faults(contract: Contract, event: AnyEvent) -> Iterator[str]:
    if not isinstance(event, TaskStart | GateRun | Selection | Delegation):
        return
    task = contract.task(event.task)
    if task is None:
        yield f"{event.task} is no task of the contract it cites"
    elif isinstance(event, GateRun) and not task.checks(event.criterion):
        yield f"{event.task} has no gate for {event.criterion} in the contract it cites"


def _delegation_faults(event: Delegation, launches: dict[str, Delegation], ended: set[str]) -> Iterator[str]:
    """The closed transitions: one launch, then exactly one end that tells of the same delegate."""
    name, launch = event.delegation_id, launches.get(event.delegation_id)
    is_launch = event.state is DelegationState.LAUNCHED
    if is_launch != (launch is None) or name in ended:
        yield f"delegation {name} cannot be {event.state} here"
    elif launch is None:
        launches[name] = event
    else:
        ended.add(name)
        yield from (
            f"delegation {name} was launched with another {field}"
            for field in _CARRIED
            if getattr(event, field) != getattr(launch, field)
        )
