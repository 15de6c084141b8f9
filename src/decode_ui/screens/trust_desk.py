"""Asks whether what the workspace brings may count, once when the application opens and whenever `/trust` says so."""

import asyncio
from collections.abc import Callable

from textual.app import App

from decode_core.events import NoticeLevel
from decode_core.session import Session
from decode_core.trust.content import FolderContent
from decode_ui.guard import KeyGuard


class TrustDesk:
    """The question of trust in one session. `tell` says something in passing, `report` in the chat."""

    def __init__(
        self,
        app: App[int],
        session: Session,
        guard: KeyGuard,
        *,
        is_home: Callable[[], bool],
        on_typed: Callable[[str], None],
        tell: Callable[[str], None],
        report: Callable[[str], None],
    ) -> None:
        self._app = app
        self._session = session
        self._guard = guard
        self._is_home = is_home
        self._on_typed = on_typed
        self._tell = tell
        self._report = report

    async def offer(self) -> None:
        """Ask if the folder is not trusted, and nothing else is asked just now."""
        if not self._session.trust.counts:
            await self._ask()

    async def open(self) -> None:
        """Ask, or say why there is nothing to ask."""
        trust = self._session.trust
        if trust.content.is_empty:
            self._tell("this folder brings nothing that needs your trust")
        elif trust.counts:
            self._tell("trusted as it stands · decode trust --revoke takes it back")
        else:
            await self._ask()

    async def _ask(self) -> None:
        from decode_core.catalog.definition import Layer
        from decode_core.trust.effects import effects, tightening_rules
        from decode_ui.screens.trust import TrustAnswer, TrustQuestion, TrustScreen

        agents = self._session.catalog.agents.values()
        builtin = [agent.name for agent in agents if agent.layer is Layer.BUILTIN]

        def look() -> TrustQuestion:
            brought = self._session.files.settings.live.brings()
            return TrustQuestion(
                brought.content, effects(brought, builtin), self._session.trust.loosens, tightening_rules(brought)
            )

        question = await asyncio.to_thread(look)
        if not self._is_home():
            return  # another question came first; the chat says how to ask for this one
        answer = await self._app.push_screen_wait(TrustScreen(question, self._guard, on_typed=self._on_typed))
        if answer is TrustAnswer.TRUST:
            await self._trust(question.content)

    async def _trust(self, content: FolderContent) -> None:
        from decode_core.trust.record import TrustError

        try:
            await self._session.files.trust_folder(content)
        except TrustError as error:
            self._report(f"{error}.")
        else:
            self._session.raise_notice(NoticeLevel.INFO, "Trusted: what this folder brings counts from now on.")
