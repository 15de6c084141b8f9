"""Makes hostile text inert before a front end shows it.

Text from models, tools, files, branches and servers is data (core.md §2, ui.md §7). It is kept as it is in the session
and passes through `neutralise` on its way to a screen or a terminal: nothing in it may move the cursor, change colours,
reorder what is read, or hide.
"""

import re

_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_INVISIBLE = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200d\u2028\u2029\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0"
)
_TAGS = "\U000e0000-\U000e007f"
_SURROGATES = "\ud800-\udfff"
_HOSTILE = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{_BIDI}{_INVISIBLE}{_TAGS}{_SURROGATES}]")
_HOSTILE_LINE = re.compile(f"[\x00-\x1f\x7f-\x9f{_BIDI}{_INVISIBLE}{_TAGS}{_SURROGATES}]")


def neutralise(text: str) -> str:
    """Return `text` with everything but newline and tab that acts or hides shown as a visible sign.

    C0 controls become their control pictures (ESC is `␛`), C1, bidi, invisible and tag characters and lone surrogates
    become `<U+202E>`; CR LF is read as one newline. Zero-width joiners are shown, too: an emoji falls into its parts,
    which is the price for not letting a name hide characters.
    """
    return _HOSTILE.sub(_shown, text.replace("\r\n", "\n"))


def neutralise_line(text: str) -> str:
    """Like `neutralise`, for one line: newlines (`␊`) and tabs (`␉`) are made visible as well."""
    return _HOSTILE_LINE.sub(_shown, text)


def _shown(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    return f"<U+{code:04X}>"
