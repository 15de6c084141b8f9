"""What a step says of itself, in the ways people and models write it."""

import pytest
from hypothesis import given, strategies as st

from decode_core.plans.outline import OutlineStep, StatedCheck, StepFacts, read_step


def read(text: str, *body: str) -> StepFacts:
    return read_step(OutlineStep(1, text, body))


RUNS = StatedCheck("`pytest -q` passes", "pytest -q")


@pytest.mark.parametrize(
    ("text", "body", "checks"),
    [
        ("Do it. Check: `pytest -q`", (), (RUNS,)),
        ("Do it (check: `pytest -q`)", (), (RUNS,)),
        ("Do it", ("  Check: `pytest -q`",), (RUNS,)),
        ("Do it", ("   - **Check:** `pytest -q`",), (RUNS,)),
        ("Do it", ("   - __Verify__: `pytest -q`",), (RUNS,)),
        (
            "Do it",
            ("Checks:", "  - `pytest -q`", "  - `ruff check`"),
            (RUNS, StatedCheck("`ruff check` passes", "ruff check")),
        ),
        ("Do it", ("Check: `pytest -q` and `ruff check`",), (RUNS, StatedCheck("`ruff check` passes", "ruff check"))),
        ("Do it", ("Gate: `pytest -q` is green",), (StatedCheck("pytest -q is green", "pytest -q"),)),
        ("Do it", ("Done when: Ann has read it.",), (StatedCheck("Ann has read it", None),)),
        ("Do it", ("Check: `pytest -q`", "Check: `pytest -q`"), (RUNS,)),
        ("Do it, then check the tests", (), ()),
        ("Checkout: `git checkout x`", (), ()),
        ("Tests: no retry, giving up", (), ()),
        ("Test: `pytest -q`", (), (RUNS,)),
    ],
)
def test_a_check_is_what_stands_behind_its_label(
    text: str, body: tuple[str, ...], checks: tuple[StatedCheck, ...]
) -> None:
    assert read(text, *body).checks == checks


@pytest.mark.parametrize(
    ("text", "body", "surface", "stated"),
    [
        ("Do it", ("Files: `src/a.py`, `docs/`",), ("src/a.py", "docs/"), True),
        ("Do it", ("Files: src/a.py, Makefile and docs/b.md",), ("src/a.py", "Makefile", "docs/b.md"), True),
        ("Do it", ("Touches:", "- `src/a.py`", "- src/b.py", "", "Text in `c/d.py`"), ("src/a.py", "src/b.py"), True),
        ("Mend `src/a.py` and `setup.cfg` with `retry()`", (), ("src/a.py", "setup.cfg"), False),
        ("Use `Client.send` in `Makefile`", (), ("Makefile",), False),
        ("Mend `src/a.py`. Check: `pytest tests/test_a.py`", (), ("src/a.py",), False),
        ("Do it", ("Files: /etc/passwd, ../x, ~/y, -rf",), (), False),
        ("Do it", (), (), False),
    ],
)
def test_files_are_stated_or_gathered_and_never_outside(
    text: str, body: tuple[str, ...], surface: tuple[str, ...], *, stated: bool
) -> None:
    facts = read(text, *body)
    assert (facts.surface, facts.is_surface_stated) == (surface, stated)


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("After: 1 and 3", (1, 3)),
        ("Depends on: step 2", (2,)),
        ("After: none", ()),
        ("Afterwards: 2", None),
        ("", None),
    ],
)
def test_what_a_step_waits_for(line: str, after: tuple[int, ...] | None) -> None:
    assert read("Do it", line).after == after


def test_an_output_bounds_what_comes_back() -> None:
    assert read("Do it", "Output: one table in `docs/t.md`").output == "one table in docs/t.md"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("**Add a loop** in `src/a.py`. Check: `x`", "Add a loop in src/a.py"),
        ("Add a loop (check: `x`)", "Add a loop"),
        ("Check: `x`", "Check: x"),
        ("", "(untitled)"),
    ],
)
def test_the_title_is_what_stands_before_the_labels(text: str, title: str) -> None:
    assert read(text).title == title


@given(st.text(max_size=80), st.lists(st.text(max_size=40), max_size=4))
def test_any_text_has_a_meaning(text: str, body: list[str]) -> None:
    facts = read(text, *body)
    assert facts.title
    assert all(check.statement for check in facts.checks)
