"""The catalog of a running session: last good versions, what waits, what counts at once (catalog.md §4)."""

from pathlib import Path

import pytest

from decode_core.catalog.changes import CatalogChange
from decode_core.catalog.definition import AgentDef, Layer
from decode_core.catalog.errors import UnknownAgent
from decode_core.catalog.loader import load_catalog
from decode_core.permissions.rules import RuleList
from decode_core.reloading.live_catalog import AgentFolders, LiveCatalog

TOOLS = ["read", "bash", "edit"]


def agent_text(prompt: str = "Do it.", **keys: str) -> str:
    """An agent's file, its keys with YAML as given."""
    values = {"name": "x", "description": "d", "tools": "[read]", "mode": "default", **keys}
    return f"---\n{''.join(f'{key}: {value}' + chr(10) for key, value in values.items())}---\n{prompt}\n"


class Layers:
    """Three folders and the catalog over them."""

    def __init__(self, home: Path) -> None:
        self.root = home / "project"
        self.folders = AgentFolders(home / "builtin", home / "user", self.root / ".decode" / "agents")
        for folder in (self.folders.builtin, self.folders.user, self.folders.project):
            assert folder is not None
            folder.mkdir(parents=True)

    def path(self, name: str, layer: Layer = Layer.PROJECT) -> Path:
        folder = self.folders.of(layer)
        assert folder is not None
        return folder / f"{name}.md"

    def open(self) -> LiveCatalog:
        folders = self.folders
        first = load_catalog(folders.builtin, folders.user, folders.project, known_tools=TOOLS, trusted_project=True)
        return LiveCatalog(folders, TOOLS, first, trusted_project=True)


@pytest.fixture
def layers(tmp_path: Path) -> Layers:
    return Layers(tmp_path)


def tools(live: LiveCatalog, name: str = "x") -> tuple[str, ...]:
    return live.catalog.agents[name].tools


def test_a_reload_says_what_was_added_changed_and_removed(layers: Layers) -> None:
    layers.path("x").write_text(agent_text())
    layers.path("gone").write_text(agent_text(name="gone"))
    live = layers.open()
    assert live.reload()[1] == CatalogChange()
    layers.path("x").write_text(agent_text(prompt="Other."))
    layers.path("gone").unlink()
    layers.path("new", Layer.USER).write_text(agent_text(name="new"))
    assert live.reload()[1] == CatalogChange(added=("new",), changed=("x",), removed=("gone",))


def test_loosening_waits_and_tightening_counts_at_once(layers: Layers) -> None:
    layers.path("x").write_text(agent_text(tools="[read, edit]"))
    live = layers.open()
    layers.path("x").write_text(agent_text(tools="[read, edit, bash]"))
    assert live.reload()[1] == CatalogChange(held=("x",))
    assert tools(live) == ("read", "edit")
    assert live.catalog.held["x"].tools == ("read", "edit", "bash")
    layers.path("x").write_text(agent_text(tools="[read]"))
    assert live.reload()[1] == CatalogChange(changed=("x",))
    assert (tools(live), dict(live.catalog.held)) == (("read",), {})


def test_of_a_change_that_loosens_and_tightens_the_tightening_counts_at_once(layers: Layers) -> None:
    layers.path("x").write_text(agent_text(tools="[read, edit]"))
    live = layers.open()
    layers.path("x").write_text(agent_text("New.", tools="[read, bash]", deny='["read(.env)"]'))
    for _ in range(2):
        live.reload()
        agent = live.catalog.agents["x"]
        assert (agent.tools, [rule.text for rule in agent.rules]) == (("read",), ["read(.env)"])
        assert agent.prompt == "New.\n"
        assert live.catalog.held["x"].tools == ("read", "bash")


def test_what_was_accepted_counts_and_counts_again(layers: Layers) -> None:
    """A branch switch asks once, and back again not at all."""
    main, branch = agent_text(tools="[read]"), agent_text(tools="[read, bash]")
    layers.path("x").write_text(main)
    live = layers.open()
    layers.path("x").write_text(branch)
    live.reload()
    live.accept(live.unanswered())
    live.reload()
    assert tools(live) == ("read", "bash")
    for text, expected in ((main, ("read",)), (branch, ("read", "bash")), (main, ("read",))):
        layers.path("x").write_text(text)
        live.reload()
        assert (tools(live), live.unanswered()) == (expected, ())


