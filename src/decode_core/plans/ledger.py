"""The only writer of a journal: one at a time, every event checked before it is appended, on disk when it returns."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

from decode_core.plans.canonical import canonical_bytes
from decode_core.plans.chain import link, next_digest
from decode_core.plans.depth import is_delegate_checkout
from decode_core.plans.durable import append_durably, truncate_durably
from decode_core.plans.errors import ExitCode, PlanError, RefusedError, Stage
from decode_core.plans.events import ActorKind, AnyEvent, read_event
from decode_core.plans.folder import LoadedPlan, PlanFolder, load_plan
from decode_core.plans.journal import Journal, Tear, TornTail
from decode_core.plans.lock import DEFAULT_WAIT_S, Clock, PlanLock, hold_lock

CALLER = "caller"
"""The identity of a writer that gave none, as the publisher's."""

MAX_IDENTITY = 100
"""Characters of an actor's name."""

MAX_SUBJECT = 300
"""Characters of a refusal's subject; it may hold what a caller wrote."""


@dataclass(frozen=True)
class Writer:
    """Who writes, and how it takes the lock."""

    kind: ActorKind = ActorKind.AGENT
    identity: str = CALLER
    """1 to 100 characters; nobody is authenticated."""
    force: bool = False
    wait_s: float = DEFAULT_WAIT_S
    mark: str | None = None
    """The environment variable that says that this process is a delegate; it then writes in no plan but its own."""
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    clock: Clock = field(default_factory=Clock)

    @property
    def actor(self) -> dict[str, str]:
        """The actor of an event."""
        return {"kind": self.kind.value, "identity": self.identity}


class Ledger:
    """A plan that is open for writing, under its lock."""

    def __init__(self, plan: LoadedPlan, lock: PlanLock, writer: Writer) -> None:
        self.plan = plan
        self.lock = lock
        self.writer = writer

    @property
    def folder(self) -> PlanFolder:
        """Where the plan lies."""
        return self.plan.folder

    def append(
        self, kind: str, payload: Mapping[str, Any], *, actor: Mapping[str, str] | None = None, note: str | None = None
    ) -> AnyEvent:
        """Append one event; it is on disk when this returns.

        Raises EventError when it is not valid (nothing is written), JournalCollisionError, PlanError.
        """
        event, line = self._draft(kind, payload, actor, note)
        size = append_durably(self.folder.journal, line + b"\n", expected_size=self.plan.journal_size)
        journal = self.plan.journal
        grown = Journal((*journal.events, event), (*journal.lines, line))
        self.plan = replace(self.plan, journal=grown, journal_size=size)
        chain = self.plan.chain
        if chain.fault is None:
            digest = next_digest(chain.digest, line)
            self._extend_chain(link(event.seq, digest), chain.whole_bytes, digest)
        return event

    def check(self, kind: str, payload: Mapping[str, Any], *, note: str | None = None) -> AnyEvent:
        """The event that `append` would write now. Raises EventError when it is not valid."""
        return self._draft(kind, payload, None, note)[0]

    def _draft(
        self, kind: str, payload: Mapping[str, Any], actor: Mapping[str, str] | None, note: str | None
    ) -> tuple[AnyEvent, bytes]:
        document = {
            **payload,
            "schema": self.plan.contract.model.generation.event_schema,
            "type": kind,
            "seq": self.plan.last_seq + 1,
            "ts": self.writer.now().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "plan": self.folder.name,
            "contract_id": self.plan.contract.id,
            "actor": dict(actor or self.writer.actor),
            **({} if note is None else {"note": note}),
        }
        try:
            line = canonical_bytes(document)
        except ValueError as error:
            raise PlanError(f"the event cannot be written as JSON: {error}") from None
        return read_event(line), line

    def append_as_helper(self, kind: str, payload: Mapping[str, Any], *, note: str | None = None) -> AnyEvent:
        """Append an event that the ledger itself vouches for."""
        actor = {"kind": ActorKind.HELPER.value, "identity": self.plan.contract.model.generation.helper}
        return self.append(kind, payload, actor=actor, note=note)

    def refuse(self, subject: str, stage: Stage, reason: str, exit_code: ExitCode) -> NoReturn:
        """Record a refusal and raise it."""
        shown = subject.encode(errors="replace").decode()[:MAX_SUBJECT] or "unnamed"
        self.append_as_helper("refusal", {"subject": shown, "stage": stage.value, "reason": reason})
        raise RefusedError(reason, exit_code)

    def repair(self) -> None:
        """Mend what a crash left at the end of the journal, and let the chain catch up."""
        self._catch_up_chain()
        torn = self.plan.journal.torn
        if torn is not None:
            _mend(self.folder.journal, torn)
            size = torn.byte_offset + (1 if torn.tear is Tear.NO_NEWLINE else 0)
            self.plan = replace(self.plan, journal=replace(self.plan.journal, torn=None), journal_size=size)
            self.append_as_helper("journal_repair", {"byte_offset": torn.byte_offset, "cause": torn.cause})

    def _catch_up_chain(self) -> None:
        """Chain the lines that are not chained yet; the journal comes first, so a crash leaves the chain behind it."""
        chain = self.plan.chain
        if chain.fault is not None:
            return
        if chain.file_bytes != chain.whole_bytes:
            truncate_durably(self.folder.chain, chain.whole_bytes)
        self._extend_chain(chain.missing, chain.whole_bytes, chain.digest)

    def _extend_chain(self, links: bytes, size: int, digest: str) -> None:
        if links:
            size = append_durably(self.folder.chain, links, expected_size=size)
        chain = replace(self.plan.chain, missing=b"", whole_bytes=size, file_bytes=size, digest=digest)
        self.plan = replace(self.plan, chain=chain)


@contextmanager
def open_ledger(folder: PlanFolder, writer: Writer) -> Iterator[Ledger]:
    """Open a plan for writing: take its lock, read it whole, mend a torn end.

    Raises LockedError, PlanError (also for a delegate: the journal is its parent's), CorruptJournalError.
    """
    keep_delegates_out(folder, writer)
    with hold_lock(folder.path, writer.identity, force=writer.force, wait_s=writer.wait_s, clock=writer.clock) as lock:
        ledger = Ledger(load_plan(folder), lock, writer)
        ledger.repair()
        yield ledger


def keep_delegates_out(folder: PlanFolder, writer: Writer) -> None:
    """Raise PlanError for a delegate, unless the plan lies in its own checkout."""
    if writer.mark is not None and not is_delegate_checkout(folder.root):
        raise PlanError(
            f"this session is a delegate ({writer.mark} is set); the records of {folder.name} are written by the "
            "session that launched it"
        )


def _mend(journal: Path, torn: TornTail) -> None:
    match torn.tear:
        case Tear.CUT:
            truncate_durably(journal, torn.byte_offset)
        case Tear.NO_NEWLINE:
            append_durably(journal, b"\n", expected_size=torn.byte_offset)
