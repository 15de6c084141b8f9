"""What control tools may do to the session: enter plan mode, have a plan reviewed, write the to-do list."""

import asyncio

from decode_core.decisions import Answered, DecisionQueue, PlanReview, Question, Reply
from decode_core.engine.clearance import TurnControl
from decode_core.engine.records import answer_record, withdrawn
from decode_core.events import ModeCause, Plan, QuestionKind, TodoItem
from decode_core.permissions.modes import PermissionMode
from decode_core.state import SessionState
from decode_core.tools.plan_text import plan_steps
from decode_core.tools.spec import PlanAnswer, UserAnswer

FALLBACK_AGENT = "build"


class Control:
    """`tools.spec.SessionControl` over the live state. Runs on the engine's loop."""

    def __init__(self, state: SessionState, decisions: DecisionQueue) -> None:
        self._state = state
        self._decisions = decisions
        self.turn: TurnControl | None = None
        """The running turn, so that an answer may end it."""

    def in_plan_mode(self) -> bool:
        """Whether the mode in force is plan."""
        return self._state.mode is PermissionMode.PLAN

    def enter_plan_mode(self) -> None:
        """Remember the mode in force and set plan."""
        self._state.enter_plan_mode()

    def set_todos(self, items: tuple[TodoItem, ...]) -> None:
        """Replace the to-do list."""
        self._state.set_todos(items)

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
        asked = Question(self._decisions.new_id(), QuestionKind.ASK_USER, payload, call_id)
        answered = await self._ask(asked)
        answer = answered.answer
        if isinstance(answer, Reply):
            self._state.log.append(answer_record(asked, answered, "answered"))
            return UserAnswer(answer.chosen, answer.text)
        self._state.log.append(answer_record(asked, answered, "withdrawn" if answered.withdrawn else "declined"))
        self._stop_if_wanted(answered)
        return UserAnswer(declined=True, nobody=answered.withdrawn)

    async def review_plan(self, call_id: str, plan: str, title: str) -> PlanAnswer:
        """Put the plan before the person, wait, and apply the answer's mode before the tool returns.

        Nobody there: `nobody`. A mode that left plan meanwhile is not raised any further by the answer.
        """
        if not self._decisions.has_person:
            return PlanAnswer("nobody")
        before = self._state.plan
        proposed = Plan(
            version=before.version + 1 if before else 1,
            title=title,
            text=plan,
            steps=plan_steps(plan),
        )
        self._state.propose_plan(proposed)
        question = Question(
            self._decisions.new_id(), QuestionKind.PLAN_REVIEW, {"plan": proposed.model_dump(mode="json")}, call_id
        )
        return self._apply(question, proposed, await self._ask(question))

    async def _ask(self, question: Question) -> Answered:
        try:
            return await self._decisions.ask(question)
        except asyncio.CancelledError:
            self._state.log.append(withdrawn(question))
            raise

    def _stop_if_wanted(self, answered: Answered) -> None:
        if getattr(answered.answer, "stop_turn", False) and self.turn is not None:
            self.turn.stop("the person stopped the turn")

    def _apply(self, question: Question, proposed: Plan, answered: Answered) -> PlanAnswer:
        answer = answered.answer
        if not isinstance(answer, PlanReview):
            # a denial of the review itself: nobody looked at the plan, it still waits
            self._state.log.append(answer_record(question, answered, "withdrawn" if answered.withdrawn else "denied"))
            self._stop_if_wanted(answered)
            return PlanAnswer("nobody" if answered.withdrawn else "reject", note=getattr(answer, "note", ""))
        self._state.log.append(answer_record(question, answered, answer.answer))
        edited = (answer.text or "").strip()  # a text that was emptied is no plan: the proposed one stands
        text = answer.text if answer.text and edited else proposed.text
        steps = plan_steps(text) if edited else proposed.steps
        numbers = {step.number for step in steps} if answer.approved is None else set(answer.approved)
        approved = tuple(step for step in steps if step.number in numbers)
        refused = tuple(step for step in steps if step.number not in numbers)
        message = ""
        if answer.answer in ("approve", "approve_ask"):
            mode = PermissionMode.EDIT if answer.answer == "approve" else PermissionMode.DEFAULT
            decided = proposed.model_copy(
                update={"text": text, "steps": steps, "approved": tuple(step.number for step in approved)}
            )
            self._state.decide_plan(decided, answer.answer, answer.note)
            # a plan of which no step was approved is no plan to carry out: plan mode stays on
            if self.in_plan_mode() and approved:
                message = self._leave_plan(mode)
        else:
            self._state.decide_plan(proposed, answer.answer, answer.note)
        return PlanAnswer(answer.answer, text, approved, refused, answer.note, answer.comments, message)

    def _leave_plan(self, mode: PermissionMode) -> str:
        """Set the mode; an agent that cannot carry the plan out hands back to the one before it, or to build."""
        if self._can_carry_out():
            self._state.set_mode(mode, ModeCause.EXIT_PLAN_MODE)
            return ""
        for name in (self._state.agent_before, FALLBACK_AGENT):
            if name and name in self._state.catalog.agents and self._state.catalog.agents[name].offers("edit"):
                self._state.select_agent(name, keep_mode=mode)
                return f"The agent {name} carries it out from here."
        self._state.set_mode(mode, ModeCause.EXIT_PLAN_MODE)
        return ""

    def _can_carry_out(self) -> bool:
        return self._state.agent.offers("edit") or self._state.agent.offers("write")
