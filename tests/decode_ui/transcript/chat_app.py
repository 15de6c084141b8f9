"""A small application with nothing but a transcript, for the tests of this folder."""

import asyncio
from collections.abc import Awaitable, Callable

from textual.app import App, ComposeResult
from textual.message import Message
from textual.pilot import Pilot

from decode_ui.theme import DARK
from decode_ui.transcript.entry import AnswerEntry, CallState, Entry, NoteEntry, ThinkingEntry, ToolEntry, UserEntry
from decode_ui.transcript.view import Transcript

Steps = Callable[[Pilot[None], Transcript], Awaitable[None]]


class ChatApp(App[None]):
    """Shows a transcript and keeps what it asks for in `asked`."""

    CSS = "Screen { background: $background; }"

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Message] = []

    def compose(self) -> ComposeResult:
        yield Transcript()

    def on_mount(self) -> None:
        self.register_theme(DARK)
        self.theme = "decode"

    def on_transcript_copy_requested(self, message: Transcript.CopyRequested) -> None:
        self.asked.append(message)

    def on_transcript_code_choice_requested(self, message: Transcript.CodeChoiceRequested) -> None:
        self.asked.append(message)

    def on_transcript_search_requested(self, message: Transcript.SearchRequested) -> None:
        self.asked.append(message)

    def on_transcript_requested(self, message: Transcript.Requested) -> None:
        self.asked.append(message)


def run(steps: Steps, size: tuple[int, int] = (60, 20)) -> ChatApp:
    """Run `steps` in the application at a terminal size, and return the application."""
    app = ChatApp()

    async def session() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await steps(pilot, app.query_one(Transcript))

    asyncio.run(session())
    return app


async def swap(pilot: Pilot[None], old: Transcript, new: Transcript) -> None:
    """Put `new` in the place of `old`, and wait until it was laid out."""
    await old.remove()
    await pilot.app.mount(new)
    while not new.plan.width:
        await pilot.pause()


def view(chat: Transcript) -> list[str]:
    """Return the lines in view as text."""
    return [chat.render_line(y).text.rstrip() for y in range(chat.size.height)]


def conversation(turns: int) -> list[Entry]:
    """Return `turns` turns of different length, five entries each."""
    entries: list[Entry] = []
    for turn in range(turns):
        entries += [
            UserEntry(f"question {turn}"),
            ThinkingEntry("hm", 2),
            ToolEntry(f"call {turn}", "read", f"file{turn}.py", CallState.OK, "84 lines", 2, "allowed: read-only"),
            AnswerEntry(f"answer {turn}\n\n" + "\n\n".join(f"- point {n} of {turn}" for n in range(turn % 7))),
            NoteEntry(f"turn {turn} ended"),
        ]
    return entries
