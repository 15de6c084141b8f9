"""multi_edit: all edits or none, by edit's matching, memory and preview; rules for edit hold for it."""

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from decode_core.events import CallOutcome
from decode_core.permissions.gate import PermissionGate
from decode_core.permissions.modes import PermissionMode, PermissionOutcome, ToolKind
from decode_core.permissions.request import PermissionRequest, SubjectKind
from decode_core.permissions.rules import RuleList, RuleSource, parse_rule
from decode_core.tools import editing
from decode_core.tools.multi_edit import MAX_EDITS
from decode_core.tools.registry import builtin_registry
from decode_core.tools.spec import ChangePreview
from tool_bench import Bench

THREE = "one\ntwo\nthree\n"


def edits(*pairs: tuple[str, str], **more: Any) -> list[dict[str, Any]]:
    return [{"old": old, "new": new, **more} for old, new in pairs]


def test_all_edits_are_made_as_one_change(bench: Bench) -> None:
    path = bench.file("a.txt", THREE)
    result = bench.changed("a.txt", "multi_edit", edits=edits(("one", "1"), ("three", "3")))
    assert path.read_text() == "1\ntwo\n3\n"
    assert result.text == "Edited a.txt: 2 edits, 2 replacements (+2 −2)."
    assert (result.detail["before"], result.detail["after"]) == (THREE, "1\ntwo\n3\n")


def test_an_edit_sees_what_the_ones_before_it_left(bench: Bench) -> None:
    path = bench.file("a.txt", THREE)
    bench.changed("a.txt", "multi_edit", edits=edits(("one", "uno"), ("uno\ntwo", "both")))
    assert path.read_text() == "both\nthree\n"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (("four", "4"), "Edit 2 of 3 failed, so none was made: a.txt was not changed: the text was not found"),
        (("one", "x"), "Edit 2 of 3 failed, so none was made: a.txt was not changed: the text was not found"),
        (("t", "x"), "more than one place"),
        (("two", "two"), "old and new are the same text"),
    ],
)
def test_one_edit_without_a_place_leaves_the_file_as_it_was(bench: Bench, wrong: tuple[str, str], told: str) -> None:
    path = bench.file("a.txt", THREE)
    result = bench.changed("a.txt", "multi_edit", edits=edits(("one", "1"), wrong, ("three", "3")))
    assert result.outcome is CallOutcome.FAILED
    assert told in result.text
    assert path.read_text() == THREE


def test_edits_that_undo_one_another_are_no_change(bench: Bench) -> None:
    bench.file("a.txt", THREE)
    result = bench.changed("a.txt", "multi_edit", edits=edits(("one", "1"), ("1", "one")))
    assert result.outcome is CallOutcome.FAILED
    assert "undo one another" in result.text


def test_replace_all_belongs_to_its_edit_and_every_place_counts(bench: Bench) -> None:
    path = bench.file("a.txt", "a a\nb b\n")
    result = bench.changed("a.txt", "multi_edit", edits=[*edits(("a", "c"), replace_all=True), *edits(("b b", "d"))])
    assert path.read_text() == "c c\nd\n"
    assert result.detail["replacements"] == 3


def test_line_ends_and_a_byte_order_mark_stay(bench: Bench) -> None:
    path = bench.file("a.txt", b"\xef\xbb\xbfone\r\ntwo\nthree\r\n")
    bench.changed("a.txt", "multi_edit", edits=edits(("one", "1\n1"), ("three", "3")))
    assert path.read_bytes() == b"\xef\xbb\xbf1\r\n1\r\ntwo\n3\r\n"


def test_it_is_told_which_edits_were_matched_without_blanks(bench: Bench) -> None:
    path = bench.file("a.py", "def f():\n    return  1\n")
    result = bench.changed("a.py", "multi_edit", edits=edits(("def f():", "def g():"), ("return 1", "return 2")))
    assert path.read_text() == "def g():\n    return 2\n"
    assert "Blanks differed in edit 2:" in result.text


def test_the_file_must_have_been_read_and_be_unchanged(bench: Bench) -> None:
    path = bench.file("a.txt", THREE)
    assert "read it first" in bench.call("multi_edit", path="a.txt", edits=edits(("one", "1"))).text
    bench.call("read", path="a.txt")
    path.write_text("one and more\n")
    assert "read it again" in bench.call("multi_edit", path="a.txt", edits=edits(("one", "1"))).text
    assert path.read_text() == "one and more\n"


def test_the_session_remembers_what_it_wrote(bench: Bench) -> None:
    bench.file("a.txt", THREE)
    bench.changed("a.txt", "multi_edit", edits=edits(("one", "1")))
    assert bench.call("edit", path="a.txt", old="two", new="2").outcome is CallOutcome.OK


def test_a_file_that_changed_between_verdict_and_run_is_left_alone(bench: Bench) -> None:
    path = bench.file("a.txt", THREE)
    bench.call("read", path="a.txt")
    frozen = bench.freeze("multi_edit", path="a.txt", edits=edits(("one", "1")))
    path.write_text("one, changed in place\n")
    assert "changed after this call was checked" in frozen.run().text
    assert path.read_text() == "one, changed in place\n"


