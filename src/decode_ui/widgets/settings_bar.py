"""The red bar above the prompt: a settings file is broken (permissions.md §3.3). It stays until the file is mended."""

from pathlib import Path

from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from decode_core.neutral import neutralise_line
from decode_core.permissions.rules import RuleSource
from decode_core.settings.layers import Settings
from decode_core.settings.problems import SettingsProblem

MEANS = "everything but reads asks"
WAY = "^O b opens it"


class SettingsBar(Widget):
    """One line: file and line of the first fault, what it means, and the key that opens the file there."""

    class Clicked(Message):
        """The person wants the file."""

    DEFAULT_CSS = """
    SettingsBar { height: 1; }
    """

    def __init__(self, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._settings = Settings()

    def show(self, settings: Settings) -> None:
        """Say what is broken; nothing where all is sound."""
        if settings is not self._settings:
            self._settings = settings
            self.display = bool(broken(settings))
            self.refresh()

    def render(self) -> Content:
        """As much as fits the line."""
        problems = broken(self._settings)
        if not problems:
            return Content()
        return told(problems, degraded=self._settings.is_degraded, room=self.content_size.width)

    def on_click(self) -> None:
        """A click opens the file, as the key does."""
        self.post_message(self.Clicked())


def broken(settings: Settings) -> tuple[SettingsProblem, ...]:
    """Faults of files that are broken, also of one that does not count since its folder is not trusted."""
    return settings.degraded or settings.layer(RuleSource.PROJECT).broken


def told(problems: tuple[SettingsProblem, ...], *, degraded: bool, room: int) -> Content:
    """The bar's line: as much as fits, place and way always. Pure."""
    first = problems[0]
    line = "" if first.line is None else f":{first.line}"
    name = _short(first.file)
    means = MEANS if degraded else "of a folder that is not trusted"
    more = f" (+{len(problems) - 1})" if len(problems) > 1 else ""
    full = [f"{name}{line}: {first.sentence}{more}", means, WAY]
    for parts in (full, [f"{name}{line} is broken{more}", means, WAY], [f"{first.file.name}{line} is broken", WAY]):
        content = Content.assemble(("settings  ", "bold"), " · ".join(neutralise_line(part) for part in parts))
        if content.cell_length <= room:
            return content
    return Content.assemble((neutralise_line(f"{first.file.name}{line} broken · {WAY}"), "bold"))


def _short(file: Path) -> str:
    home = Path.home()
    if file.parent.name == ".decode":
        return f".decode/{file.name}"
    return f"~/{file.relative_to(home).as_posix()}" if home in file.parents else str(file)
