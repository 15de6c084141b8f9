"""Rules that an answer may store: for exactly one call, and patterns around it (permissions.md §3.2). Pure.

What these functions give back always covers the call that it was made for, and a rule for exactly one call matches no
other subject.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from decode_core.permissions.matching import covers, touches
from decode_core.permissions.modes import ToolKind
from decode_core.permissions.patterns import Wild, escape
from decode_core.permissions.request import PermissionRequest, SubjectKind
from decode_core.permissions.rules import Rule, RuleError, RuleList, RuleSource, parse_rule

MAX_SUGGESTIONS = 4
"""Patterns offered beside the exact rule: more would be a list to study."""


@dataclass(frozen=True)
class RulePreview:
    """What a rule that is being written would do."""

    problem: str | None
    """Why it cannot be stored, as one sentence; None where it can."""
    rule: Rule | None = None
    matched: tuple[str, ...] = ()
    """Subjects of earlier calls that it matches, the latest first, each once."""

    @property
    def is_storable(self) -> bool:
        """Whether nothing speaks against it."""
        return self.problem is None


def exact_rule(
    request: PermissionRequest, in_list: RuleList = RuleList.ALLOW, source: RuleSource = RuleSource.SESSION
) -> Rule | None:
    """The rule that matches this call's subject and, in `allow`, no other; None where there is none.

    An empty subject has no rule; a rule that would not match the very call is never given.
    """
    subject = _subject(request)
    if not subject or subject == ".":
        return None
    rule = _parsed(f"{request.tool}({escape(subject)})", in_list, source)
    return rule if rule is not None and _matches(rule, request) else None


def suggested_rules(request: PermissionRequest, source: RuleSource = RuleSource.SESSION) -> tuple[Rule, ...]:
    """Allow rules with a pattern that cover the call and its like, the most fitting first; often none."""
    match request.subject_kind:
        case SubjectKind.COMMAND:
            patterns = _command_patterns(request)
        case SubjectKind.PATH:
            patterns = _path_patterns(_subject(request))
        case SubjectKind.URL:
            patterns = _url_patterns(request)
        case SubjectKind.TEXT | SubjectKind.NONE:
            patterns = iter(())
    rules = (_parsed(f"{request.tool}({pattern})", RuleList.ALLOW, source) for pattern in dict.fromkeys(patterns))
    return tuple(rule for rule in rules if rule is not None and covers(rule, request))[:MAX_SUGGESTIONS]


def preview_rule(
    text: str,
    in_list: RuleList,
    source: RuleSource,
    *,
    earlier: Sequence[PermissionRequest] = (),
    call: PermissionRequest | None = None,
) -> RulePreview:
    """What the rule `text` would do: to `call`, which it has to match where there is one, and to `earlier` calls.

    A rule that lets every call of a tool through is not stored from a dialog.
    """
    try:
        rule = parse_rule(text, in_list, source)
    except RuleError as error:
        return RulePreview(f"{str(error)[0].upper()}{str(error)[1:]}.")
    matched = dict.fromkeys(_shown(each) for each in reversed(earlier) if _matches(rule, each))
    return RulePreview(_objection(rule, call), rule, tuple(matched))


def note_of(rule: Rule, request: PermissionRequest) -> str:
    """What an exact rule for the call lets through or refuses, in a few words."""
    if request.kind is ToolKind.FILE_EDIT:
        return "any change of this file"
    return "exactly this call" if rule.list is RuleList.ALLOW else "this call, also in other words"


def _objection(rule: Rule, call: PermissionRequest | None) -> str | None:
    if not rule.list.is_wide:
        if rule.pattern is None:
            return f"{rule.text} would let every call of {rule.tool} through; put a pattern in brackets behind it."
        if all(isinstance(token, Wild) or not str(token).strip(" /.:") for token in rule.pattern.tokens):
            return f"{rule.text} would let nearly every call of {rule.tool} through; say more."
    if call is not None and not _matches(rule, call):
        return f"{rule.text} does not match this call."
    return None


def _matches(rule: Rule, request: PermissionRequest) -> bool:
    return touches(rule, request) if rule.list.is_wide else covers(rule, request)


def _parsed(text: str, in_list: RuleList, source: RuleSource) -> Rule | None:
    try:
        return parse_rule(text, in_list, source)
    except RuleError:
        return None


def _subject(request: PermissionRequest) -> str:
    if request.subject_kind is SubjectKind.PATH:
        return request.paths[0].relative if request.paths else ""
    return request.subject.strip()


def _shown(request: PermissionRequest) -> str:
    return _subject(request) or request.tool


def _command_patterns(request: PermissionRequest) -> Iterator[str]:
    """`git add *` where the second word names what is done, then longer and shorter beginnings.

    The program alone is suggested only where its options are known, or where nothing else tells its calls apart:
    `npm *` would be a permission to run anything.
    """
    from decode_core.permissions.command import call_parts
    from decode_core.permissions.shell.program_table import NEEDS_OWN_RULE, PROGRAMS
    from decode_core.permissions.shell.wrappers import base_name

    parts = call_parts(request)
    if parts.obstacle is not None or len({part.program for part in parts.parts}) != 1:
        return
    words = parts.parts[0].reading.split(" ")
    program = base_name(words[0])
    acts = program == "git" or program not in PROGRAMS
    named = acts and len(words) > 1 and words[1].replace("-", "").replace(":", "").isalnum() and words[1][0] != "-"
    alone = program not in NEEDS_OWN_RULE and (program in PROGRAMS or not named)
    if named and len(words) > 2:
        yield escape(" ".join(words[:2])) + " *"
    if alone and not named:
        yield escape(words[0]) + " *"
    if len(words) > 3:
        yield escape(" ".join(words[:-1])) + " *"
    if alone:
        yield escape(words[0]) + " *"


def _path_patterns(path: str) -> Iterator[str]:
    """The file's folder, its kind in that folder, and the topmost folder."""
    folder, _, name = path.rpartition("/")
    suffix = name[name.rindex(".") :] if "." in name[1:] else ""
    if folder:
        yield f"{escape(folder)}/**"
    if suffix:
        yield f"{escape(folder)}/*{escape(suffix)}" if folder else f"*{escape(suffix)}"
    top = folder.partition("/")[0]
    if top and top != folder:
        yield f"{escape(top)}/**"


def _url_patterns(request: PermissionRequest) -> Iterator[str]:
    """The host with every path; the path's first folder."""
    url = request.url
    if url is None:
        return
    start = str(url).removesuffix(url.path)
    yield f"{escape(start)}/*"
    first = url.path.partition("?")[0].split("/")[1]
    if first:
        yield f"{escape(start)}/{escape(first)}/*"
