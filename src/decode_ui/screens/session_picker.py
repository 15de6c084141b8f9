"""The session picker (keys.md §7.4): filter, preview, and letters that rename, fork, export and delete."""

import asyncio
from collections.abc import Callable
from enum import Enum
from pathlib import Path

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from decode_core.event_log import utc_now
from decode_core.neutral import neutralise_line
from decode_core.store.faults import StoreError
from decode_core.store.sessions import SessionInfo
from decode_ui import session_shelf
from decode_ui.actions import PICKER, bindings
from decode_ui.clock import Alarm, Clock
from decode_ui.keys.sessions import SESSION_PICKER, SESSIONS
from decode_ui.screens.confirm import Confirmation, ConfirmScreen
from decode_ui.screens.picker import MAX_SHOWN
from decode_ui.session_rows import matching, preview, row
from decode_ui.session_shelf import Preview, Shelf

LATE_S = 0.3
"""Nothing is said of waiting before this time has passed (keys.md §11)."""
QUIET_S = 0.15
"""What was said in sessions is searched once the keyboard has been quiet for this long."""
WIDE = 100
"""Columns from which on the picker leaves a margin."""


class Field(Enum):
    """What the text field is for; its value says what Enter does."""

    FILTER = "enter opens · ⇥ list: rename, fork, export, delete · esc closes"
    LIST = " · ".join(f"{action.sign} {action.label}" for action in SESSIONS) + " · ⇥ filter · esc closes"
    RENAME = "enter keeps the title · esc back"
    EXPORT = "enter writes: .md .html .jsonl .yaml · esc back"


class SessionList(OptionList):
    """The rows; its letters act while it has the focus."""

    BINDINGS = bindings(SESSIONS)


