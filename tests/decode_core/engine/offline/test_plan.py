"""Plans of the offline model: founded on real files, revised by comments, carried out when approved."""

import re

from pydantic_ai.messages import ModelMessage

from decode_core.engine.local_model import Offer
from decode_core.engine.offline import decide
from offline_desktop import Desktop, called, calls, gave, prompt, talk

APPROVED = (
    "The plan is approved. Carry it out now. Mode edit is on: edits of files run unasked, commands may still ask."
)
REJECTED = "The plan was rejected. Stay in plan mode and stop here."
SENT_BACK = "The person sent the plan back. Plan mode stays on; present a new plan with exit_plan_mode.\n\n"


def steps(plan: str) -> list[str]:
    section = plan.split("## Steps\n\n")[1].split("\n\n")[0]
    return [re.sub(r"^\d+\. ", "", line) for line in section.splitlines()]


def test_a_plan_for_a_replacement_is_concrete_and_carried_out_when_approved() -> None:
    desktop = Desktop(reviews=[APPROVED])
    answer, messages = talk(desktop, "plan: replace foo with baz in README.md")
    assert [tool for tool, _ in calls(messages)] == [
        "enter_plan_mode",
        "read",
        "exit_plan_mode",
        "todo_write",
        "read",
        "edit",
        "todo_write",
        "grep",
        "todo_write",
    ]
    (plan,) = desktop.plans
    assert plan.startswith("# Replace foo with baz in README.md\n")
    assert "- `README.md`: 2 places in 5 lines, at 5" in plan
    assert steps(plan) == ["Replace `foo` with `baz` in `README.md`", "Search `foo` in `README.md`"]
    assert "baz bar baz" in desktop.files["README.md"]
    assert answer == (
        "The plan is approved.\n\nReplaced `foo` with `baz` in `README.md`: 2 replacements.\n\n"
        "`foo` was not found in `README.md`."
    )


def test_a_plan_to_create_a_file_shows_its_content() -> None:
    desktop = Desktop(reviews=[APPROVED])
    talk(desktop, 'plan: create notes.md with "hello"')
    (plan,) = desktop.plans
    assert "`notes.md` is not there yet" in plan
    assert "## Content of `notes.md`\n\n```\nhello\n```" in plan
    assert desktop.files["notes.md"] == "hello\n"


def test_a_plan_for_an_open_goal_names_the_real_files_and_what_is_left_to_the_person() -> None:
    desktop = Desktop(reviews=[APPROVED])
    answer, _ = talk(desktop, "plan a change to README")
    (plan,) = desktop.plans
    assert "- `README.md`: 5 lines; sections: `Demo`, `Install`" in plan
    assert steps(plan)[0].startswith("Decide the wording of the change to `README.md`")
    assert "I work by rules and cannot do these; they are yours:" in answer
    assert desktop.files == Desktop().files


def test_a_comment_that_is_a_request_becomes_a_step_of_the_next_version() -> None:
    desktop = Desktop(reviews=[f"{SENT_BACK}Comments:\n- On the whole plan: replace foo with baz", APPROVED])
    talk(desktop, "plan a change to README")
    assert steps(desktop.plans[1]) == ["Replace `foo` with `baz` in `README.md`", "Read `README.md`"]
    assert "baz bar baz" in desktop.files["README.md"]


def test_a_comment_in_words_is_kept_in_the_next_version() -> None:
    desktop = Desktop(reviews=[f"{SENT_BACK}Comments:\n- On “## Steps”: mind the tone", REJECTED])
    answer, _ = talk(desktop, "plan: replace foo with baz in README.md")
    assert "- mind the tone" in desktop.plans[1]
    assert answer == "The plan is rejected. Nothing was changed."
    assert desktop.files == Desktop().files


