"""Whatever stands in a file: nothing raises or hangs, and no agent becomes wider than it was (catalog.md §3 and §4)."""

from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from decode_core.catalog.definition import AgentDef, Layer
from decode_core.catalog.edited_text import editable_text, edited_bytes
from decode_core.catalog.loader import load_catalog
from decode_core.catalog.reading import read_agent
from decode_core.permissions.rules import RuleList
from decode_core.reloading.live_catalog import AgentFolders, LiveCatalog

TOOLS = ["read", "bash", "edit"]
START = '---\nname: x\ndescription: d\ntools: [read]\nmode: plan\ndeny: ["bash(rm *)"]\n---\nDo it.\n'

PIECES = st.sampled_from(
    [
        *("---\n", "---", "name: x\n", "name: y\n", "description: d\n", "tools: [read]\n", 'tools: ["*"]\n'),
        *("tools: [bash]\n", "mode: plan\n", "mode: edit\n", "mode: bypass\n", 'deny: ["bash(rm *)"]\n'),
        *('allow: ["bash"]\n', "deny: []\n", "model: openai:gpt-5\n", "- a\n", "&a [*a, *a]\n", "{", "[", '"', "'"),
        *("!!python/object:os.system x\n", ": ", "#", "<<: *a\n", "\t", "\r\n", "\x00", "\ufeff", "Do it.\n"),
        *("\U0001f600", "? x\n: y\n", "|\n", ">\n", "%YAML 9\n"),
    ]
)
TEXTS = st.lists(PIECES, max_size=14).map(lambda pieces: "".join(pieces).encode())
SOUND = st.builds(
    "---\nname: x\ndescription: d\ntools: {}\nmode: {}\n{}\n---\nNew.\n".format,
    st.sampled_from(['["*"]', "[read]", "[read, bash]", "[edit]", "[]"]),
    st.sampled_from(["plan", "default", "edit", "dont_ask", "bypass"]),
    st.sampled_from(['deny: ["bash(rm *)"]', "deny: []", 'allow: ["bash"]', 'readonly: ["bash"]', "model: a:b"]),
).map(str.encode)
CONTENTS = st.one_of(TEXTS, SOUND, st.binary(max_size=60), st.none())
"""Bytes of a file, or None: the file is gone."""


@given(st.one_of(TEXTS, st.binary(max_size=200)), st.sampled_from(Layer))
def test_no_content_raises_and_every_fault_has_a_place_in_the_file(data: bytes, layer: Layer) -> None:
    reading = read_agent(Path("x.md"), data, layer, TOOLS)
    assert (reading.agent is None) == bool(reading.errors)
    lines = data.count(b"\n") + data.count(b"\r") + 1
    assert all(1 <= error.line <= lines and error.column >= 1 for error in (*reading.errors, *reading.warnings))


@given(TEXTS)
def test_the_editor_takes_every_text_and_gives_it_back(data: bytes) -> None:
    assert edited_bytes(data, editable_text(data)) == data


@settings(max_examples=120, deadline=None)
@given(st.lists(CONTENTS, max_size=6), st.sampled_from([Layer.USER, Layer.PROJECT]))
def test_no_sequence_of_contents_makes_an_agent_wider_without_a_question(
    tmp_path_factory: pytest.TempPathFactory, contents: list[bytes | None], layer: Layer
) -> None:
    home = _fresh(tmp_path_factory)
    folders = AgentFolders(None, home / "user", home / "project")
    folder = folders.of(layer)
    assert folder is not None
    folder.mkdir(parents=True)
    file = folder / "x.md"
    file.write_text(START)
    first = load_catalog(None, folders.user, folders.project, known_tools=TOOLS, trusted_project=True)
    live = LiveCatalog(folders, TOOLS, first, trusted_project=True)
    for content in contents:
        if content is None:
            file.unlink(missing_ok=True)
        else:
            file.write_bytes(content)
        live.reload()
        agent = live.catalog.agents.get("x")
        if agent is not None:
            assert not _wider(first.agents["x"], agent)


def _wider(before: AgentDef, after: AgentDef) -> list[str]:
    """What `after` may do that `before` might not; said here once more, without the code that is tested."""
    found = [tool for tool in TOOLS if after.offers(tool) and not before.offers(tool)]
    found += ["mode"] if after.mode.strictness > before.mode.strictness else []
    found += ["model"] if after.model != before.model else []
    rules = {(rule.list, rule.text) for rule in after.rules}
    found += [text for in_list, text in rules if in_list in (RuleList.ALLOW, RuleList.READONLY)]
    found += [rule.text for rule in before.rules if (rule.list, rule.text) not in rules]
    return found


def _fresh(factory: pytest.TempPathFactory) -> Path:
    """A new folder for each example."""
    return factory.mktemp("any")
