"""The completions above the prompt. It never has the focus: the prompt keeps it, and moves the mark."""

from collections.abc import Sequence

from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from decode_ui.completing import Offer

MAX_ROWS = 8
FRAME = 2


class CompletionList(OptionList, can_focus=False):
    """Rows over the chat, just above the prompt; a click takes a row, which arrives as `OptionList.OptionSelected`."""

    DEFAULT_CSS = f"""
    CompletionList {{
        display: none;
        overlay: screen;
        width: 100%;
        max-width: 90;
        height: auto;
        max-height: {MAX_ROWS + FRAME};
        border: round $border;
        border-subtitle-color: $muted;
        background: $surface;
        padding: 0 1;
        scrollbar-size-vertical: 1;
        scrollbar-background: $surface;
        text-wrap: nowrap;
        text-overflow: ellipsis;
        & > .option-list--option-highlighted {{ background: $cursor-ground; color: $foreground; text-style: none; }}
        & > .option-list--option-disabled {{ color: $muted; }}
        & > .option-list--option-hover {{ background: $surface; }}
    }}
    """

    def __init__(self, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id, markup=False)
        self._offers: tuple[Offer, ...] = ()

    def show(self, offers: Sequence[Offer], hint: str, *, mark: int = 0) -> None:
        """Show rows with a mark on one; `hint` stands in the frame. Without rows the hint is a row of its own."""
        self._offers = tuple(offers)
        width = max((len(offer.label) for offer in offers if offer.note), default=0)
        self.clear_options()
        self.add_options([Option(_row(offer, width), id=str(number)) for number, offer in enumerate(offers)])
        if offers:
            self.highlighted = range(len(offers))[mark]
        else:
            self.add_option(Option(Content.styled(hint, "$muted"), disabled=True))
        self.border_subtitle = Content(hint) if offers else None
        self.styles.offset = (0, -(min(max(len(offers), 1), MAX_ROWS) + FRAME))
        self.display = True

    def hide(self) -> None:
        """Take the rows away."""
        self._offers = ()
        self.display = False

    @property
    def marked(self) -> Offer | None:
        """The offer under the mark, None where nothing is offered."""
        return self._offers[self.highlighted] if self._offers and self.highlighted is not None else None

    def offer_of(self, option_id: str | None) -> Offer | None:
        """The offer of a row that was clicked."""
        return self._offers[int(option_id)] if option_id is not None and int(option_id) < len(self._offers) else None

    def move(self, rows: int) -> None:
        """Move the mark; it goes round at the ends."""
        if self._offers:
            self.highlighted = ((self.highlighted or 0) + rows) % len(self._offers)


def _row(offer: Offer, width: int) -> Content:
    note = Content.styled(f"  {offer.note}", "$muted") if offer.note else Content()
    return Content.assemble(f"{offer.label:<{width}}", note)
