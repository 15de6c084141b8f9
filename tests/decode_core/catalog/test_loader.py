"""Layers, trust, last good versions, and whatever else stands where an agent's file should be."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from decode_core.catalog.definition import CatalogError, Layer
from decode_core.catalog.errors import UnknownAgent
from decode_core.catalog.loader import Catalog, load_catalog, validate
from decode_core.permissions.modes import PermissionMode

AgentText = Callable[..., str]


@pytest.fixture
def layers(tmp_path: Path) -> dict[Layer, Path]:
    folders = {layer: tmp_path / layer.name.lower() for layer in Layer}
    for folder in folders.values():
        folder.mkdir()
    return folders


def load(folders: dict[Layer, Path], **how: Any) -> Catalog:
    how = {"known_tools": ["read"], "trusted_project": True, **how}
    return load_catalog(folders[Layer.BUILTIN], folders[Layer.USER], folders[Layer.PROJECT], **how)


def lines(errors: tuple[CatalogError, ...] | list[CatalogError]) -> list[str]:
    return [f"{error.path.name}:{error.line}:{error.column}: {error.problem}; {error.hint}" for error in errors]


def test_an_error_reads_as_path_line_column_problem_and_hint() -> None:
    assert str(CatalogError(Path("a/x.md"), 3, 7, "name", "the name is blank", "write one")) == (
        "a/x.md:3:7: the name is blank; write one"
    )
    assert str(CatalogError(Path("x.md"), 1, 1, "", "it is odd")) == "x.md:1:1: it is odd"


def test_a_later_layer_overrides_an_earlier_one_of_the_same_name(
    layers: dict[Layer, Path], agent_text: AgentText
) -> None:
    for layer, folder in layers.items():
        (folder / f"{layer.value}.md").write_text(agent_text(name="build", description=layer.value))
        (folder / "own.md").write_text(agent_text(name=f"only-{layer.name.lower()}"))
    catalog = load(layers)
    assert set(catalog.agents) == {"build", "only-builtin", "only-user", "only-project"}
    assert (catalog.agents["build"].layer, catalog.agents["build"].description) == (Layer.PROJECT, "project")
    assert [agent.layer for agent in catalog.overridden] == [Layer.BUILTIN, Layer.USER]
    assert not catalog.errors
    assert not catalog.broken


def test_a_project_that_is_not_trusted_is_listed_and_not_read(layers: dict[Layer, Path], agent_text: AgentText) -> None:
    (layers[Layer.BUILTIN] / "build.md").write_text(agent_text(name="build"))
    (layers[Layer.PROJECT] / "build.md").write_text(agent_text(name="build", mode="edit"))
    (layers[Layer.PROJECT] / "broken.md").write_text("nothing")
    catalog = load(layers, trusted_project=False)
    assert catalog.agents["build"].layer is Layer.BUILTIN
    assert [path.name for path in catalog.untrusted] == ["broken.md", "build.md"]
    assert not catalog.errors
    with pytest.raises(UnknownAgent, match="'broken' belongs to this folder, which is not trusted yet"):
        catalog.get("broken")


def test_two_files_of_one_layer_with_one_name_are_both_told_and_the_first_by_path_counts(
    layers: dict[Layer, Path], agent_text: AgentText
) -> None:
    user = layers[Layer.USER]
    (user / "b.md").write_text(agent_text(name="same", description="second"))
    (user / "a.md").write_text(agent_text(name="same", description="first"))
    catalog = load(layers)
    assert catalog.agents["same"].description == "first"
    assert not catalog.overridden
    assert lines(catalog.errors) == [
        "b.md:2:7: the name 'same' stands in a.md, too; a.md counts; rename one",
        "a.md:2:7: the name 'same' stands in b.md, too; this one counts; rename one",
    ]
    assert validate([user], ["read"]) == list(catalog.errors)


def test_what_is_no_readable_file_is_told_and_stops_nothing(layers: dict[Layer, Path], agent_text: AgentText) -> None:
    user = layers[Layer.USER]
    (user / "good.md").write_text(agent_text(name="good"))
    (user / "link.md").symlink_to(user.parent / "elsewhere.md")
    (user.parent / "elsewhere.md").write_text(agent_text(name="linked"))
    (user / "folder.md").mkdir()
    (user / "gone.md").symlink_to("nowhere")
    (user / "round.md").symlink_to("round.md")
    (user / "text.md").write_bytes(b"\xff\xfe")
    os.mkfifo(user / "pipe.md")
    catalog = load(layers)
    assert set(catalog.agents) == {"good", "linked"}
    assert lines(catalog.errors) == [
        "folder.md:1:1: it is a folder; an agent is a file; rename the folder",
        "gone.md:1:1: the link leads nowhere; mend or remove it",
        "pipe.md:1:1: it is not a regular file; an agent is a regular file; remove it",
        "round.md:1:1: the file cannot be read (Too many levels of symbolic links); check its rights",
        "text.md:1:1: the file is not UTF-8; save it as UTF-8",
    ]
    assert set(catalog.broken) == {"folder", "gone", "pipe", "round", "text"}
    assert validate([user], ["read"]) == list(catalog.errors)


def test_a_file_or_folder_without_rights_is_told(
    layers: dict[Layer, Path], agent_text: AgentText, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a refusal that is made up: the tests may run as root, whom no mode bits stop."""
    (layers[Layer.USER] / "secret.md").write_text(agent_text())
    really_open, really_scan = os.open, os.scandir

    def refuse_open(path: Any, *args: Any, **how: Any) -> int:
        if str(path).endswith("secret.md"):
            raise PermissionError(13, "Permission denied", str(path))
        return really_open(path, *args, **how)

    def refuse_scan(path: Any) -> Any:
        if Path(path) == layers[Layer.PROJECT]:
            raise PermissionError(13, "Permission denied", str(path))
        return really_scan(path)

    monkeypatch.setattr(os, "open", refuse_open)
    monkeypatch.setattr(os, "scandir", refuse_scan)
    for trusted in (True, False):
        assert lines(load(layers, trusted_project=trusted).errors) == [
            "secret.md:1:1: the file cannot be read (Permission denied); check its rights",
            "project:1:1: the folder cannot be read (Permission denied); check its rights",
        ]


