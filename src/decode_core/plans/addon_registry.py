"""The addon registry and the host's abilities: `.dwp/config.json` of the repository and of the person.

Fail closed: what is malformed disables what it speaks of, with one warning; it never stops a verb.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from decode_core.plans.addon_descriptors import ADDON_KEY, Ability
from decode_core.plans.canonical import Document, NotJsonError, parse_object
from decode_core.plans.durable import read_if_there, write_whole
from decode_core.plans.errors import PlanError, PlanUsageError

_VERSION = re.compile(r"v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?")
MAX_NOTE = 200
_ABSENT = object()


class ConfigSource(StrEnum):
    """Which of the two files."""

    REPOSITORY = "repository"
    USER = "user"


@dataclass(frozen=True)
class AddonEntry:
    """What the registry says of one addon."""

    enabled: bool
    source: ConfigSource
    version: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class Registry:
    """Both files together."""

    addons: Mapping[str, AddonEntry]
    host: Mapping[Ability, bool]
    warnings: tuple[str, ...] = ()

    def is_enabled(self, key: str) -> bool:
        """Whether an addon is enabled."""
        entry = self.addons.get(key)
        return entry is not None and entry.enabled


@dataclass(frozen=True)
class ConfigFile:
    """One file as it was read; `document` is None for one that is no JSON object."""

    source: ConfigSource
    document: Document | None


def config_file(folder: Path) -> Path:
    """The file under a repository's root or a home folder."""
    return folder / ".dwp" / "config.json"


def load_registry(root: Path, home: Path) -> Registry:
    """Read both files."""
    return combine(_read(config_file(root), ConfigSource.REPOSITORY), _read(config_file(home), ConfigSource.USER))


def combine(repository: ConfigFile, user: ConfigFile) -> Registry:
    """Addons: the repository's entry wins, even a malformed one (which disables). Host: the person's value wins."""
    warnings: list[str] = []
    addons: dict[str, AddonEntry] = {}
    seen: set[str] = set()
    for file in (repository, user):
        entries = _section(file, "addons", warnings)
        if entries is None:
            # what a broken repository file would have disabled is not known, so nothing is enabled
            if file.source is ConfigSource.REPOSITORY:
                break
            continue
        for key, value in entries.items():
            if key in seen:
                continue
            seen.add(key)
            entry = _entry(key, value, file.source, warnings)
            if entry is not None:
                addons[key] = entry
    host: dict[Ability, bool] = {}
    for file in (repository, user):
        for key, value in (_section(file, "host", warnings) or {}).items():
            if key in list(Ability) and isinstance(value, bool):
                host[Ability(key)] = value
            else:
                warnings.append(f"the {file.source} file: host.{key} is no ability with true or false; it is ignored")
    return Registry(addons, host, tuple(dict.fromkeys(warnings)))


def read_caps(text: str) -> dict[Ability, bool]:
    """An explicit declaration of abilities. Raises PlanError for anything but known names with true or false."""
    try:
        document = parse_object(text)
    except NotJsonError as error:
        raise PlanError(f"--caps: {error}") from None
    for key, value in document.items():
        if key not in list(Ability):
            raise PlanError(f"--caps: there is no ability {key!r}; the abilities are {', '.join(Ability)}")
        if not isinstance(value, bool):
            raise PlanError(f"--caps: {key} is true or false")
    return {Ability(key): value for key, value in document.items()}


def set_addon(folder: Path, key: str, *, enabled: bool, version: str | None = None, note: str | None = None) -> None:
    """Write an addon's entry; every other key of the file stays. Raises PlanUsageError for a file it cannot keep."""
    if ADDON_KEY.fullmatch(key) is None:
        raise PlanUsageError(f"{key!r} is no addon key; it has small letters, digits and hyphens")
    if version is not None and _VERSION.fullmatch(version) is None:
        raise PlanUsageError("a version reads vX.Y.Z")
    if note is not None and not _is_note(note):
        raise PlanUsageError(f"a note is one line of 1 to {MAX_NOTE} characters")
    extras = {"version": version, "note": note}
    _edit(folder, "addons", key, {"enabled": enabled, **{name: value for name, value in extras.items() if value}})


def set_host_ability(folder: Path, ability: Ability, *, value: bool) -> None:
    """Write whether the host has an ability. Raises PlanUsageError for a file it cannot keep."""
    _edit(folder, "host", ability.value, value)


def _edit(folder: Path, section: str, key: str, value: object) -> None:
    file = config_file(folder)
    if file.is_symlink() or file.parent.is_symlink():
        raise PlanUsageError(f"{file} is a link; decode does not write through it")
    try:
        data = read_if_there(file)
        document = {} if data is None else parse_object(data)
    except (NotJsonError, PlanError) as error:
        raise PlanUsageError(f"{file}: {error}; mend it first") from None
    entries = document.setdefault(section, {})
    if not isinstance(entries, dict):
        raise PlanUsageError(f"{file}: {section} is no object; mend it first")
    entries[key] = value
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, _printed(document))


def _printed(document: Document) -> bytes:
    # the order of a person's file is kept
    return (json.dumps(document, indent=2) + "\n").encode()


def _read(file: Path, source: ConfigSource) -> ConfigFile:
    try:
        data = read_if_there(file)
        return ConfigFile(source, {} if data is None else parse_object(data))
    except (NotJsonError, PlanError):
        return ConfigFile(source, None)


def _section(file: ConfigFile, name: str, warnings: list[str]) -> dict[str, Any] | None:
    if file.document is None:
        warnings.append(f"the {file.source} file .dwp/config.json is no JSON object; what it says is off")
        return None
    section = file.document.get(name, {})
    if not isinstance(section, dict):
        warnings.append(f"the {file.source} file: {name} is no object; it is off")
        return None
    return section


def _entry(key: str, value: object, source: ConfigSource, warnings: list[str]) -> AddonEntry | None:
    if ADDON_KEY.fullmatch(key) and isinstance(value, dict) and set(value) <= {"enabled", "version", "note"}:
        enabled, version, note = value.get("enabled"), value.get("version", _ABSENT), value.get("note", _ABSENT)
        good_version = version is _ABSENT or (isinstance(version, str) and _VERSION.fullmatch(version))
        good_note = note is _ABSENT or (isinstance(note, str) and _is_note(note))
        if isinstance(enabled, bool) and good_version and good_note:
            return AddonEntry(enabled, source, value.get("version"), value.get("note"))
    warnings.append(f"the {source} file: the entry of addon {key!r} is malformed; the addon is off")
    return None


def _is_note(note: str) -> bool:
    return 1 <= len(note) <= MAX_NOTE and "\n" not in note and "\r" not in note