def test_without_a_reviewer_the_plan_is_the_answer() -> None:
    desktop = Desktop()
    answer, _ = talk(desktop, "plan: replace foo with baz in README.md")
    assert answer.startswith("The plan was not reviewed: `exit_plan_mode` failed: Nobody is here to review the plan.")
    assert "1. Replace `foo` with `baz` in `README.md`" in answer
    assert desktop.files == Desktop().files


def test_in_plan_mode_the_mode_is_not_entered_again() -> None:
    reply = decide([prompt("plan: run ls")], Offer(frozenset({"read", "exit_plan_mode"})))
    assert [call.tool for call in reply.calls] == ["exit_plan_mode"]


def test_a_plan_may_be_made_where_plan_mode_hides_its_own_door() -> None:
    """After enter_plan_mode the tool is offered no more; the history says that it was called."""
    messages: list[ModelMessage] = [
        prompt("plan: run ls"),
        called("enter_plan_mode"),
        gave("enter_plan_mode", "Plan mode is on."),
    ]
    reply = decide(messages, Offer(frozenset({"read", "exit_plan_mode"})))
    assert [call.tool for call in reply.calls] == ["exit_plan_mode"]


def test_a_plan_that_comes_back_without_a_comment_is_not_guessed_at() -> None:
    desktop = Desktop(reviews=["The person sent the plan back without a comment; plan mode stays on."])
    answer, _ = talk(desktop, "plan a change to README")
    assert answer.startswith("The plan came back without a comment.")
    assert len(desktop.plans) == 1


def test_of_a_plan_approved_in_part_the_rest_is_left_out() -> None:
    part = "The plan is approved in part. Carry it out now.\n\nApproved steps:\n2. Search `foo` in `README.md`\n\n"
    desktop = Desktop(reviews=[part + "Refused steps, leave them out:\n1. Replace `foo` with `baz` in `README.md`"])
    answer, messages = talk(desktop, "plan: replace foo with baz in README.md")
    assert "edit" not in [tool for tool, _ in calls(messages)]
    assert answer.startswith("The plan is approved.\n\n`foo`: 1 match")


def test_the_to_do_list_names_the_steps_and_says_how_far_each_is() -> None:
    desktop = Desktop(reviews=[APPROVED])
    _, messages = talk(desktop, "plan: replace foo with baz in README.md")
    written = [args["items"] for tool, args in calls(messages) if tool == "todo_write"]
    assert [[(item["step"], item["status"]) for item in items] for items in written] == [
        [(1, "in_progress"), (2, "pending")],
        [(1, "completed"), (2, "in_progress")],
        [(1, "completed"), (2, "completed")],
    ]
    assert written[0][0]["content"] == "Replace foo with baz in README.md"


def test_of_a_plan_approved_in_part_the_list_keeps_the_numbers_of_the_plan() -> None:
    part = "The plan is approved in part. Carry it out now.\n\nApproved steps:\n2. Search `foo` in `README.md`\n\n"
    desktop = Desktop(reviews=[part + "Refused steps, leave them out:\n1. Replace `foo` with `baz` in `README.md`"])
    _, messages = talk(desktop, "plan: replace foo with baz in README.md")
    last = [args["items"] for tool, args in calls(messages) if tool == "todo_write"][-1]
    assert [(item["step"], item["status"]) for item in last] == [(2, "completed")]


def test_a_denial_while_a_plan_is_carried_out_ends_it_and_tells_what_was_not_begun() -> None:
    desktop = Desktop(reviews=[APPROVED])
    desktop.reviews[0] += (
        "\n\nThe person edited it; this text holds:\n\n## Steps\n\n1. Run `ls`\n2. Run `secret`\n3. Run `pwd`"
    )
    answer, messages = talk(desktop, "plan: run ls")
    assert answer == (
        "`ls`:\n\n```\nran ls\nexit 0\n```\n\nYou refused `bash secret` and said: use make instead\n\n"
        "Not begun:\n\n- Run `pwd`"
    )
    assert [args for tool, args in calls(messages) if tool == "bash"] == [{"command": "ls"}, {"command": "secret"}]
