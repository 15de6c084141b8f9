"""From a call of the model to a cleared call: guards, facts, verdict, question, answer, and the verdict again.

One call is judged at a time, in call order, and the verdict is taken after the wait for one's turn: whatever the
person changed meanwhile counts (permissions.md §2, core.md §3).
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

# the analysis of commands loads here, in the engine's thread, rather than when the first command is judged
import decode_core.permissions.shell_facts  # noqa: F401
from decode_core.call_progress import CallSoFar
from decode_core.decisions import Allow, AllowScope, Answered, DecisionQueue, Deny, Question, Suspended
from decode_core.engine.answer_memory import AnswerMemory, answer_word
from decode_core.engine.clearance import Cleared, OnAsk, Refused, TurnControl
from decode_core.engine.guards import Guards, Heard
from decode_core.engine.offers import offers
from decode_core.engine.outside import may_be_asked_outside, outside_decision, outside_question
from decode_core.engine.questions import permission_question
from decode_core.engine.records import answer_record, decided, digest, withdrawn
from decode_core.engine.sandboxing import Sandboxing
from decode_core.events import CallOutcome, DecisionAnswered, NoticeLevel, NoticeRaised, PermissionDecided
from decode_core.permissions.modes import DecidedBy, PermissionOutcome, ToolKind
from decode_core.permissions.request import PermissionDecision, PermissionRequest, SubjectKind
from decode_core.permissions.resolve import as_judged, facts_digest, same_facts
from decode_core.rule_book import RuleBook
from decode_core.state import SessionState
from decode_core.tools.calls import freeze_call
from decode_core.tools.registry import Registry
from decode_core.tools.shell import shell_folder
from decode_core.tools.spec import ToolArgs, ToolSpec
from decode_core.workspace import Workspace

SAME_DENIAL_LIMIT = 3
"""The same denied call this many times in a row pauses the turn (permissions.md §10)."""


class Authoriser:
    """Judges the calls of one session, one at a time. All methods run on the engine's loop."""

    def __init__(
        self,
        registry: Registry,
        workspace: Workspace,
        state: SessionState,
        decisions: DecisionQueue,
        *,
        guards: Guards | None = None,
        on_ask: OnAsk = OnAsk.DENY,
        rule_book: RuleBook | None = None,
        sandboxing: Sandboxing | None = None,
    ) -> None:
        self._registry = registry
        self._workspace = workspace
        self._state = state
        self._gate = state.gate
        self._log = state.log
        self._decisions = decisions
        self._guards = guards
        self._on_ask = on_ask
        self._rule_book = rule_book
        self._memory = AnswerMemory(state, rule_book)
        self._sandboxing = sandboxing
        self.shell_state: Mapping[str, Any] = {}
        """What bash keeps between calls: a command is judged from the folder in which it will run."""
        self._turnstile = asyncio.Lock()
        self._policy_changed = asyncio.Event()
        self._persons_act = False
        self._denials: tuple[str, int] = ("", 0)

    def policy_changed(self, *, persons_act: bool) -> None:
        """A mode or rule changed: an open question may have become a denial, or a run if it was the person's act."""
        self._persons_act = self._persons_act or persons_act
        self._policy_changed.set()

    async def clear(
        self,
        call_id: str,
        tool: str,
        raw: Mapping[str, Any] | str,
        turn: TurnControl,
        before: CallSoFar | None = None,
    ) -> Cleared | Refused:
        """Judge one call; wait for its turn and, if need be, for the person.

        `raw` as a string says why the arguments are unusable. `before` is how far the call had come before its turn was
        suspended: it is judged anew, on today's rules and facts, and its question is opened again unless that refuses
        it. Raises Suspended where the person is to answer another day.
        """
        async with self._turnstile:
            if turn.suspended:
                raise Suspended(call_id)
            if turn.stopping is not None:
                return self._too_late(call_id, tool, turn.stopping)
            verdict = self._if_recorded(await self._judge(call_id, tool, raw, turn, before))
            self._count_denials(verdict, tool, raw, turn)
            return verdict

    async def clear_outside(self, cleared: Cleared, blocked: str, turn: TurnControl) -> Cleared | Refused | None:
        """Ask whether a call that the sandbox blocked may run once outside of it; None: that is not to be asked.

        Only a person answers, and only in default and edit: nothing else ever takes a call out of the sandbox.
        """
        async with self._turnstile:
            request = replace(cleared.request, is_hardened=False)
            if turn.stopping is not None or not may_be_asked_outside(request, self._gate, self._decisions):
                return None
            decision = outside_decision(request, blocked, self._gate.mode)
            new_id = self._decisions.new_id()
            question = outside_question(new_id, cleared.spec, cleared.args, request, decision, self._workspace)
            self._record(request, decision, question.id)
            try:
                answered = await self._answer_or_policy(question, request)
            except Suspended:
                self._log.append(withdrawn(question))  # another day the call has ended, and is not run again
                raise
            if isinstance(answered, PermissionDecision):
                return None  # a change of mode or rules has settled it: not outside
            if not isinstance(answered.answer, Allow) or answered.answer.args is not None:
                return self._denied(question, answered, request, turn)
            self._log.append(answer_record(question, answered, AllowScope.ONCE.value))
            if not may_be_asked_outside(request, self._gate, self._decisions):
                return None
            return self._if_recorded(Cleared(cleared.spec, cleared.args, request))

    async def _judge(
        self, call_id: str, tool: str, raw: Mapping[str, Any] | str, turn: TurnControl, before: CallSoFar | None
    ) -> Cleared | Refused:
        spec = self._registry.get(tool)
        args = self._registry.validate(tool, raw) if spec and not isinstance(raw, str) else None
        if spec is None or not isinstance(args, ToolArgs):
            problem = None if spec is None else (args if isinstance(args, str) else str(raw))
            request = PermissionRequest(call_id, tool, spec.kind if spec else None, invalid=problem)
            return self._refuse(request, self._record(request, self._gate.check(request), self._withdraw(before)))
        if self._sandboxing is not None and spec.subject_kind is SubjectKind.COMMAND:
            await self._sandboxing.before_command()
        looked = await self._look(call_id, spec, args)
        request, decision = looked.request, self._gate.check(looked.request)
        for name in looked.heard.rewritten_by:
            text = f"The guard {name} changed the arguments of {tool} {request.subject}".rstrip()
            self._log.append(NoticeRaised(level=NoticeLevel.INFO, text=f"{text}."))
        # a tool that puts its own question is not asked about twice, but a guard's ask is not that question
        own_question = spec.kind is ToolKind.CONTROL and decision.by is not DecidedBy.GUARD
        refused = decision.outcome in (PermissionOutcome.DENY, PermissionOutcome.INVALID)
        if before is not None and before.verdict is not None and not refused:
            if not own_question:
                return await self._ask(spec, looked, _as_asked(decision, before.verdict), turn, before)
            # its verdict stands in the record, and its question is put by the tool itself
            return Cleared(spec, looked.heard.args, as_judged(request, decision))
        if decision.outcome is PermissionOutcome.ASK and not own_question:
            return await self._ask(spec, looked, decision, turn)
        self._record(request, decision, self._withdraw(before))
        if decision.outcome in (PermissionOutcome.ALLOW, PermissionOutcome.ASK):
            return Cleared(spec, looked.heard.args, as_judged(request, decision))
        return self._refuse_looked(looked, decision, turn)

    def _if_recorded(self, verdict: Cleared | Refused) -> Cleared | Refused:
        """A call whose decision is not on the disk does not run (permissions.md §2)."""
        if isinstance(verdict, Refused) or self._log.fault is None:
            return verdict
        reason = f"The record of the decision cannot be written, and without it nothing runs: {self._log.fault}."
        return self._refuse(verdict.request, self._record(verdict.request, self._by_policy(verdict.request, reason)))

    async def _look(self, call_id: str, spec: ToolSpec, given: ToolArgs) -> "_Looked":
        """Hear the guards, then freeze the facts of what they leave."""
        request = self._freeze(call_id, spec, given)
        if not self._guards or request.invalid:
            return _Looked(given, Heard(given), request)
        heard = await self._guards.hear(spec, given, call_id, request.agent_path)
        request = replace(
            self._freeze(call_id, spec, heard.args),
            objection=heard.objection,
            rewritten_from=tuple(self._freeze(call_id, spec, before) for before in heard.before),
        )
        return _Looked(given, heard, request)

    def _freeze(self, call_id: str, spec: ToolSpec, args: ToolArgs) -> PermissionRequest:
        agent = self._state.agent
        request = freeze_call(
            spec,
            args,
            self._memory.with_added_folders(self._workspace),
            call_id=call_id,
            agent_path=(agent.name,),
            offers_exit_plan_mode=agent.offers("exit_plan_mode"),
            named_hosts=self._state.named_hosts,
            folder=shell_folder(self._workspace, self.shell_state),
            refused=None if agent.offers(spec.name) else f"The agent {agent.name} does not have the tool {spec.name}.",
        )
        return request if self._sandboxing is None else self._sandboxing.as_known(request)

    async def _ask(
        self,
        spec: ToolSpec,
        looked: "_Looked",
        decision: PermissionDecision,
        turn: TurnControl,
        before: CallSoFar | None = None,
    ) -> Cleared | Refused:
        """Ask until the answer holds for the world as it then is."""
        open_id = self._still_asked(looked.request, before)
        while True:
            request, args = looked.request, looked.heard.args
            if not self._decisions.has_person:
                return self._nobody(request, decision, turn)
            offered = offers(request, self._gate, self._rule_book)
            question = permission_question(
                open_id or self._decisions.new_id(), spec, args, request, decision, self._workspace, offered
            )
            if open_id is None:
                self._record(request, decision, question.id)
            open_id = None
            answered = await self._answer_or_policy(question, request)
            if isinstance(answered, PermissionDecision):
                self._record(request, answered, question.id)
                if answered.outcome is PermissionOutcome.ALLOW:
                    return Cleared(spec, args, as_judged(request, answered))
                return self._refuse(request, answered)
            answer = answered.answer
            if not isinstance(answer, Allow):
                return self._denied(question, answered, request, turn)
            edited = None if answer.args is None else self._registry.validate(spec.name, answer.args)
            self._log.append(answer_record(question, answered, answer_word(answer)))
            if isinstance(edited, str):
                invalid = PermissionRequest(request.call_id, spec.name, spec.kind, invalid=edited)
                return self._refuse(invalid, self._record(invalid, self._gate.check(invalid), question.id))
            looked = await self._look(request.call_id, spec, edited or looked.given)
            decision = self._gate.check(looked.request)
            if decision.outcome in (PermissionOutcome.DENY, PermissionOutcome.INVALID):
                self._record(looked.request, decision, question.id)
                return self._refuse_looked(looked, decision, turn)
            approved = looked.heard.args == (edited or args)
            if approved and (edited is not None or same_facts(request, looked.request)):
                self._memory.allowed(looked.request, answer)
                if self._sandboxing is not None:
                    self._sandboxing.note_approval(looked.request)
                return Cleared(spec, looked.heard.args, as_judged(looked.request, decision))
            # the file or the arguments are not the ones that were shown: the approval was for another call

    def _still_asked(self, request: PermissionRequest, before: CallSoFar | None) -> str | None:
        """The id of the suspended question, if it still is about the same; else it is withdrawn and asked anew."""
        if before is None or before.verdict is None:
            return None
        if before.question is None:
            # recorded as asked, and decode died before the question was open
            return before.verdict.question_id
        if before.question.payload.get("facts") == facts_digest(request):
            return before.question.id
        self._withdraw(before)
        return None

    def _withdraw(self, before: CallSoFar | None) -> str | None:
        """Close the question of a suspended call that is not asked any more; returns its id."""
        if before is None or before.question is None:
            return None
        asked = before.question
        self._log.append(DecisionAnswered(id=asked.id, kind=asked.kind, call_id=asked.call_id, answer="withdrawn"))
        return asked.id

    async def _answer_or_policy(self, question: Question, request: PermissionRequest) -> Answered | PermissionDecision:
        """The person's answer, or the verdict that a change of mode or rules has made certain meanwhile."""
        self._policy_changed.clear()
        self._persons_act = False
        asking = asyncio.ensure_future(self._decisions.ask(question))
        try:
            while True:
                changed = asyncio.ensure_future(self._policy_changed.wait())
                try:
                    await asyncio.wait({asking, changed}, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    changed.cancel()
                if asking.done():
                    return asking.result()
                persons_act, self._persons_act = self._persons_act, False
                self._policy_changed.clear()
                decision = self._gate.check(request)
                if decision.outcome is PermissionOutcome.DENY or (
                    decision.outcome is PermissionOutcome.ALLOW and persons_act
                ):
                    self._log.append(withdrawn(question))
                    return decision
        except asyncio.CancelledError:
            self._log.append(withdrawn(question))
            raise
        finally:
            asking.cancel()

    def _nobody(self, request: PermissionRequest, decision: PermissionDecision, turn: TurnControl) -> Refused:
        reason = f"{decision.reason} Nobody can be asked here, so the call is refused."
        if self._on_ask is OnAsk.FAIL:
            turn.stop(f"{request.tool} needs an answer and nobody can be asked (--on-ask fail)", failed=True)
        refusal = PermissionDecision(
            PermissionOutcome.DENY,
            DecidedBy.POLICY,
            reason,
            decision.mode,
            decision.kind,
            decision.effective_kind,
            decision.subject,
            steps=decision.steps,
        )
        return self._refuse(request, self._record(request, refusal))

    def _too_late(self, call_id: str, tool: str, why: str) -> Refused:
        """The turn is ending: whatever of its batch has not begun does not run, and that is recorded as well."""
        spec = self._registry.get(tool)
        request = PermissionRequest(call_id, tool, spec.kind if spec else None)
        reason = f"The turn is over: {why}."
        return self._refuse(request, self._record(request, self._by_policy(request, reason)))

    def _by_policy(self, request: PermissionRequest, reason: str) -> PermissionDecision:
        mode, kind = self._gate.mode, request.kind
        return PermissionDecision(PermissionOutcome.DENY, DecidedBy.POLICY, reason, mode, kind, kind, request.subject)

    def _denied(self, question: Question, answered: Answered, request: PermissionRequest, turn: TurnControl) -> Refused:
        note = answered.answer.note if isinstance(answered.answer, Deny) else ""
        word = "withdrawn" if answered.withdrawn else "denied"
        self._log.append(answer_record(question, answered, word))
        if answered.withdrawn:
            return Refused("Not run: nobody answered the question.", CallOutcome.DENIED, "nobody answered")
        if isinstance(answered.answer, Deny):
            self._memory.denied(request, answered.answer)
            if answered.answer.stop_turn:
                turn.stop("the person stopped the turn")
        told = f" and says: {note}" if note else ". Do not try it again in another way; ask or go on without it."
        return Refused(f"The person refused this call{told}", CallOutcome.DENIED, "denied by you")

    def _refuse_looked(self, looked: "_Looked", decision: PermissionDecision, turn: TurnControl) -> Refused:
        """Refuse a call that guards were heard about: a block ends the turn."""
        if looked.heard.blocked is not None and decision.by is DecidedBy.GUARD:
            turn.stop(looked.heard.blocked.rstrip("."), failed=True)
        return self._refuse(looked.request, decision)

    def _refuse(self, request: PermissionRequest, decision: PermissionDecision) -> Refused:
        match decision.outcome:
            case PermissionOutcome.NOT_FOUND:
                text = self._registry.unknown(request.tool, self._offered())
                return Refused(text, CallOutcome.FAILED, "no such tool", request.subject)
            case PermissionOutcome.INVALID:
                return Refused(decision.reason, CallOutcome.FAILED, "invalid arguments", request.subject)
            case _:
                return Refused(f"Not permitted: {decision.reason}", CallOutcome.DENIED, "denied", request.subject)

    def _offered(self) -> list[str]:
        return [name for name in self._registry.names if self._state.agent.offers(name)]

    def _record(
        self, request: PermissionRequest, decision: PermissionDecision, question_id: str | None = None
    ) -> PermissionDecision:
        self._log.append(decided(request, decision, question_id))
        return decision

    def _count_denials(self, verdict: Cleared | Refused, tool: str, raw: object, turn: TurnControl) -> None:
        if not isinstance(verdict, Refused) or verdict.outcome is not CallOutcome.DENIED:
            self._denials = ("", 0)
            return
        key = f"{tool} {digest(raw)}"
        self._denials = (key, self._denials[1] + 1 if self._denials[0] == key else 1)
        if self._denials[1] >= SAME_DENIAL_LIMIT:
            self._denials = ("", 0)
            turn.stop(f"the model made the same refused call of {tool} {SAME_DENIAL_LIMIT} times in a row", failed=True)


def _as_asked(decision: PermissionDecision, verdict: PermissionDecided) -> PermissionDecision:
    """A call that was asked about is asked about still, whatever settings would let through by now."""
    if decision.outcome is PermissionOutcome.ASK:
        return decision
    return replace(decision, outcome=PermissionOutcome.ASK, by=verdict.by, reason=verdict.reason, rule=None)


@dataclass(frozen=True)
class _Looked:
    """A call as it was given, what the guards made of it, and the facts of that."""

    given: ToolArgs
    heard: Heard
    request: PermissionRequest
