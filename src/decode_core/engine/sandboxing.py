"""The sandbox in a session: looked for once, told, and what its walls mean for later verdicts (permissions.md §11)."""

from dataclasses import replace
from typing import TYPE_CHECKING

from decode_core.events import NoticeLevel, NoticeRaised
from decode_core.permissions.modes import PermissionMode
from decode_core.permissions.request import PermissionRequest, SubjectKind
from decode_core.permissions.sandbox.standing import SandboxMode, Standing
from decode_core.state import SessionState

if TYPE_CHECKING:
    from decode_core.tools.shell_sandbox import CommandSandbox

OFFER_AFTER = 5
"""So many approvals of commands that the sandbox holds anyway, and `sandbox.auto_allow` is offered, once."""

LOST_PROOF = "the sandbox has blocked it in this session"


class Sandboxing:
    """What one session knows of its sandbox. `wanted` are the person's wishes; `sandbox` None: never use one."""

    def __init__(self, sandbox: "CommandSandbox | None", wanted: Standing, state: SessionState) -> None:
        self.sandbox = sandbox
        self._wanted = wanted
        self._state = state
        self._is_told = False
        self._lost_proofs: set[str] = set()
        self._approvals = 0

    async def look(self) -> Standing:
        """Find out, the first time, whether there is one; from then on the gate knows."""
        if (known := self._state.gate.sandbox) is not None:
            return known
        standing = self._wanted
        if self.sandbox is not None:
            found = await self.sandbox.find()
            standing = found.under(standing)
        self._state.gate.sandbox = standing
        return standing

    async def before_command(self) -> None:
        """Look, and tell the person before the first command that there is none."""
        standing = await self.look()
        if self._is_told:
            return
        self._is_told = True
        if not standing.is_on and standing.mode is SandboxMode.AUTO:
            hint = "what git would run is not proven to be harmless, so it asks; decode doctor says more"
            self._state.log.append(NoticeRaised(level=NoticeLevel.INFO, text=standing.told, hint=hint))

    def as_known(self, request: PermissionRequest) -> PermissionRequest:
        """The request without its proof, where the sandbox has shown that it does more than read."""
        if request.subject not in self._lost_proofs or request.shell is None:
            return request
        return replace(request, shell=replace(request.shell, unproven=(LOST_PROOF,) * len(request.shell.unproven)))

    def note_blocked(self, request: PermissionRequest) -> None:
        """The sandbox has blocked a call: a proof that said it only reads was wrong."""
        if request.is_hardened:
            self._lost_proofs.add(request.subject)

    def note_approval(self, request: PermissionRequest) -> None:
        """The person approved a call. After some that the sandbox would hold, say once that they need not ask."""
        standing, gate = self._state.gate.sandbox, self._state.gate
        if request.subject_kind is not SubjectKind.COMMAND or standing is None or standing.auto_allow:
            return
        if gate.mode is not PermissionMode.EDIT or not gate.would_leave_to_sandbox(request):
            return
        self._approvals += 1
        if self._approvals == OFFER_AFTER:
            text = "In mode edit, commands that the sandbox holds can run unasked."
            hint = "decode settings set sandbox.auto_allow true"
            self._state.log.append(NoticeRaised(level=NoticeLevel.INFO, text=text, hint=hint))