def test_the_preview_is_the_whole_change_or_why_it_fails(bench: Bench) -> None:
    path = bench.file("a.txt", THREE)
    good = bench.freeze("multi_edit", path="a.txt", edits=edits(("one", "1"), ("two", "2")))
    assert good.preview() == ChangePreview("a.txt", THREE, "1\n2\nthree\n")
    bad = bench.freeze("multi_edit", path="a.txt", edits=edits(("one", "1"), ("four", "4"))).preview()
    assert isinstance(bad, str)
    assert bad.startswith("Edit 2 of 2 failed")
    assert path.read_text() == THREE


def test_a_few_edits_cannot_ask_for_a_text_that_no_memory_holds(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(editing, "MAX_FILE_BYTES", 1_000)
    bench.file("a.txt", "aa\n")
    doubling = edits(*[("a", "aa")] * 60, replace_all=True)
    result = bench.changed("a.txt", "multi_edit", edits=doubling)
    assert result.outcome is CallOutcome.FAILED
    assert "it would grow beyond" in result.text


@pytest.mark.parametrize("count", [0, MAX_EDITS + 1])
def test_the_number_of_edits_is_limited(count: int) -> None:
    problem = builtin_registry().validate("multi_edit", {"path": "a", "edits": edits(*[("a", "b")] * count)})
    assert isinstance(problem, str)
    assert "'edits'" in problem


@settings(max_examples=60, deadline=None)
@given(pairs=st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abcd")), min_size=1, max_size=5))
def test_it_does_what_the_same_edits_do_one_by_one(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]]
) -> None:
    bench = Bench(tmp_path_factory.mktemp("ws"))
    together, apart = bench.file("together.txt", "a\nb\nc\n"), bench.file("apart.txt", "a\nb\nc\n")
    result = bench.changed("together.txt", "multi_edit", edits=edits(*pairs))
    bench.call("read", path="apart.txt")
    all_ok = all(bench.call("edit", path="apart.txt", old=o, new=n).outcome is CallOutcome.OK for o, n in pairs)
    if result.outcome is CallOutcome.OK:
        assert all_ok
        assert together.read_text() == apart.read_text()
    else:
        assert together.read_text() == "a\nb\nc\n"
        assert not all_ok or apart.read_text() == "a\nb\nc\n"


def verdict(bench: Bench, tool: str, rule_list: RuleList, rule: str, mode: PermissionMode) -> PermissionOutcome:
    bench.file("a.txt", THREE)
    args = {"edits": edits(("one", "1"))} if tool == "multi_edit" else {"old": "one", "new": "1"}
    gate = PermissionGate(mode, [parse_rule(rule, rule_list, RuleSource.USER)])
    return gate.check(bench.freeze(tool, path="a.txt", **args).context.request).outcome


@pytest.mark.parametrize("rule", ["edit", "edit(a.txt)", "edit(*.txt)", "multi_edit", "multi_edit(a.txt)"])
@pytest.mark.parametrize(
    ("rule_list", "mode", "outcome"),
    [
        (RuleList.DENY, PermissionMode.BYPASS, PermissionOutcome.DENY),
        (RuleList.ASK, PermissionMode.BYPASS, PermissionOutcome.ASK),
        (RuleList.ALLOW, PermissionMode.DEFAULT, PermissionOutcome.ALLOW),
    ],
)
def test_a_rule_for_edit_holds_for_multi_edit(
    bench: Bench, rule: str, rule_list: RuleList, mode: PermissionMode, outcome: PermissionOutcome
) -> None:
    assert verdict(bench, "multi_edit", rule_list, rule, mode) is outcome


@pytest.mark.parametrize("rule", ["edit(b.txt)", "write(a.txt)", "read(a.txt)"])
def test_a_rule_for_another_file_or_power_does_not(bench: Bench, rule: str) -> None:
    assert verdict(bench, "multi_edit", RuleList.DENY, rule, PermissionMode.EDIT) is PermissionOutcome.ALLOW
    assert verdict(bench, "multi_edit", RuleList.ALLOW, rule, PermissionMode.DEFAULT) is PermissionOutcome.ASK


def test_a_rule_for_multi_edit_is_not_one_for_edit(bench: Bench) -> None:
    assert verdict(bench, "edit", RuleList.ALLOW, "multi_edit", PermissionMode.DEFAULT) is PermissionOutcome.ASK


def test_the_name_alone_takes_no_rights_from_edit() -> None:
    gate = PermissionGate(PermissionMode.DEFAULT, [parse_rule("edit", RuleList.ALLOW, RuleSource.USER)])
    impostor = PermissionRequest("c1", "multi_edit", ToolKind.OTHER, "x", SubjectKind.TEXT)
    assert gate.check(impostor).outcome is PermissionOutcome.ASK
