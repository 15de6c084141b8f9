"""From one session to another on the work screen: the picker, going there, and a copy to go on in another way."""

import asyncio
from typing import TYPE_CHECKING

from textual.message import Message

from decode_core.events import TurnStarted
from decode_core.store.faults import StoreError
from decode_core.workspace import WorkspaceError
from decode_ui.screens.work_reports import WorkReports

if TYPE_CHECKING:
    from decode_core.resuming import Resumed


class WorkSessions(WorkReports, inherit_bindings=False):
    """Leaves the session for another one; what waits in it is suspended, what is typed becomes the draft."""

    class Chosen(Message):
        """Another session is taken up and wants the application."""

        def __init__(self, resumed: "Resumed") -> None:
            super().__init__()
            self.resumed = resumed

    def choose_session(self) -> None:
        """Show the stored sessions."""
        from decode_ui.screens.session_picker import SessionPicker

        picker = SessionPicker(self.session.id, self.session.workspace.root, self.clock)
        self.app.push_screen(picker, lambda key: self.go_to_session(key) if key else None)

    def go_to_session(self, session_id: str) -> None:
        """Take the session up whose id is or begins with `session_id`, and leave this one."""
        if self._may_leave():
            self.run_worker(self._take_up(session_id), group="session", exclusive=True)

    def fork_session(self) -> None:
        """Copy this session and go on in the copy."""
        if not any(isinstance(event, TurnStarted) for event in self.session.events):
            self.report("Not forked: nothing was sent in this session yet.")
        elif self._may_leave():
            self.run_worker(self._fork(), group="session", exclusive=True)

    def _may_leave(self) -> bool:
        # a question is suspended; a turn that works would be stopped, which nobody has asked for
        if self.session.running and not self.session.can_suspend:
            self.tell("a turn runs · stop it first (esc)")
            return False
        return True

    async def _fork(self) -> None:
        from decode_ui.session_shelf import fork_session

        try:
            copy = await asyncio.to_thread(fork_session, self.session.id)
        except StoreError as error:
            self.report(f"Not forked: {error}.")
            return
        await self._take_up(copy.id)

    async def _take_up(self, session_id: str) -> None:
        from decode_core.resuming import take_up

        if session_id == self.session.id:
            self.tell("this session is open already")
            return
        try:
            resumed = await asyncio.to_thread(take_up, session_id, None)
        except (StoreError, WorkspaceError) as error:
            self.report(f"Not opened: {error}.")
            return
        self.post_message(self.Chosen(resumed))
