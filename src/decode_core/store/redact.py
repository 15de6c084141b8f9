"""Takes secrets out of what leaves the store in an export.

Found by their shape (keys of well-known services, private keys, `password = …`), and by their value where the
environment of this process holds them under a secret's name. A secret of another shape stays: an export says so.
Every expression is linear in the length of the text.
"""

import os
import re
from collections.abc import Mapping
from typing import Any

from decode_core.events import EventBase, TodoStatus

REDACTED = "[redacted]"

MIN_VALUE = 8
"""Characters from which on a value of the environment is looked for; shorter ones would hit harmless words."""


class Redactor:
    """Replaces secrets by `[redacted]`."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        known = os.environ if environment is None else environment
        values = {value for name, value in known.items() if _SECRET_NAME.search(name) and len(value) >= MIN_VALUE}
        # the longest first: a value that holds another one goes as a whole
        ordered = sorted((value for value in values if not value.startswith("/")), key=lambda it: (-len(it), it))
        self._values = re.compile("|".join(map(re.escape, ordered))) if ordered else None

    def text(self, text: str) -> str:
        """`text` without secrets."""
        if self._values is not None:
            text = self._values.sub(REDACTED, text)
        text = _without_private_keys(text)
        text = _SHAPES.sub(REDACTED, text)
        text = _BEARER.sub(rf"\1{REDACTED}", text)
        return _ASSIGNED.sub(rf"\1{REDACTED}", _USER_INFO.sub(rf"\1{REDACTED}@", text))

    def event(self, event: EventBase) -> EventBase:
        """An event without secrets: its free texts, arguments and details."""
        fields = event.model_dump(mode="json")
        return type(event).model_validate(
            {name: value if name in _NO_TEXT else self.value(value) for name, value in fields.items()}
        )

    def value(self, value: Any) -> Any:
        """A JSON value without secrets: texts by their content, and everything that stands under a secret's name."""
        match value:
            case str():
                return self.text(value)
            case dict():
                return {self.text(key): self._under(key, inner) for key, inner in value.items()}
            case list():
                return [self.value(inner) for inner in value]
            case _:
                return value

    def _under(self, key: str, value: Any) -> Any:
        if key == "status" and value in _STATES:
            return value
        return REDACTED if _SECRET_KEY.search(key) and isinstance(value, str) and value else self.value(value)


_MADE_BY_US = "type seq ts session_id turn_id call_id id question_id args_digest elapsed_ms"
_CLOSED_SETS = "kind effective_kind outcome by mode from_mode to_mode cause end level"
_NO_TEXT = frozenset(f"{_MADE_BY_US} {_CLOSED_SETS}".split())
"""Fields of events that hold no free text: with something replaced in them, they would be no event any more."""
_STATES = frozenset(state.value for state in TodoStatus)

_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)
_SECRET_KEY = re.compile(
    r"(?:^|[_-])(?:api[_-]?key|access[_-]?key|token|secret|passw(?:or)?d|authorization)$", re.IGNORECASE
)
_SHAPES = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"sk-[A-Za-z0-9_-]{16,}"  # OpenAI, Anthropic
    r"|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}"
    r"|glpat-[A-Za-z0-9_-]{16,}"
    r"|xox[abeoprs]-[A-Za-z0-9-]{10,}"  # Slack
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])"
    r"|AIza[A-Za-z0-9_-]{30,}"  # Google
    r"|(?:sk|rk|pk)_live_[A-Za-z0-9]{16,}"  # Stripe
    r"|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{40,}|hf_[A-Za-z0-9]{30,}"
    r"|eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"  # JSON web tokens
    r")"
)
_KEY_BEGINS = re.compile(r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----")
_KEY_ENDS = re.compile(r"-----END [A-Z ]{0,30}PRIVATE KEY-----")
_BEARER = re.compile(r"(\b(?:Bearer|Basic)[ \t]+)[A-Za-z0-9._~+/=-]{12,}", re.IGNORECASE)
_USER_INFO = re.compile(r"(\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@]{1,100}:)[^\s/@]{1,200}@", re.IGNORECASE)
_ASSIGNED = re.compile(
    r"((?:API_?KEY|ACCESS_?KEY|TOKEN|SECRET|PASSWORD|PASSWD)[\"']?[ \t]{0,4}[=:][ \t]{0,4}[\"']?)"
    r"[^\s\"'`,;<>\\\[]{6,}",
    re.IGNORECASE,
)


def _without_private_keys(text: str) -> str:
    """A key from its first line to its last one; one without a last line to the end of the text."""
    kept: list[str] = []
    place = 0
    while (begins := _KEY_BEGINS.search(text, place)) is not None:
        kept += text[place : begins.start()], REDACTED
        ends = _KEY_ENDS.search(text, begins.end())
        place = ends.end() if ends else len(text)
    return "".join((*kept, text[place:]))
