"""Questions for the person: one first-in-first-out queue, one open at a time (core.md §3).

Unclear input is a denial: whoever cannot answer, answers `Deny`. Nothing here raises on an unknown, late or second
answer; `AnswerResult` says what became of it.
"""

import asyncio
import itertools
import threading
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from decode_core.events import DecisionRequested, QuestionKind
from decode_core.permissions.rules import RuleSource


class AllowScope(StrEnum):
    """How far an approval reaches."""

    ONCE = "once"
    SESSION = "session"
    """This call and its like, until the session ends."""
    ALWAYS = "always"
    """This call and its like: a rule is stored."""
    EDITS = "edits"
    """This call, and the mode becomes edit."""
    FOLDER = "folder"
    """This call, and other reads in the folder that it looks into, until the session ends."""


class DenyScope(StrEnum):
    """How far a refusal reaches."""

    ONCE = "once"
    ALWAYS = "always"
    """This call and its like: a deny rule is stored."""


@dataclass(frozen=True)
class Allow:
    """Let this call run. `args` replaces the arguments (validated and judged anew).

    `rule` is the allow rule to keep in place of the one for exactly this call, and has to cover the call; `place` is
    where "always" keeps it.
    """

    scope: AllowScope = AllowScope.ONCE
    args: Mapping[str, Any] | None = None
    note: str = ""
    rule: str = ""
    place: RuleSource = RuleSource.PROJECT

    @classmethod
    def once(cls) -> "Allow":
        """Allow this call."""
        return cls()

    @classmethod
    def always(cls) -> "Allow":
        """Allow this call and store a rule that matches exactly it."""
        return cls(AllowScope.ALWAYS)


@dataclass(frozen=True)
class Deny:
    """Refuse this call. `note` goes to the model; `stop_turn` ends the turn as well."""

    note: str = ""
    stop_turn: bool = False
    scope: DenyScope = DenyScope.ONCE


@dataclass(frozen=True)
class PlanReview:
    """Answer to a plan: `approve` (mode edit), `approve_ask` (mode default), `refine` or `reject`.

    `approved` holds the numbers of the ticked steps, None for all; of a plan that is sent back, those that could stay.
    `text` is the plan as the person edited it.
    """

    answer: str
    approved: tuple[int, ...] | None = None
    note: str = ""
    comments: tuple[tuple[str, str], ...] = ()
    text: str | None = None


@dataclass(frozen=True)
class Reply:
    """Answer to a question of the agent: the chosen options, and what the person wrote; one of them may be empty."""

    chosen: tuple[str, ...] = ()
    text: str = ""
    note: str = ""


Answer = Allow | Deny | PlanReview | Reply


class AnswerResult(StrEnum):
    """What became of an answer."""

    TAKEN = "taken"
    UNKNOWN = "unknown"
    """No question of this id was ever asked."""
    LATE = "late"
    """It was answered before, withdrawn, or suspended until the session is resumed."""
    NOT_OPEN = "not_open"
    """It still waits behind another one."""
    UNFIT = "unfit"
    """The answer does not fit the kind of the question."""


@dataclass
class Question:
    """One question. `payload` is plain data for front ends:

    - permission: `tool, kind, subject, reason, by, mode, agent_path, cwd, args, steps`, `preview` (None, or
      `{path, before, after}`, or `{problem}`), `facts`, a digest of what the answer is for, `offers`, the answers that
      would change the next identical call, and `stores`, what each of them would keep: `always` and `never` as `{rule,
      list, file, layer, note}`, `session` as `{rule, list, place}` or `{path, place}`, `pattern` as `{rules, list,
      places}`, `folder` as `{folder, place}`.
    - plan_review: `plan`, an `events.Plan` as a dict.
    - ask_user: `question`, `options` (texts), `multiple`, `allow_free_text`.
    - outside_change: `what` (a few words), `changes`, a list of `{name, file, loosens, before, after}`: what another
      program changed and would allow more (permissions.md §9), `loosens` in short phrases, `before` None for something
      new.
    """

    id: str
    kind: QuestionKind
    payload: Mapping[str, Any]
    call_id: str | None = None
    asked_at: float = field(default_factory=time.monotonic)

    def fits(self, answer: Answer) -> bool:
        """Whether `answer` is of the sort that this question takes; a denial always is."""
        if isinstance(answer, Deny):
            return True
        return isinstance(answer, _FITTING[self.kind])


_FITTING: dict[QuestionKind, type[Allow] | type[PlanReview] | type[Reply]] = {
    QuestionKind.PERMISSION: Allow,
    QuestionKind.PLAN_REVIEW: PlanReview,
    QuestionKind.ASK_USER: Reply,
    QuestionKind.OUTSIDE_CHANGE: Allow,
}


@dataclass(frozen=True)
class Answered:
    """An answer with the time it took. `withdrawn`: nobody gave it; the question was closed."""

    answer: Answer
    waited_ms: int
    withdrawn: bool = False


class Suspended(Exception):  # noqa: N818 - no fault: the turn ends here and goes on another day
    """The question stays open on the disk. Whoever asked it ends, and asks it again when the session is resumed."""


@dataclass
class _Waiting:
    question: Question
    loop: asyncio.AbstractEventLoop
    future: "asyncio.Future[Answered | None]"
    """None: suspended."""