def test_reading_a_folder_leaves_no_descriptor_open(layers: dict[Layer, Path], agent_text: AgentText) -> None:
    user = layers[Layer.USER]
    (user / "good.md").write_text(agent_text())
    (user / "folder.md").mkdir()
    os.mkfifo(user / "pipe.md")
    first = os.dup(0)
    os.close(first)
    load(layers)
    second = os.dup(0)
    os.close(second)
    assert first == second


def test_a_missing_folder_is_empty_and_a_file_in_its_place_is_told(layers: dict[Layer, Path]) -> None:
    shutil.rmtree(layers[Layer.USER])
    assert load(layers) == Catalog(agents={}, broken={})
    layers[Layer.USER].write_text("")
    assert lines(load(layers).errors) == [
        "user:1:1: it is not a folder; agents are files in a folder of this name",
    ]


@pytest.mark.parametrize("name", [".#build.md", ".build.md", "build.md~", "4913", ".build.md.swp", "build.txt", "md"])
def test_what_editors_and_others_leave_there_is_no_agent(layers: dict[Layer, Path], name: str) -> None:
    (layers[Layer.USER] / name).symlink_to("somebody@host.1234")
    assert not load(layers).errors


def test_a_name_that_is_not_utf8_is_shown_and_stops_nothing(layers: dict[Layer, Path], agent_text: AgentText) -> None:
    path = layers[Layer.USER] / os.fsdecode(b"\xff.md")
    try:
        path.write_text(agent_text(name="odd"))
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    assert load(layers).agents["odd"].path == path


def test_a_broken_file_keeps_its_last_good_version(layers: dict[Layer, Path], agent_text: AgentText) -> None:
    (layers[Layer.BUILTIN] / "build.md").write_text(agent_text(name="build"))
    mine = layers[Layer.USER] / "mine.md"
    mine.write_text(agent_text(name="build", description="mine", allow="[bash]"))
    good = load(layers)
    mine.write_text(agent_text(name="build", mode="yolo", allow="[bash, write]"))
    broken = load(layers, previous=good)
    assert broken.agents["build"] == good.agents["build"]
    assert [agent.layer for agent in broken.overridden] == [Layer.BUILTIN]
    assert broken.broken["build"].field == "mode"
    still = load(layers, previous=broken)
    assert still.agents["build"] == good.agents["build"]
    mine.write_text(agent_text(name="build", description="mended"))
    mended = load(layers, previous=still)
    assert mended.agents["build"].description == "mended"
    assert not mended.broken


def test_the_last_good_version_of_a_removed_file_is_gone(layers: dict[Layer, Path], agent_text: AgentText) -> None:
    path = layers[Layer.USER] / "mine.md"
    path.write_text(agent_text(name="mine"))
    good = load(layers)
    path.unlink()
    assert "mine" not in load(layers, previous=good).agents


