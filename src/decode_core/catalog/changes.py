"""What a reload of the catalog changed (catalog.md §4). Pure."""

from dataclasses import dataclass

from decode_core.catalog.loader import Catalog


@dataclass(frozen=True)
class CatalogChange:
    """Names of agents that came, changed or went, and of those whose file is newly broken or broken otherwise."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    """Names of agents of which a version that allows more now waits for the person."""


def compare(before: Catalog, after: Catalog) -> CatalogChange:
    """What is different in the agents in force, and in what is broken."""
    old, new = before.agents, after.agents
    return CatalogChange(
        added=tuple(name for name in new if name not in old),
        changed=tuple(name for name in new if name in old and new[name] != old[name]),
        removed=tuple(name for name in old if name not in new),
        broken=tuple(name for name, error in after.broken.items() if before.broken.get(name) != error),
        held=tuple(name for name, agent in after.held.items() if before.held.get(name) != agent),
    )
