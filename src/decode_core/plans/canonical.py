"""Bytes that two programs agree on, and their digests.

Canonical bytes are JSON with sorted keys, no spaces and ASCII escapes; a contract is named by their SHA-256. Files on
disk are the same documents printed for people; their bytes are never hashed.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

Document = dict[str, Any]
"""A JSON object as it was read; numbers keep their kind, since 1 and 1.0 have different digests."""


MAX_DEPTH = 64
"""Levels of nesting; a contract has seven."""


class NotJsonError(ValueError):
    """Text that is no JSON document. The message says where."""


def canonical_bytes(document: Mapping[str, Any]) -> bytes:
    """The bytes that are hashed, and (with a newline) a journal line."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def pretty_bytes(document: Mapping[str, Any]) -> bytes:
    """A document as it lies on disk: sorted keys, two spaces, a final newline."""
    return (json.dumps(document, sort_keys=True, indent=2, allow_nan=False) + "\n").encode()


def contract_id(document: Mapping[str, Any]) -> str:
    """The identity of a contract: the bare hex SHA-256 of its canonical bytes without `contract_id` itself."""
    return hex_digest(canonical_bytes({key: value for key, value in document.items() if key != "contract_id"}))


def substance(document: Mapping[str, Any]) -> bytes:
    """What a revision must change: everything but the identity, the parent and the revision number."""
    outer = {"contract_id", "parent_contract_id", "revision"}
    return canonical_bytes({key: value for key, value in document.items() if key not in outer})


def plan_digest(markdown: Iterable[tuple[str, bytes]]) -> str:
    """The digest of the reviewed plan: its Markdown files, (name, bytes), in the order of their names."""
    return hex_digest(b"".join(content for _, content in sorted(markdown)))


def hex_digest(data: bytes) -> str:
    """SHA-256 as bare lower-case hex."""
    return hashlib.sha256(data).hexdigest()


def labelled_digest(data: bytes) -> str:
    """SHA-256 in the form delegations use: `sha256:` and 64 hex digits."""
    return f"sha256:{hex_digest(data)}"


def parse_json(data: bytes | str) -> Any:
    """Parse a JSON text in UTF-8. Raises NotJsonError, also for NaN, infinities, and nesting that is too deep."""
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
        value = json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)
    except (UnicodeDecodeError, RecursionError, ValueError) as error:
        raise NotJsonError(f"not JSON: {error}") from None
    # what can be read must also be written again, and that takes deeper calls
    if text.count("[") + text.count("{") > MAX_DEPTH and _depth(value) > MAX_DEPTH:
        raise NotJsonError(f"not JSON that is taken here: nested more than {MAX_DEPTH} levels deep")
    return value


def parse_object(data: bytes | str) -> Document:
    """Like `parse_json`, for a JSON object. Raises NotJsonError for anything else."""
    value = parse_json(data)
    if not isinstance(value, dict):
        raise NotJsonError(f"a JSON object is needed, not {_kind(value)}")
    return value


def _depth(value: Any) -> int:
    level, depth = [value], 0
    while level:
        depth += 1
        inner = [one for one in level if isinstance(one, dict | list)]
        level = [item for one in inner for item in (one.values() if isinstance(one, dict) else one)]
    return depth


def _refuse_constant(name: str) -> Any:
    raise NotJsonError(f"{name} is no JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise NotJsonError(f"the number {text} is too large")
    return number


def _kind(value: object) -> str:
    match value:
        case list():
            return "an array"
        case str():
            return "a string"
        case None:
            return "null"
        case _:
            return "a number or truth value"