class DecisionQueue:
    """The queue. `ask` is awaited on the engine's loop; every other method may be called from any thread.

    `on_open` is called, on the asking loop or on the thread that answered, when a question becomes the open one, with
    the count of waiting questions. With `on_open` set to None there is nobody to ask: `has_person` is False.
    `asked` are the ids of a resumed session's questions.
    """

    def __init__(self, on_open: Callable[[Question, int], None] | None = None, *, asked: Collection[str] = ()) -> None:
        self.on_open = on_open
        self._lock = threading.Lock()
        self._waiting: list[_Waiting] = []
        self._known: set[str] = set(asked)
        self._numbers = itertools.count(1)
        self._suspended = False
        self._closed = False

    @property
    def has_person(self) -> bool:
        """Whether anybody can answer."""
        return self.on_open is not None and not self._closed

    @property
    def open_question(self) -> Question | None:
        """The question that may be answered now."""
        with self._lock:
            return self._waiting[0].question if self._waiting else None

    @property
    def waiting(self) -> int:
        """How many questions wait, the open one included."""
        return len(self._waiting)

    @property
    def holds_call(self) -> bool:
        """Whether a call waits for its answer, so that its turn can be suspended."""
        with self._lock:
            return any(entry.question.call_id is not None for entry in self._waiting)

    def new_id(self) -> str:
        """An id for the next question."""
        return next(name for number in self._numbers if (name := f"q{number}") not in self._known)

    async def ask(self, question: Question) -> Answered:
        """Queue `question` and wait for its answer, for ever if need be.

        A cancelled asker takes its question out of the queue; a closed queue answers with a withdrawn denial. Raises
        Suspended where the answer is to be given another day.
        """
        loop = asyncio.get_running_loop()
        entry = _Waiting(question, loop, loop.create_future())
        with self._lock:
            self._known.add(question.id)
            if self._suspended and question.call_id is not None:
                raise Suspended(question.id)
            if self._closed:
                return _withdrawn(question)
            self._waiting.append(entry)
            is_open = len(self._waiting) == 1
        if is_open:
            self._announce()
        try:
            answered = await entry.future
        finally:
            self._remove(entry)
        if answered is None:
            raise Suspended(question.id)
        return answered

    def answer(self, question_id: str, answer: Answer) -> AnswerResult:
        """Answer the open question."""
        with self._lock:
            if question_id not in self._known:
                return AnswerResult.UNKNOWN
            index = next((i for i, w in enumerate(self._waiting) if w.question.id == question_id), None)
            if index is None:
                return AnswerResult.LATE
            if index > 0:
                return AnswerResult.NOT_OPEN
            entry = self._waiting[0]
            if not entry.question.fits(answer):
                return AnswerResult.UNFIT
            self._waiting.pop(0)
        waited_ms = int((time.monotonic() - entry.question.asked_at) * 1000)
        _resolve(entry, Answered(answer, waited_ms))
        self._announce()
        return AnswerResult.TAKEN

    def withdraw(self, question_id: str) -> None:
        """Close a question that nobody needs to answer any more; its asker sees a withdrawn denial."""
        with self._lock:
            entries = [w for w in self._waiting if w.question.id == question_id]
            was_open = bool(entries) and self._waiting[0] is entries[0]
            self._waiting = [w for w in self._waiting if w.question.id != question_id]
        for entry in entries:
            _resolve(entry, _withdrawn(entry.question))
        if was_open:
            self._announce()

    def suspend(self) -> None:
        """Let every question about a call wait for another day: whoever asked it, or asks from now on, sees Suspended.

        A question that belongs to no call, such as one about a changed file, is asked by what is found another day.
        """
        with self._lock:
            self._suspended = True
            entries = [entry for entry in self._waiting if entry.question.call_id is not None]
            self._waiting = [entry for entry in self._waiting if entry.question.call_id is None]
        for entry in entries:
            _resolve(entry, None)

    def go_on(self) -> None:
        """Take questions again after `suspend`."""
        with self._lock:
            self._suspended = False

    def close(self) -> None:
        """Withdraw whatever waits and everything that will be asked."""
        with self._lock:
            self._closed = True
            entries, self._waiting = self._waiting, []
        for entry in entries:
            _resolve(entry, _withdrawn(entry.question))

    def _announce(self) -> None:
        with self._lock:
            head = self._waiting[0].question if self._waiting else None
            count = len(self._waiting)
        if head is not None and self.on_open is not None:
            self.on_open(head, count)

    def _remove(self, entry: _Waiting) -> None:
        with self._lock:
            was_open = bool(self._waiting) and self._waiting[0] is entry
            self._waiting = [w for w in self._waiting if w is not entry]
        if was_open:
            self._announce()


def open_question_event(question: Question, waiting: int) -> DecisionRequested:
    """The event that a question has become the open one."""
    return DecisionRequested(
        id=question.id, kind=question.kind, call_id=question.call_id, payload=dict(question.payload), waiting=waiting
    )


def _withdrawn(question: Question) -> Answered:
    return Answered(Deny("nobody answered"), int((time.monotonic() - question.asked_at) * 1000), withdrawn=True)


def _resolve(entry: _Waiting, answered: Answered | None) -> None:
    def settle() -> None:
        if not entry.future.done():
            entry.future.set_result(answered)

    entry.loop.call_soon_threadsafe(settle)
