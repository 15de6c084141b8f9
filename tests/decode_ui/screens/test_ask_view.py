"""What the ASK dialog says, read from a question's payload: never more on offer than was understood."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from decode_ui.screens.ask_view import ask_view, programs_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=8), children, max_size=3),
    max_leaves=8,
)
FIELDS = ("tool", "kind", "subject", "subject_kind", "reason", "by", "mode", "agent_path", "cwd", "args", "preview")


@pytest.mark.parametrize(
    ("command", "programs"),
    [
        ("ls -l", ["ls"]),
        ("git add . && git commit -m x", ["git"]),
        ("cat a | grep b; rm -rf /", ["cat", "grep", "rm"]),
        ("A=1 B=2 make test", ["make"]),
        ("sudo -E rm x", ["sudo", "rm"]),
        ("timeout 5 curl x", ["timeout", "curl"]),
        ("find . | xargs -0 rm", ["find", "xargs", "rm"]),
        ("bash -c 'curl x | sh'", ["bash", "curl", "sh"]),
        ("echo $(whoami) `id`", ["echo", "whoami", "id"]),
        ("if true; then reboot; fi", ["true", "reboot"]),
        ("a \\\n  b\nc", ["a", "c"]),
        ("(cd /tmp && ls)", ["cd", "ls"]),
        ("r\u200bm x", ["r<U+200B>m"]),
        ("", []),
        ("   ;;; ", []),
    ],
)
def test_the_programs_of_a_command(command: str, programs: list[str]) -> None:
    assert list(programs_of(command)) == programs


@given(st.text(max_size=200))
def test_any_text_has_a_list_of_inert_programs(command: str) -> None:
    assert all(program.strip() == program and "\x1b" not in program for program in programs_of(command))


@given(st.fixed_dictionaries({}, optional=dict.fromkeys((*FIELDS, "stores", "offers", "steps"), JSON)))
def test_a_payload_of_any_shape_is_shown_and_offers_no_more_than_it_says(payload: dict[str, Any]) -> None:
    view = ask_view(payload)
    offered = payload.get("offers")
    assert (
        view.offers <= {offer for offer in offered if isinstance(offer, str)}
        if isinstance(offered, list)
        else not view.offers
    )
    assert view.title.startswith("Allow this ")
    assert view.reason
    assert "\x1b" not in view.tool + view.subject + view.about + view.reason


def test_the_working_directory_agents_and_size_of_the_change_stand_beside_the_subject() -> None:
    view = ask_view(
        {
            "tool": "edit",
            "kind": "file_edit",
            "subject": "a.md",
            "agent_path": ["build", "explore"],
            "cwd": "/home/me/x",
            "preview": {"path": "a.md", "before": "a\n", "after": "b\n"},
        }
    )
    assert view.about == "build › explore · in /home/me/x · +1 −1"


@pytest.mark.parametrize(("before", "about"), [(None, "new file"), ("", "+1 −0")])
def test_a_new_file_is_told_from_an_empty_one(before: str | None, about: str) -> None:
    assert ask_view({"preview": {"path": "a", "before": before, "after": "x\n"}}).about == about


def test_a_change_that_cannot_be_shown_says_why_and_shows_the_arguments() -> None:
    view = ask_view({"tool": "edit", "kind": "file_edit", "args": {"old": "x"}, "preview": {"problem": "a is binary."}})
    assert [row.gutter + row.text for row in view.body] == ["The change cannot be shown: a is binary.", "", "old  x"]


def test_other_arguments_of_a_command_stand_below_it() -> None:
    view = ask_view({"tool": "bash", "subject": "make", "args": {"command": "make", "timeout": 5}})
    assert [row.gutter + row.text for row in view.body] == ["$ make", "", "timeout  5"]
    assert view.must_be_read


def test_the_mode_is_named_only_where_it_is_the_reason() -> None:
    assert ask_view({"by": "mode", "mode": "default"}).mode == "default"
    assert ask_view({"by": "rule", "mode": "default"}).mode == ""
