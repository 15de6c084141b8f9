"""Storing rules: idempotent, atomic, never through a link, never over a broken file, no update lost."""

import json
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import decode_core
from decode_core.permissions.patterns import escape
from decode_core.permissions.rules import MAX_RULES_PER_LAYER, RuleList
from decode_core.settings import replace
from decode_core.settings.files import project_settings_file, user_settings_file
from decode_core.settings.grants import GrantedRules
from decode_core.settings.layers import load_settings
from decode_core.settings.writing import (
    SettingsWriteError,
    StoreResult,
    remove_rule,
    remove_value,
    set_value,
    store_rule,
)

RULE = "bash(npm test)"


def value(file: Path) -> Any:
    return json.loads(file.read_bytes())


def entries(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_first_rule_makes_folder_and_file(tmp_path: Path) -> None:
    file = project_settings_file(tmp_path)
    assert store_rule(file, RuleList.ALLOW, RULE) == StoreResult(file, changed=True, line=4)
    assert value(file) == {"permissions": {"allow": [RULE]}}
    assert entries(file.parent) == ["settings.json"], "no lock and no temporary file in the project"


def test_a_new_user_file_is_private_and_a_projects_file_is_not() -> None:
    old = os.umask(0o022)
    try:
        store_rule(user_settings_file(), RuleList.DENY, RULE)
        project = project_settings_file(user_settings_file().parents[3])
        store_rule(project, RuleList.DENY, RULE)
    finally:
        os.umask(old)
    assert stat.S_IMODE(user_settings_file().stat().st_mode) == 0o600
    assert stat.S_IMODE(user_settings_file().parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(project.stat().st_mode) == 0o644


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755, 0o400])
def test_mode_bits_are_kept(mode: int, project_file: Path) -> None:
    project_file.write_text("{}")
    project_file.chmod(mode)
    store_rule(project_file, RuleList.ALLOW, RULE)
    assert stat.S_IMODE(project_file.stat().st_mode) == mode


@pytest.mark.parametrize("blank", [b"", b"\n", b" \r\n"])
def test_a_blank_file_is_filled(blank: bytes, project_file: Path) -> None:
    project_file.write_bytes(blank)
    assert store_rule(project_file, RuleList.ASK, RULE).changed
    assert value(project_file) == {"permissions": {"ask": [RULE]}}


def test_storing_twice_writes_once(project_file: Path) -> None:
    project_file.write_text('{"permissions": {"allow": [" bash(npm test) "]}}')
    before = project_file.stat()
    assert store_rule(project_file, RuleList.ALLOW, f" {RULE}") == StoreResult(project_file, changed=False, line=1)
    assert project_file.stat() == before
    assert store_rule(project_file, RuleList.DENY, RULE).changed, "another list is another rule"


@pytest.mark.parametrize(
    "text",
    [
        '{"permissions": {"allow": ["a"],}}',
        "{",
        "// mine\n{}",
        '{"a": 1, "a": 2}',
        "[]",
        '{"permissions": []}',
        '{"permissions": {"allow": "bash"}}',
        '{"permissions": {"allow": {}}}',
        '{"permissions": null}',
        "\ufeff{}",
    ],
)
def test_a_file_that_is_not_understood_is_never_overwritten(text: str, project_file: Path) -> None:
    project_file.write_text(text)
    for change in (store_rule, remove_rule):
        with pytest.raises(SettingsWriteError, match="was not changed") as caught:
            change(project_file, RuleList.ALLOW, RULE)
        assert "\n" not in str(caught.value)
    with pytest.raises(SettingsWriteError):
        set_value(project_file, ("permissions", "allow"), [])
    assert project_file.read_text() == text
    assert entries(project_file.parent) == ["settings.json"]


def test_other_faults_of_a_file_do_not_stop_a_rule(project_file: Path) -> None:
    project_file.write_text('{"junk": 1, "permissions": {"deny": [3]}}')
    store_rule(project_file, RuleList.DENY, RULE)
    assert value(project_file) == {"junk": 1, "permissions": {"deny": [3, RULE]}}


@pytest.mark.parametrize("rule", ["", "bash()", "bash(", "two words", "\ud800", "bash(\ud800)"])
def test_a_malformed_rule_is_not_stored(rule: str, project_file: Path) -> None:
    with pytest.raises(SettingsWriteError, match="rule was not stored"):
        store_rule(project_file, RuleList.ALLOW, rule)
    assert not project_file.exists()


