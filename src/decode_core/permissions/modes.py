"""Modes, kinds and outcomes: the vocabulary of every verdict (permissions.md §1)."""

from enum import StrEnum


class PermissionMode(StrEnum):
    """What the person lets the agent do without asking."""

    DEFAULT = "default"
    PLAN = "plan"
    EDIT = "edit"
    DONT_ASK = "dont_ask"
    BYPASS = "bypass"

    @classmethod
    def parse(cls, text: str) -> "PermissionMode":
        """Read a mode by its name or by an alias that other tools use (`acceptEdits`, `dontAsk`).

        Raises ValueError with one sentence that lists the valid names.
        """
        name = _ALIASES.get(text, text)
        try:
            return cls(name)
        except ValueError:
            raise ValueError(f"unknown mode {text!r}; the modes are {', '.join(cls)}") from None

    def next_in_cycle(self) -> "PermissionMode":
        """The mode after one Shift+Tab: default → edit → plan → bypass → default. `dont_ask` goes to default."""
        if self not in CYCLE:
            return PermissionMode.DEFAULT
        return CYCLE[(CYCLE.index(self) + 1) % len(CYCLE)]

    @property
    def strictness(self) -> int:
        """Position from strict to loose: plan 0, dont_ask 1, default 2, edit 3, bypass 4.

        The source orders plan < default < edit < bypass; `dont_ask` runs whatever default runs unasked and refuses the
        rest, so it stands just below default.
        """
        return _STRICTNESS[self]

    def loosens(self, other: "PermissionMode") -> bool:
        """Whether a change from `other` to this mode lets more calls run."""
        return self.strictness > other.strictness


class ToolKind(StrEnum):
    """What a call of a tool can do. The kind belongs to the tool, never to its name."""

    READ_ONLY = "read_only"
    FILE_EDIT = "file_edit"
    OTHER = "other"
    CONTROL = "control"


class PermissionOutcome(StrEnum):
    """A verdict: `not_found` and `invalid` are for calls that never reach the rules."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"
    NOT_FOUND = "not_found"
    INVALID = "invalid"


class DecidedBy(StrEnum):
    """Which step of permissions.md §2 settled a verdict."""

    REGISTRY = "registry"
    ARGUMENTS = "arguments"
    HOOK = "hook"
    GUARD = "guard"
    RULE = "rule"
    PLAN_CEILING = "plan_ceiling"
    PROTECTED = "protected"
    POLICY = "policy"
    MODE = "mode"
    REMEMBERED = "remembered"
    DEGRADED = "degraded"
    SANDBOX = "sandbox"
    HUMAN = "human"


CYCLE = (PermissionMode.DEFAULT, PermissionMode.EDIT, PermissionMode.PLAN, PermissionMode.BYPASS)

_ALIASES = {"acceptEdits": "edit", "dontAsk": "dont_ask"}
_STRICTNESS = {
    PermissionMode.PLAN: 0,
    PermissionMode.DONT_ASK: 1,
    PermissionMode.DEFAULT: 2,
    PermissionMode.EDIT: 3,
    PermissionMode.BYPASS: 4,
}
