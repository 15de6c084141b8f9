"""The collector rests over imports and start, and is never left switched off."""

import gc
import sys
from collections.abc import Iterator

import pytest

from decode_core.collector import LIBRARY, CollectorRest


@pytest.fixture(autouse=True)
def collector_as_it_was() -> Iterator[None]:
    yield
    gc.unfreeze()
    gc.enable()


def test_the_collector_rests_inside_and_runs_again_outside() -> None:
    with CollectorRest():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_of_overlapping_rests_only_the_last_one_wakes_it() -> None:
    first, second = CollectorRest(), CollectorRest()
    first.begin()
    second.begin()
    first.end()
    assert not gc.isenabled()
    second.end()
    assert gc.isenabled()


def test_beginning_or_ending_twice_counts_once() -> None:
    rest, other = CollectorRest(), CollectorRest()
    other.begin()
    rest.begin()
    rest.begin()
    rest.end()
    rest.end()
    assert not gc.isenabled()
    other.end()
    assert gc.isenabled()


def test_an_error_inside_does_not_leave_it_off() -> None:
    with pytest.raises(ImportError), CollectorRest():
        raise ImportError
    assert gc.isenabled()


def test_a_collector_that_somebody_switched_off_stays_off() -> None:
    gc.disable()
    with CollectorRest():
        pass
    assert not gc.isenabled()


@pytest.mark.parametrize(("imported", "hidden"), [(0, False), (LIBRARY - 1, False), (LIBRARY, True)])
def test_what_a_library_leaves_is_hidden_from_collections_and_nothing_else_is(
    monkeypatch: pytest.MonkeyPatch, imported: int, hidden: bool
) -> None:
    gc.unfreeze()
    with CollectorRest():
        for number in range(imported):
            monkeypatch.setitem(sys.modules, f"a_library.part_{number}", sys)
    assert (gc.get_freeze_count() > 0) is hidden