def test_a_full_file_takes_no_further_rule(project_file: Path) -> None:
    full = {"permissions": {"deny": [f"bash(x{number})" for number in range(MAX_RULES_PER_LAYER)]}}
    project_file.write_text(json.dumps(full))
    with pytest.raises(SettingsWriteError, match="2,000 rules already"):
        store_rule(project_file, RuleList.ALLOW, RULE)


def test_a_link_as_target_is_refused(project_file: Path, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere.json"
    target.write_text("{}")
    project_file.symlink_to(target)
    with pytest.raises(SettingsWriteError, match="it is a link"):
        store_rule(project_file, RuleList.ALLOW, RULE)
    target.unlink()
    with pytest.raises(SettingsWriteError, match="it is a link"):
        store_rule(project_file, RuleList.ALLOW, RULE)
    assert project_file.is_symlink()
    assert not target.exists()


@pytest.mark.parametrize("exists", [True, False])
def test_a_linked_project_folder_is_refused(exists: bool, tmp_path: Path) -> None:
    elsewhere, root = tmp_path / "elsewhere", tmp_path / "root"
    root.mkdir()
    if exists:
        elsewhere.mkdir()
    (root / ".decode").symlink_to(elsewhere)
    with pytest.raises(SettingsWriteError, match="is a link; replace it by a folder"):
        store_rule(project_settings_file(root), RuleList.ALLOW, RULE)
    assert not exists or not entries(elsewhere)


def test_what_is_no_regular_file_is_refused_at_once(project_file: Path) -> None:
    os.mkfifo(project_file)
    with pytest.raises(SettingsWriteError, match="not a regular file"):
        store_rule(project_file, RuleList.ALLOW, RULE)
    project_file.unlink()
    project_file.mkdir()
    with pytest.raises(SettingsWriteError, match="not a regular file"):
        store_rule(project_file, RuleList.ALLOW, RULE)


def test_a_missing_project_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsWriteError, match="No such file"):
        store_rule(project_settings_file(tmp_path / "nowhere"), RuleList.ALLOW, RULE)


