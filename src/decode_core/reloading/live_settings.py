"""The settings of a running session: read anew when files change, never looser without the person's word.

A broken file keeps its last good content and what it forbids by now. Of a change that loosens here and tightens there,
the tightening half counts at once (permissions.md §3.3, §9).
"""

import itertools
import os
import threading
from collections.abc import Collection, Hashable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from decode_core.catalog.definition import AgentDef
from decode_core.permissions.rules import RuleSource
from decode_core.reloading.watching import file_state, folder_state
from decode_core.settings.files import (
    SettingsReadError,
    project_settings_file,
    read_settings_file,
    user_settings_file,
)
from decode_core.settings.grants import GrantedRules
from decode_core.settings.layer import Layer, read_layer
from decode_core.settings.layers import Settings, carried_over, granted_layer, merge_layers, with_low_limits
from decode_core.trust.content import (
    AGENTS_FOLDER,
    MAX_FILES,
    SERVERS_FILE,
    SETTINGS_FILE,
    WHOLE_FOLDERS,
    FolderContent,
)
from decode_core.trust.folder import FolderTrust, Standing, look_at, reader_of
from decode_core.trust.loaded import LoadedContent, files_loosening, load_content
from decode_core.trust.loosening import Loosening, settings_loosening, tighter_layer
from decode_core.trust.record import TrustError, TrustRecord


@dataclass(frozen=True)
class HeldChange:
    """A version of a settings file that loosens, and waits for the person's word."""

    source: RuleSource
    file: Path
    version: Hashable
    """Tells two versions apart: the file's bytes, or the digest of everything that the folder brings."""
    loosens: tuple[Loosening, ...]
    before: str | None
    """Text of the version in force, None where there was none."""
    after: str
    content: FolderContent | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class SettingsState:
    """The settings in force, what waits for the person's word, and where the folder stands."""

    settings: Settings
    held: tuple[HeldChange, ...]
    trust: FolderTrust


