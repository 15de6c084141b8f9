"""The prompt on the work screen: what is sent, queued, completed and found again (keys.md §6.3 and §7.1)."""

from abc import abstractmethod

from textual import events, on
from textual.content import Content
from textual.widgets import OptionList, TextArea

from decode_core.session import Session
from decode_ui.clock import Clock
from decode_ui.draft_keeper import DraftKeeper
from decode_ui.file_finder import FileFinder
from decode_ui.guard import KeyGuard
from decode_ui.pane_sizes import PaneMemory
from decode_ui.screens.work_panes import WorkPanes
from decode_ui.teaching import Teacher
from decode_ui.widgets.completer import Completer
from decode_ui.widgets.completion_list import CompletionList
from decode_ui.widgets.history_search import HistorySearch
from decode_ui.widgets.prompt import Prompt


class WorkPrompt(WorkPanes, inherit_bindings=False):
    """Answers what the prompt posts; `WorkActs` runs what was sent."""

    def __init__(self, session: Session, guard: KeyGuard, clock: Clock, teacher: Teacher, memory: PaneMemory) -> None:
        super().__init__(session, guard, clock, teacher, memory)
        self.finder = FileFinder(session.workspace, clock)
        self.drafts = DraftKeeper(
            session, clock, lambda work: self.run_worker(work, group="draft", exit_on_error=False), self._draft_kept
        )
        self._draft_is_read = False

    @abstractmethod
    def send(self, text: str, *, is_typed: bool) -> None:
        """Run a command, steer the running turn, or start one."""

    def complete_prompt(self) -> None:
        """Let words of the prompt be completed."""
        rows = self.query_one("#completions", CompletionList)
        self.prompt.completer = Completer(self.prompt, rows, self.finder, self.clock)

    @property
    def completion_open(self) -> bool:
        """Whether completions are shown."""
        return self.prompt.completer is not None and self.prompt.completer.is_open

    def close_completion(self) -> None:
        """Take the completions away; the text stays."""
        if self.prompt.completer is not None:
            self.prompt.completer.close()

    @on(OptionList.OptionSelected, "#completions")
    def _take_completion(self, event: OptionList.OptionSelected) -> None:
        if self.prompt.completer is not None:
            self.prompt.completer.take_row(event.option.id)

    @on(OptionList.OptionSelected, "#older")
    def _take_older(self) -> None:
        self.query_one(HistorySearch).action_take()

    @property
    def history_open(self) -> bool:
        """Whether older prompts are searched."""
        return self.query_one(HistorySearch).is_open

    async def recall_typed(self, prompt: Prompt) -> None:
        """Bring prompts and draft of earlier sessions back; from now on the draft is kept as it is written."""
        prompt.recall(*await self.session.typed_before())
        self.drafts.stands(prompt.full_text)
        self._draft_is_read = True

    @on(TextArea.Changed, "#prompt")
    def _draft_changed(self) -> None:
        if self._draft_is_read:
            self.drafts.changed(self.prompt.full_text)

    def _draft_kept(self, kept: bool) -> None:  # noqa: FBT001 - the answer to one question
        frame = self.query_one("#prompt-frame")
        frame.border_subtitle = None if kept else Content("draft not saved")

    @on(Prompt.LeadChanged)
    def _lead_changed(self) -> None:
        self.show_state()

    @on(Prompt.SearchRequested)
    def open_history(self) -> None:
        """Search older prompts in the place of the prompt."""
        if self.prompt.completer is not None:
            self.prompt.completer.forget()
        self.query_one("#prompt-frame").add_class("-searching")
        self.query_one(HistorySearch).open(self.prompt.sent_before)

    def close_history(self) -> None:
        """Back to the prompt, its text as before."""
        self.query_one("#prompt-frame").remove_class("-searching")
        self.query_one(HistorySearch).close()
        self.prompt.focus()

    @on(Prompt.Sent)
    def _sent(self, event: Prompt.Sent) -> None:
        self.send(event.text, is_typed=event.is_typed)

    def on_key(self, event: events.Key) -> None:
        """A letter without a meaning in the chat says so; a list pane says it by itself."""
        in_chat = self.focused is self.transcript
        if in_chat and event.is_printable and not self.active_bindings.get(event.key):
            self.tell("no such key here · ? keys")

    @on(Prompt.SentEmpty)
    def _sent_empty(self) -> None:
        if self.desk.waits:
            self.desk.open()

    @on(Prompt.Queued)
    def _queue(self, event: Prompt.Queued) -> None:
        if event.is_typed:
            self.send(event.text, is_typed=True)
            return
        self.session.queue(event.text)
        self.show_state()

    @on(HistorySearch.Taken)
    def _take_old_prompt(self, event: HistorySearch.Taken) -> None:
        self.close_history()
        self.prompt.put(event.text, is_typed=True)

    @on(Prompt.Unqueue)
    def _unqueue(self) -> None:
        text = self.session.unqueue()
        if text is None:
            self.prompt.show_older()
        else:
            self.prompt.put(text)
            self.show_state()

    @on(Prompt.ScrollChat)
    def _scroll_chat(self, event: Prompt.ScrollChat) -> None:
        match event.way:
            case "up":
                self.transcript.action_page_up()
            case "down":
                self.transcript.action_page_down()
            case _:
                self.transcript.action_scroll_end()

    @on(Prompt.Said)
    def _said_in_prompt(self, event: Prompt.Said) -> None:
        self.tell(event.text)

    @on(Prompt.Remembered)
    def _remember(self, event: Prompt.Remembered) -> None:
        self.session.remember_prompt(event.text)

    @on(Prompt.HelpRequested)
    def _help(self) -> None:
        self.action_help()
