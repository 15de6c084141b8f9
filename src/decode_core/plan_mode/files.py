"""Approved plans as files of the project: `.decode/plans/<date>-<slug>.md` (plan-mode.md §2).

The folders are opened by descriptor and without following links, so that a repository cannot send a plan elsewhere; a
file that stands there is never replaced.
"""

import os
import re
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from datetime import datetime
from pathlib import Path

import yaml

from decode_core.event_values import Plan
from decode_core.neutral import neutralise_line

FOLDER = (".decode", "plans")
MAX_SLUG = 64
_MOST_OF_A_DAY = 1_000
"""Plans of one day with the same title."""


class PlanNotKept(Exception):  # noqa: N818 - a notice for the person; the approval holds all the same
    """The file was not written. The message is one sentence."""


def plan_keeper(root: Path, session_id: str, clock: Callable[[], datetime]) -> Callable[[Plan], str]:
    """Keeps the approved plans of one session; a folder that is not trusted gets none, and the path is empty then.

    `clock` gives the time in UTC. What it returns raises PlanNotKept.
    """

    def keep(plan: Plan) -> str:
        from decode_core.trust.folder import look_at

        if not look_at(root).counts:
            return ""
        return keep_plan(root, plan, session_id=session_id, approved_at=clock())

    return keep


def keep_plan(root: Path, plan: Plan, *, session_id: str, approved_at: datetime) -> str:
    """Write an approved plan below the workspace `root`; returns the file's path relative to it.

    `approved_at` is in UTC. Only for a trusted workspace. Raises PlanNotKept.
    """
    text = plan_document(plan, session_id=session_id, approved_at=approved_at).encode("utf-8", "replace")
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(_Opened(root)).descriptor
            for name in FOLDER:
                folder = stack.enter_context(_Opened(name, folder)).descriptor
            for name in _names(approved_at, slug(plan.title)):
                if _create(name, folder, text):
                    return "/".join((*FOLDER, name))
        except OSError as error:
            reason = (error.strerror or "it is out of reach").lower()
            raise PlanNotKept(f"The approved plan was not written to {'/'.join(FOLDER)}: {reason}.") from error
    raise PlanNotKept(f"The approved plan was not written: {'/'.join(FOLDER)} is full of plans of that name.")


def plan_document(plan: Plan, *, session_id: str, approved_at: datetime) -> str:
    """The file's text: front matter with where the plan comes from, and the plan as the person left it.

    The title is told on one line and inert: YAML knows line ends that are none elsewhere.
    """
    front = {
        "title": neutralise_line(" ".join(plan.title.split())),
        "session": session_id,
        "version": plan.version,
        "approved_at": f"{approved_at:%Y-%m-%dT%H:%M:%SZ}",
        "approved_steps": list(plan.approved or ()),
        "steps": len(plan.steps),
    }
    head = yaml.safe_dump(front, sort_keys=False, allow_unicode=True, default_flow_style=False)
    return f"---\n{head}---\n\n{plan.text.strip()}\n"


def slug(title: str) -> str:
    """The title as a file's name: `[a-z0-9-]{1,64}`, whatever it holds."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:MAX_SLUG].strip("-") or "plan"


class _Opened:
    """A folder held by a descriptor; one inside another is made where it is missing, and is never a link."""

    def __init__(self, path: Path | str, inside: int | None = None) -> None:
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
        if inside is not None:
            flags |= os.O_NOFOLLOW
            with suppress(FileExistsError):
                os.mkdir(path, dir_fd=inside)
        self.descriptor = os.open(path, flags, dir_fd=inside)

    def __enter__(self) -> "_Opened":
        return self

    def __exit__(self, *error: object) -> None:
        os.close(self.descriptor)


def _names(approved_at: datetime, base: str) -> Iterator[str]:
    for number in range(1, _MOST_OF_A_DAY):
        tail = "" if number == 1 else f"-{number}"
        yield f"{approved_at:%Y-%m-%d}-{base[: MAX_SLUG - len(tail)]}{tail}.md"


def _create(name: str, folder: int, data: bytes) -> bool:
    """Write a new file; False where the name is taken, by a link, too."""
    try:
        descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666, dir_fd=folder)
    except FileExistsError:
        return False
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
    except OSError:
        with suppress(OSError):
            os.unlink(name, dir_fd=folder)
        raise
    return True
