"""Runs commands in the sandbox: finds what is there, prepares each call, and looks at the world after it."""

import asyncio
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from decode_core.config import cache_dir, config_dir, data_dir, state_dir
from decode_core.permissions.sandbox import probe
from decode_core.permissions.sandbox.blocked import blocked_by
from decode_core.permissions.sandbox.bubblewrap import bubblewrap_arguments, packed
from decode_core.permissions.sandbox.guarded import GuardedFinder
from decode_core.permissions.sandbox.host import OwnFolders, hidden_files, look_at_host
from decode_core.permissions.sandbox.probe import Found, Mechanism
from decode_core.permissions.sandbox.profile import (
    Access,
    Guarded,
    Host,
    Limits,
    Profile,
    ProfileKind,
    read_only_profile,
    sandboxed_environment,
    workspace_profile,
)
from decode_core.permissions.sandbox.seatbelt import seatbelt_arguments
from decode_core.permissions.sandbox.standing import SandboxMode, Standing
from decode_core.tools.guarded_state import Difference, GuardedState, State, put_back
from decode_core.tools.shell_process import Wrapped
from decode_core.workspace import Workspace

MEMORY_SHARE = 0.75
"""How much of the machine's memory one process of a command may take."""


@dataclass
class Prepared:
    """One call, ready to be run: how it is wrapped, and what was found after it."""

    profile: Profile
    wrapped: Wrapped
    differences: list[Difference] = field(default_factory=list)
    """Filled when the call is over."""

    def environment(self, environment: Mapping[str, str]) -> dict[str, str]:
        """The environment without what leads out of the sandbox."""
        return sandboxed_environment(environment, self.profile)

    def blocked(self, output: str) -> str | None:
        """What the sandbox blocked of a failed call, as a clause, or None."""
        return blocked_by(output, self.profile)


def open_sandbox(
    workspace: Workspace, folder: Path, wishes: Standing, writable: Iterable[str] = ()
) -> "CommandSandbox | None":
    """The sandbox of a session, whether or not there is one on this machine; None where the person wants none.

    `folder` is a private folder of the session (0700), `writable` are further places as the settings name them.
    """
    if wishes.mode is SandboxMode.OFF:
        return None
    own = OwnFolders(config_dir(), (data_dir(), state_dir(), cache_dir()))
    places = tuple(Path(os.path.realpath(Path(place).expanduser())) for place in writable)
    return CommandSandbox(workspace, folder, own, writable=places, network=wishes.network)


class CommandSandbox:
    """The sandbox of one session. `folder` is a private folder of the session (0700)."""

    def __init__(
        self,
        workspace: Workspace,
        folder: Path,
        own: OwnFolders,
        *,
        writable: tuple[Path, ...] = (),
        network: bool = True,
    ) -> None:
        self._workspace = workspace
        self._folder = folder
        self._own = own
        self._writable = writable
        self._network = network
        self._finder = GuardedFinder((workspace.root, *workspace.added))
        self._state = GuardedState()

    async def find(self) -> Found:
        """What makes the sandbox here, or why there is none. Looks once in a process; the first look takes a while."""
        return await asyncio.to_thread(probe.find_sandbox)

    @contextmanager
    def around(self, found: Found, kind: ProfileKind, start: Path) -> Iterator[Prepared]:
        """Prepare a call that begins in `start`; what must hold after it is looked at when the block ends.

        Raises OSError where the sandbox cannot be prepared.
        """
        roots = (self._workspace.root, *self._workspace.added)
        host = look_at_host(self._own)
        with ExitStack() as stack:
            if kind is ProfileKind.READ_ONLY:
                profile = read_only_profile(host, roots, limits=self._limits)
                yield Prepared(profile, self._wrap(found, profile, start, stack))
                return
            guarded = self._finder.find()
            before = self._state.read(guarded)
            profile = self._workspace_profile(host, guarded)
            prepared = Prepared(profile, self._wrap(found, profile, start, stack))
            try:
                yield prepared
            finally:
                prepared.differences += self._compare(guarded, before)

    def _workspace_profile(self, host: Host, guarded: Guarded) -> Profile:
        return workspace_profile(
            host,
            (self._workspace.root, *self._workspace.added),
            guarded,
            writable=[path for path in self._writable if path.is_dir()],
            network=self._network,
            limits=self._limits,
        )

    def _compare(self, guarded: Guarded, before: State) -> list[Difference]:
        after = self._state.read(guarded)
        return put_back(before, after, self._folder / "changed") if after != before else []

    def _wrap(self, found: Found, profile: Profile, start: Path, stack: ExitStack) -> Wrapped:
        program = str(found.program)
        if found.mechanism is Mechanism.SEATBELT:
            argv = (program, *seatbelt_arguments(profile))
            return Wrapped(argv, profile.limits, has_own_processes=False, must_not_be=profile.absent)
        hidden = [path for path, access in profile.places.items() if access is Access.HIDDEN]
        arguments = bubblewrap_arguments(
            profile,
            start=start,
            files=hidden_files(hidden),
            private=self._private if profile.kind is ProfileKind.WORKSPACE else None,
        )
        told = os.memfd_create("sandbox")
        stack.callback(os.close, told)
        os.write(told, packed(arguments))
        os.lseek(told, 0, os.SEEK_SET)
        argv = (program, "--args", str(told))
        return Wrapped(argv, profile.limits, True, (told,), must_not_be=profile.absent)  # noqa: FBT003 - its own processes

    @cached_property
    def _private(self) -> Path:
        """The folder that commands see as /tmp, the same one for the whole session."""
        folder = self._folder / "tmp"
        folder.mkdir(mode=0o700, exist_ok=True)
        return folder

    @cached_property
    def _limits(self) -> Limits:
        try:
            memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        except (OSError, ValueError):
            return Limits()
        return Limits(memory_kib=int(memory * MEMORY_SHARE) // 1024)
