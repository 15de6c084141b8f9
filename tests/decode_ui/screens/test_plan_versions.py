"""Comparing versions of a plan: any two, with what was said on the older one (plan-mode.md §2)."""

from collections.abc import Awaitable, Callable

from textual.pilot import Pilot

from decode_core.plan_mode.history import PlanHistory
from decode_ui.screens.plan_versions import PlanVersionsScreen, editions
from dialog_host import UNANSWERED, Host, play
from plan_reviews import version

HOSTILE = "\x1b[31m[b]\u202e"
ONE, TWO, THREE = "a\nb", "a\nc", "a\nc\nd"


def compare(
    history: PlanHistory, steps: Callable[[Host, Pilot[None]], Awaitable[None]], edited: str | None = None
) -> Host:
    return play(PlanVersionsScreen(editions(history, edited)), steps, (100, 30))


THREE_VERSIONS = PlanHistory(
    (version(1, ONE, "refine", "no", ("b", "change it")), version(2, TWO, "reject"), version(3, THREE))
)


def test_the_two_newest_come_first_and_every_pair_can_be_reached() -> None:
    async def steps(app: Host, pilot: Pilot[None]) -> None:
        async def title(*keys: str) -> str:
            await pilot.press(*keys)
            await pilot.pause()
            return app.shown.partition("Plan · ")[2].partition(" ·")[0]

        assert await title() == "version 2 → version 3"
        assert await title("left") == "version 1 → version 3"
        assert await title("left") == "version 1 → version 3"
        assert await title("right") == "version 2 → version 3"
        assert await title("right") == "version 2 → version 3"
        assert await title("v") == "version 1 → version 2"
        assert await title("v") == "version 2 → version 3"

    compare(THREE_VERSIONS, steps)


def test_what_was_said_on_the_older_version_stands_above_the_difference() -> None:
    async def steps(app: Host, pilot: Pilot[None]) -> None:
        assert "version 2 was rejected" in app.shown
        await pilot.press("left")
        await pilot.pause()
        for words in ("version 1 was sent back", "┃ your note: no", "┃ you: change it", "− b", "+ c", "+ d"):
            assert words in app.shown

    compare(THREE_VERSIONS, steps)


def test_versions_with_the_same_text_say_so() -> None:
    async def steps(app: Host, pilot: Pilot[None]) -> None:
        assert "no difference" in app.shown

    compare(PlanHistory((version(1, ONE), version(2, ONE))), steps)


def test_n_goes_from_change_to_change_and_back() -> None:
    long = [f"line {number}" for number in range(200)]
    other = list(long)
    other[50], other[150] = "new 50", "new 150"

    async def steps(app: Host, pilot: Pilot[None]) -> None:
        for keys, seen, gone in ((["n"], "new 50", "new 150"), (["n"], "new 150", "new 50"), (["N"], "new 50", "")):
            await pilot.press(*keys)
            await pilot.pause()
            assert seen in app.shown
            assert not gone or gone not in app.shown

    play(
        PlanVersionsScreen(editions(PlanHistory((version(1, "\n".join(long)), version(2, "\n".join(other)))))),
        steps,
        (100, 12),
    )


def test_hostile_texts_are_inert() -> None:
    async def steps(app: Host, pilot: Pilot[None]) -> None:
        assert "\x1b" not in app.shown
        assert "\u202e" not in app.shown
        assert "␛[31m[b]<U+202E>" in app.shown

    history = PlanHistory((version(1, HOSTILE, "refine", HOSTILE, (HOSTILE, HOSTILE)), version(2, f"{HOSTILE} 2")))
    compare(history, steps)


def test_esc_closes() -> None:
    async def steps(app: Host, pilot: Pilot[None]) -> None:
        assert app.result is UNANSWERED
        await pilot.press("escape")
        await pilot.pause()

    assert compare(THREE_VERSIONS, steps).result is None