class SessionPicker(ModalScreen[str | None], inherit_bindings=False):
    """Closes with the id of the session that was taken, or None.

    `current` is the session behind the picker, `root` its folder: sessions of it come first.
    """

    CSS_PATH = "session_picker.tcss"
    BINDINGS = [*bindings(PICKER), *bindings(SESSION_PICKER)]
    ESCAPE_TO_MINIMIZE = False

    def __init__(self, current: str, root: Path, clock: Clock) -> None:
        super().__init__()
        self._current = current
        self._root = root
        self._clock = clock
        self._shelf: Shelf | None = None
        self._said: dict[str, tuple[SessionInfo, str]] = {}
        """What a search in the sessions has found, by id, for the text in the filter."""
        self._look: Preview | None = None
        self._field = Field.FILTER
        self._filter = ""
        self._search: Alarm | None = None

    def compose(self) -> ComposeResult:
        """Filter, list, preview."""
        with Vertical(id="box"):
            yield Input(placeholder="type to filter", id="filter")
            yield SessionList(id="items", markup=False)
            yield Static(id="preview", markup=False)

    def on_mount(self) -> None:
        """Read the sessions beside the screen."""
        self.query_one("#box").border_title = Content("Sessions")
        self.query_one(SessionList).can_focus = False
        self._use(Field.FILTER)
        self._clock.after(LATE_S, self._say_late)
        self._reload()

    def on_resize(self) -> None:
        """Small terminals give the picker everything."""
        self.set_class(self.app.size.width < WIDE, "-narrow")

    @property
    def marked(self) -> SessionInfo | None:
        """The session under the mark."""
        items = self.query_one(SessionList)
        option = items.highlighted_option
        if option is None or option.id is None:
            return None
        known = {info.id: info for info in self._shelf.sessions} if self._shelf else {}
        return known.get(option.id) or self._said.get(option.id, (None, ""))[0]

    # -- moving and taking

    def action_take(self) -> None:
        """Open the marked session, or do what the field is for."""
        marked = self.marked
        text = self.query_one(Input).value.strip()
        match self._field:
            case Field.FILTER | Field.LIST:
                if marked is not None:
                    self._close(marked.id)
            case Field.RENAME if marked is not None:
                self._change(lambda: session_shelf.rename_session(marked.id, text), "renamed", marked.id)
            case Field.EXPORT if marked is not None:
                file = self._root / Path(text).expanduser()
                self._change(lambda: session_shelf.export_session(marked, file), f"exported to {file}", marked.id)
            case _:
                pass

    def action_close(self) -> None:
        """Back to the filter, else close."""
        if self._field in (Field.RENAME, Field.EXPORT):
            self._use(Field.FILTER)
        else:
            self._close(None)

    def action_move(self, rows: int) -> None:
        """Move the mark, over headings."""
        items = self.query_one(SessionList)
        for _ in range(abs(rows)):
            if rows > 0:
                items.action_cursor_down()
            else:
                items.action_cursor_up()

    def action_to_list(self) -> None:
        """Into the list, where letters act; from there back to the filter."""
        self._use(Field.FILTER if self._field is Field.LIST else Field.LIST)

    def action_rename_row(self) -> None:
        """Write another title."""
        if (marked := self.marked) is not None:
            self._use(Field.RENAME, marked.title)

    def action_export_row(self) -> None:
        """Write where the export goes; its name says in which form."""
        if (marked := self.marked) is not None:
            self._use(Field.EXPORT, f"decode-{marked.id}.md")

    def action_fork_row(self) -> None:
        """Copy the marked session; the copy is marked."""
        if (marked := self.marked) is not None:
            self._change(lambda: session_shelf.fork_session(marked.id).id, "forked; this is the copy")

    def action_delete_row(self) -> None:
        """Remove the marked session, once that is confirmed."""
        marked = self.marked
        if marked is None:
            return
        if marked.id == self._current:
            self._say("this session is open here; it cannot be deleted")
            return

        def then(answer: Confirmation | None) -> None:
            if answer is Confirmation.YES:
                self._change(lambda: session_shelf.delete_session(marked.id), "deleted")

        title = neutralise_line(marked.title) or marked.id
        detail = f"{marked.turns} turns in {neutralise_line(marked.workspace)}; its prompts stay in the history."
        self.app.push_screen(ConfirmScreen(f"Delete the session “{title[:60]}” for good?", detail), then)

    # -- what the widgets report

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        if self._field is Field.FILTER and event.value != self._filter:
            self._filter, self._said = event.value, {}
            self._show()
            if self._search is not None:
                self._search.stop()
            self._search = self._clock.after(QUIET_S, self._search_said)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_take()

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if event.option.id is not None:
            self._close(event.option.id)

    @on(OptionList.OptionHighlighted)
    def _marked_another(self) -> None:
        self._show_preview()
        marked = self.marked
        if marked is not None and (self._look is None or self._look.session_id != marked.id):
            self.run_worker(self._read_preview(marked), group="preview", exclusive=True)

    # -- reading

    def _reload(self, mark: str | None = None) -> None:
        self.run_worker(self._read_shelf(mark), group="shelf", exclusive=True)

    async def _read_shelf(self, mark: str | None) -> None:
        try:
            self._shelf = await asyncio.to_thread(session_shelf.read_shelf)
        except StoreError as error:
            self._shelf = Shelf()
            self._show(problem=str(error))
            return
        self._look = None
        self._show(mark=mark)

    async def _read_preview(self, marked: SessionInfo) -> None:
        try:
            self._look = await asyncio.to_thread(session_shelf.read_preview, marked)
        except StoreError as error:
            self._say(str(error))
        self._show_preview()

    def _search_said(self) -> None:
        if self._filter.strip() and self._shelf is not None and self._shelf.sessions:
            self.run_worker(self._read_said(self._filter), group="said", exclusive=True)

    async def _read_said(self, text: str) -> None:
        try:
            found = await asyncio.to_thread(session_shelf.search_shelf, text)
        except StoreError as error:
            self._say(str(error))
            return
        if text == self._filter:
            self._said = {info.id: (info, said) for info, said in found}
            marked = self.marked
            self._show(mark=marked.id if marked is not None else None)

    # -- showing

    def _use(self, field: Field, text: str | None = None) -> None:
        self._field = field
        entry, items = self.query_one(Input), self.query_one(SessionList)
        items.can_focus = field is Field.LIST
        self.query_one("#box").border_subtitle = Content(field.value)
        if field is Field.LIST:
            items.focus()
            return
        entry.value = self._filter if text is None else text
        entry.focus()
        entry.action_end()

    def _show(self, *, mark: str | None = None, problem: str = "") -> None:
        items = self.query_one(SessionList)
        items.clear_options()
        sessions = self._shelf.sessions if self._shelf is not None else ()
        found = matching(sessions, self._filter)
        groups = {
            "in this folder": [info for info in found if info.workspace == str(self._root)],
            "elsewhere": [info for info in found if info.workspace != str(self._root)],
            "said in": [info for info, _ in self._said.values() if info not in found],
        }
        ids: list[str] = []
        for name, members in groups.items():
            shown = members[: MAX_SHOWN - len(ids)]
            if shown:
                items.add_option(Option(Content.styled(name, "$muted"), disabled=True))
            items.add_options([Option(self._row(info), id=info.id) for info in shown])
            ids += [info.id for info in shown]
        rest = sum(map(len, groups.values())) - len(ids)
        if rest:
            items.add_option(Option(Content.styled(f"… and {rest:,} more", "$muted"), disabled=True))
        if not ids:
            items.add_option(Option(Content.styled(self._nothing(problem), "$muted"), disabled=True))
        else:
            items.highlighted = items.get_option_index(mark if mark in ids else ids[0])
        self._show_preview()

    def _nothing(self, problem: str) -> str:
        if problem:
            return neutralise_line(problem)
        if self._shelf is None:
            return ""
        return "nothing matches · esc" if self._filter.strip() else "no sessions yet · esc"

    def _row(self, info: SessionInfo) -> Content:
        return row(
            info,
            now=utc_now(),
            is_here=info.workspace == str(self._root),
            is_current=info.id == self._current,
            held_by=self._shelf.held.get(info.id, "") if self._shelf is not None else "",
            said=self._said.get(info.id, (info, ""))[1],
        )

    def _show_preview(self) -> None:
        marked = self.marked
        below = self.query_one("#preview", Static)
        below.display = marked is not None
        if marked is not None:
            below.update(preview(marked, self._look))

    def _say_late(self) -> None:
        if self._shelf is None and self.is_mounted:
            items = self.query_one(SessionList)
            items.clear_options()
            items.add_option(Option(Content.styled("reading the sessions…", "$muted"), disabled=True))

    def _say(self, text: str) -> None:
        self.query_one("#box").border_subtitle = Content(neutralise_line(text))

    # -- changing

    def _change(self, work: Callable[[], str | None], done: str, mark: str | None = None) -> None:
        """Change the store in a thread, read the list anew, and say what was done or why not."""

        async def change() -> None:
            try:
                made = await asyncio.to_thread(work)
            except StoreError as error:
                self._say(str(error))
                return
            self._use(Field.FILTER)
            await self._read_shelf(made or mark)
            self._say(done)

        self.run_worker(change(), group="change")

    def _close(self, result: str | None) -> None:
        if self.is_current:
            self.dismiss(result)
