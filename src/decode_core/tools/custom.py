"""Tools in code: a plain or async function of the program as a tool behind the same gate as every other.

What the tool can do and what it is about are said when it is made, never guessed from its name.
"""

import asyncio
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePath
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from pydantic.errors import PydanticUserError

from decode_core.permissions.modes import ToolKind
from decode_core.permissions.path_facts import path_fact
from decode_core.permissions.request import SubjectKind
from decode_core.permissions.tighten import Tighten
from decode_core.program_code import call_program
from decode_core.tools.docstrings import read_docstring
from decode_core.tools.spec import ToolArgs, ToolContext, ToolResult, ToolSpec, failed
from decode_core.tools.typed_args import arguments_model

Approval = bool | Callable[[Mapping[str, Any]], bool | Tighten | None] | None
"""Whether a call that no rule settles asks: True, False, None (by kind), or a function of the arguments."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")


def tool(
    function: Callable[..., Any],
    *,
    kind: ToolKind | None = None,
    subject: str | None = None,
    subject_kind: SubjectKind | None = None,
    needs_approval: Approval = None,
    read_only_hint: bool | None = None,
    name: str | None = None,
    description: str | None = None,
) -> ToolSpec:
    """Make a tool of `function`, a plain or async one, for `open_session(tools=[...])`.

    Its arguments are the function's parameters: every one is annotated, `Annotated[…, Field(…)]` and the lines of the
    docstring under `Args:` (or `:param name:`) describe them to the model. A first parameter of type `ToolContext` is
    no argument. It returns the text for the model, or a `ToolResult`; whatever it raises comes back to the model as a
    failed result.

    - `kind`: what a call can do. Default OTHER, which asks; `read_only_hint=True` is another way to say READ_ONLY.
    - `subject`: the parameter that rules match and people read. A tool of kind FILE_EDIT must name its file.
    - `subject_kind`: how rules read it. By default PATH for FILE_EDIT and for a parameter annotated `Path`, else TEXT.
      A PATH is judged like that of `write`, by rules, plan mode and protected places, and **the function gets the very
      path that was judged**: absolute, links followed.
    - `needs_approval`: True asks at every call, False runs where no rule says otherwise; a function gets the arguments
      as a mapping and returns True, False, None (by kind), `Tighten.ask(…)` or `Tighten.deny(…)`. It must be quick.

    A plain function runs in a thread of its own and cannot be stopped half-way; an async one runs on the loop that
    opened the session and is cancelled when the person stops the turn.

    Raises ValueError where anything of this does not fit together.
    """
    called = name or str(getattr(function, "__name__", ""))
    if not _NAME.fullmatch(called) or called.startswith("mcp__"):
        raise ValueError(f"{called!r} cannot be a tool's name; give name= with letters, digits and _, not mcp__…")
    doc = read_docstring(inspect.getdoc(function) or "")
    told = (description or doc.summary).strip()
    if not told:
        raise ValueError(f"the tool {called} has no description; give it a docstring or description=")
    signature = _Signature.of(called, function)
    model = arguments_model(called, signature.parameters, doc)
    chosen = _kind(called, kind, read_only_hint)
    read_as = _subject_kind(called, chosen, subject, subject_kind, signature)
    if subject is not None:
        _check_subject(called, subject, model)
    if needs_approval is not None and not isinstance(needs_approval, bool) and not callable(needs_approval):
        raise ValueError(f"needs_approval of {called} is True, False, None or a function, not {needs_approval!r}")
    if inspect.iscoroutinefunction(needs_approval):
        raise ValueError(f"needs_approval of {called} is async; it is asked while the call is judged, make it plain")
    approve = needs_approval
    return ToolSpec(
        name=called,
        description=told,
        kind=chosen,
        args=model,
        run=_Run(called, function, signature.takes_context, subject if read_as is SubjectKind.PATH else None),
        subject=subject,
        subject_kind=read_as,
        needs_approval=(lambda args: approve(args.model_dump(mode="json"))) if callable(approve) else approve,
    )


def bind_to_loop(spec: ToolSpec, owner: asyncio.AbstractEventLoop) -> ToolSpec:
    """The tool with its async function running on `owner`; tools that are not the program's stay as they are."""
    return replace(spec, run=replace(spec.run, owner=owner)) if isinstance(spec.run, _Run) else spec


