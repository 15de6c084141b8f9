"""A review of a diff by rules: what changed, and what a careful reader would stop at."""

import re
from dataclasses import dataclass, field

from decode_core.engine.offline.markdown import code, counted, one_line

MOST_FINDINGS = 20
LONG_LINE = 160
"""Characters beyond which an added line is named."""


@dataclass
class FileChange:
    """What a diff does to one file."""

    path: str
    added: int = 0
    removed: int = 0
    is_cut: bool = False
    """Part of its diff was not seen."""
    findings: list[tuple[int, str, str]] = field(default_factory=list)
    """Line number in the new file, what is wrong, and the line."""


def review(diff: str) -> str | None:
    """Return the review as Markdown; None where the text holds no diff."""
    changes = read_diff(diff)
    if not changes:
        return None
    added, removed = sum(change.added for change in changes), sum(change.removed for change in changes)
    lines = [f"{counted(len(changes), 'file')} changed, +{added} −{removed}:", ""]
    lines += [f"- {code(change.path)} +{change.added} −{change.removed}" for change in changes]
    if any(change.is_cut for change in changes):
        lines += ["", "The diff is too long to be seen whole; the counts and findings are of the part that I saw."]
    findings = [(change.path, *finding) for change in changes for finding in change.findings]
    lines.append("")
    if not findings:
        lines.append(
            "Nothing in it breaks a rule that I check: debug output, conflict marks, to-dos, secrets, stray blanks."
        )
        return "\n".join(lines)
    lines += [f"{counted(len(findings), 'finding')}:", ""]
    for path, number, problem, text in findings[:MOST_FINDINGS]:
        lines.append(f"- {code(f'{path}:{number}')} {problem}: {code(one_line(text, 80))}")
    if len(findings) > MOST_FINDINGS:
        lines.append(f"- … and {len(findings) - MOST_FINDINGS} more")
    return "\n".join(lines)


def read_diff(diff: str) -> list[FileChange]:
    """Read a unified diff as git writes it. Anything before the first file is skipped."""
    changes: list[FileChange] = []
    number = left_old = left_new = 0
    for line in diff.splitlines():
        if left_old > 0 or left_new > 0:
            change = changes[-1]
            match line[:1]:
                case "+":
                    change.added += 1
                    change.findings += [(number, problem, line[1:].strip()) for problem in _problems(line[1:])]
                    number, left_new = number + 1, left_new - 1
                case "-":
                    change.removed += 1
                    left_old -= 1
                case "\\":
                    pass
                case " " | "":
                    number, left_old, left_new = number + 1, left_old - 1, left_new - 1
                case _:
                    # no line of a diff: the tool left out the middle of a long output
                    left_old = left_new = 0
                    change.is_cut = True
        elif line.startswith("diff --git "):
            changes.append(FileChange(_path(line)))
        elif changes and (hunk := _HUNK.match(line)):
            number = int(hunk["start"])
            left_old, left_new = int(hunk["old"] or 1), int(hunk["new"] or 1)
    return changes


_HUNK = re.compile(r"^@@ -\d{1,9}(?:,(?P<old>\d{1,9}))? \+(?P<start>\d{1,9})(?:,(?P<new>\d{1,9}))? @@")

_RULES = (
    (re.compile(r"^(?:<{7}|>{7})(?: |$)|^={7}$"), "conflict mark"),
    (re.compile(r"\b(?:breakpoint\(\)|pdb\.set_trace\(|console\.log\(|debugger;|dbg!\()"), "debug output"),
    (re.compile(r"^\s*print\("), "debug output?"),
    (re.compile(r"\b(?:TODO|FIXME|XXX)\b"), "open to-do"),
    (
        re.compile(
            r"(?:api[_-]?key|secret|token|passw(?:or)?d)\w*[\"']?\s*[:=]\s*[\"'][^\"'\s]{8,}[\"']", re.IGNORECASE
        ),
        "secret in the text?",
    ),
    (re.compile(r"^\s*except\s*:"), "catches everything"),
    (re.compile(r"[ \t]+$"), "blanks at the end"),
    (re.compile(rf"^.{{{LONG_LINE + 1},}}"), "long line"),
)


def _problems(line: str) -> list[str]:
    return [problem for rule, problem in _RULES if rule.search(line)][:2]


def _path(line: str) -> str:
    # both names are the same but for renames; the new one comes last
    return line.rpartition(" b/")[2].strip('"') or line.removeprefix("diff --git ")
