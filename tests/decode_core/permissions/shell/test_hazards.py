"""What no wildcard covers: innocent programs that run code, write, or leave the workspace (permissions.md §4)."""

from pathlib import Path

import pytest

from decode_core.permissions.patterns import escape
from shell_workspace import judge

HAZARDS = r"""
git -c core.pager=x log
git --exec-path=. status
git -C /etc status
git -C .. status
git diff --output=z
git diff --outpu=z
git diff --ext-diff
git log -p --textconv
git fetch --upload-pack=x
git clone -u x y
git bisect run sh
git submodule foreach ls
git rebase -x sh
git rebase --exec sh
git difftool
git config core.pager less
git config set core.pager less
git config --local core.hooksPath .
git config unset core.pager
git config --edit
git remote add x ext::sh
git fetch ext::sh
git grep -O x
find . -delete
find . -fprint z
find . -fprintf z %p
find . -exec sh -c x ;
find . -execdir x ;
find . -ok x ;
sort -o z a
sort -uo z a
sort --output=z a
sort --outp=z a
sort --compress-program=sh a
sed -i p a
sed -ni p a
sed --in-place p a
sed w\ z a
sed 'w z' a
sed 's/a/b/w z' a
sed '1e touch z' a
sed 's/a/b/e' a
sed 's/a[/]b/p;s/w z/x/' a
awk 'BEGIN{system("x")}'
awk '{print | "sh"}' a
awk '{print > "z"}' a
tar --to-command=sh -xf a
tar -I sh -xf a
tar -xf a --use-compress-program=sh
rg --pre sh x
rg --hostname-bin=./x x
uniq a z
xxd a z
xxd -r a z
curl -o z https://example.org
curl -O https://example.org
curl -K z
curl --config z
curl file:///etc/passwd
curl -d @a https://example.org
tee z < a
tee -a z
strings @a
printf -v x y
find . <&- -delete
"""


@pytest.mark.parametrize("command", HAZARDS.strip().splitlines())
def test_no_wildcard_covers_it(ws: Path, command: str) -> None:
    program = command.split()[0]
    for pattern in (f"{program} *", "*"):
        if program == "tee" and pattern == "tee *":
            continue  # a rule for tee is a rule for writing
        assert judge(ws, command, allow=[f"bash({pattern})"]).outcome == "ask", pattern


@pytest.mark.parametrize("command", HAZARDS.strip().splitlines())
def test_the_literal_rule_covers_it(ws: Path, command: str) -> None:
    decision = judge(ws, command, allow=[f"bash({escape(command)})"])
    assert decision.outcome == "allow" or decision.by == "protected"


@pytest.mark.parametrize(
    "command",
    [
        "git commit -m 'a > b'",
        "git push origin main",
        "git config core.pager",
        "git config --get user.name",
        "find . -name '*.py'",
        "sort -u a",
        "sed -n 's/a/b/gp' a",
        "awk '{print $1}' a",
        "tar -xzf a -C src",
        "curl -sS https://example.org",
        "rg -n x src",
    ],
)
def test_ordinary_uses_are_covered(ws: Path, command: str) -> None:
    assert judge(ws, command, allow=[f"bash({command.split()[0]} *)"]).outcome == "allow"
