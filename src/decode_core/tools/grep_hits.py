"""From ripgrep's events to the lines that a model reads, up to a cap. Pure."""

import base64
import binascii
import json
import os
import re
from collections.abc import Callable, Sequence
from typing import Any

MAX_LINE_CHARS = 400
"""Longer lines are shown around their first match."""

_BEFORE_MATCH = 100


class Hits:
    """Collects rows `path:line:text` (context: `path-line-text`) until there are enough."""

    def __init__(
        self, *, max_rows: int, max_bytes: int, wanted: Callable[[str], bool], shown: Callable[[str], str]
    ) -> None:
        self.rows: list[str] = []
        self.matches = 0
        self.files = 0
        self._max_rows = max_rows
        self._room = max_bytes
        self._wanted = wanted
        self._shown = shown
        self._path: str | None = None
        """The file at hand as it is shown; None where it is left out."""
        self._has_matched = False
        self._last_line = 0

    def take_file(self, record: bytes) -> bool:
        """Take one path; returns whether another fits."""
        path = os.fsdecode(record.removeprefix(b"./"))
        if self._wanted(path):
            self.files += 1
            return self._add([self._shown(path)])
        return True

    def take_event(self, record: bytes) -> bool:
        """Take one line of `rg --json`; returns whether another fits."""
        event = json.loads(record)
        data: dict[str, Any] = event["data"]
        match event["type"]:
            case "begin":
                path = os.fsdecode(_bytes(data["path"]).removeprefix(b"./"))
                self._path = self._shown(path) if self._wanted(path) else None
                self._has_matched, self._last_line = False, 0
            case "match" if self._path is not None:
                self.files += not self._has_matched
                self._has_matched = True
                self.matches += 1
                return self._add_lines(data, ":")
            case "context" if self._path is not None:
                return self._add_lines(data, "-")
        return True

    def _add_lines(self, data: dict[str, Any], sign: str) -> bool:
        raw = _bytes(data["lines"]).removesuffix(b"\n")
        first = data["line_number"] or 0
        spans: Sequence[dict[str, Any]] = data["submatches"]
        at = int(spans[0]["start"]) if spans else 0
        rows = ["--"] if self._last_line and first > self._last_line + 1 and sign == "-" else []
        for offset, line in enumerate(raw.split(b"\n")):
            text = _window(line.removesuffix(b"\r"), at)
            rows.append(f"{self._path}{sign}{first + offset}{sign}{text}")
            self._last_line = first + offset
            at = 0
        return self._add(rows)

    def _add(self, rows: list[str]) -> bool:
        self.rows += rows
        self._room -= sum(len(row.encode("utf-8", "replace")) + 1 for row in rows)
        return self._room > 0 and len(self.rows) < self._max_rows


def prefilter(glob: str) -> tuple[str, ...]:
    """Arguments that make ripgrep skip files that cannot match `glob`, without overriding ignore files as --glob would.

    Only the last part of the pattern is used; what is skipped is decided by the whole of it later.
    """
    head, _, name = glob.rpartition("/")
    if "{" in head or name in ("", "**") or not re.fullmatch(r"[\w.*?,{}+-]+", name, re.ASCII):
        return ()
    if name.count("{") != name.count("}"):
        return ()
    return (f"--type-add=wanted:{name}", "--type=wanted")


def _bytes(value: dict[str, str]) -> bytes:
    """A text of ripgrep's events: as it is, or in base64 where it is no UTF-8."""
    if "text" in value:
        return value["text"].encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(value["bytes"])
    except binascii.Error:
        return b"?"


def _window(line: bytes, at: int) -> str:
    text = line.decode("utf-8", "replace")
    if len(text) <= MAX_LINE_CHARS:
        return text
    begin = max(len(line[:at].decode("utf-8", "replace")) - _BEFORE_MATCH, 0)
    cut = text[begin : begin + MAX_LINE_CHARS]
    before, after = "…" if begin else "", "…" if begin + MAX_LINE_CHARS < len(text) else ""
    return f"{before}{cut}{after}"
