"""What a verdict costs: the gate with 1,000 rules, and the facts of one path."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from bench.figures import Figure
from bench.places import Place
from decode_core.permissions.gate import PermissionGate
from decode_core.permissions.modes import ToolKind
from decode_core.permissions.request import PermissionRequest, SubjectKind
from decode_core.permissions.resolve import resolve
from decode_core.permissions.rules import Rule, RuleList, RuleSource, parse_rule
from decode_core.workspace import Workspace

T = TypeVar("T")

TEXTS = (
    "read(src/part{0}/**)",
    "edit(src/part{0}/*.py)",
    "write(docs/page{0}.md)",
    "bash(tool{0} run *)",
    "bash(make target{0})",
    "bash(git -C part{0} status*)",
    "read(**/secret{0}.txt)",
    "edit(*.gen{0})",
    "web_fetch(https://host{0}.example.org/*)",
    "mcp__server{0}__*",
)


def rules(count: int) -> list[Rule]:
    """A mix of rules for every tool and list, none of which matches what is asked."""
    lists = (RuleList.DENY, RuleList.ASK, RuleList.ALLOW, RuleList.ALLOW)
    numbers = range(count)
    return [parse_rule(TEXTS[n % len(TEXTS)].format(n), lists[n // len(TEXTS) % 4], RuleSource.USER) for n in numbers]


def measure(here: Place, count: int = 1_000, rounds: int = 200, longest: int = 65_000) -> Iterator[Figure]:
    """Microseconds of a check, of a call asked before and of one that is new each time."""
    workspace = Workspace.open(here.project)
    gate = PermissionGate(rules=rules(count))
    empty = PermissionGate()

    def path(number: int) -> PermissionRequest:
        return _request("edit", ToolKind.FILE_EDIT, f"src/deep/folder/module{number}.py", SubjectKind.PATH, workspace)

    def command(number: int) -> PermissionRequest:
        text = f"pytest -q tests/unit/test_{number}.py"
        return _request("bash", ToolKind.OTHER, text, SubjectKind.COMMAND, workspace)

    def long_command(number: int) -> PermissionRequest:
        text = f"cd part{number} && make all; " + "grep -rn 'needle' src/folder | sort | uniq -c > out.txt; " * 3
        return _request("bash", ToolKind.OTHER, text[:200], SubjectKind.COMMAND, workspace)

    kinds = (("path", path, 50.0), ("command", command, 1_000.0), ("200-character command", long_command, 1_000.0))
    for label, make, budget_new in kinds:
        requests = [make(number) for number in range(1, rounds + 1)]
        gate.set_rules(RuleSource.USER, gate.rules)
        yield Figure(f"gate, {count:,} rules changed, first {label}", _each_us(gate.check, [make(0)]), "µs")
        new = _each_us(gate.check, requests)
        again = _each_us(gate.check, [make(0) for _ in range(rounds)])
        alone = _each_us(empty.check, requests)
        yield Figure(f"gate, {count:,} rules, {label}, new", new, "µs", budget_new, alone, "no rules")
        yield Figure(f"gate, {count:,} rules, {label}, again", again, "µs", 50.0, alone, "no rules")
    yield Figure("facts of one path", _each_us(path, range(rounds)), "µs")
    yield Figure("facts of a command with ten paths", _each_us(_many_paths(workspace), range(rounds)), "µs", 1_000.0)
    yield Figure("facts and verdict of the slowest known 64 KiB", _slowest_ms(gate, workspace, longest), "ms", 200.0)


def _many_paths(workspace: Workspace) -> Callable[[int], PermissionRequest]:
    def ask(number: int) -> PermissionRequest:
        names = " ".join(f"src/deep/part{number}/module{name}.py" for name in range(10))
        return _request("bash", ToolKind.OTHER, f"cat {names}", SubjectKind.COMMAND, workspace)

    return ask


SLOW_UNITS = ("a;", "a|", "$x ", "time ", "[a]", ")$", "1@", ">dofi `", "case ]", "a/", "{a,b} ", "cat *.py ")
"""What a text of one size is judged slowest that consists of them, among everything that was tried."""


def _slowest_ms(gate: PermissionGate, workspace: Workspace, longest: int) -> float:
    def judge(unit: str) -> float:
        text = (unit * longest)[:longest]
        begun = time.process_time()
        gate.check(_request("bash", ToolKind.OTHER, text, SubjectKind.COMMAND, workspace))
        return (time.process_time() - begun) * 1e3

    return max(judge(unit) for unit in SLOW_UNITS)


def _each_us(call: Callable[[T], object], over: Sequence[T]) -> float:
    begun = time.process_time()
    for each in over:
        call(each)
    return (time.process_time() - begun) / len(over) * 1e6


def _request(
    tool: str, kind: ToolKind, subject: str, subject_kind: SubjectKind, workspace: Workspace
) -> PermissionRequest:
    return resolve(
        call_id="c",
        tool=tool,
        kind=kind,
        subject=subject,
        subject_kind=subject_kind,
        args={},
        workspace=workspace,
    )
