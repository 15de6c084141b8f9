"""Opens settings in the person's editor, at what is wrong with them."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path

from decode_core.session import Session
from decode_core.settings.files import project_settings_file, user_settings_file
from decode_ui.external_editor import EditorError, open_file
from decode_ui.widgets.settings_bar import broken


def edit_settings(
    session: Session, suspended: AbstractContextManager[None], environ: Mapping[str, str], *, is_project: bool
) -> None:
    """Open the broken file at its line, else the person's own settings or, with `is_project`, the project's.

    What is saved is read by the watcher, like any other change. Raises EditorError.
    """
    file, line = file_to_edit(session, is_project=is_project)
    own = session.settings.values.editor
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EditorError(f"{file.parent} cannot be made: {error.strerror}.") from error
    open_file(file, line, suspended, {**environ, "VISUAL": own} if own else environ)


def file_to_edit(session: Session, *, is_project: bool) -> tuple[Path, int | None]:
    """The file that a person wants to see now, and the line."""
    if not is_project and (problems := broken(session.settings)):
        return problems[0].file, problems[0].line
    return project_settings_file(session.workspace.root) if is_project else user_settings_file(), None
