"""The permission gate: one pure verdict for every call, in the order of permissions.md §2."""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from decode_core.permissions.by_mode import DONT_ASK_REASON, PLAN_REASON, Verdict, by_mode
from decode_core.permissions.matching import names_protected
from decode_core.permissions.modes import DecidedBy, PermissionMode, PermissionOutcome, ToolKind
from decode_core.permissions.path_grants import PathGrant, grants_for
from decode_core.permissions.request import PermissionDecision, PermissionRequest, SubjectKind
from decode_core.permissions.rule_index import RuleIndex
from decode_core.permissions.rules import Rule, RuleList, RuleSource
from decode_core.permissions.sandbox.standing import Standing
from decode_core.permissions.sentences import sentence
from decode_core.permissions.urls import names_host

PLAN_HINT = " Present the plan with exit_plan_mode."
NOT_WITHOUT_SANDBOX = "git obeys the settings of a repository, and there is no sandbox here"


class PermissionGate:
    """Modes and rules in force, and `check`. Thread-safe: the person changes it while the engine asks it.

    The mode is a value or a callable that is read at every check.
    """

    def __init__(
        self,
        mode: PermissionMode | Callable[[], PermissionMode] = PermissionMode.DEFAULT,
        rules: Iterable[Rule] = (),
        *,
        plan_ceiling: bool = True,
        degraded: str | None = None,
        sandbox: Standing | None = None,
    ) -> None:
        self._lock = threading.Lock()
        self._mode = mode
        self._rules: dict[RuleSource, tuple[Rule, ...]] = {}
        self._in_force = RuleIndex()
        self._open_paths: frozenset[PathGrant] = frozenset()
        self.plan_ceiling = plan_ceiling
        self.degraded = degraded
        """Why everything but reads asks: a settings file is broken. One sentence, or None."""
        self.sandbox = sandbox
        """Whether commands run in one; None: nobody has looked, and a verdict is taken as if they did."""
        for source in RuleSource:
            self._rules[source] = tuple(rule for rule in rules if rule.source is source)
        self._gather()

    @property
    def mode(self) -> PermissionMode:
        """The mode in force."""
        return self._mode() if callable(self._mode) else self._mode

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All rules in force."""
        return self._in_force.rules

    def set_mode(self, mode: PermissionMode | Callable[[], PermissionMode]) -> None:
        """Holds from the next check on."""
        self._mode = mode

    def set_rules(self, source: RuleSource, rules: Iterable[Rule]) -> None:
        """Replace the rules of one source."""
        with self._lock:
            self._rules[source] = tuple(rules)
            self._gather()

    def take_settings(
        self, rules: Mapping[RuleSource, Iterable[Rule]], *, plan_ceiling: bool, degraded: str | None
    ) -> None:
        """Replace the rules of several sources and what settings say beside them, for every check all at once."""
        with self._lock:
            for source, own in rules.items():
                self._rules[source] = tuple(own)
            self.plan_ceiling, self.degraded = plan_ceiling, degraded
            self._gather()

    def add_rule(self, rule: Rule) -> None:
        """Add one rule to its source."""
        with self._lock:
            self._rules[rule.source] = (*self._rules[rule.source], rule)
            self._gather()

    def remove_rule(self, rule: Rule) -> None:
        """Take one rule out of its source, wherever it stands there."""
        with self._lock:
            kept = (each for each in self._rules[rule.source] if (each.list, each.text) != (rule.list, rule.text))
            self._rules[rule.source] = tuple(kept)
            self._gather()

    def open_paths(self, grants: Iterable[PathGrant]) -> None:
        """Ask no more about these protected paths until the session ends."""
        with self._lock:
            self._open_paths |= frozenset(grants)

    def would(
        self,
        request: PermissionRequest,
        *,
        rules: Iterable[Rule] = (),
        paths: Iterable[PathGrant] = (),
        mode: PermissionMode | None = None,
    ) -> PermissionDecision:
        """The verdict if these rules, paths and mode held as well: what an answer would change. Changes nothing."""
        other = PermissionGate(
            mode or self.mode, (*self.rules, *rules), plan_ceiling=self.plan_ceiling, degraded=self.degraded
        )
        other.open_paths((*self._open_paths, *paths))
        return other.check(request)

    def check(self, request: PermissionRequest) -> PermissionDecision:
        """The verdict over a call. Pure and without I/O; never raises: a fault inside is a deny, by arguments."""
        mode = self.mode
        try:
            return self._check(request, mode)
        except Exception as error:  # fail closed, whatever it is
            return PermissionDecision(
                PermissionOutcome.DENY,
                DecidedBy.ARGUMENTS,
                f"The call could not be judged ({type(error).__name__}: {error}); it does not run.",
                mode,
                request.kind,
                request.kind,
                request.subject,
            )

    def may_prove(self, tool: str) -> bool:
        """Whether a `readonly` rule is in force for `tool`, so that some of its calls may count as reads."""
        return self._in_force.has_readonly(tool)

    def would_leave_to_sandbox(self, request: PermissionRequest) -> bool:
        """Whether `sandbox.auto_allow` would let a command run: the sandbox is on, and nothing in it is a hazard."""
        if request.subject_kind is not SubjectKind.COMMAND or self.sandbox is None or not self.sandbox.is_on:
            return False
        facts = request.shell
        if facts is None or facts.edits is None or facts.protected is not None:
            return False
        return self._in_force.of_command(request).hazard is None

    def _check(self, request: PermissionRequest, mode: PermissionMode) -> PermissionDecision:
        steps: list[str] = []
        verdict = self._decide(request, mode, steps)
        plain = verdict if mode is PermissionMode.DEFAULT else self._decide(request, PermissionMode.DEFAULT, [])
        return PermissionDecision(
            outcome=verdict.outcome,
            by=verdict.by,
            reason=verdict.reason,
            mode=mode,
            kind=request.kind,
            effective_kind=verdict.effective_kind or request.kind,
            subject=request.subject,
            rule=verdict.rule,
            mode_changed_outcome=verdict.outcome is not plain.outcome,
            steps=tuple(steps),
        )

    def _decide(self, request: PermissionRequest, mode: PermissionMode, steps: list[str]) -> Verdict:
        reading = self._reading_rule(request)
        kind = ToolKind.READ_ONLY if reading is not None else request.kind
        verdict = replace(self._evaluate(request, mode, steps, kind, reading), effective_kind=kind)
        if mode is PermissionMode.DONT_ASK and verdict.outcome is PermissionOutcome.ASK:
            steps.append("dont_ask refuses what would ask")
            return replace(verdict, outcome=PermissionOutcome.DENY, by=DecidedBy.MODE, reason=DONT_ASK_REASON)
        return verdict

    def _evaluate(
        self,
        request: PermissionRequest,
        mode: PermissionMode,
        steps: list[str],
        kind: ToolKind | None,
        reading: Rule | None,
    ) -> Verdict:
        """Steps 1 to 9. `kind` is the effective kind, `reading` the readonly rule that made it one, if any."""
        deny, ask, allow = PermissionOutcome.DENY, PermissionOutcome.ASK, PermissionOutcome.ALLOW
        if request.kind is None or kind is None:
            steps.append("the registry knows no such tool")
            return Verdict(PermissionOutcome.NOT_FOUND, DecidedBy.REGISTRY, f"There is no tool named {request.tool!r}.")
        if request.invalid:
            steps.append("the arguments are invalid")
            return Verdict(PermissionOutcome.INVALID, DecidedBy.ARGUMENTS, request.invalid)
        if request.unjudged:
            steps.append("the call could not be looked at")
            return Verdict(deny, DecidedBy.ARGUMENTS, request.unjudged)
        steps.append(f"{request.tool} is a tool of kind {request.kind}")

        if request.rewritten_from:
            steps.append("a guard rewrote the arguments")
        if (objection := request.objection) and objection.to is deny:
            steps.append("a guard refuses")
            return Verdict(deny, DecidedBy.GUARD, objection.reason)

        for call in (request, *request.rewritten_from):
            if rule := self._first_wide(RuleList.DENY, call):
                steps.append(f"deny rule {rule.text} ({rule.source}) matches")
                return Verdict(deny, DecidedBy.RULE, f"The deny rule {rule.text} ({rule.source}) matches.", rule)
        steps.append("no deny rule matches")
        steps.extend(self._proof_steps(request, reading))

        if mode is PermissionMode.PLAN and self.plan_ceiling and kind in (ToolKind.FILE_EDIT, ToolKind.OTHER):
            steps.append("plan mode changes nothing, whatever rules allow")
            hint = PLAN_HINT if request.offers_exit_plan_mode else ""
            return Verdict(deny, DecidedBy.PLAN_CEILING, PLAN_REASON + hint)

        if request.refused_by_tool:
            steps.append("the tool or the agent refuses")
            return Verdict(deny, DecidedBy.POLICY, request.refused_by_tool)
        if request.subject_kind is SubjectKind.COMMAND and self.sandbox and (why := self.sandbox.refusal):
            steps.append("commands may only run in a sandbox, and there is none")
            return Verdict(deny, DecidedBy.SANDBOX, why)

        if sticky := self._sticky_ask(request, mode, steps):
            return sticky

        if covered := self._covered(request, kind, mode, steps):
            return covered

        match request.needs_approval:
            case False:
                return Verdict(allow, DecidedBy.POLICY, "The tool needs no approval.")
            case True if mode is PermissionMode.BYPASS or (mode is PermissionMode.EDIT and kind is ToolKind.FILE_EDIT):
                return Verdict(allow, DecidedBy.MODE, f"Mode {mode} answers the tool's wish to ask.")
            case True:
                return Verdict(ask, DecidedBy.POLICY, "The tool asks for approval of every call.")
            case None if mode is PermissionMode.EDIT and self._is_left_to_sandbox(request, steps):
                return Verdict(allow, DecidedBy.SANDBOX, "The sandbox holds it, and sandbox.auto_allow is set.")
            case None:
                verdict = by_mode(request, kind, mode, reading)
                steps.append(f"mode {mode}: {verdict.outcome}")
                return verdict

    def _sticky_ask(self, request: PermissionRequest, mode: PermissionMode, steps: list[str]) -> Verdict | None:
        """Asks that no looser mode answers: guards, ask rules, unreadable commands, broken settings, protection."""
        ask = PermissionOutcome.ASK
        if objection := request.objection:
            steps.append("a guard asks")
            return Verdict(ask, DecidedBy.GUARD, objection.reason)
        if rule := self._first_wide(RuleList.ASK, request):
            steps.append(f"ask rule {rule.text} ({rule.source}) matches")
            return Verdict(ask, DecidedBy.RULE, f"The ask rule {rule.text} ({rule.source}) matches.", rule)
        if unread := self._rule_for_unread_command(request):
            rule, why = unread
            steps.append(f"{why}, and rule {rule.text} may be meant for it")
            reason = f"The {rule.list} rule {rule.text} may be meant for this command: {why}."
            return Verdict(ask, DecidedBy.RULE, reason, rule)
        if self.degraded and not request.reads_inside and request.kind is not ToolKind.CONTROL:
            steps.append("settings are broken: everything but reads asks")
            return Verdict(ask, DecidedBy.DEGRADED, self.degraded)
        reason_or_none = self._protection(request, steps) or self._unnamed_host(request)
        if reason_or_none and mode is not PermissionMode.BYPASS:
            steps.append(f"protected: {reason_or_none}")
            return Verdict(ask, DecidedBy.PROTECTED, sentence(reason_or_none))
        return None

    def _protection(self, request: PermissionRequest, steps: list[str]) -> str | None:
        """Why the call touches a protected resource that the person has not opened for this session, or None."""
        reason = names_protected(request)
        if reason and self._open_paths and (wanted := grants_for(request)) and wanted <= self._open_paths:
            steps.append(f"protected: {reason}, and you opened it for this session")
            return None
        return reason

    def _unnamed_host(self, request: PermissionRequest) -> str | None:
        """Why a fetch goes to a place that the person has not named, or None (permissions.md §7).

        So a page or a file cannot make the agent send what it has read to a new place. This machine, private networks
        and metadata services need a rule that names the very host.
        """
        if request.url is None:
            return None
        allowing = self._in_force.covering(request)
        if request.url.is_local:
            if any(rule.pattern is not None and names_host(rule.pattern, request.url.host) for rule in allowing):
                return None
            return f"{request.url.host} is this machine or a private network"
        if allowing or request.host_is_named:
            return None
        return f"{request.url.host} is a host that you have not named in this session"

    def _first_wide(self, in_list: RuleList, request: PermissionRequest) -> Rule | None:
        return self._in_force.first_wide(in_list, request)

    def _covered(
        self, request: PermissionRequest, kind: ToolKind, mode: PermissionMode, steps: list[str]
    ) -> Verdict | None:
        """Step 8 for rules: one that covers the call, or for a command several, each covering a part of it."""
        if request.subject_kind is not SubjectKind.COMMAND:
            rules = self._in_force.covering(request)[:1]
        elif whole := self._in_force.of_command(request).whole:
            rules = [whole]
        elif kind is ToolKind.READ_ONLY:
            rules = []  # a proven call: what it writes is nothing, and the mode lets it run
        else:
            rules = self._in_force.of_command(request).joint_rules(self._unproven(request)) or []
            if rules and (edit := self._uncovered_edit(request, mode)):
                steps.append(f"the commands are covered, but {edit}")
                if mode is PermissionMode.DEFAULT:
                    return Verdict(PermissionOutcome.ASK, DecidedBy.MODE, sentence(edit))
                return None
        if not rules:
            steps.append(self._uncovered_step(request))
            return None
        rule = rules[0]
        told = "".join(f", {each.text}" for each in dict.fromkeys(rules[1:]) if each is not rule)
        steps.append(f"allow rule {rule.text}{told} ({rule.source}) covers the call")
        by = DecidedBy.REMEMBERED if rule.source is RuleSource.SESSION else DecidedBy.RULE
        return Verdict(
            PermissionOutcome.ALLOW, by, f"The allow rule {rule.text}{told} ({rule.source}) covers it.", rule
        )

    def _uncovered_edit(self, request: PermissionRequest, mode: PermissionMode) -> str | None:
        """Which redirection of a covered command no rule and no mode lets write, as a clause; None where there is none.

        A redirection is an edit of its file and is decided as one.
        """
        edits = None if request.shell is None else request.shell.edits
        if edits is None:
            return "it is not known which file it writes"
        if mode in (PermissionMode.EDIT, PermissionMode.BYPASS):
            return None
        for fact in edits:
            edit = PermissionRequest(
                request.call_id, "write", ToolKind.FILE_EDIT, fact.given, SubjectKind.PATH, paths=(fact,)
            )
            if not self._in_force.covering(edit):
                return f"it writes {fact.given}"
        return None

    def _uncovered_step(self, request: PermissionRequest) -> str:
        if request.subject_kind is not SubjectKind.COMMAND or not self._in_force.has_allow(request.tool):
            return "no allow rule covers it"
        why = self._in_force.of_command(request).uncovered
        return f"no allow rule covers it: {why}" if why else "no allow rule covers it"

    def _reading_rule(self, request: PermissionRequest) -> Rule | None:
        """Step 4: the readonly rule that, with a proof, makes the call a read."""
        if request.subject_kind is not SubjectKind.COMMAND or request.invalid or request.shell is None:
            return None
        is_proven = request.shell.is_proven and not any(self._unproven(request))
        return self._in_force.of_command(request).reading_rule if is_proven else None

    def _unproven(self, request: PermissionRequest) -> Sequence[str | None]:
        """For each part of a command, why it is not proven to only read.

        Without a sandbox, proofs shrink to programs that read no settings (permissions.md §11).
        """
        facts = request.shell
        if facts is None:
            return ()
        if facts.reads_configuration and self.sandbox is not None and not self.sandbox.is_on:
            return [NOT_WITHOUT_SANDBOX] * len(facts.unproven)
        return facts.unproven

    def _is_left_to_sandbox(self, request: PermissionRequest, steps: list[str]) -> bool:
        """Whether a command that nothing settles runs unasked, because the sandbox holds it (permissions.md §11)."""
        if self.sandbox is None or not self.sandbox.auto_allow or not self.would_leave_to_sandbox(request):
            return False
        steps.append("left to the sandbox: no hazard, nothing protected")
        return True

    def _proof_steps(self, request: PermissionRequest, reading: Rule | None) -> list[str]:
        if reading is not None:
            return [f"readonly rule {reading.text} ({reading.source}) and a proof: it only reads"]
        if request.shell is None or not self._in_force.has_readonly(request.tool):
            return []
        problem = next((each for each in self._unproven(request) if each is not None), None)
        if problem is None:
            return ["it only reads, but no readonly rule covers all of it"]
        return [f"it is not proven to only read: {problem}"]

    def _rule_for_unread_command(self, request: PermissionRequest) -> tuple[Rule, str] | None:
        """A patterned rule that may be meant for something which only running the command tells, and what that is."""
        if request.subject_kind is not SubjectKind.COMMAND:
            return None
        return self._in_force.of_command(request).unread

    def _gather(self) -> None:
        self._in_force = RuleIndex(rule for source in RuleSource for rule in self._rules[source])
