"""What control tools may do to the session: enter plan mode, have a plan reviewed, write the to-do list."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from decode_core.answer_data import answer_from
from decode_core.call_progress import CallSoFar
from decode_core.catalog.definition import AgentDef
from decode_core.decisions import Answered, DecisionQueue, PlanReview, Question, Reply
from decode_core.engine.clearance import TurnControl
from decode_core.engine.records import answer_record, withdrawn
from decode_core.events import (
    ModeCause,
    NoticeLevel,
    NoticeRaised,
    Plan,
    PlanComment,
    PlanDecided,
    QuestionKind,
    TodoItem,
)
from decode_core.permissions.modes import PermissionMode
from decode_core.plan_mode.files import PlanNotKept
from decode_core.state import SessionState
from decode_core.tools.plan_text import plan_steps
from decode_core.tools.spec import PlanAnswer, UserAnswer

FALLBACK_AGENT = "build"
APPROVALS = {"approve": PermissionMode.EDIT, "approve_ask": PermissionMode.DEFAULT}
"""The answers that approve a plan, and the mode that each sets."""

KeepPlan = Callable[[Plan], str]
"""Writes an approved plan; returns its path for people, or nothing where none was written. Raises PlanNotKept."""


class Control:
    """`tools.spec.SessionControl` over the live state. Runs on the engine's loop."""

    def __init__(self, state: SessionState, decisions: DecisionQueue, keep_plan: KeepPlan | None = None) -> None:
        self._state = state
        self._decisions = decisions
        self._keep_plan = keep_plan
        self.turn: TurnControl | None = None
        """The running turn, so that an answer may end it."""
        self.suspended: Mapping[str, CallSoFar] = {}
        """How far the calls of a turn had come that was suspended and goes on now."""

    def in_plan_mode(self) -> bool:
        """Whether the mode in force is plan."""
        return self._state.mode is PermissionMode.PLAN

    def enter_plan_mode(self) -> None:
        """Remember the mode in force and set plan."""
        self._state.enter_plan_mode()

    def set_todos(self, items: tuple[TodoItem, ...]) -> None:
        """Replace the to-do list."""
        self._state.set_todos(items)

    def approved_steps(self) -> tuple[int, ...] | None:
        """Numbers of the steps that the person approved; None where no plan is approved."""
        plan = self._state.plans.approved
        return plan.approved if plan is not None else None

    async def ask_user(
        self, call_id: str, question: str, options: tuple[str, ...], *, multiple: bool, allow_free_text: bool
    ) -> UserAnswer:
        """Put the agent's question before the person and wait."""
        if not self._decisions.has_person:
            return UserAnswer(nobody=True)
        payload = {
            "question": question,
            "options": list(options),
            "multiple": multiple,
            "allow_free_text": allow_free_text,
        }
        asked = self._question(QuestionKind.ASK_USER, payload, call_id)
        answered = await self._answered(asked)
        answer = answered.answer
        if isinstance(answer, Reply):
            self._record(asked, answered, "answered")
            return UserAnswer(answer.chosen, answer.text)
        self._record(asked, answered, "declined")
        self._stop_if_wanted(answered)
        return UserAnswer(declined=True, nobody=answered.withdrawn)

    async def review_plan(self, call_id: str, plan: str, title: str) -> PlanAnswer:
        """Put the plan before the person, wait, and apply the answer's mode before the tool returns.

        Nobody there: `nobody`. A mode that left plan meanwhile is not raised any further by the answer.
        """
        if not self._decisions.has_person:
            return PlanAnswer("nobody")
        suspended = self.suspended.get(call_id)
        if suspended is not None and suspended.plan is not None:
            proposed = suspended.plan
        else:
            proposed = Plan(version=self._state.plans.next_number, title=title, text=plan, steps=plan_steps(plan))
            self._state.propose_plan(proposed)
        question = self._question(QuestionKind.PLAN_REVIEW, {"plan": proposed.model_dump(mode="json")}, call_id)
        return self._apply(question, proposed, await self._answered(question))

    def _question(self, kind: QuestionKind, payload: Mapping[str, Any], call_id: str) -> Question:
        """A new question, or the suspended one of this call, which keeps its id."""
        before = self.suspended.get(call_id)
        known = before.question.id if before is not None and before.question is not None else None
        return Question(known or self._decisions.new_id(), kind, payload, call_id)

    async def _answered(self, question: Question) -> Answered:
        """The person's answer: the one that was given before decode ended, or the one that comes now."""
        if (given := self._given(question)) is not None:
            return given
        try:
            return await self._decisions.ask(question)
        except asyncio.CancelledError:
            self._state.log.append(withdrawn(question))
            raise

    def _given(self, question: Question) -> Answered | None:
        before = self.suspended.get(question.call_id or "")
        record = before.answer if before is not None else None
        answer = answer_from(record.content) if record is not None else None
        if record is None or answer is None or not question.fits(answer):
            return None
        return Answered(answer, record.waited_ms)

    def _record(self, question: Question, answered: Answered, word: str) -> None:
        """Record an answer once: one that was given before decode ended stands in the record."""
        if self._given(question) is None:
            self._state.log.append(answer_record(question, answered, "withdrawn" if answered.withdrawn else word))

    def _is_decided(self, question: Question) -> bool:
        before = self.suspended.get(question.call_id or "")
        return before is not None and before.plan_decided

    def _stop_if_wanted(self, answered: Answered) -> None:
        if getattr(answered.answer, "stop_turn", False) and self.turn is not None:
            self.turn.stop("the person stopped the turn")

    def _apply(self, question: Question, proposed: Plan, answered: Answered) -> PlanAnswer:
        review = answered.answer
        if not isinstance(review, PlanReview):
            # a denial of the review itself: nobody looked at the plan, it still waits
            self._record(question, answered, "denied")
            self._stop_if_wanted(answered)
            return PlanAnswer("nobody" if answered.withdrawn else "reject", note=getattr(review, "note", ""))
        self._record(question, answered, review.answer)
        plan = _as_left(proposed, review)
        was_decided = self._is_decided(question)
        numbers = {step.number for step in plan.steps} if review.approved is None else set(review.approved)
        approved = tuple(step for step in plan.steps if step.number in numbers)
        refused = tuple(step for step in plan.steps if step.number not in numbers)
        if review.answer not in APPROVALS:
            if not was_decided:
                self._decide(plan, review)
            return PlanAnswer(review.answer, plan.text, refused=refused, note=review.note, comments=review.comments)
        plan = plan.model_copy(update={"approved": tuple(step.number for step in approved)})
        if not was_decided:
            self._decide(plan, review)
        message = ""
        # a plan of which no step was approved is no plan to carry out: plan mode stays on
        if approved and (self.in_plan_mode() or not was_decided):
            message = self._leave_plan(APPROVALS[review.answer])
        return PlanAnswer(review.answer, plan.text, approved, refused, review.note, review.comments, message)

    def _decide(self, plan: Plan, review: PlanReview) -> None:
        file = ""
        if plan.approved and self._keep_plan is not None:
            try:
                file = self._keep_plan(plan)
            except PlanNotKept as error:
                self._notice(NoticeLevel.WARNING, str(error), "the approval holds; the plan is in the session")
        comments = tuple(PlanComment(quoted=quoted, text=text) for quoted, text in review.comments)
        self._state.decide_plan(
            PlanDecided(plan=plan, answer=review.answer, note=review.note, comments=comments, file=file)
        )

    def _leave_plan(self, mode: PermissionMode) -> str:
        """Set the mode; an agent that cannot carry the plan out hands back to the one before it, or to build.

        Returns what the model must know of that.
        """
        if not self.in_plan_mode():
            # somebody took the session out of plan while the plan was read: an approval raises that mode no further
            now = self._state.mode
            self._notice(NoticeLevel.INFO, f"The mode was changed to {now} while the plan was read; it stays.", "")
            return ""
        if not _can_carry_out(self._state.agent):
            agents = self._state.catalog.agents
            for name in (self._state.agent_before, FALLBACK_AGENT):
                if name is not None and name in agents and _can_carry_out(agents[name]):
                    self._state.select_agent(name, keep_mode=mode, cause=ModeCause.EXIT_PLAN_MODE)
                    return f"The agent {name} carries it out from here."
            hint = "choose an agent that has edit or write: /agent"
            self._notice(NoticeLevel.WARNING, f"The agent {self._state.agent.name} cannot change files.", hint)
        self._state.set_mode(mode, ModeCause.EXIT_PLAN_MODE)
        return ""

    def _notice(self, level: NoticeLevel, text: str, hint: str) -> None:
        self._state.log.append(NoticeRaised(level=level, text=text, hint=hint))


def _as_left(proposed: Plan, review: PlanReview) -> Plan:
    """The plan with the text that the person left; a text that was emptied is no plan: the proposed one stands."""
    text = review.text
    if not text or not text.strip() or text == proposed.text:
        return proposed
    return proposed.model_copy(update={"text": text, "steps": plan_steps(text)})


def _can_carry_out(agent: AgentDef) -> bool:
    return agent.offers("edit") or agent.offers("write")
