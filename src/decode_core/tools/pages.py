"""Bytes of a web page as text: HTML becomes Markdown, other text stays as it is, the rest is no text. Pure."""

import codecs
import re

TEXT_TYPES = frozenset({"application/json", "application/xml", "application/javascript", "application/x-yaml", ""})
MAX_HTML = 2 * 1024 * 1024
"""Characters of HTML that are converted; the converter needs memory many times their size."""

_META_CHARSET = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?([A-Za-z0-9_.:-]{1,40})""", re.IGNORECASE)
_UNSEEN = ["script", "style", "noscript", "template", "svg", "head", "iframe", "object"]


def page_text(data: bytes, media_type: str, charset: str | None) -> str | None:
    """Return the text, or None for images, archives and other binary data.

    The charset is that of the header, else of the page's own `meta`, else UTF-8; bytes that do not fit are replaced.
    """
    is_html = media_type in ("text/html", "application/xhtml+xml")
    is_text = is_html or media_type.startswith("text/") or media_type in TEXT_TYPES
    is_text = is_text or media_type.endswith(("+json", "+xml"))
    if not is_text or (not media_type and b"\0" in data[:4096]):
        return None
    text = data.decode(_codec(data, charset, look_inside=is_html), errors="replace")
    return _markdown(text[:MAX_HTML]) if is_html else text


def _codec(data: bytes, charset: str | None, *, look_inside: bool) -> str:
    found = _META_CHARSET.search(data[:4096]) if look_inside else None
    for name in (charset, found.group(1).decode() if found else None):
        if name:
            try:
                info = codecs.lookup(name)
            except LookupError:
                continue
            if info._is_text_encoding:
                return info.name
    return "utf-8"


def _markdown(html: str) -> str:
    from bs4 import BeautifulSoup
    from markdownify import ATX, MarkdownConverter

    try:
        soup = BeautifulSoup(html, "html.parser")
        for element in soup(_UNSEEN):
            element.decompose()
        text = str(MarkdownConverter(heading_style=ATX, strip=["img"]).convert_soup(soup))
    except RecursionError:
        # a page made of thousands of nested elements: its words without their structure
        text = re.sub(r"<[^>]{0,10000}>", " ", html)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"
