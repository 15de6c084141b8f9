"""How far the calls of a response had come when decode ended: what is done, what waits, what may have run.

A call goes through these events: started, decided, asked, answered, finished. The body of a tool runs between the
verdict or answer that lets it and its end; a tool that puts its own question (a plan, `ask_user`) has done nothing
else by the time of that question.
"""

from dataclasses import dataclass

from decode_core.events import (
    CallOutcome,
    DecisionAnswered,
    DecisionRequested,
    EventBase,
    PermissionDecided,
    Plan,
    PlanDecided,
    PlanProposed,
    QuestionKind,
    ToolCallFinished,
    ToolCallStarted,
    TurnStarted,
    UsageUpdated,
)
from decode_core.permissions.modes import PermissionOutcome

MAY_HAVE_RUN = (
    "The call may have run: decode ended after it was let through and before its result was known. It was not run "
    "again; look at what is there before you repeat it."
)
NEVER_RAN = "The call did not run: decode ended before its turn came."
WITHDRAWN = "withdrawn"
"""The word of a question that nobody answered."""
_YES = frozenset({"once", "session", "always", "edited"})
"""The words of answers that let a call run."""


@dataclass
class CallSoFar:
    """One call of the last response. `plan` is the version that it proposed, `plan_decided` whether it was settled."""

    started: ToolCallStarted
    verdict: PermissionDecided | None = None
    question: DecisionRequested | None = None
    answer: DecisionAnswered | None = None
    plan: Plan | None = None
    plan_decided: bool = False
    finished: ToolCallFinished | None = None

    @property
    def waits(self) -> bool:
        """Whether it waits for the person, or for what the person has said to be carried out."""
        if self.finished is not None or self.verdict is None:
            return False
        if self.answer is None:
            return self.question is not None or self.verdict.outcome is PermissionOutcome.ASK
        return self._puts_own_question and self.answer.answer != WITHDRAWN

    @property
    def may_have_run(self) -> bool:
        """Whether it was let through and nothing tells how it ended."""
        if self.finished is not None or self.waits or self.verdict is None:
            return False
        if self.verdict.outcome is PermissionOutcome.ASK:
            return self.answer is not None and self.answer.answer in _YES
        return self.verdict.outcome is PermissionOutcome.ALLOW

    @property
    def _puts_own_question(self) -> bool:
        return self.question is not None and self.question.kind is not QuestionKind.PERMISSION

    def as_closed(self) -> ToolCallFinished:
        """The end of a call that is not gone on with: what the model is told of it."""
        started = self.started
        outcome, summary, text = self._end()
        return ToolCallFinished(call_id=started.call_id, tool=started.tool, outcome=outcome, summary=summary, text=text)

    def _end(self) -> tuple[CallOutcome, str, str]:
        if self.may_have_run:
            return CallOutcome.FAILED, "may have run", MAY_HAVE_RUN
        if self.verdict is not None and self.verdict.outcome is PermissionOutcome.DENY:
            return CallOutcome.DENIED, "denied", f"Not permitted: {self.verdict.reason}"
        if self.answer is not None and self.answer.answer == "denied":
            note = f" and says: {self.answer.note}" if self.answer.note else "."
            return CallOutcome.DENIED, "denied by you", f"The person refused this call{note}"
        return CallOutcome.FAILED, "did not run", NEVER_RAN


class CallsSoFar:
    """The calls of the last response, folded from the events of a session."""

    def __init__(self) -> None:
        self.by_id: dict[str, CallSoFar] = {}

    @property
    def any_waits(self) -> bool:
        """Whether one of them waits for the person."""
        return any(call.waits for call in self.by_id.values())

    def take(self, event: EventBase) -> None:
        """Follow one event."""
        match event:
            case TurnStarted() | UsageUpdated():
                # the sums of tokens come after each response, before its calls
                self.by_id.clear()
            case ToolCallStarted():
                self.by_id[event.call_id] = CallSoFar(event)
            case PermissionDecided() if (call := self.by_id.get(event.call_id)) is not None:
                if event.outcome is PermissionOutcome.ASK:
                    # it is asked about anew, because what it touches has changed
                    call.question = call.answer = None
                call.verdict = event
            case DecisionRequested(call_id=str(call_id)) if (call := self.by_id.get(call_id)) is not None:
                call.question, call.answer = event, None
            case DecisionAnswered(call_id=str(call_id)) if (call := self.by_id.get(call_id)) is not None:
                call.answer = event
            case ToolCallFinished() if (call := self.by_id.get(event.call_id)) is not None:
                call.finished = event
            case PlanProposed(plan=plan) if (proposing := self._running()) is not None:
                proposing.plan = plan
            case PlanDecided() if (proposing := self._running()) is not None:
                proposing.plan_decided = True
            case _:
                pass

    def _running(self) -> CallSoFar | None:
        """The call that runs: one that proposes a plan runs alone, so it is the latest without an end."""
        unfinished = [call for call in self.by_id.values() if call.finished is None and call.verdict is not None]
        return unfinished[-1] if unfinished else None
