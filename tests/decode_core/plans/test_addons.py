"""Addons: descriptors, the registry of two files, detection on the machine, and the abilities that come of it."""

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from decode_core.plans.addon_descriptors import Ability, read_descriptor, shipped_keys
from decode_core.plans.addon_detection import (
    Detection,
    effective_abilities,
    find_program,
    machine_probe,
    read_interface,
)
from decode_core.plans.addon_registry import (
    ConfigFile,
    ConfigSource,
    combine,
    config_file,
    load_registry,
    set_addon,
    set_host_ability,
)
from decode_core.plans.errors import ExitCode, PlanError, PlanUsageError
from plan_bench import Document, absent, present, schema_faults


def registry_of(repository: Document | None, user: Document | None = None) -> Any:
    return combine(ConfigFile(ConfigSource.REPOSITORY, repository), ConfigFile(ConfigSource.USER, user or {}))


def program(folder: Path, name: str, body: str) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(0o755)
    return file


def test_every_descriptor_that_is_shipped_is_valid_and_delegates() -> None:
    assert shipped_keys() == ["agentkit", "decode", "herdr", "tmux"]
    for key in shipped_keys():
        descriptor = read_descriptor(key)
        assert descriptor is not None
        assert Ability.SUBAGENTS in descriptor.provides_abilities
        document = descriptor.model_dump(mode="json", by_alias=True, exclude_unset=True)
        assert schema_faults("addon-descriptor-v1", document) == []


@pytest.mark.parametrize("key", ["", "../agentkit", "Agentkit", "agentkit/", "none-such", None, 1])
def test_a_key_that_is_none_opens_no_file(key: object) -> None:
    assert read_descriptor(key) is None


@pytest.mark.parametrize(
    "change",
    [
        {"key": "other"},
        {"detect": {}},
        {"detect": {"command": "x", "paths": ["y"]}},
        {"detect": {"command": "x; rm"}},
        {"provides_abilities": []},
        {"requires_grants": []},
        {"surprise": 1},
    ],
)
def test_a_broken_descriptor_is_one_sentence(tmp_path: Path, change: Document) -> None:
    good = read_descriptor("tmux")
    assert good is not None
    document = good.model_dump(mode="json", by_alias=True, exclude_unset=True)
    (tmp_path / "tmux").mkdir()
    (tmp_path / "tmux" / "addon.json").write_text(json.dumps({**document, **change}))
    with pytest.raises(PlanError, match=r"addon\.json"):
        read_descriptor("tmux", tmp_path)


def test_the_repository_wins_for_addons_and_the_person_for_the_host() -> None:
    repository = {"addons": {"agentkit": {"enabled": False}}, "host": {"subagents": True, "telemetry": True}}
    user = {
        "addons": {"agentkit": {"enabled": True}, "herdr": {"enabled": True, "version": "v0.1.0"}},
        "host": {"subagents": False},
    }
    registry = registry_of(repository, user)
    assert not registry.is_enabled("agentkit")
    assert registry.is_enabled("herdr")
    assert registry.host == {Ability.SUBAGENTS: False, Ability.TELEMETRY: True}
    assert registry.warnings == ()


@pytest.mark.parametrize(
    "entry",
    [
        True,
        {},
        {"enabled": "yes"},
        {"enabled": 1},
        {"enabled": True, "more": 1},
        {"enabled": True, "version": "1.0.0"},
        {"enabled": True, "version": None},
        {"enabled": True, "note": ""},
        {"enabled": True, "note": "a\nb"},
        {"enabled": True, "note": "x" * 201},
    ],
)
def test_a_malformed_entry_disables_its_addon_and_nothing_falls_through(entry: object) -> None:
    registry = registry_of({"addons": {"agentkit": entry}}, {"addons": {"agentkit": {"enabled": True}}})
    assert not registry.is_enabled("agentkit")
    assert len(registry.warnings) == 1


@pytest.mark.parametrize("repository", [None, {"addons": []}, {"addons": "all"}])
def test_a_broken_repository_file_enables_nothing(repository: Document | None) -> None:
    registry = registry_of(repository, {"addons": {"agentkit": {"enabled": True}}})
    assert not registry.is_enabled("agentkit")
    assert len(registry.warnings) == 1


def test_unknown_abilities_of_the_host_are_ignored_with_a_warning() -> None:
    registry = registry_of({"host": {"telepathy": True, "subagents": "yes"}})
    assert (registry.host, len(registry.warnings)) == ({}, 2)


def test_writing_keeps_everything_else(tmp_path: Path) -> None:
    file = config_file(tmp_path)
    file.parent.mkdir()
    file.write_text(json.dumps({"zebra": 1, "addons": {"herdr": {"enabled": True}}, "benchmark": {"enabled": False}}))
    file.chmod(0o600)
    set_addon(tmp_path, "agentkit", enabled=True, version="v1.2.3", note="ours")
    set_host_ability(tmp_path, Ability.STOP_AGENT, value=True)
    document = json.loads(file.read_text())
    assert list(document) == ["zebra", "addons", "benchmark", "host"]
    assert document["addons"]["agentkit"] == {"enabled": True, "version": "v1.2.3", "note": "ours"}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert schema_faults("dwp-config-v1", document) == []
    assert load_registry(tmp_path, tmp_path / "nobody").host == {Ability.STOP_AGENT: True}