class LiveSettings:
    """The settings in force. Every method may be called from any thread; `reload` reads files."""

    def __init__(self, root: Path, tool_names: Collection[str], settings: Settings, trust: FolderTrust) -> None:
        self._root = root
        self._tool_names = tuple(tool_names)
        self._lock = threading.Lock()
        self._state = SettingsState(settings, (), trust)
        self._counts = trust.counts
        nothing = FolderContent(trust.content.root, trust.content.owner)
        self._content = trust.content if trust.counts else nothing
        """What counts of the folder, as it was when it was last taken as a whole."""
        self._stamped = trust.content if trust.standing is Standing.TRUSTED else None
        """What counts because the record says so."""
        self._accepted: set[Hashable] = {_bytes(settings.layer(RuleSource.USER))}
        if trust.counts:
            self._accepted.add(_version(trust.content))
        self._refused: set[Hashable] = set()
        self._texts = {source: _text(settings.layer(source)) for source in (RuleSource.USER, RuleSource.PROJECT)}
        """The versions that were last taken as a whole, for people."""

    @property
    def state(self) -> SettingsState:
        """As of the last reload."""
        return self._state

    @property
    def counts(self) -> bool:
        """Whether what the folder brings counts, as of the last reload."""
        return self._counts

    def reload(self) -> SettingsState:
        """Read everything anew. What loosens waits in `held`, all else counts."""
        with self._lock:
            before = self._state.settings
            record = TrustRecord()
            trust = self._look(record)
            held: list[HeldChange] = []
            user = self._user(before, held)
            granted = granted_layer(GrantedRules(), project_settings_file(self._root))
            project = self._project(before, trust, granted, user, held)
            settings = merge_layers(user, project, granted, project_trusted=self._counts)
            self._state = SettingsState(settings, tuple(held), trust)
            return self._state

    def accept(self, changes: Collection[HeldChange]) -> None:
        """The person takes these versions: they count from the next reload on.

        A project's becomes a trusted content of its folder. Raises TrustError when that cannot be stored; then it
        counts for this session only.
        """
        with self._lock:
            self._accepted.update(change.version for change in changes)
            self._refused.difference_update(change.version for change in changes)
        for change in changes:
            if change.content is not None and not change.content.is_empty:
                TrustRecord().trust(change.content)

    def refuse(self, changes: Collection[HeldChange]) -> None:
        """The person does not want these versions: they stay held and are not asked about again."""
        with self._lock:
            self._refused.update(change.version for change in changes)

    def unanswered(self) -> tuple[HeldChange, ...]:
        """What is held and was not refused."""
        with self._lock:
            return tuple(change for change in self._state.held if change.version not in self._refused)

    def trust(self, content: FolderContent) -> None:
        """The person trusts the folder with just this content. Raises TrustError."""
        TrustRecord().trust(content)
        with self._lock:
            self._accepted.add(_version(content))
            self._counts, self._content, self._stamped = True, content, content

    def settle(self, project_agents: Collection[AgentDef]) -> bool:
        """Trust the folder as it stands if all of it counts already, since nothing in it loosened anything.

        `project_agents` are those in force. Judged on what was read: what changed since is not blessed. Raises
        TrustError.
        """
        with self._lock:
            state, content = self._state, self._state.trust.content
            if not self._counts or state.held or content.is_empty or content.refused or content == self._stamped:
                return False
            loaded = load_content(content, self._tool_names)
            if loaded.settings.broken or loaded.broken_agents or set(loaded.agents.values()) != set(project_agents):
                return False
            TrustRecord().trust(content)
            self._accepted.add(_version(content))
            self._content = self._stamped = content
            return True

    def brings(self) -> LoadedContent:
        """What the folder brought at the last reload, read as it would count if it were trusted."""
        return load_content(self._state.trust.content, self._tool_names)

    def vouched_agents(self) -> tuple[AgentDef, ...]:
        """The project's agents as they stand, if just this content of the folder was trusted, now or before."""
        trust = look_at(self._root)
        if trust.standing is not Standing.TRUSTED:
            return ()
        return tuple(load_content(trust.content, self._tool_names).agents.values())

    def note_own_write(self, before: bytes | None, after: bytes) -> None:
        """The session is about to change the person's own file at their word: no question about it.

        Only where what stands there counted already; what another program wrote there still waits.
        """
        with self._lock:
            if before in self._accepted:
                self._accepted.add(after)

    def folders(self) -> tuple[Path, ...]:
        """The folders whose entries make a difference."""
        below = {self._root / name for name in (".decode", AGENTS_FOLDER, *WHOLE_FOLDERS)}
        named = {(self._root / file.name).parent for file in self._state.trust.content.files}
        return (user_settings_file().parent, TrustRecord().file.parent, self._root, *sorted(below | named))

    def fingerprint(self) -> Hashable:
        """What tells two states of the files apart, without reading one."""
        root = self._root
        files = [root / SETTINGS_FILE, root / SERVERS_FILE, user_settings_file(), TrustRecord().file]
        files += [root / file.name for file in self._state.trust.content.files]
        agents = folder_state(root / AGENTS_FOLDER, lambda name: name.endswith(".md"))
        return (*(file_state(file) for file in files), agents, *(_tree_state(root / name) for name in WHOLE_FOLDERS))

    def _look(self, record: TrustRecord) -> FolderTrust:
        """Where the folder stands. It begins to count when its content was trusted, here or elsewhere, and counts no
        more when the trust in what counted was taken back."""
        trust = look_at(self._root, record)
        if trust.standing is Standing.TRUSTED:
            self._counts, self._stamped = True, trust.content
            self._accepted.add(_version(trust.content))
        elif self._stamped is not None and not trust.problem and not _is_trusted(record, self._stamped):
            self._counts, self._stamped = False, None
            self._content = FolderContent(trust.content.root, trust.content.owner)
            self._accepted.discard(_version(trust.content))
        return trust

    def _user(self, before: Settings, held: list[HeldChange]) -> Layer:
        data = _ReadOnce(user_settings_file())
        layer = read_layer(
            user_settings_file(),
            RuleSource.USER,
            project_trusted=True,
            tool_names=self._tool_names,
            read=data.read,
        )
        layer, old = carried_over(layer, before), before.layer(RuleSource.USER)
        if layer.broken:
            return layer
        loosens = () if data.data in self._accepted else settings_loosening(old, layer)
        if not loosens:
            self._accepted.add(data.data)
            self._texts[RuleSource.USER] = _text(layer)
            return layer
        before_text, after_text = self._texts[RuleSource.USER], _text(layer) or ""
        held.append(HeldChange(RuleSource.USER, user_settings_file(), data.data, loosens, before_text, after_text))
        return tighter_layer(old, layer)

    def _project(
        self, before: Settings, trust: FolderTrust, granted: Layer, user: Layer, held: list[HeldChange]
    ) -> Layer:
        content, old = trust.content, before.layer(RuleSource.PROJECT)
        file = project_settings_file(self._root)
        layer = read_layer(
            file,
            RuleSource.PROJECT,
            project_trusted=self._counts,
            granted={(rule.list, rule.text) for rule in granted.rules},
            tool_names=self._tool_names,
            read=reader_of(content),
        )
        if not self._counts:
            return layer
        layer = with_low_limits(carried_over(layer, before), user)
        accepted = _version(content) in self._accepted
        if accepted:
            self._content = content
        loosens = (*settings_loosening(old, layer), *files_loosening(self._content, content)) if not accepted else ()
        if not loosens:
            self._texts[RuleSource.PROJECT] = _text(layer)
            return layer
        before_text, after_text = self._texts[RuleSource.PROJECT], _text(layer) or ""
        held.append(HeldChange(RuleSource.PROJECT, file, _version(content), loosens, before_text, after_text, content))
        return tighter_layer(old, layer)


class _ReadOnce:
    """A file that is read once, so that the bytes that are judged are those that count."""

    def __init__(self, file: Path) -> None:
        self.data: bytes | None = None
        self._error: SettingsReadError | None = None
        try:
            self.data = read_settings_file(file)
        except SettingsReadError as error:
            self._error = error

    def read(self, _file: Path) -> bytes | None:
        if self._error is not None:
            raise self._error
        return self.data


def _is_trusted(record: TrustRecord, content: FolderContent) -> bool:
    try:
        return record.is_trusted(content)
    except TrustError:
        return False


def _version(content: FolderContent) -> str:
    return "" if content.is_empty else content.digest


def _bytes(layer: Layer) -> bytes | None:
    return None if layer.text is None else layer.text.data


def _text(layer: Layer) -> str | None:
    return None if layer.text is None else layer.text.data.decode("utf-8", errors="replace")


def _tree_state(folder: Path) -> Hashable:
    """The states of every file below a folder, up to the limit beyond which it is not trusted anyway."""
    return tuple(itertools.islice(_states_below(folder), MAX_FILES + 1))


def _states_below(folder: Path) -> Iterator[Hashable]:
    for here, _, files in os.walk(folder):
        for name in sorted(files):
            yield here, name, file_state(Path(here, name))
