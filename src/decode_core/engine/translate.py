"""pydantic-ai's stream events as core events: text and thinking of one model response."""

import time

from pydantic_ai import messages as m

from decode_core.event_log import EventLog
from decode_core.events import AssistantMessage, SteeringTaken, TextDelta, ThinkingDelta


class ResponseTranslator:
    """Follows one model response: emits its deltas, and its whole text when it ends.

    The text of the first chunk stands in the part's start, not in a delta.
    """

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._text: list[str] = []
        self._thinking: list[str] = []
        self._thinking_since: float | None = None
        self._thinking_s = 0.0

    @property
    def text(self) -> str:
        """The answer text so far."""
        return "".join(self._text)

    def feed(self, event: m.AgentStreamEvent) -> None:
        """Take one event of the stream; kinds that do not concern a front end are passed over."""
        match event:
            case (
                m.PartStartEvent(part=m.TextPart(content=content))
                | m.PartDeltaEvent(delta=m.TextPartDelta(content_delta=content))
            ):
                self._end_thinking()
                if content:
                    self._text.append(content)
                    self._log.append(TextDelta(text=content))
            case m.PartStartEvent(part=m.ThinkingPart(content=content)):
                self._think(content)
            case m.PartDeltaEvent(delta=m.ThinkingPartDelta(content_delta=thought)):
                self._think(thought or "")
            case m.EnqueuedMessagesEvent():
                for text in _user_texts(event):
                    self._log.append(SteeringTaken(text=text))
            case _:
                pass

    def end(self, *, interrupted: bool = False) -> None:
        """The response is over; nothing is said of one that held neither text nor thinking."""
        self._end_thinking()
        if self._text or self._thinking:
            self._log.append(
                AssistantMessage(
                    text=self.text,
                    thinking="".join(self._thinking),
                    thinking_s=round(self._thinking_s, 1),
                    interrupted=interrupted,
                )
            )
        self._text.clear()
        self._thinking.clear()
        self._thinking_s = 0.0

    def _think(self, text: str) -> None:
        if self._thinking_since is None:
            self._thinking_since = time.monotonic()
        if text:
            self._thinking.append(text)
            self._log.append(ThinkingDelta(text=text))

    def _end_thinking(self) -> None:
        if self._thinking_since is not None:
            self._thinking_s += time.monotonic() - self._thinking_since
            self._thinking_since = None


def _user_texts(event: m.EnqueuedMessagesEvent) -> list[str]:
    return [
        part.content
        for message in event.messages
        if isinstance(message, m.ModelRequest)
        for part in message.parts
        if isinstance(part, m.UserPromptPart) and isinstance(part.content, str)
    ]
