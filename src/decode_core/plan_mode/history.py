"""The plans of a session: every version with what became of it, folded from events (plan-mode.md §2). Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from decode_core.event_values import Plan, PlanComment
from decode_core.events import EventBase, PlanDecided, PlanProposed


@dataclass(frozen=True)
class PlanVersion:
    """One version: as it was proposed, or as the person left it once it is decided.

    `answer` is approve, approve_ask, refine or reject, empty while nobody has decided; `note` and `comments` are what
    the person wrote on this version.
    """

    plan: Plan
    answer: str = ""
    note: str = ""
    comments: tuple[PlanComment, ...] = ()


@dataclass(frozen=True)
class PlanHistory:
    """All versions of a session, the oldest first; their numbers rise."""

    versions: tuple[PlanVersion, ...] = ()

    @property
    def latest(self) -> Plan | None:
        """The newest version."""
        return self.versions[-1].plan if self.versions else None

    @property
    def current(self) -> PlanVersion | None:
        """The version that counts: the newest one, or the approved one that the newest was to replace and did not."""
        latest = self.versions[-1] if self.versions else None
        if latest is not None and latest.answer == "reject" and self.approved is not None:
            return self.version(self.approved.version)
        return latest

    @property
    def approved(self) -> Plan | None:
        """The newest version with an approved step: a later one that waits or was rejected does not undo it."""
        return next((version.plan for version in reversed(self.versions) if version.plan.approved), None)

    @property
    def next_number(self) -> int:
        """The number of the version that is proposed next."""
        return self.versions[-1].plan.version + 1 if self.versions else 1

    def version(self, number: int) -> PlanVersion | None:
        """The version with this number."""
        return next((version for version in self.versions if version.plan.version == number), None)

    def after(self, event: EventBase) -> "PlanHistory":
        """The history once `event` has happened; events about something else change nothing."""
        match event:
            case PlanProposed(plan=plan):
                return self._with(PlanVersion(plan))
            case PlanDecided(plan=plan, answer=answer, note=note, comments=comments):
                return self._with(PlanVersion(plan, answer, note, comments))
            case _:
                return self

    def _with(self, version: PlanVersion) -> "PlanHistory":
        others = tuple(each for each in self.versions if each.plan.version != version.plan.version)
        return replace(self, versions=tuple(sorted((*others, version), key=lambda each: each.plan.version)))


def plan_history(events: Iterable[EventBase]) -> PlanHistory:
    """Fold the events of a session."""
    history = PlanHistory()
    for event in events:
        history = history.after(event)
    return history
