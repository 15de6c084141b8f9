"""The model of a session: chosen by the person, else named by the active agent, built on the engine's thread."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from decode_core.catalog.definition import AgentDef
from decode_core.engine.errors import ModelError
from decode_core.engine.model_choice import ModelChoice, NamedModel, model_of_before
from decode_core.engine.thread import EngineThread
from decode_core.event_log import EventLog
from decode_core.events import ModelChanged, NoticeLevel, NoticeRaised

if TYPE_CHECKING:
    from decode_core.engine.runtime import Engine

ChooseModel = Callable[[str | None, str | None], ModelChoice]
"""Chooses by a name that the person gave, and the model that the agent names; either is None. Raises ModelError."""


def first_model(
    named: str | None, before: str, agents: str | None, choose: ChooseModel, models: Mapping[str, NamedModel]
) -> tuple[ModelChoice, bool]:
    """The model that a session begins with, and whether the person chose it.

    That is the one that the person `named`, else the one that a resumed session had `before`, else what the agent and
    the settings say. Raises ModelError.
    """
    kept = model_of_before(before, models) if named is None and before else None
    if kept is None:
        return choose(named, agents), named is not None
    try:
        return kept, kept != choose(None, agents)
    except ModelError:
        return kept, True


class ModelInUse:
    """The choice in force. `is_named`: the person chose it, so no agent changes it."""

    def __init__(
        self,
        choice: ModelChoice,
        choose: ChooseModel,
        engine: "EngineThread[Engine]",
        log: EventLog,
        *,
        is_named: bool,
    ) -> None:
        self.choice = choice
        self._choose = choose
        self._engine = engine
        self._log = log
        self._is_named = is_named

    def select(self, name: str) -> None:
        """Let the model that the person names answer from the next request on. Raises ModelError for no such name."""
        choice = self._choose(name, None)
        self._is_named = True
        self._use(choice)

    def follow(self, agent: AgentDef) -> None:
        """Let the model be the one that this agent names; one that cannot be is a notice, and the model stays."""
        if self._is_named:
            return
        try:
            choice = self._choose(None, agent.model)
        except ModelError as error:
            text = f"The agent {agent.name} names a model that cannot be used: {error}."
            stays = f"{self.choice.label} stays"
            self._log.append(NoticeRaised(level=NoticeLevel.WARNING, text=text, hint=stays))
            return
        if choice != self.choice:
            self._use(choice)

    def _use(self, choice: ModelChoice) -> None:
        before, self.choice = self.choice, choice
        future = self._engine.run(lambda engine: engine.set_model(choice))
        future.add_done_callback(lambda done: self._done(choice, before, done.exception()))

    def _done(self, choice: ModelChoice, before: ModelChoice, error: BaseException | None) -> None:
        """Runs on the engine's thread."""
        if error is None:
            self._log.append(
                ModelChanged(model=choice.label, model_name=choice.lasting_name, offline=choice.is_offline)
            )
            return
        self.choice = before
        self._log.append(NoticeRaised(level=NoticeLevel.ERROR, text=str(error), hint=f"{before.label} stays"))