def test_what_was_refused_stays_held_and_is_not_asked_about_again(layers: Layers) -> None:
    layers.path("x").write_text(agent_text())
    live = layers.open()
    layers.path("x").write_text(agent_text(tools="[read, bash]"))
    live.reload()
    live.refuse(live.unanswered())
    live.reload()
    assert live.unanswered() == ()
    assert (tools(live), set(live.catalog.held)) == (("read",), {"x"})
    layers.path("x").write_text(agent_text(tools="[read, bash, edit]"))
    live.reload()
    assert [agent.tools for agent in live.unanswered()] == [("read", "bash", "edit")]


def test_a_broken_file_keeps_its_restrictions_and_gains_nothing_when_it_is_mended(layers: Layers) -> None:
    """peers.md, case 49: broken YAML must not silently drop restrictions."""
    layers.path("x").write_text(agent_text(deny='["bash(rm *)"]'))
    live = layers.open()
    layers.path("x").write_text("---\nname: [\n---\n")
    assert live.reload()[1] == CatalogChange(broken=("x",))
    assert [rule.text for rule in live.catalog.agents["x"].rules] == ["bash(rm *)"]
    layers.path("x").write_text(agent_text())
    assert live.reload()[1].held == ("x",)
    assert [rule.text for rule in live.catalog.agents["x"].rules] == ["bash(rm *)"]


@pytest.mark.parametrize("between", ["gone", "broken after it was gone"])
def test_deleting_a_file_and_writing_it_anew_gains_nothing(layers: Layers, between: str) -> None:
    file = layers.path("x", Layer.USER)
    file.write_text(agent_text(tools="[read]"))
    live = layers.open()
    file.unlink()
    live.reload()
    assert "x" not in live.catalog.agents
    if between != "gone":
        file.write_text("---\nname: [\n---\n")
        live.reload()
        assert tools(live) == ("read",)
    file.write_text(agent_text(tools="[read, bash]"))
    live.reload()
    assert tools(live) == ("read",)
    assert set(live.catalog.held) == {"x"}


def test_an_override_that_goes_away_does_not_bring_a_wider_agent_back_unasked(layers: Layers) -> None:
    layers.path("build", Layer.BUILTIN).write_text(agent_text(name="build", tools="['*']"))
    layers.path("build").write_text(agent_text(name="build", tools="[read]"))
    live = layers.open()
    layers.path("build").unlink()
    live.reload()
    assert tools(live, "build") == ("read",)
    assert live.catalog.held["build"].layer is Layer.BUILTIN


def test_a_new_agent_of_the_project_waits_and_one_of_the_persons_own_does_not(layers: Layers) -> None:
    live = layers.open()
    layers.path("theirs").write_text(agent_text(name="theirs"))
    layers.path("mine", Layer.USER).write_text(agent_text(name="mine"))
    change = live.reload()[1]
    assert (change.added, change.held) == (("mine",), ("theirs",))
    with pytest.raises(UnknownAgent, match="waits for your word"):
        live.catalog.get("theirs")


def test_a_file_that_is_broken_from_the_start_narrows_and_mending_it_asks(layers: Layers) -> None:
    layers.path("build", Layer.BUILTIN).write_text(agent_text(name="build", allow='["bash(make)"]'))
    layers.path("build", Layer.USER).write_text("---\nname: build\n---\n")
    live = layers.open()
    narrowed = live.catalog.agents["build"]
    assert (narrowed.stands_in, narrowed.rules) == (True, ())
    layers.path("build", Layer.USER).unlink()
    live.reload()
    assert live.catalog.agents["build"].rules == ()
    assert [rule.list for rule in live.catalog.held["build"].rules] == [RuleList.ALLOW]


def test_the_persons_own_version_counts_without_a_question(layers: Layers) -> None:
    layers.path("x").write_text(agent_text())
    live = layers.open()
    layers.path("x").write_text(agent_text(tools="[read, bash]"))
    written = load_catalog(None, None, layers.folders.project, known_tools=TOOLS, trusted_project=True).agents["x"]
    live.accept([written])
    assert live.reload()[1] == CatalogChange(changed=("x",))


def test_versions_are_remembered_by_value(layers: Layers) -> None:
    """A version is the same whatever the comments say, and hashing one never fails."""
    layers.path("x").write_text(agent_text(allow='["bash(make)"]', odd="1"))
    agents: set[AgentDef] = set(layers.open().catalog.agents.values())
    layers.path("x").write_text(agent_text(allow='["bash(make)"] # why', odd="1"))
    assert set(layers.open().catalog.agents.values()) == agents