@dataclass(frozen=True)
class _Signature:
    """The parameters of a function that are arguments of its tool, with their resolved annotations."""

    parameters: tuple[inspect.Parameter, ...]
    takes_context: bool

    @classmethod
    def of(cls, name: str, function: Callable[..., Any]) -> "_Signature":
        try:
            parameters = list(inspect.signature(function).parameters.values())
            hinted = function if inspect.isroutine(function) else function.__call__  # type: ignore[operator]
            hints = get_type_hints(hinted, include_extras=True)
        except (TypeError, ValueError, NameError) as error:
            raise ValueError(f"the signature of {name} cannot be read: {error}") from error
        resolved = [each.replace(annotation=hints.get(each.name, each.annotation)) for each in parameters]
        takes_context = bool(resolved) and resolved[0].annotation is ToolContext
        return cls(tuple(resolved[1:] if takes_context else resolved), takes_context)

    def annotation(self, name: str) -> Any:
        """The type of a parameter without what `Annotated` adds; None where there is no such parameter."""
        found = next((each.annotation for each in self.parameters if each.name == name), None)
        return get_args(found)[0] if get_origin(found) is Annotated else found


@dataclass(frozen=True)
class _Run:
    """The body of a custom tool."""

    name: str
    function: Callable[..., Any]
    takes_context: bool
    path: str | None
    """The argument that is a judged path."""
    owner: asyncio.AbstractEventLoop | None = None

    async def __call__(self, args: ToolArgs, ctx: ToolContext) -> ToolResult:
        values = {field: getattr(args, field) for field in type(args).model_fields}
        if self.path is not None:
            fact = ctx.request.paths[0]
            if path_fact(fact.given, ctx.workspace, with_digest=fact.digest is not None) != fact:
                return failed(f"{fact.given} changed after this call was checked; repeat the call.")
            # what was judged is what the function gets: neither `..`, a link nor the program's own folder leads away
            values[self.path] = fact.real if isinstance(values[self.path], PurePath) else str(fact.real)
        first = (ctx,) if self.takes_context else ()
        result = await call_program(partial(self.function, *first, **values), owner=self.owner)
        return self._result(result, ctx.limits.output_bytes)

    def _result(self, result: Any, limit: int) -> ToolResult:
        match result:
            case ToolResult():
                return result
            case str() if len(result) > limit:
                cut = f"{result[:limit]}\n[the first {limit:,} of {len(result):,} characters]"
                return ToolResult(cut, f"{len(result):,} characters")
            case str():
                lines = result.count("\n") + 1
                return ToolResult(result, result if lines == 1 and len(result) <= 40 else f"{lines:,} lines")
            case _:
                given = type(result).__name__
                return failed(f"{self.name} ran, but returned {given} instead of text; what it did stands.")


def _kind(name: str, kind: ToolKind | None, read_only_hint: bool | None) -> ToolKind:  # noqa: FBT001
    if read_only_hint is not None and kind is not None and read_only_hint is not (kind == ToolKind.READ_ONLY):
        raise ValueError(
            f"the tool {name} is of kind {kind} and has read_only_hint={read_only_hint}; leave one of them"
        )
    # a plain string of the same spelling would slip past every comparison by `is`
    return ToolKind(kind or (ToolKind.READ_ONLY if read_only_hint else ToolKind.OTHER))


def _subject_kind(
    name: str, kind: ToolKind, subject: str | None, given: SubjectKind | None, signature: _Signature
) -> SubjectKind:
    if kind is ToolKind.FILE_EDIT and (subject is None or given not in (None, SubjectKind.PATH)):
        raise ValueError(
            f"the tool {name} is of kind file_edit: say which parameter is the file's path with subject=, "
            "or give it kind=ToolKind.OTHER"
        )
    if subject is None:
        if given not in (None, SubjectKind.NONE):
            raise ValueError(f"the tool {name} has subject_kind={given} but no subject=")
        return SubjectKind.NONE
    if given is not None:
        if given == SubjectKind.NONE:
            raise ValueError(f"the tool {name} has the subject {subject!r}; leave subject_kind=none away")
        return SubjectKind(given)
    annotation = signature.annotation(subject)
    is_path = inspect.isclass(annotation) and issubclass(annotation, PurePath)
    return SubjectKind.PATH if is_path or kind is ToolKind.FILE_EDIT else SubjectKind.TEXT


def _check_subject(name: str, subject: str, model: type[ToolArgs]) -> None:
    """A subject is one plain text, given at every call: what rules match is then all that the function gets."""
    try:
        schema = model.model_json_schema()["properties"].get(subject)
    except PydanticUserError as error:
        raise ValueError(f"the arguments of {name} have no JSON schema: {error.message}") from error
    if schema is None:
        raise ValueError(f"the subject of {name} is {subject!r}, which is none of its parameters")
    if schema.get("type") != "string" or schema.get("format", "path") != "path":
        raise ValueError(f"the subject {subject!r} of {name} must be annotated str or Path, and not be optional")