def test_a_new_file_can_be_read_by_all(tmp_path: Path) -> None:
    set_addon(tmp_path, "tmux", enabled=True)
    assert stat.S_IMODE(config_file(tmp_path).stat().st_mode) == 0o644


@pytest.mark.parametrize("content", ["{", "[]", '{"addons": []}'])
def test_a_file_that_cannot_be_kept_is_left_alone(tmp_path: Path, content: str) -> None:
    file = config_file(tmp_path)
    file.parent.mkdir()
    file.write_text(content)
    with pytest.raises(PlanUsageError, match="mend it first") as error:
        set_addon(tmp_path, "tmux", enabled=True)
    assert error.value.exit_code is ExitCode.USAGE
    assert file.read_text() == content


def test_a_link_is_not_written_through(tmp_path: Path) -> None:
    file = config_file(tmp_path)
    file.parent.mkdir()
    (tmp_path / "target").write_text("{}")
    file.symlink_to(tmp_path / "target")
    with pytest.raises(PlanUsageError, match="link"):
        set_addon(tmp_path, "tmux", enabled=True)


@pytest.mark.parametrize(("key", "version", "note"), [("A", None, None), ("a", "1", None), ("a", None, "x\ny")])
def test_what_the_registry_cannot_hold_is_refused(tmp_path: Path, key: str, version: str, note: str) -> None:
    with pytest.raises(PlanUsageError):
        set_addon(tmp_path, key, enabled=True, version=version, note=note)


def test_abilities_unite_the_host_and_what_is_there() -> None:
    registry = registry_of({"addons": {"agentkit": {"enabled": True}}, "host": {"subagents": True}})
    found = effective_abilities(registry, present())
    assert found.sources[Ability.SUBAGENTS] == ("host", "addon:agentkit")
    assert found.sources[Ability.MODEL_ROUTING] == ("addon:agentkit",)
    capped = effective_abilities(registry, present(), {Ability.SUBAGENTS: False, Ability.TELEMETRY: True})
    assert capped.sources[Ability.SUBAGENTS] == ("addon:agentkit",)
    assert capped.sources[Ability.TELEMETRY] == ("host",)


def test_a_disabled_addon_is_not_looked_for() -> None:
    def probe(_: object) -> Detection:
        raise AssertionError("the detect command of a disabled addon ran")

    assert effective_abilities(registry_of({"addons": {"agentkit": {"enabled": False}}}), probe).sources == {}


@pytest.mark.parametrize(
    ("entry", "probe", "warnings", "deferred"),
    [
        ({"enabled": True}, absent, 1, 0),
        ({"enabled": True, "note": "later"}, absent, 0, 1),
        ({"enabled": True, "note": "later"}, present(2), 1, 0),
        ({"enabled": True}, present(), 0, 0),
    ],
)
def test_what_cannot_be_used_is_one_warning(entry: Document, probe: Any, warnings: int, deferred: int) -> None:
    found = effective_abilities(registry_of({"addons": {"agentkit": entry}}), probe)
    assert (len(found.warnings), len(found.deferred)) == (warnings, deferred)


def test_an_addon_that_nobody_knows_is_ignored_with_a_warning() -> None:
    found = effective_abilities(registry_of({"addons": {"martian": {"enabled": True}}}), present())
    assert (found.sources, len(found.warnings)) == ({}, 1)


@pytest.mark.parametrize(
    ("body", "works"),
    [
        ("echo '{\"interface\": 1}'", True),
        ("echo '{\"interface\": 2}'", False),
        ("echo '{\"interface\": true}'", False),
        ("echo nonsense", False),
        ("exit 1", False),
    ],
)
def test_agentkit_is_asked_for_its_interface(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, *, works: bool
) -> None:
    program(tmp_path / "bin", "ak", body)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    descriptor = read_descriptor("agentkit")
    assert descriptor is not None
    found = machine_probe(tmp_path, tmp_path)(descriptor)
    assert (found.present and not found.reason) is works


def test_herdr_is_asked_for_its_protocol(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "bin", "herdr-peers", "echo 'herdr-peers 0.1.0 (protocol 1)'")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    descriptor = read_descriptor("herdr")
    assert descriptor is not None
    assert machine_probe(tmp_path, tmp_path)(descriptor) == Detection(present=True, interface=1)


def test_a_program_that_a_relative_path_finds_is_not_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "bin", "ak", "exit 0")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"bin{os.pathsep}.{os.pathsep}")
    assert find_program("ak") is None


@pytest.mark.parametrize(
    ("where", "output", "interface"),
    [
        ("json:interface", '{"interface": 3}', 3),
        ("json:other", '{"interface": 3}', None),
        ("regex:v([0-9]+)", "v7", 7),
        ("regex:v", "v7", None),
        ("regex:(", "v7", None),
        ("file-json:~/x.json#n", "", 5),
        ("file-json:~/y.json#n", "", None),
        (None, "1", None),
    ],
)
def test_the_interface_is_read_where_the_descriptor_says(
    tmp_path: Path, where: str | None, output: str, interface: int | None
) -> None:
    (tmp_path / "x.json").write_text('{"n": 5}')
    assert read_interface(where, output, tmp_path) == interface
