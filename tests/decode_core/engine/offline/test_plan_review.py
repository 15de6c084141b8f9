"""The person's answer to a plan, read from the words that the tool gives the model."""

import pytest

from decode_core.engine.offline.plan_review import read_review
from decode_core.engine.offline.plan_text import Review, Verdict

PLANNED = ("Run `a`", "Run `b`", "Run `c`")


@pytest.mark.parametrize(
    ("result", "steps"),
    [
        ("The plan is approved; the mode is edit.", PLANNED),
        ("The person approved the plan.\nCarry it out.", PLANNED),
        (
            "Approved. The final plan:\n\n# T\n\n## Steps\n\n1. Run `x`\n2. Run `b`\n\n## Checks\n- none",
            ("Run `x`", "Run `b`"),
        ),
        (
            "Approved in part.\nApproved steps:\n1. Run `a`\n3. Run `c`\nRefused steps:\n2. Run `b`",
            ("Run `a`", "Run `c`"),
        ),
        (
            "The person approved part of it.\nSteps approved:\n- Run `a`\nSteps refused:\n- Run `b`\n- Run `c`",
            ("Run `a`",),
        ),
        ("Approved steps: 1 and 3. Refused: 2.", ("Run `a`", "Run `c`")),
        ("The plan is approved in part.", ()),
        ("Approved, but only what was ticked.", ()),
    ],
)
def test_only_what_is_approved_is_done(result: str, steps: tuple[str, ...]) -> None:
    assert read_review(result, PLANNED) == Review(Verdict.APPROVED, steps)


@pytest.mark.parametrize(
    ("result", "remarks"),
    [
        ("Sent back.\n> 1. Run `a`\nuse make\nSend a new plan with exit_plan_mode.", ("use make",)),
        (
            'The person wants changes:\n- "Run `a`": use make\n- "Run `b`": not now\nNote: be brief',
            ("use make", "not now", "be brief"),
        ),
        ("The plan is sent back: mind the tone\nRevise the plan:", ("mind the tone",)),
        ("On the whole plan: shorter.\nOn “Run `a`”: use make", ("shorter.", "use make")),
        ("Refine it.\n\nComments:\n- the word approved is fine here", ("the word approved is fine here",)),
    ],
)
def test_remarks_are_the_persons_words_alone(result: str, remarks: tuple[str, ...]) -> None:
    assert read_review(result, PLANNED) == Review(Verdict.REFINE, remarks=remarks)


@pytest.mark.parametrize("result", ["The plan is rejected.", "The person rejected the plan: wrong file. Stop."])
def test_a_rejection_is_read(result: str) -> None:
    assert read_review(result, PLANNED) == Review(Verdict.REJECTED)


@pytest.mark.parametrize("result", ["", "ok", "The plan is not approved.", "hm: approved"])
def test_an_unclear_answer_approves_nothing(result: str) -> None:
    assert read_review(result, PLANNED).verdict is Verdict.REFINE