@pytest.mark.parametrize("step", ["fsync", "rename"])
def test_a_failed_write_leaves_the_old_file_and_no_rest(
    step: str, project_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project_file.write_text("{}")

    def fail(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(SettingsWriteError, match="No space left on device"):
        store_rule(project_file, RuleList.ALLOW, RULE)
    assert project_file.read_text() == "{}"
    assert entries(project_file.parent) == ["settings.json"]


def test_another_programs_save_between_read_and_write_is_not_lost(
    project_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project_file.write_text("{}")
    write, saves = replace._write, iter(['{"theme": "saved meanwhile"}'])

    def write_after_an_editor(*args: Any, **kwargs: Any) -> None:
        for text in saves:
            project_file.write_text(text)
        write(*args, **kwargs)

    monkeypatch.setattr(replace, "_write", write_after_an_editor)
    store_rule(project_file, RuleList.ALLOW, RULE)
    assert value(project_file) == {"theme": "saved meanwhile", "permissions": {"allow": [RULE]}}


def test_a_file_that_never_rests_is_given_up(project_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = replace._write
    numbers = iter(range(100))

    def write_after_an_editor(*args: Any, **kwargs: Any) -> None:
        project_file.write_text(json.dumps({"theme": str(next(numbers))}))
        write(*args, **kwargs)

    monkeypatch.setattr(replace, "_write", write_after_an_editor)
    with pytest.raises(SettingsWriteError, match="keeps writing it"):
        store_rule(project_file, RuleList.ALLOW, RULE)
    assert entries(project_file.parent) == ["settings.json"]


def test_a_lock_that_stays_taken_is_a_clear_error(project_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replace, "LOCK_TIMEOUT_S", 0.01)
    raised: list[BaseException] = []

    def store() -> None:
        try:
            store_rule(project_file, RuleList.ALLOW, RULE)
        except SettingsWriteError as error:
            raised.append(error)

    with replace._locked(project_file):
        thread = threading.Thread(target=store)
        thread.start()
        thread.join()
    assert "another decode is writing it" in str(raised[0])
    assert not project_file.exists()
    assert store_rule(project_file, RuleList.ALLOW, RULE).changed, "the lock is free again"


WRITER = """
import sys
from pathlib import Path
from decode_core.permissions.rules import RuleList
from decode_core.settings.writing import store_rule

for number in range(15):
    store_rule(Path(sys.argv[1]), RuleList.ALLOW, f"bash({sys.argv[2]} {number})")
"""


def test_two_processes_that_store_at_once_lose_nothing(project_file: Path) -> None:
    source = str(Path(next(iter(decode_core.__path__))).parent)
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(project_file), name], env={**os.environ, "PYTHONPATH": source}
        )
        for name in ("one", "two")
    ]
    assert [writer.wait(timeout=60) for writer in writers] == [0, 0]
    expected = {f"bash({name} {number})" for name in ("one", "two") for number in range(15)}
    stored = value(project_file)["permissions"]["allow"]
    assert len(stored) == 30
    assert set(stored) == expected


def test_threads_that_store_at_once_lose_nothing(project_file: Path) -> None:
    threads = [
        threading.Thread(target=store_rule, args=(project_file, RuleList.DENY, f"bash(x{number})"))
        for number in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(value(project_file)["permissions"]["deny"]) == [f"bash(x{number})" for number in range(8)]


def test_removing_a_rule_takes_every_copy_and_is_idempotent(project_file: Path) -> None:
    project_file.write_text('{"permissions": {"allow": ["a", "bash(npm test)", "b", " bash(npm test)"]}}\n')
    assert remove_rule(project_file, RuleList.ALLOW, RULE).changed
    assert project_file.read_text() == '{"permissions": {"allow": ["a", "b"]}}\n'
    assert not remove_rule(project_file, RuleList.ALLOW, RULE).changed
    project_file.unlink()
    assert not remove_rule(project_file, RuleList.ALLOW, RULE).changed
    assert not project_file.exists()


def test_values_are_set_checked_and_removed(user_file: Path) -> None:
    user_file.write_text('{\n  "theme": "dark"\n}\n')
    assert set_value(user_file, ("theme",), "light") == StoreResult(user_file, changed=True, line=2)
    assert not set_value(user_file, ("theme",), "light").changed
    assert set_value(user_file, ("limits", "max_turns"), 5).line == 4
    assert set_value(user_file, ("permissions", "plan_ceiling"), False).changed
    assert value(user_file) == {
        "theme": "light",
        "limits": {"max_turns": 5},
        "permissions": {"plan_ceiling": False},
    }
    assert remove_value(user_file, ("theme",)).changed
    assert not remove_value(user_file, ("theme",)).changed
    assert "theme" not in value(user_file)


def test_true_is_not_one(user_file: Path) -> None:
    user_file.write_text('{"memory": 1}')
    assert set_value(user_file, ("memory",), True).changed
    assert user_file.read_text() == '{"memory": true}'


@pytest.mark.parametrize(
    ("path", "new", "words"),
    [
        (("theem",), "x", "there is no such setting"),
        (("limits", "max_turn"), 1, "there is no such setting"),
        (("limits", "max_turns"), "many", "must be a whole number"),
        (("compaction", "at"), float("nan"), "compaction.at"),
        (("mode",), "bypass", "cannot be bypass"),
        (("theme",), "\ud800", "theme"),
        (("permissions", "allow"), ["bash"], "one by one"),
        (("permissions",), {"allow": ["bash"]}, "one by one"),
    ],
)
def test_a_wrong_value_is_not_written(path: tuple[str, ...], new: Any, words: str, user_file: Path) -> None:
    with pytest.raises(SettingsWriteError, match="was not set") as caught:
        set_value(user_file, path, new)
    assert words in str(caught.value)
    assert not user_file.exists()


def test_a_project_is_not_given_what_it_may_not_set(project_file: Path) -> None:
    with pytest.raises(SettingsWriteError, match="a project may not set it"):
        set_value(project_file, ("sandbox", "mode"), "off")
    assert set_value(project_file, ("agent",), "plan").changed


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(subject=st.text(min_size=1).filter(lambda text: text.strip() == text), in_list=st.sampled_from(RuleList))
def test_a_stored_rule_is_read_back_as_it_was(subject: str, in_list: RuleList, project_file: Path) -> None:
    project_file.unlink(missing_ok=True)
    rule = f"bash({escape(subject)})"
    store_rule(project_file, in_list, rule)
    found = load_settings(None, project_file, project_trusted=True, grants=GrantedRules())
    (stored,) = found.rules
    assert (stored.text, stored.list) == (rule, in_list)
    assert stored.pattern is not None
    assert stored.pattern.literal == subject
    assert not found.warnings
