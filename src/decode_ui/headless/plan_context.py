"""What the verbs of `decode plan` share: which plan, who writes, how results and refusals are shown."""

import getpass
import json
import shlex
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

import click

from decode_core.neutral import neutralise, neutralise_line
from decode_core.plans.canonical import Document, NotJsonError, parse_json, parse_object
from decode_core.plans.errors import ExitCode, PlanError, RefusedError
from decode_core.plans.events import ActorKind
from decode_core.plans.folder import PlanFolder, list_plans, locate_plan
from decode_core.plans.ledger import CALLER, Writer
from decode_ui.command_group import LazyGroup

Word = TypeVar("Word", bound=StrEnum)


class Output(StrEnum):
    """How results are written."""

    TEXT = "text"
    JSON = "json"


class ValueChoice(click.Choice[Word]):
    """A choice among the values of an enum; click's own goes by the names of its members."""

    def normalize_choice(self, choice: object, ctx: click.Context | None) -> str:
        """The word that is typed for a member."""
        return str(choice)


@dataclass(frozen=True)
class PlanContext:
    """The options that stand before the verb."""

    plan: Path | None
    writer: Writer
    output: Output

    @property
    def folder(self) -> PlanFolder:
        """The plan that is meant. Raises PlanUsageError."""
        return locate_plan(self.plan, Path.cwd())

    def show(self, document: Any, text: Callable[[], Iterable[str]], *, as_json: bool = False) -> None:
        """Write a result to stdout: one JSON value, or lines for a person."""
        if as_json or self.output is Output.JSON:
            click.echo(json.dumps(document, ensure_ascii=False))
            return
        for line in text():
            click.echo(neutralise_line(line))


class PlanGroup(LazyGroup):
    """Ends every verb as the publisher's tools do: codes 0 to 5, a refused delegation on stdout, all else on stderr."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a verb; a plan's error becomes one sentence and its exit code."""
        try:
            return super().invoke(ctx)
        except RefusedError as refusal:
            is_delegation = refusal.exit_code is ExitCode.DELEGATION_REFUSED
            if is_delegation and isinstance(ctx.obj, PlanContext) and ctx.obj.output is Output.JSON:
                click.echo(json.dumps({"refused": True, "reason": str(refusal)}, ensure_ascii=False))
            else:
                click.echo(neutralise(f"REFUSED: {refusal}"), err=not is_delegation)
            sys.exit(refusal.exit_code)
        except PlanError as error:
            click.echo(neutralise(f"decode: {error}"), err=True)
            sys.exit(error.exit_code)
        except BrokenPipeError:
            raise
        except OSError as error:
            # a folder that may not be listed, a disk that is full: nothing of this is a fault of the records
            click.echo(neutralise(f"decode: {error.filename or 'the plan'}: {error.strerror or error}"), err=True)
            sys.exit(ExitCode.ERROR)


pass_plan = click.make_pass_decorator(PlanContext)

as_json_option = click.option("--json", "as_json", is_flag=True, help="One JSON value.")


def object_of(text: str) -> Document:
    """A payload from the command line. Raises PlanError for what is no JSON object."""
    try:
        return parse_object(text)
    except NotJsonError as error:
        raise PlanError(f"--json: {error}") from None


def value_of(text: str) -> Any:
    """A JSON value from the command line. Raises PlanError."""
    try:
        return parse_json(text)
    except NotJsonError as error:
        raise PlanError(f"--json: {error}") from None


def object_in(file: Path) -> Document:
    """The JSON object in a file. Raises PlanError."""
    try:
        return parse_object(file.read_bytes())
    except OSError as error:
        raise PlanError(f"{file} could not be read: {error.strerror}") from None
    except NotJsonError as error:
        raise PlanError(f"{file}: {error}") from None


def who(context: PlanContext) -> str:
    """Who drafts a plan: the identity on the command line, else the person's name on this machine."""
    return getpass.getuser() if context.writer.identity == CALLER else context.writer.identity


def next_steps(folder: PlanFolder, draft: Path) -> list[str]:
    """What comes after a draft, as commands that can be copied."""
    here = Path.cwd().resolve()
    place = draft.relative_to(here) if here in draft.parents else draft
    option = f"--plan {shlex.quote(str(place.parent))} " if len(list_plans(folder.root)) > 1 else ""
    return [
        f"read and edit {place}; then check and approve it:",
        f"  decode plan {option}validate --contract {shlex.quote(str(place))}",
        f"  decode plan {option}materialize --contract {shlex.quote(str(place))}",
    ]


def confirmed_by_person(context: PlanContext) -> bool:
    """Ask at a terminal that a person types the plan's name; False where there is no terminal."""
    if context.writer.kind is not ActorKind.HUMAN or not sys.stdin.isatty():
        return False
    name = context.folder.name
    typed: str = click.prompt(f"Type {name} to sign this as a person", err=True)
    return typed == name
