"""What is worked out for a text is kept within bounds."""

from hypothesis import given, strategies as st

from decode_core.permissions.keeping import Kept, kept_by_text


def test_a_value_is_made_once_and_none_is_a_value() -> None:
    made: list[str] = []

    @kept_by_text
    def ask(text: str) -> str | None:
        made.append(text)
        return None

    assert [ask("a"), ask("a"), ask("b")] == [None, None, None]
    assert made == ["a", "b"]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 30)), max_size=40))
def test_the_latest_stay_and_the_bounds_hold(asked: list[tuple[int, int]]) -> None:
    kept: Kept[int] = Kept(max_entries=4, max_characters=50)
    for key, length in asked:
        assert kept.get((key, length), length, lambda key=key: key) == key  # type: ignore[misc]
        held = kept._values
        assert (key, length) in held
        assert len(held) <= 4
        assert sum(size for _, size in held.values()) == kept._characters
        assert kept._characters <= 50 or len(held) == 1
