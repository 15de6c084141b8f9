"""tool(): what is read from a function, what is refused at once, and what the function gets."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import Field

from decode_core.events import CallOutcome
from decode_core.permissions.modes import ToolKind
from decode_core.permissions.request import SubjectKind
from decode_core.tools.calls import freeze_call
from decode_core.tools.custom import bind_to_loop, tool
from decode_core.tools.docstrings import read_docstring
from decode_core.tools.registry import Registry
from decode_core.tools.spec import ToolArgs, ToolContext, ToolResult, ToolSpec
from tool_bench import Bench, Frozen


def note(path: str, text: str, copies: int = 1) -> str:
    """Append a note to a file.

    Args:
        path: The file to append to.
        text: The note,
            on one line.
        copies (int): How often.

    Returns:
        What was done.
    """
    return f"{path}|{text}|{copies}"


def freeze(bench: Bench, spec: ToolSpec, **args: Any) -> Frozen:
    valid = Registry((spec,)).validate(spec.name, args)
    assert isinstance(valid, ToolArgs), valid
    request = freeze_call(spec, valid, bench.workspace, call_id="c1")
    context = ToolContext(
        bench.workspace, request, bench.files, bench.person, bench.limits, bench.on_progress, bench.spill, bench.shell
    )
    return Frozen(spec, valid, context)


def test_name_description_and_arguments_come_from_the_function() -> None:
    spec = tool(note)
    assert (spec.name, spec.description, spec.kind) == ("note", "Append a note to a file.", ToolKind.OTHER)
    schema = Registry((spec,)).json_schema("note")
    assert schema["required"] == ["path", "text"]
    assert schema["additionalProperties"] is False
    described = {name: field["description"] for name, field in schema["properties"].items()}
    assert described == {"path": "The file to append to.", "text": "The note, on one line.", "copies": "How often."}


def test_they_may_be_said_instead() -> None:
    def no_words(count: Annotated[int, Field(ge=1, description="How many.")]) -> str:
        return "x" * count

    spec = tool(no_words, name="count", description="Counts.")
    registry = Registry((spec,))
    assert registry.json_schema("count")["properties"]["count"] == {
        "description": "How many.",
        "minimum": 1,
        "type": "integer",
    }
    assert "greater than or equal to 1" in str(registry.validate("count", {"count": 0}))
    assert "no argument 'cuont'" in str(registry.validate("count", {"cuont": 1, "count": 1}))


@pytest.mark.parametrize(
    ("text", "summary", "parameters"),
    [
        ("", "", {}),
        ("Only words.", "Only words.", {}),
        ("Do it.\n\n:param x: The x.\n:type x: int\n:returns: y", "Do it.", {"x": "The x."}),
        ("Do it.\n\n:param int x: The x,\n    and more", "Do it.", {"x": "The x, and more"}),
        (
            "Do it.\n\nArguments:\n  x: The x.\n  y: The y.\n\nRaises:\n  Z: never",
            "Do it.",
            {"x": "The x.", "y": "The y."},
        ),
        (
            "Do it.\n\nArgs:\n    x: one\n        y: still x\n    *rest: more",
            "Do it.",
            {"x": "one y: still x", "rest": "more"},
        ),
        ("Do it.\n\nArgs:\n    x: one\nMore words.", "Do it.\n\nMore words.", {"x": "one"}),
        ("Note: this is no section.", "Note: this is no section.", {}),
    ],
)
def test_docstrings_are_read_in_both_common_forms(text: str, summary: str, parameters: dict[str, str]) -> None:
    doc = read_docstring(text)
    assert (doc.summary, doc.parameters) == (summary, parameters)


def no_type(path) -> str:  # type: ignore[no-untyped-def]
    """x."""
    return str(path)


def rest(*paths: str) -> str:
    """x."""
    return ""


def late_context(path: str, ctx: ToolContext) -> str:
    """x."""
    return ""


def private(_path: str) -> str:
    """x."""
    return ""


def unresolved(path: "Nowhere") -> str:  # type: ignore[name-defined]  # noqa: F821
    """x."""
    return ""


def no_schema(path: threading.Lock) -> str:
    """x."""
    return ""


def many(paths: list[str], path: str | None = None) -> str:
    """x."""
    return ""


def silent(path: str) -> str:
    return ""


async def slow_wish(args: Any) -> bool:
    return True


@pytest.mark.parametrize(
    ("function", "more", "told"),
    [
        (no_type, {}, "the parameter path of no_type has no type"),
        (rest, {}, "cannot be given by name"),
        (late_context, {}, "must be its first parameter"),
        (private, {}, "needs another name"),
        (unresolved, {}, "cannot be read"),
        (no_schema, {}, "cannot be arguments"),
        (silent, {}, "has no description"),
        (lambda: "", {"description": "x"}, "cannot be a tool's name"),
        (note, {"name": "mcp__server__note"}, "cannot be a tool's name"),
        (note, {"name": "a b"}, "cannot be a tool's name"),
        (note, {"kind": "anything"}, "is not a valid ToolKind"),
        (note, {"kind": ToolKind.FILE_EDIT}, "say which parameter is the file's path"),
        (note, {"kind": "file_edit"}, "say which parameter is the file's path"),
        (note, {"kind": ToolKind.FILE_EDIT, "subject": "path", "subject_kind": SubjectKind.TEXT}, "say which"),
        (note, {"subject": "nowhere"}, "none of its parameters"),
        (note, {"subject": "copies"}, "must be annotated str or Path"),
        (many, {"subject": "paths"}, "must be annotated str or Path"),
        (many, {"subject": "path", "subject_kind": SubjectKind.PATH}, "not be optional"),
        (note, {"subject_kind": SubjectKind.PATH}, "but no subject="),
        (note, {"subject": "path", "subject_kind": SubjectKind.NONE}, "leave subject_kind=none away"),
        (note, {"kind": ToolKind.OTHER, "read_only_hint": True}, "leave one of them"),
        (note, {"kind": ToolKind.READ_ONLY, "read_only_hint": False}, "leave one of them"),
        (note, {"needs_approval": slow_wish}, "is async"),
        (note, {"needs_approval": "yes"}, "True, False, None or a function"),
    ],
)
def test_what_does_not_fit_together_is_refused_when_the_tool_is_made(
    function: Callable[..., Any], more: dict[str, Any], told: str
) -> None:
    with pytest.raises(ValueError, match=told.replace("(", r"\(")):
        tool(function, **more)


def typed(path: Path) -> str:
    """x."""
    return ""


@pytest.mark.parametrize(
    ("function", "more", "kind", "subject_kind"),
    [
        (note, {}, ToolKind.OTHER, SubjectKind.NONE),
        (note, {"subject": "text"}, ToolKind.OTHER, SubjectKind.TEXT),
        (note, {"subject": "path"}, ToolKind.OTHER, SubjectKind.TEXT),  # a name says nothing
        (note, {"subject": "path", "subject_kind": SubjectKind.PATH}, ToolKind.OTHER, SubjectKind.PATH),
        (note, {"subject": "path", "kind": ToolKind.FILE_EDIT}, ToolKind.FILE_EDIT, SubjectKind.PATH),
        (typed, {"subject": "path"}, ToolKind.OTHER, SubjectKind.PATH),
        (note, {"subject": "text", "subject_kind": SubjectKind.COMMAND}, ToolKind.OTHER, SubjectKind.COMMAND),
        (note, {"read_only_hint": True}, ToolKind.READ_ONLY, SubjectKind.NONE),
        (note, {"read_only_hint": False}, ToolKind.OTHER, SubjectKind.NONE),
    ],
)
def test_kind_and_subject_are_said_never_guessed_from_names(
    function: Callable[..., Any], more: dict[str, Any], kind: ToolKind, subject_kind: SubjectKind
) -> None:
    spec = tool(function, **more)
    assert (spec.kind, spec.subject_kind) == (kind, subject_kind)
    assert isinstance(spec.kind, ToolKind)


@pytest.mark.parametrize("name", ["write", "read", "edit"])
def test_the_name_of_a_harmless_tool_gives_no_kind(name: str) -> None:
    assert tool(note, name=name).kind is ToolKind.OTHER


@pytest.mark.parametrize("given", ["sub/../a.txt", "./a.txt", "link.txt"])
@pytest.mark.parametrize("annotation", [str, Path])
def test_the_function_gets_the_very_path_that_was_judged(bench: Bench, given: str, annotation: type) -> None:
    bench.file("a.txt", "x")
    bench.file("sub/b.txt")
    (bench.root / "link.txt").symlink_to("a.txt")
    got: list[Any] = []

    def look(path: Any) -> str:
        """x."""
        got.append(path)
        return "ok"

    look.__annotations__["path"] = annotation
    frozen = freeze(bench, tool(look, subject="path", subject_kind=SubjectKind.PATH), path=given)
    assert frozen.run().text == "ok"
    assert got == [annotation(bench.root / "a.txt")]
    assert got == [annotation(frozen.context.request.paths[0].real)]


def test_a_path_that_leads_elsewhere_after_the_verdict_is_not_followed(bench: Bench, tmp_path: Path) -> None:
    bench.file("a.txt", "x")
    secret = tmp_path / "secret"
    secret.write_text("s")
    frozen = freeze(bench, tool(note, kind=ToolKind.FILE_EDIT, subject="path"), path="a.txt", text="t")
    (bench.root / "a.txt").unlink()
    (bench.root / "a.txt").symlink_to(secret)
    result = frozen.run()
    assert result.outcome is CallOutcome.FAILED
    assert result.text == "a.txt changed after this call was checked; repeat the call."


def test_the_context_is_no_argument(bench: Bench) -> None:
    def where(ctx: ToolContext, suffix: str) -> str:
        """x."""
        ctx.progress("half-way")
        return f"{ctx.call_id}{suffix}"

    spec = tool(where)
    assert list(spec.args.model_fields) == ["suffix"]
    assert freeze(bench, spec, suffix="!").run().text == "c1!"
    assert bench.shown == ["half-way"]


def test_an_argument_may_have_a_name_of_pydantics(bench: Bench) -> None:
    def export(json: bool, copy: int = 2) -> str:
        """x."""
        return f"{json} {copy}"

    assert freeze(bench, tool(export), json=True).run().text == "True 2"


def test_a_plain_function_holds_up_nobody_and_an_async_one_runs_on_its_owners_loop(bench: Bench) -> None:
    seen: dict[str, object] = {}

    def plain() -> str:
        """x."""
        seen["plain"] = threading.current_thread()
        return "plain"

    async def later() -> str:
        """x."""
        seen["later"] = asyncio.get_running_loop()
        return "later"

    async def main() -> None:
        owner = asyncio.get_running_loop()
        first = freeze(bench, bind_to_loop(tool(plain), owner))
        second = freeze(bench, bind_to_loop(tool(later), owner))
        assert await asyncio.to_thread(first.run) == ToolResult("plain", "plain")
        assert await asyncio.to_thread(second.run) == ToolResult("later", "later")
        assert seen["later"] is owner

    asyncio.run(main())
    assert seen["plain"] is not threading.main_thread()


def test_stopping_a_call_cancels_an_async_function(bench: Bench) -> None:
    ended: list[str] = []

    async def wait() -> str:
        """x."""
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")
        return ""

    async def main() -> None:
        running = asyncio.ensure_future(freeze(bench, tool(wait)).start())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(main())
    assert ended == ["cancelled"]


def test_a_closed_owner_is_an_error_not_a_wait_for_ever(bench: Bench) -> None:
    async def later() -> str:
        """x."""
        return ""

    owner = asyncio.new_event_loop()
    owner.close()
    with pytest.raises(RuntimeError, match="the loop that opened the session is closed"):
        freeze(bench, bind_to_loop(tool(later), owner)).run()


@pytest.mark.parametrize("error", [SystemExit(3), StopIteration("x"), KeyboardInterrupt(), ValueError("x")])
def test_whatever_a_function_raises_is_an_ordinary_error(bench: Bench, error: BaseException) -> None:
    def fail() -> str:
        """x."""
        raise error

    with pytest.raises((RuntimeError, ValueError), match=r"3|x|KeyboardInterrupt"):
        freeze(bench, tool(fail)).run()


@pytest.mark.parametrize(
    ("returned", "text", "summary", "outcome"),
    [
        ("done", "done", "done", CallOutcome.OK),
        ("a\nb", "a\nb", "2 lines", CallOutcome.OK),
        (ToolResult("no", "said no", CallOutcome.FAILED), "no", "said no", CallOutcome.FAILED),
        (None, "give ran, but returned NoneType instead of text; what it did stands.", "failed", CallOutcome.FAILED),
        (b"x", "give ran, but returned bytes instead of text; what it did stands.", "failed", CallOutcome.FAILED),
    ],
)
def test_results(bench: Bench, returned: Any, text: str, summary: str, outcome: CallOutcome) -> None:
    def give() -> Any:
        """x."""
        return returned

    result = freeze(bench, tool(give)).run()
    assert (result.text, result.summary, result.outcome) == (text, summary, outcome)


def test_a_long_text_is_cut_and_says_so(bench: Bench) -> None:
    def give() -> str:
        """x."""
        return "y" * 60_000

    result = freeze(bench, tool(give)).run()
    assert result.text.endswith("y\n[the first 50,000 of 60,000 characters]")
    assert len(result.text) < 50_100


def test_a_callable_object_is_a_tool_too(bench: Bench) -> None:
    class Greeter:
        """Greets."""

        async def __call__(self, name: str) -> str:
            return f"Hello {name}"

    assert freeze(bench, tool(Greeter(), name="greet"), name="you").run().text == "Hello you"
