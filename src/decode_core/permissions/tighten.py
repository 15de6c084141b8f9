"""What a guard may say against a call: ask, or deny. Nothing here loosens (permissions.md §2, step 2)."""

from dataclasses import dataclass

from decode_core.permissions.modes import PermissionOutcome


@dataclass(frozen=True)
class Tighten:
    """An objection to a call: `to` is ASK or DENY, `reason` a sentence for the person and the model."""

    to: PermissionOutcome
    reason: str

    def __post_init__(self) -> None:
        if self.to not in (PermissionOutcome.ASK, PermissionOutcome.DENY):
            raise ValueError(f"a guard can tighten to ask or deny, not to {self.to}; return None to say nothing")

    @classmethod
    def ask(cls, reason: str) -> "Tighten":
        """Ask the person, whatever mode and rules say; in dont_ask that is a denial."""
        return cls(PermissionOutcome.ASK, reason)

    @classmethod
    def deny(cls, reason: str) -> "Tighten":
        """Refuse the call."""
        return cls(PermissionOutcome.DENY, reason)

    def or_stricter(self, other: "Tighten | None") -> "Tighten":
        """The stricter of two objections; of equal ones, `other`, which came first."""
        if other is None or (self.to is PermissionOutcome.DENY and other.to is PermissionOutcome.ASK):
            return self
        return other
