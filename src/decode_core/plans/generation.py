"""The two generations of a plan. Only the schema URLs decide, and a plan never changes its generation."""

from enum import StrEnum

_BASE = "https://deepworkplan.com/schema"

SNAPSHOT_SCHEMA = f"{_BASE}/plan-snapshot/v6.json"
"""The projection kept its URL when the seventh generation came."""


class Generation(StrEnum):
    """A generation of the format."""

    V6 = "v6"
    V7 = "v7"
    """Adds `parallel_safe` and the delegation event, and nothing else."""

    @property
    def contract_schema(self) -> str:
        """The URL a contract of this generation carries."""
        return f"{_BASE}/plan-contract/{self.value}.json"

    @property
    def manifest_schema(self) -> str:
        """The URL a manifest of this generation carries."""
        return f"{_BASE}/plan-manifest/{self.value}.json"

    @property
    def event_schema(self) -> str:
        """The URL every journal event of this generation carries."""
        return f"{_BASE}/journal-event/{self.value}.json"

    @property
    def helper(self) -> str:
        """The identity under which a ledger writes its own events; part of the format, so it names the format."""
        return "dwp-ledger/6.0" if self is Generation.V6 else "dwp-ledger/7.0"


def generation_of_contract(schema: object) -> Generation | None:
    """The generation of a contract with this `schema` value, or None."""
    return next((one for one in Generation if schema == one.contract_schema), None)


def generation_of_event(schema: object) -> Generation | None:
    """The generation of a journal event with this `schema` value, or None."""
    return next((one for one in Generation if schema == one.event_schema), None)


def generation_of_manifest(schema: object) -> Generation | None:
    """The generation of a manifest with this `schema` value, or None."""
    return next((one for one in Generation if schema == one.manifest_schema), None)
