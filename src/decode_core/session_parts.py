"""What a session is made of, as `opening` hands it over."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from decode_core.decisions import DecisionQueue
from decode_core.engine.model_choice import ModelChoice
from decode_core.event_log import EventLog
from decode_core.events import NoticeRaised
from decode_core.model_in_use import ChooseModel
from decode_core.rehearsal import Rehearsal
from decode_core.reloading.following import FollowedFiles
from decode_core.resuming import Restored
from decode_core.rule_book import RuleBook
from decode_core.spill import Spill
from decode_core.state import SessionState
from decode_core.store.session_record import SessionRecord
from decode_core.workspace import Workspace

if TYPE_CHECKING:
    from decode_core.engine.runtime import Engine


@dataclass(frozen=True)
class SessionParts:
    """What a session is made of; `opening` puts it together."""

    workspace: Workspace
    log: EventLog
    state: SessionState
    decisions: DecisionQueue
    model: ModelChoice
    choose_model: ChooseModel
    files: FollowedFiles
    make_engine: Callable[[ModelChoice], "Engine"]
    """Called in the engine's thread; the only place that imports pydantic_ai."""
    spill: Spill
    rule_book: RuleBook
    rehearsal: Rehearsal
    notices: tuple[NoticeRaised, ...] = ()
    configured_models: tuple[str, ...] = ()
    is_model_named: bool = False
    """Whether the person chose the model: then no agent changes it."""
    record: SessionRecord | None = None
    """What the session is written to; None where it is only read, as `held_by` says."""
    resumed: Restored | None = None
    held_by: str = ""
