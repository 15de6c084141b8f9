"""The addons this program ships descriptors for: `addons/<key>/addon.json` (schema addon-descriptor v1)."""

import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, ValidationError, model_validator

from decode_core.plans.contract import Grant
from decode_core.plans.errors import PlanError
from decode_core.plans.events import TransportKind
from decode_core.plans.shapes import UNIQUE, Closed, Omittable, faults_of

ADDON_KEY = re.compile(r"[a-z][a-z0-9-]{0,63}")

SHIPPED = Path(__file__).parent / "addons"


class Ability(StrEnum):
    """What a host or an addon can do; all are absent until something provides them."""

    STOP_AGENT = "stop_agent"
    METER_SPEND = "meter_spend"
    METER_TOKENS = "meter_tokens"
    METER_WALL_CLOCK = "meter_wall_clock"
    CANCEL_CHILDREN = "cancel_children"
    MODEL_ROUTING = "model_routing"
    SUBAGENTS = "subagents"
    TELEMETRY = "telemetry"


class Product(Closed):
    """The product an addon drives."""

    repo: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9-]+/[A-Za-z0-9._-]+$")]
    tag: Annotated[str, StringConstraints(pattern=r"^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$")]
    interface: Omittable[Annotated[int, Field(ge=1)]] = None


_DetectPath = Annotated[str, StringConstraints(pattern=r"^(~/)?[A-Za-z0-9._][A-Za-z0-9._/-]*$")]
_InterfaceFrom = Annotated[
    str,
    StringConstraints(
        pattern=r"^(json:[A-Za-z_][A-Za-z0-9_]*|regex:.+|file-json:~/[A-Za-z0-9._/-]+#[A-Za-z_][A-Za-z0-9_]*)$"
    ),
]


class Detect(Closed):
    """How presence is seen: by a command that exits 0, or by a file."""

    command: Omittable[Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._/ -]*$", max_length=200)]] = (
        None
    )
    paths: Omittable[Annotated[tuple[_DetectPath, ...], Field(min_length=1), UNIQUE]] = None
    interface_from: Omittable[_InterfaceFrom] = None

    @model_validator(mode="after")
    def one_way(self) -> Self:
        """Exactly one of command and paths."""
        if (self.command is None) == (self.paths is None):
            raise ValueError("detect takes exactly one of command and paths")
        return self


class Descriptor(Closed):
    """What an addon is."""

    schema_url: Annotated[Literal["https://deepworkplan.com/schema/addon-descriptor/v1.json"], Field(alias="schema")]
    key: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{0,63}$")]
    product: Omittable[Product] = None
    detect: Detect
    provides_abilities: Annotated[tuple[Ability, ...], UNIQUE]
    requires_grants: Annotated[tuple[Grant, ...], UNIQUE]
    transport: Omittable[TransportKind] = None

    @model_validator(mode="after")
    def transport_delegates(self) -> Self:
        """A transport provides subagents and needs the grant for them."""
        if self.transport is not None and (
            Ability.SUBAGENTS not in self.provides_abilities or Grant.AGENT_DELEGATION not in self.requires_grants
        ):
            raise ValueError("an addon with a transport provides subagents and requires agent_delegation")
        return self


def shipped_keys(folder: Path = SHIPPED) -> list[str]:
    """The keys of all addons with a descriptor."""
    return sorted(entry.name for entry in folder.iterdir() if (entry / "addon.json").is_file())


def read_descriptor(key: object, folder: Path = SHIPPED) -> Descriptor | None:
    """The descriptor of an addon; None for a key that is none or is not shipped. Raises PlanError for a bad file."""
    if not isinstance(key, str) or ADDON_KEY.fullmatch(key) is None:
        return None
    file = folder / key / "addon.json"
    if not file.is_file():
        return None
    try:
        descriptor = Descriptor.model_validate_json(file.read_bytes())
    except ValidationError as error:
        raise PlanError(f"{file}: {'; '.join(faults_of(error))}") from None
    if descriptor.key != key:
        raise PlanError(f"{file}: describes {descriptor.key}, not {key}")
    return descriptor
