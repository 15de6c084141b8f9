"""Markdown as calm rows: Rich's renderer with our own elements, and a parser that hides nothing.

Importing this costs a quarter of a second (parser, highlighter), so only `render.py` does, at the first answer.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import ClassVar, cast

from markdown_it import MarkdownIt
from markdown_it.token import Token
from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import (
    BlockQuote,
    CodeBlock,
    Heading,
    HorizontalRule,
    ListElement,
    ListItem,
    Markdown,
    Paragraph,
    TableBodyElement,
    TableDataElement,
    TableElement,
    TableHeaderElement,
    TableRowElement,
)
from rich.segment import Segment
from rich.style import Style
from rich.table import Table
from rich.text import Text

from decode_ui.transcript import foreign
from decode_ui.transcript.highlight import highlighted
from decode_ui.transcript.palette import Palette, Signs

_DEEPEST = 20
"""Levels of lists and quotes."""
_NARROW = 16
"""Below this width nothing is indented any more."""
_CELL = 6
"""A table whose columns would be narrower is shown as lines of `name: value`."""


class CalmMarkdown(Markdown):
    """Markdown whose every character is shown: HTML as text, links and images with their address, nothing clickable."""

    inlines: set[str] = {"em", "strong", "code", "s", "a", "url"}

    def __init__(self, source: str, palette: Palette, signs: Signs) -> None:
        # not Rich's own initialiser: it builds a parser for every text, a third of the cost of drawing a short one
        self.markup = source
        self.code_theme = self.inline_code_theme = ""
        self.justify = None
        self.style = "none"
        self.hyperlinks = False
        self.inline_code_lexer = None
        tokens = _parser().parse(source)
        self.too_deep = any(token.level >= _DEEPEST - 1 for token in tokens)
        """The parser drops what is nested deeper than it goes: such a text must be shown as it is written."""
        self.parsed = list(_inert(tokens))
        self.palette = palette
        self.signs = signs


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False, "maxNesting": _DEEPEST}).enable("strikethrough").enable("table")


def _inert(tokens: Iterable[Token]) -> Iterator[Token]:
    """Neutralise what the parser made of entities and escapes, and turn links and images into styled text."""
    hrefs: list[str] = []
    for token in tokens:
        match token.type:
            case "inline":
                token.children = list(_inert(_plain_links(token.children or [])))
                yield token
            case "link_open":
                hrefs.append(str(token.attrs.get("href", "")))
                yield Token("a_open", "a", 1)
            case "link_close":
                yield Token("a_close", "a", -1)
                yield from _address(hrefs.pop())
            case "image":
                yield _text(f"[image: {foreign.one_line(token.content)}]" if token.content else "[image]")
                yield from _address(str(token.attrs.get("src", "")))
            case "text" | "code_inline":
                token.content = foreign.prose(token.content)
                yield token
            case "fence" | "code_block":
                token.content = "\n".join(foreign.code_line(line) for line in token.content.split("\n"))
                token.info = foreign.one_line(token.info)
                yield token
            case _:
                yield token


def _plain_links(tokens: list[Token]) -> Iterator[Token]:
    """Show a link whose text is its address once."""
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.type == "link_open" and token.info == "auto" and at + 2 < len(tokens):
            yield _url(tokens[at + 1].content)
            at += 3
        else:
            yield token
            at += 1


def _address(href: str) -> Iterator[Token]:
    if href:
        yield _text(" (")
        yield _url(href)
        yield _text(")")


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _url(content: str) -> Token:
    return Token("url", "url", 0, content=foreign.one_line(content))


class _Heading(Heading):
    LEVEL_ALIGN: ClassVar[dict[str, str]] = {}  # type: ignore[assignment]  # left, all of them


class _Code(CodeBlock):
    def __init__(self, lexer_name: str, theme: str, palette: Palette) -> None:
        super().__init__(lexer_name, theme)
        self.palette = palette

    @classmethod
    def create(cls, markdown: Markdown, token: Token) -> "_Code":
        return cls(token.info.strip().partition(" ")[0], "", cast("CalmMarkdown", markdown).palette)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        code = str(self.text).rstrip("\n")
        text = highlighted(code, self.lexer_name, self.palette)
        text.rstrip()
        indent = 2 if options.max_width >= _NARROW else 0
        yield from _beside(console, options, text, [Segment(" " * indent)] * 2)


class _Quote(BlockQuote):
    def __init__(self, bar: str) -> None:
        super().__init__()
        self.bar = bar

    @classmethod
    def create(cls, markdown: Markdown, token: Token) -> "_Quote":
        return cls(cast("CalmMarkdown", markdown).signs.bar)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        bar = Segment(f"{self.bar} ", console.get_style("markdown.hr"))
        yield from _beside(console, options, self.elements, [bar, bar], self.style)


class _Rule(HorizontalRule):
    new_line = True

    def __init__(self, sign: str) -> None:
        self.sign = sign

    @classmethod
    def create(cls, markdown: Markdown, token: Token) -> "_Rule":
        return cls(cast("CalmMarkdown", markdown).signs.rule)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(self.sign * min(options.max_width, 24), console.get_style("markdown.hr"))


class _List(ListElement):
    def __init__(self, list_type: str, list_start: int | None, bullet: str) -> None:
        super().__init__(list_type, list_start)
        self.bullet = bullet

    @classmethod
    def create(cls, markdown: Markdown, token: Token) -> "_List":
        return cls(token.type, int(token.attrs.get("start", 1)), cast("CalmMarkdown", markdown).signs.bullet)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        first = 1 if self.list_start is None else self.list_start
        digits = len(str(first + len(self.items) - 1))
        for number, item in enumerate(self.items, first):
            if self.list_type == "bullet_list_open":
                mark = Segment(f" {self.bullet} ", console.get_style("markdown.item.bullet"))
            else:
                mark = Segment(f" {number:>{digits}}. ", console.get_style("markdown.item.number"))
            blank = Segment(" " * mark.cell_length)
            yield from _beside(console, options, item.elements, [mark, blank], item.style)


class _Table(TableElement):
    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        header = self.header.row.cells if self.header and self.header.row else []
        rows = [[cell.content for cell in row.cells] for row in self.body.rows] if self.body else []
        if len(header) * (_CELL + 2) > options.max_width:
            yield from self._as_lines([cell.content for cell in header], rows)
            return
        table = Table(
            box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, style="markdown.table.border", header_style=""
        )
        for cell in header:
            title = cell.content.copy()
            title.stylize("markdown.table.header")
            table.add_column(title, justify=cell.justify, overflow="fold")
        for row in rows:
            table.add_row(*row)
        yield table

    @staticmethod
    def _as_lines(names: list[Text], rows: list[list[Text]]) -> RenderResult:
        if not rows:
            yield Text(" · ").join(names)
        for number, row in enumerate(rows):
            if number:
                yield Text("")
            for name, value in zip(names, row, strict=False):
                title = name.copy()
                title.stylize("markdown.table.header")
                yield Text.assemble(title, ": ", value)


def _beside(
    console: Console, options: ConsoleOptions, content: object, marks: list[Segment], style: Style | None = None
) -> Iterator[Segment]:
    """Draw `content` right of a mark: `marks[0]` on its first line, `marks[1]` on the others."""
    indent = marks[0].cell_length
    room = options.max_width - indent
    if room < _NARROW // 2:
        room, marks = options.max_width, [Segment(marks[0].text.strip()), Segment("")]
        room = max(1, room - marks[0].cell_length)
    lines = console.render_lines(content, options.update(width=room), style=style)  # type: ignore[arg-type]
    for number, line in enumerate(lines or [[]]):
        yield marks[min(number, 1)]
        yield from line
        yield Segment.line()


CalmMarkdown.elements = {
    "paragraph_open": Paragraph,
    "heading_open": _Heading,
    "fence": _Code,
    "code_block": _Code,
    "blockquote_open": _Quote,
    "hr": _Rule,
    "bullet_list_open": _List,
    "ordered_list_open": _List,
    "list_item_open": ListItem,
    "table_open": _Table,
    "tbody_open": TableBodyElement,
    "thead_open": TableHeaderElement,
    "tr_open": TableRowElement,
    "td_open": TableDataElement,
    "th_open": TableDataElement,
}
