"""How a person writes values in a sentence: quotes, backticks, fences, paths, languages.

A sentence is *masked* before its grammar is looked at: each quoted part becomes one private sign, so that words inside
quotes are never taken for grammar and a quoted name with spaces is one word.
"""

import re
from dataclasses import dataclass

_FIRST_SIGN = 0xE000
_LAST_SIGN = 0xF8FF
_SIGNS = re.compile("[\ue000-\uf8ff]")
_MENTION = re.compile(rf"(?<!\S)@(?={_SIGNS.pattern})")
_QUOTED = re.compile(
    r"""
      ```[^\n`]*\n(?P<fence>.*?)\n?```          # a fenced block; what follows the opening marks is its language
    | (?<!`)(?P<ticks>`++)(?P<code>.+?(?<!`))(?P=ticks)(?!`)
    | "(?P<double>[^"]*)"
    | “(?P<curly>[^“”]*)”
    | (?<![^\s(:=])'(?P<single>[^'\n]*)'(?![^\s),.;:!?])   # not an apostrophe
    """,
    re.VERBOSE | re.DOTALL,
)

LANGUAGES = {
    "c": "*.c",
    "c++": "*.cpp",
    "config": "*.{toml,ini,cfg,yaml,yml,json}",
    "css": "*.css",
    "go": "*.go",
    "html": "*.html",
    "java": "*.java",
    "javascript": "*.js",
    "js": "*.js",
    "json": "*.json",
    "markdown": "*.md",
    "md": "*.md",
    "py": "*.py",
    "python": "*.py",
    "ruby": "*.rb",
    "rust": "*.rs",
    "shell": "*.sh",
    "sql": "*.sql",
    "text": "*.txt",
    "toml": "*.toml",
    "ts": "*.ts",
    "txt": "*.txt",
    "typescript": "*.ts",
    "xml": "*.xml",
    "yaml": "*.{yaml,yml}",
    "yml": "*.{yaml,yml}",
}
"""Names of file types that people use, and the pattern of each."""

_PLAIN_NAMES = {"makefile", "dockerfile", "license", "readme", "changelog", "notice", "justfile"}


_ENDINGS = {ending for pattern in LANGUAGES.values() for ending in re.findall(r"\w+", pattern)} | {
    "lock",
    "log",
    "csv",
    "h",
    "hpp",
    "jsx",
    "tsx",
    "rst",
    "svg",
    "png",
    "tcss",
}


@dataclass(frozen=True)
class Masked:
    """A sentence with its quoted parts taken out: `text` holds one sign for each of `parts` (written, meant)."""

    text: str
    parts: tuple[tuple[str, str], ...] = ()

    def written(self, piece: str) -> str:
        """A piece of the sentence as the person wrote it, quotes and all."""
        return _SIGNS.sub(lambda sign: self._part(sign.group())[0], piece).strip()

    def meant(self, piece: str) -> str:
        """The value of a piece: what stands in the quotes if it is one quoted part, else as it is written."""
        piece = piece.strip()
        if len(piece) == 1 and _SIGNS.match(piece):
            return self._part(piece)[1]
        return self.written(piece)

    def path(self, piece: str) -> str:
        """The value of a piece that names a path: without the `@` of a mention and the full stop of the sentence."""
        piece = piece.strip()
        if is_quoted(piece):
            return self.meant(piece)
        return self.written(piece).removeprefix("@").rstrip(",;:!?").removesuffix(".") or "."

    def _part(self, sign: str) -> tuple[str, str]:
        index = ord(sign) - _FIRST_SIGN
        return self.parts[index] if index < len(self.parts) else ("", "")


def mask(text: str) -> Masked:
    """Take the quoted parts out of `text`, with the `@` of a mention before one; private signs of its own go."""
    parts: list[tuple[str, str]] = []

    def take(match: re.Match[str]) -> str:
        if len(parts) > _LAST_SIGN - _FIRST_SIGN:
            return match.group()
        parts.append((match.group(), _inner(match)))
        return chr(_FIRST_SIGN + len(parts) - 1)

    masked = _QUOTED.sub(take, _SIGNS.sub("", text))
    return Masked(_MENTION.sub("", masked), tuple(parts))


def is_quoted(piece: str) -> bool:
    """Whether a piece of a masked sentence is one quoted part."""
    piece = piece.strip()
    return len(piece) == 1 and _SIGNS.match(piece) is not None


def looks_like_path(piece: str) -> bool:
    """Whether an unquoted word is more likely a file than a word: a slash, an ending, or a usual name."""
    word = piece.strip().removeprefix("@").rstrip(".,;:!?")
    if not word or re.search(r"\s", word):
        return False
    return (
        "/" in word
        or word.lower() in _PLAIN_NAMES
        or re.search(r"^\.?[\w\-*]+(\.[\w\-]+)*\.[A-Za-z]\w{0,9}$", word) is not None
    )


def is_file_name(piece: str) -> bool:
    """Whether an unquoted word is certainly the name of a file: it has a usual ending."""
    ending = piece.strip().rstrip(".,;:!?").rpartition(".")[2].lower()
    return looks_like_path(piece) and "." in piece and ending in _ENDINGS


def is_word(piece: str) -> bool:
    """Whether a piece is one name, as in programs, and no sentence."""
    return re.fullmatch(r"[\w.$-]+", piece.strip()) is not None


def is_pattern(text: str) -> bool:
    """Whether a path holds the signs of a file pattern."""
    return any(sign in text for sign in "*?[{")


def anywhere(pattern: str) -> str:
    """A file pattern that holds in every folder; one with a folder in it stays as it is."""
    return pattern if "/" in pattern else f"**/{pattern}"


def _inner(match: re.Match[str]) -> str:
    code = match["code"]
    if code is not None:
        # Markdown's rule: one space of padding at both ends is not part of the code
        return code[1:-1] if len(code) > 2 and code[0] == code[-1] == " " else code
    return next(inner for name in ("fence", "double", "curly", "single") if (inner := match[name]) is not None)
