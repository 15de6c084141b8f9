"""The rows of the agents list: each file once, with its state in words."""

from dataclasses import replace
from pathlib import Path

from decode_core.catalog.definition import AgentDef, CatalogError, Layer
from decode_core.catalog.loader import Catalog
from decode_core.permissions.modes import PermissionMode
from decode_core.reloading.live_catalog import AgentFolders
from decode_ui.agents.entries import AgentState, agent_entries

FOLDERS = AgentFolders(Path("/b"), Path("/u"), Path("/p"))


def agent(name: str, layer: Layer, file: str = "") -> AgentDef:
    folder = FOLDERS.of(layer)
    assert folder is not None
    path = folder / f"{file or name}.md"
    return AgentDef(name=name, description="d", tools=(), mode=PermissionMode.PLAN, prompt="p", path=path, layer=layer)


def rows(catalog: Catalog, unsaved: dict[Path, Layer] | None = None) -> list[tuple[str, str, str]]:
    entries = agent_entries(catalog, "build", FOLDERS, unsaved)
    return [(entry.name, entry.layer.value, entry.state.value) for entry in entries]


def test_layers_in_order_and_what_is_overridden_beside_what_overrides_it() -> None:
    mine = agent("build", Layer.PROJECT)
    catalog = Catalog(agents={"build": mine, "x": agent("x", Layer.USER)}, overridden=(agent("build", Layer.BUILTIN),))
    entries = agent_entries(catalog, "build", FOLDERS)
    assert rows(catalog) == [("build", "built-in", "overridden"), ("x", "user", ""), ("build", "project", "")]
    assert [entry.is_active for entry in entries] == [False, False, True]
    assert entries[-1].overrides == "built-in"


def test_broken_files_stand_once_with_the_line_of_their_first_fault() -> None:
    good = agent("x", Layer.USER)
    errors = (CatalogError(good.path, 5, 1, "tools", "bad"), CatalogError(good.path, 9, 1, "mode", "bad"))
    catalog = Catalog(agents={"x": good}, broken={"x": errors[0]}, errors=errors)
    (entry,) = agent_entries(catalog, "x", FOLDERS)
    assert (entry.state, entry.line, entry.is_active, entry.layer) == (AgentState.BROKEN, 5, True, Layer.USER)


def test_untrusted_held_and_unsaved_files() -> None:
    held = agent("h", Layer.PROJECT)
    catalog = Catalog(held={"h": held}, untrusted=(Path("/p/t.md"),))
    assert rows(catalog) == [("t", "project", "not trusted"), ("h", "project", "not taken")]
    unsaved = {Path("/p/t.md"): Layer.PROJECT, Path("/u/new.md"): Layer.USER}
    assert rows(catalog, unsaved) == [
        ("new", "user", "not saved"),
        ("t", "project", "not saved"),
        ("h", "project", "not taken"),
    ]


def test_a_broken_file_stays_broken_while_it_is_being_mended() -> None:
    path = Path("/u/x.md")
    catalog = Catalog(errors=(CatalogError(path, 3, 1, "", "bad"),))
    assert rows(replace(catalog), {path: Layer.USER}) == [("x", "user", "broken")]
