"""Whether commands run in a sandbox, and what follows from it for verdicts (permissions.md §11)."""

from dataclasses import dataclass
from enum import StrEnum


class SandboxMode(StrEnum):
    """When commands run in a sandbox (permissions.md §11)."""

    AUTO = "auto"
    """Where a probe at start succeeds."""
    REQUIRE = "require"
    """Always; bash is refused without one."""
    OFF = "off"


@dataclass(frozen=True)
class Standing:
    """What the person wants and what there is."""

    mode: SandboxMode
    mechanism: str = ""
    """What makes the sandbox, such as bubblewrap; empty: there is none."""
    why_not: str = ""
    """Why there is none, as a clause."""
    network: bool = True
    """Whether commands in it reach the network; proven ones never do."""
    auto_allow: bool = False
    """In mode edit, commands in it run unasked."""

    @property
    def is_on(self) -> bool:
        """Whether commands run in a sandbox."""
        return bool(self.mechanism) and self.mode is not SandboxMode.OFF

    @property
    def refusal(self) -> str | None:
        """Why no command may run at all, as one sentence, or None."""
        if self.is_on or self.mode is not SandboxMode.REQUIRE:
            return None
        return f"The settings require a sandbox for commands, and there is none: {self.why_not}."

    @property
    def told(self) -> str:
        """One sentence for people."""
        if self.is_on:
            network = "with the network" if self.network else "without the network"
            return f"Commands run in a sandbox ({self.mechanism}, {network})."
        why = "your settings switch it off" if self.mode is SandboxMode.OFF else self.why_not
        return f"Commands run without a sandbox: {why}."
