"""The versions of a plan, folded from events (plan-mode.md §2)."""

from decode_core.events import Plan, PlanComment, PlanDecided, PlanProposed, TodoChanged
from decode_core.plan_mode.history import PlanHistory, PlanVersion, plan_history


def plan(version: int, approved: tuple[int, ...] | None = None, text: str = "") -> Plan:
    return Plan(version=version, title="t", text=text or f"1. v{version}", approved=approved)


def test_without_a_plan_there_is_none_and_the_first_has_number_one() -> None:
    empty = plan_history([TodoChanged(items=())])
    assert (empty.latest, empty.approved, empty.next_number) == (None, None, 1)


def test_each_version_keeps_what_became_of_it() -> None:
    comment = PlanComment(quoted="1. v1", text="shorter")
    history = plan_history(
        [
            PlanProposed(plan=plan(1)),
            PlanDecided(plan=plan(1), answer="refine", note="no", comments=(comment,)),
            PlanProposed(plan=plan(2)),
        ]
    )
    assert history.versions == (PlanVersion(plan(1), "refine", "no", (comment,)), PlanVersion(plan(2)))
    assert history.latest == plan(2)
    assert history.version(1) == history.versions[0]
    assert history.version(3) is None
    assert history.next_number == 3


def test_a_decided_version_holds_the_text_that_the_person_left() -> None:
    history = plan_history([PlanProposed(plan=plan(1)), PlanDecided(plan=plan(1, (1,), "mine"), answer="approve")])
    assert [version.plan.text for version in history.versions] == ["mine"]


def test_an_approved_plan_stays_approved_while_a_later_one_waits_or_is_rejected_or_has_no_step_approved() -> None:
    approved = plan(1, (1,))
    history = plan_history([PlanProposed(plan=plan(1)), PlanDecided(plan=approved, answer="approve")])
    later: list[PlanProposed | PlanDecided] = [
        PlanProposed(plan=plan(2)),
        PlanDecided(plan=plan(2), answer="reject"),
        PlanDecided(plan=plan(3, ()), answer="approve"),
    ]
    for event in later:
        history = history.after(event)
        assert history.approved == approved
    assert history.after(PlanDecided(plan=plan(4, (1,)), answer="approve")).approved == plan(4, (1,))


def test_versions_are_in_order_whatever_order_the_events_came_in() -> None:
    history = PlanHistory().after(PlanProposed(plan=plan(2))).after(PlanDecided(plan=plan(1), answer="reject"))
    assert [version.plan.version for version in history.versions] == [1, 2]
