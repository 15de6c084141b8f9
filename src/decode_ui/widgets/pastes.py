"""Long pastes folded to one token in the prompt, written out again when it is sent. Pure."""

import re

FOLD_LINES = 20
FOLD_BYTES = 2_048
"""A paste of more lines, or of more bytes, is folded (keys.md §11)."""

_TOKEN = re.compile(r"\[pasted [\d,]+ (?:lines|characters)(?: #\d+)?\]")


class Pastes:
    """The folded pastes of one prompt, by token."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def fold(self, text: str) -> str | None:
        """Return the token that stands for `text`, or None where it is short enough to be shown."""
        lines = text.count("\n") + 1
        if lines <= FOLD_LINES and len(text.encode(errors="replace")) <= FOLD_BYTES:
            return None
        size = f"{lines:,} lines" if lines > 1 else f"{len(text):,} characters"
        token, number = f"[pasted {size}]", 1
        while token in self._texts and self._texts[token] != text:
            number += 1
            token = f"[pasted {size} #{number}]"
        self._texts[token] = text
        return token

    def expand(self, text: str) -> str:
        """Write every token out; what only looks like one stays as it is."""
        return _TOKEN.sub(lambda found: self._texts.get(found.group(), found.group()), text)

    def token_before(self, text: str) -> str | None:
        """The token that `text` ends with, if it is one of ours."""
        return next((token for token in self._texts if text.endswith(token)), None)

    def clear(self) -> None:
        """Forget all pastes."""
        self._texts.clear()