def test_a_last_good_version_does_not_take_a_name_from_a_sound_file(
    layers: dict[Layer, Path], agent_text: AgentText
) -> None:
    first, second = layers[Layer.USER] / "a.md", layers[Layer.USER] / "b.md"
    first.write_text(agent_text(name="same", description="first"))
    good = load(layers)
    first.write_text("broken")
    second.write_text(agent_text(name="same", description="second"))
    assert load(layers, previous=good).agents["same"].description == "second"


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param({"mode": "yolo"}, id="one bad key"),
        pytest.param({"deny": "[bash(rm *), '(']"}, id="one bad rule"),
        pytest.param({"description": "a: b"}, id="no YAML"),
    ],
)
def test_a_broken_file_without_a_last_good_version_makes_nothing_wider(
    layers: dict[Layer, Path], agent_text: AgentText, broken: dict[str, str]
) -> None:
    """The person's stricter `build` is broken at the start: the built-in one must not simply take its place."""
    (layers[Layer.BUILTIN] / "build.md").write_text(
        agent_text(name="build", mode="edit", allow="[bash]", readonly="[bash]", ask="[task]", tools='["*"]')
    )
    strict = {"tools": "[read]", "deny": "[bash(rm *)]", **broken}
    (layers[Layer.USER] / "build.md").write_text(agent_text(name="build", **strict))
    catalog = load(layers)
    stand_in = catalog.get("build")
    assert stand_in.layer is Layer.BUILTIN
    assert stand_in.mode is PermissionMode.DEFAULT
    readable = [] if "description" in broken else ["bash(rm *)"]
    assert [rule.text for rule in stand_in.rules] == ["task", *readable]
    assert catalog.broken["build"].path.parent == layers[Layer.USER]


def test_an_agent_that_stands_in_stays_in_a_stricter_mode(layers: dict[Layer, Path], agent_text: AgentText) -> None:
    (layers[Layer.BUILTIN] / "plan.md").write_text(agent_text(name="plan", mode="plan"))
    (layers[Layer.USER] / "plan.md").write_text("")
    assert load(layers).get("plan").mode is PermissionMode.PLAN


def test_a_broken_file_beside_a_sound_one_of_its_name_takes_nothing_away(
    layers: dict[Layer, Path], agent_text: AgentText
) -> None:
    (layers[Layer.USER] / "a.md").write_text(agent_text(name="mine", mode="yolo"))
    (layers[Layer.USER] / "b.md").write_text(agent_text(name="mine", allow="[bash]"))
    assert [rule.text for rule in load(layers).get("mine").rules] == ["bash"]


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("biuld", "there is no agent 'biuld'; did you mean build?"),
        ("zzz", "there is no agent 'zzz'; there are build, plan"),
        ("x" * 9_000, f"there is no agent '{'x' * 63}…'; there are build, plan"),
    ],
)
def test_an_unknown_agent_is_one_sentence_with_a_way_out(
    layers: dict[Layer, Path], agent_text: AgentText, asked: str, sentence: str
) -> None:
    for name in ("build", "plan"):
        (layers[Layer.BUILTIN] / f"{name}.md").write_text(agent_text(name=name))
    with pytest.raises(UnknownAgent) as raised:
        load(layers).get(asked)
    assert str(raised.value) == sentence


def test_an_agent_that_is_broken_says_so_with_its_place(layers: dict[Layer, Path], agent_text: AgentText) -> None:
    (layers[Layer.USER] / "file.md").write_text(agent_text(name="mine", mode="yolo"))
    with pytest.raises(UnknownAgent, match=r"the agent 'mine' is broken: .*/file\.md:5:7: unknown mode 'yolo'"):
        load(layers).get("mine")
    with pytest.raises(UnknownAgent, match="there are none"):
        load(layers).get("other")


def test_validate_takes_files_and_folders_and_tells_what_is_not_there(
    layers: dict[Layer, Path], agent_text: AgentText
) -> None:
    user = layers[Layer.USER]
    (user / "good.md").write_text(agent_text())
    (user / "bad.md").write_text(agent_text(name="bad", mode="yolo", tools="[gerp]"))
    assert validate([user / "good.md"], ["read"]) == []
    assert [error.field for error in validate([user], [])] == ["tools", "mode"]
    assert [error.field for error in validate([user / "good.md", user / "bad.md"], [])] == ["tools", "mode"]
    assert lines(validate([user / "none.md"], [])) == ["none.md:1:1: there is no such file; check the path"]


def test_validate_knows_a_projects_agents_by_their_folder(
    tmp_path: Path, agent_text: AgentText, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, own = tmp_path / ".decode" / "agents", tmp_path / "decode" / "agents"
    for folder in (project, own):
        folder.mkdir(parents=True)
        (folder / "x.md").write_text(agent_text(mode="bypass"))
    assert validate([own], []) == []
    assert lines(validate([project], [])) == [
        "x.md:5:7: an agent of a project may not say bypass; write default or edit; the person chooses bypass",
    ]
    monkeypatch.chdir(project)
    assert len(validate([Path("x.md")], [])) == 1
