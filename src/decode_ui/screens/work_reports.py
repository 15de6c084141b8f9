"""What the work screen tells or writes at a command: cost, the machine, an export, settings, files in an editor."""

import asyncio
import os
from abc import abstractmethod
from pathlib import Path

from textual.content import Content

from decode_core.events import NoticeLevel, NoticeRaised, ShellLineStarted, TurnStarted, UsageUpdated
from decode_core.neutral import neutralise_line
from decode_ui.external_editor import EditorError, open_file
from decode_ui.screens.reader import ReaderScreen
from decode_ui.screens.work_prompt import WorkPrompt
from decode_ui.theme import SHORT_NAMES, theme_name
from decode_ui.widgets.toasts import ToastKind, Toasts


class WorkReports(WorkPrompt, inherit_bindings=False):
    """Answers the commands that show or write something and change nothing of the session."""

    @abstractmethod
    def report(self, sentence: str) -> None:
        """Say in the chat what could not be done."""

    def show_cost(self) -> None:
        """Tokens and cost so far."""
        usage = self.session.usage
        if usage is None:
            self.tell("no request was made yet")
        else:
            self.app.push_screen(ReaderScreen("Cost", cost_lines(usage, self.session.model_label)))

    def show_notices(self) -> None:
        """Every notice of the session, the newest first."""
        notices = [event for event in self.session.events if isinstance(event, NoticeRaised)]
        lines = [line for notice in reversed(notices) for line in notice_lines(notice)]
        self.app.push_screen(ReaderScreen("Notices", lines or [Content.styled("no notices so far", "$muted")]))

    async def show_doctor(self) -> None:
        """What `decode doctor` finds."""
        from decode_ui.headless.doctor import examine

        findings = await asyncio.to_thread(lambda: list(examine(self.session.workspace)))
        width = max(len(finding.name) for finding in findings)
        lines = [
            Content.assemble(
                (f"{finding.health:<5}", "$warning" if finding.health == "warn" else "$muted"),
                (f"{finding.name:<{width + 2}}", "bold"),
                neutralise_line(finding.text),
            )
            for finding in findings
        ]
        self.app.push_screen(ReaderScreen("Doctor", lines))

    async def export_session(self, name: str) -> None:
        """Write the session to a file; without a name, Markdown in the workspace under a name that is free."""
        if not any(isinstance(event, TurnStarted | ShellLineStarted) for event in self.session.events):
            self.report("Not exported: nothing was sent in this session yet.")
            return
        root = self.session.workspace.root
        file = self.session.workspace.absolute(name) if name else free_name(root, f"decode-{self.session.id}", ".md")
        try:
            events = await asyncio.to_thread(write_session, self.session.id, file)
        except ExportError as error:
            self.report(f"Not exported: {error}")
            return
        self.query_one(Toasts).add(
            ToastKind.DONE, f"{events} events written to {self.session.workspace.relative(file)}, secrets redacted"
        )

    def choose_theme(self, name: str) -> None:
        """Put a theme on and keep it in the person's settings."""
        if not name:
            from decode_ui.screens.theme_picker import ThemePicker

            self.app.push_screen(ThemePicker(self.app.theme), lambda key: self.choose_theme(key) if key else None)
            return
        theme = theme_name(name)
        if theme is None:
            self.report(f"There is no theme {name[:40]!r}; there are {', '.join(SHORT_NAMES)}.")
            return
        self.app.theme = theme
        self.run_worker(self._keep_theme(name), group="settings")

    async def _keep_theme(self, name: str) -> None:
        from decode_core.settings.files import user_settings_file
        from decode_core.settings.replace import SettingsWriteError
        from decode_core.settings.writing import set_value

        try:
            await asyncio.to_thread(set_value, user_settings_file(), ("theme",), name)
        except SettingsWriteError as error:
            self.report(f"The theme holds for this session only: {error}.")

    def open_settings(self, *, is_project: bool = False) -> None:
        """Open the file that is broken, at its line, else the person's own or the project's settings."""
        from decode_ui.settings_editing import edit_settings

        try:
            edit_settings(self.session, self.app.suspend(), os.environ, is_project=is_project)
        except EditorError as error:
            self.report(str(error))

    def open_in_editor(self, path: str, line: int | None = None) -> None:
        """A file of the workspace in the person's editor."""
        file = self.session.workspace.absolute(path) if path and "\0" not in path else None
        if file is None or not file.is_file():
            self.tell("there is no file here to open")
        else:
            try:
                open_file(file, line, self.app.suspend(), os.environ)
            except EditorError as error:
                self.report(str(error))


class ExportError(Exception):
    """A session was not written. The message is one sentence for the person."""


def write_session(session_id: str, file: Path) -> int:
    """Write a stored session in the form that the file's name says; returns how many events it has.

    Raises ExportError. Blocks: not for the thread of the interface.
    """
    from decode_core.store.database import Database
    from decode_core.store.export import export, form_of, write_export
    from decode_core.store.faults import StoreError
    from decode_core.store.records import Records
    from decode_core.store.sessions import Sessions

    try:
        database = Database.open()
        try:
            exported = export(Records(database), Sessions(database).find(session_id), form_of(file))
        finally:
            database.close()
        write_export(exported, file)
    except StoreError as error:
        raise ExportError(f"{error}.") from error
    return exported.events


def notice_lines(notice: NoticeRaised) -> list[Content]:
    """A notice with its time and its way out."""
    colour = {NoticeLevel.ERROR: "$error", NoticeLevel.WARNING: "$warning"}.get(notice.level, "$muted")
    head = Content.assemble(
        (f"{notice.ts:%H:%M:%S}  ", "$muted"), (f"{notice.level:<8}", colour), neutralise_line(notice.text)
    )
    return [head, Content.styled(f"{'':18}{neutralise_line(notice.hint)}", "$muted")] if notice.hint else [head]


def cost_lines(usage: UsageUpdated, model: str) -> list[Content]:
    """Requests, tokens, context and cost as lines; what is not known says so."""
    context = f"{usage.context_tokens:,}"
    if usage.context_window:
        context += f" of {usage.context_window:,} ({100 * usage.context_tokens // usage.context_window} %)"
    rows = (
        ("model", neutralise_line(model)),
        ("requests", f"{usage.requests:,}"),
        ("tokens read", f"{usage.input_tokens:,}"),
        ("tokens written", f"{usage.output_tokens:,}"),
        ("context", context),
        ("cost", f"${usage.cost:.4f}" if usage.cost is not None else "unknown for this model"),
    )
    return [Content.assemble((f"{name:<16}", "$muted"), value) for name, value in rows]


def free_name(folder: Path, stem: str, suffix: str) -> Path:
    """A name in a folder that nothing has yet."""
    names = (f"{stem}{suffix}", *(f"{stem}-{number}{suffix}" for number in range(2, 1_000)))
    return next((folder / name for name in names if not os.path.lexists(folder / name)), folder / f"{stem}{suffix}")
