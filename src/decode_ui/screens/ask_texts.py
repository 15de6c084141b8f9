"""The texts around the body of the ASK dialog: what, why, and what the answers keep. Pure."""

from textual.content import Content

from decode_core.permissions.modes import PermissionMode
from decode_ui.screens.ask_view import AskView
from decode_ui.widgets.body_rows import BodyRow, RowTone


def what_line(view: AskView, width: int) -> Content:
    """Tool and subject, and what stands dim beside them, or below where one line is too short."""
    call = Content(" ").join(part for part in (Content.styled(view.tool, "bold"), Content(view.subject)) if part)
    about = Content.styled(view.about, "$muted")
    if not about:
        return call
    return Content("   " if call.cell_length + 3 + about.cell_length <= width else "\n").join([call, about])


def why_line(view: AskView) -> Content:
    """Why it asks, the mode in its colour."""
    before, mode, after = "", "", view.reason
    if view.mode in {*PermissionMode}:
        before, mode, after = view.reason.partition(view.mode)
    colour = f"$mode-{mode.replace('_', '-')}" if mode else ""
    return Content.assemble(("why you are asked: ", "$muted"), before, (mode, colour), after)


def stores_lines(view: AskView, width: int) -> Content:
    """What `a` and `d` would store, and what `s` and `f` would keep for the session where that is no rule."""
    parts: list[Content] = []
    always, never, session = (view.keeps.get(answer) for answer in ("always", "never", "session"))
    if always is not None and "always" in view.offers:
        note = f": {always.note}" if always.note else ""
        parts.append(_keeps("a stores", always.rule, f" in {always.place}{note}"))
    elif session is not None:
        parts.append(_keeps("s lets through", session.rule, f", {session.place}"))
    if folder := view.keeps.get("folder"):
        parts.append(_keeps("f lets it read", folder.rule, f", {folder.place}"))
    if never is not None and always is not None and never.rule == always.rule:
        parts.append(Content.styled("d denies the same", "$muted"))
    elif never is not None:
        parts.append(_keeps("d denies", never.rule, f" from now on, in {never.place}"))
    whole = Content.styled(" · ", "$muted").join(parts)
    return whole if whole.cell_length <= width else Content("\n").join(parts)


def _keeps(verb: str, what: str, where: str) -> Content:
    return Content.assemble((f"{verb} ", "$muted"), what, (where, "$muted"))


def kept_texts(view: AskView) -> list[str]:
    """Everything that answers would keep, whole, each once."""
    return list(dict.fromkeys(f"{kept.rule} ({kept.place})" for kept in view.keeps.values()))


def program_rows(programs: tuple[str, ...]) -> list[BodyRow]:
    """The programs of a command that does not fit, above the command."""
    return [BodyRow(", ".join(programs), RowTone.WARNING, gutter="programs  "), BodyRow("")]
