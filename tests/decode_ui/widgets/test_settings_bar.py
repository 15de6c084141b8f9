"""The bar about broken settings: place and way always, the rest as it fits (permissions.md §3.3)."""

from pathlib import Path

import pytest

from decode_core.permissions.rules import RuleSource
from decode_core.settings.layer import Layer
from decode_core.settings.layers import Settings
from decode_core.settings.places import Position
from decode_core.settings.problems import ProblemKind, SettingsProblem
from decode_ui.widgets.settings_bar import broken, told

PROJECT = Path("/p/.decode/settings.json")
SENTENCE = "deny rule: malformed rule 'read('; write Tool or Tool(pattern)"


def problem(file: Path = PROJECT, sentence: str = SENTENCE) -> SettingsProblem:
    return SettingsProblem(file, ProblemKind.BAD_RULE, sentence, (), Position(12, 3))


@pytest.mark.parametrize("room", [200, 120, 90, 58, 40])
def test_file_line_and_key_are_named_in_any_width(room: int) -> None:
    text = told((problem(),), degraded=True, room=room).plain
    assert "settings.json:12" in text
    assert "^O b opens it" in text
    assert len(text) <= room or room == 40


def test_with_room_it_says_what_is_wrong_and_what_it_means() -> None:
    text = told((problem(), problem()), degraded=True, room=200).plain
    assert text == f"settings  .decode/settings.json:12: {SENTENCE} (+1) · everything but reads asks · ^O b opens it"


def test_the_persons_file_is_named_from_home(own_home: Path) -> None:
    text = told((problem(own_home / "c" / "settings.json"),), degraded=True, room=200).plain
    assert "~/c/settings.json:12" in text


def test_hostile_text_is_inert() -> None:
    assert "\x1b" not in told((problem(Path("/p/\x1b[2J/settings.json")),), degraded=True, room=200).plain


def test_a_broken_file_of_an_untrusted_folder_is_shown_as_such() -> None:
    layer = Layer(RuleSource.PROJECT, PROJECT, broken=(problem(),))
    settings = Settings(layers=(Layer(RuleSource.USER), layer))
    assert broken(settings) == (problem(),)
    assert "of a folder that is not trusted" in told(broken(settings), degraded=False, room=200).plain
    assert broken(Settings()) == ()
