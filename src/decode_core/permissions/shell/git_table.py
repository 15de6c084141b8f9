"""Git's subcommands: which only read, and which a wildcard may cover (permissions.md §4 and §6). Data.

Left out on purpose, so that they are hazards: `-c`, `--exec-path`, `--git-dir`, `--work-tree`, `--output`,
`--ext-diff`, `--textconv`, `--no-index`, `--open-files-in-pager`, `--upload-pack`, `--receive-pack`, `rebase --exec`,
`bisect run`, `submodule foreach`, `difftool`, `mergetool`, `filter-branch`, `config` with a value, and
`--show-signature`.
"""

from dataclasses import dataclass

_DIFF_FLAGS = (
    "-p -u --patch -s --no-patch --raw --patch-with-raw --minimal --patience --histogram --numstat --shortstat "
    "--summary --name-only --name-status --no-color --no-renames --check --full-index --binary -a --text -b -w "
    "--ignore-space-change --ignore-all-space --ignore-space-at-eol --ignore-blank-lines --exit-code --quiet "
    "--no-ext-diff --no-textconv --cached --staged --merge-base -R -z --pickaxe-all --no-prefix --compact-summary "
    "--function-context -W --word-diff --color-words --cc -c -m --no-relative"
)
_DIFF_OPTIONAL = (
    "--stat --color --unified --word-diff --word-diff-regex --color-words --diff-algorithm --abbrev --find-renames "
    "--find-copies --relative --submodule --color-moved --dirstat --inter-hunk-context --ignore-submodules "
    "--diff-merges --ws-error-highlight --diff-filter --anchored --src-prefix --dst-prefix -M -C -B"
)
_DIFF_TEXTS = "-U -S -G -l"

_LOG_FLAGS = (
    f"{_DIFF_FLAGS} --oneline --graph --all --decorate --no-decorate --merges --no-merges --reverse --follow "
    "--date-order "
    "--topo-order --author-date-order --first-parent --abbrev-commit --no-abbrev-commit --left-right --cherry-pick "
    "--cherry-mark --cherry --full-history --simplify-merges --boundary -i --regexp-ignore-case -E -F -P "
    "--all-match --invert-grep --relative-date --parents --children --source --no-notes --dense --sparse "
    "--tags --branches --remotes --no-walk --walk-reflogs -g --count -t -r --no-mailmap --use-mailmap "
    "--clear-decorations"
)
_LOG_OPTIONAL = (
    f"{_DIFF_OPTIONAL} --pretty --format --date --decorate --since --after --until --before --author --committer "
    "--grep "
    "--max-count --skip --min-parents --max-parents --branches --tags --remotes --glob --exclude --encoding "
    "--decorate-refs --decorate-refs-exclude --no-walk --ancestry-path --count"
)
_LOG_TEXTS = f"{_DIFF_TEXTS} -n --max-count --skip --since --after --until --before --author --committer --grep --date"


@dataclass(frozen=True)
class Subcommand:
    """One subcommand: its options, and whether it can be proven to read."""

    name: str
    flags: str = ""
    texts: str = ""
    optional: str = ""
    is_read: bool = False
    prints_history: bool = False
    """It prints what files hold, in the index, the work tree or history."""
    history_options: str = ""
    """With one of these it prints what files hold."""
    takes_numbers: bool = False
    only: str | None = None
    """A pattern that every word which is no option must match for it to be a read."""
    verbs: str = ""
    """It is a read only where its first word is one of these: `git stash -- list` stashes a file named list."""
    needs: str = ""
    """One of these must be given for it to be a read, unless it has no words at all."""
    refused: str | None = None
    """A pattern of words that are a hazard."""


_ANY_URL = r"[^:]*::|--|-|file:|[^/]*\$"

SUBCOMMANDS = {
    each.name: each
    for each in (
        Subcommand(
            "status",
            flags="-s -b -v -z --short --branch --show-stash --long --verbose --ignored --renames --no-renames "
            "--ahead-behind --no-ahead-behind -uno -unormal -uall -u",
            optional="--porcelain --untracked-files --ignored --column --find-renames",
            is_read=True,
            history_options="-v --verbose",
        ),
        Subcommand(
            "log",
            _LOG_FLAGS,
            _LOG_TEXTS,
            _LOG_OPTIONAL,
            is_read=True,
            history_options="-p -u --patch --raw --patch-with-raw -S -G -U --unified --word-diff --color-words --cc "
            "-c -m "
            "--binary -W --function-context --check --color-moved",
            takes_numbers=True,
        ),
        Subcommand("shortlog", f"{_LOG_FLAGS} -s -n -e -c", _LOG_TEXTS, _LOG_OPTIONAL, is_read=True, needs="HEAD"),
        Subcommand(
            "show", _LOG_FLAGS, _LOG_TEXTS, _LOG_OPTIONAL, is_read=True, prints_history=True, takes_numbers=True
        ),
        Subcommand("diff", _DIFF_FLAGS, _DIFF_TEXTS, _DIFF_OPTIONAL, is_read=True, prints_history=True),
        Subcommand(
            "diff-tree", f"{_DIFF_FLAGS} -r -t --root", _DIFF_TEXTS, _DIFF_OPTIONAL, is_read=True, prints_history=True
        ),
        Subcommand("diff-index", _DIFF_FLAGS, _DIFF_TEXTS, _DIFF_OPTIONAL, is_read=True, prints_history=True),
        Subcommand("diff-files", _DIFF_FLAGS, _DIFF_TEXTS, _DIFF_OPTIONAL, is_read=True, prints_history=True),
        Subcommand(
            "blame",
            flags="-b -l -t -e -w -f -n -s -c -p --show-name --show-number --show-email --porcelain --root "
            "--line-porcelain",
            texts="-L --date",
            optional="--abbrev --date -M -C",
            is_read=True,
            prints_history=True,
        ),
        Subcommand(
            "grep",
            flags="-i -v -w -n -l -L -c -h -H -o -q -E -F -P -G -a -I -W -p --cached --ignore-case --invert-match "
            "--word-regexp --line-number --files-with-matches --name-only --count --heading --break --show-function "
            "--all-match --and --or --not --column --full-name --text --only-matching --quiet",
            texts="-e -A -B -C -m --max-depth",
            optional="--color",
            is_read=True,
            prints_history=True,
            takes_numbers=True,
        ),
        Subcommand(
            "ls-files",
            flags="-c -d -m -o -i -s -u -k -t -v -z --cached --deleted --modified --others --ignored --stage "
            "--unmerged "
            "--exclude-standard --error-unmatch --full-name --directory --eol",
            texts="-x --exclude",
            optional="--abbrev",
            is_read=True,
        ),
        Subcommand(
            "ls-tree", flags="-d -r -t -l -z --name-only --name-status --long --full-name --full-tree", is_read=True
        ),
        Subcommand(
            "rev-parse",
            flags="--abbrev-ref --show-toplevel --short --verify -q --quiet --is-inside-work-tree --git-dir "
            "--show-prefix "
            "--show-cdup --is-bare-repository --symbolic-full-name --absolute-git-dir --all --branches --tags "
            "--symbolic",
            optional="--short --abbrev-ref",
            is_read=True,
        ),
        Subcommand("rev-list", _LOG_FLAGS, _LOG_TEXTS, _LOG_OPTIONAL, is_read=True, takes_numbers=True),
        Subcommand("merge-base", flags="-a --all --octopus --is-ancestor --independent --fork-point", is_read=True),
        Subcommand(
            "describe",
            flags="--tags --all --always --long --exact-match --first-parent --contains",
            texts="--match --exclude",
            optional="--dirty --abbrev --match --exclude --broken --candidates",
            is_read=True,
        ),
        Subcommand("name-rev", flags="--tags --name-only --all", is_read=True),
        Subcommand("cat-file", flags="-t -s -e -p", is_read=True, prints_history=True),
        Subcommand("show-ref", flags="--heads --tags -d -s -q --verify --hash --branches", is_read=True),
        Subcommand(
            "for-each-ref",
            texts="--count --sort --format",
            optional="--format --sort --count --merged --no-merged --contains --points-at",
            is_read=True,
        ),
        Subcommand("count-objects", flags="-v -H", is_read=True, only=r"(?!)"),
        Subcommand("check-ignore", flags="-v -n -q", is_read=True),
        Subcommand("whatchanged", _LOG_FLAGS, _LOG_TEXTS, _LOG_OPTIONAL, is_read=True, prints_history=True),
        Subcommand("version", is_read=True),
        Subcommand(
            "branch",
            flags="-a -r -v -vv -l --all --remotes --list --verbose --show-current -d -D -m -M -c -f -u -t --delete "
            "--move "
            "--copy --force --no-color --track --no-track --unset-upstream -i --ignore-case",
            optional="--sort --format --contains --no-contains --merged --no-merged --points-at --color --column "
            "--abbrev "
            "--set-upstream-to --track",
            is_read=True,
            only=r"(?!)",
        ),
        Subcommand(
            "tag",
            flags="-l --list -n -a -d -f -i --ignore-case --delete --annotate --force",
            texts="-m --message",
            optional="--sort --format --contains --no-contains --merged --no-merged --points-at --color --column -n",
            is_read=True,
            only=r"(?!)",
        ),
        Subcommand(
            "remote",
            flags="-v --verbose --tags -t -f",
            is_read=True,
            only=r"get-url|(?!.*\b(add|set)).*origin",
            refused=_ANY_URL,
        ),
        Subcommand(
            "stash",
            flags="-p -u -k -q -a -s --patch --include-untracked --keep-index --quiet --all --staged --index --oneline",
            texts="-m --message",
            optional="--stat --format --pretty",
            is_read=True,
            prints_history=True,
            only=r"list|show|stash@\{\d+\}|\d+",
            verbs="list show",
        ),
        Subcommand(
            "reflog",
            _LOG_FLAGS,
            _LOG_TEXTS,
            _LOG_OPTIONAL,
            is_read=True,
            takes_numbers=True,
            only=r"show|HEAD|[\w/.-]+@\{.*\}",
            history_options="-p -u --patch -S -G -U",
        ),
        Subcommand(
            "worktree", flags="-b -B -f -d --detach --porcelain -v --force", is_read=True, only="list", verbs="list"
        ),
        Subcommand("config", flags="--get --get-all --list -l --show-origin --show-scope --local --global --name-only"),
        Subcommand(
            "add",
            flags="-A -u -n -v -f -N --all --update --dry-run --verbose --force --intent-to-add "
            "--ignore-removal --no-all --renormalize -p --patch",
            optional="--chmod",
        ),
        Subcommand(
            "commit",
            flags="-a -q -v -s -n -p -o -i --all --quiet --verbose --signoff --no-verify --amend --no-edit "
            "--allow-empty --allow-empty-message --dry-run --short --porcelain --branch --only --include "
            "--reset-author --no-signoff --no-gpg-sign",
            texts="-m -C --message --author --date --reuse-message --fixup --squash --trailer",
            optional="--message --author --date --fixup --squash --cleanup --trailer --untracked-files",
        ),
        Subcommand(
            "push",
            flags="-u -n -q -v -f -d --set-upstream --dry-run --quiet --verbose --force --delete --tags "
            "--follow-tags --all --force-if-includes --no-verify --porcelain --progress --atomic --prune",
            optional="--force-with-lease",
            refused=_ANY_URL,
        ),
        Subcommand(
            "pull",
            flags="-q -v --rebase --no-rebase --ff --ff-only --no-ff --autostash --no-autostash --prune "
            "--tags --no-tags --quiet --verbose --no-edit --no-commit --squash --all -p",
            optional="--rebase --depth",
            refused=_ANY_URL,
        ),
        Subcommand(
            "fetch",
            flags="-a -p -q -v -t -f -n --all --prune --quiet --verbose --tags --no-tags --dry-run --force "
            "--unshallow --append --prune-tags --multiple",
            texts="-j --depth --jobs",
            optional="--depth --shallow-since --jobs",
            refused=_ANY_URL,
        ),
        Subcommand(
            "clone",
            flags="-q -v -n -s -l --quiet --verbose --no-checkout --bare --single-branch --no-tags --local "
            "--no-single-branch",
            texts="-b -o --depth --branch --origin",
            optional="--depth --branch --origin --filter --shallow-since",
            refused=_ANY_URL,
        ),
        Subcommand("ls-remote", flags="-h -t -q --heads --tags --refs --quiet --exit-code --get-url", refused=_ANY_URL),
        Subcommand(
            "checkout",
            flags="-q -f -b -B -t -d -l -m -p --quiet --force --track --no-track --detach --ours --theirs "
            "--merge --patch --progress --ignore-skip-worktree-bits",
            texts="--orphan",
            optional="--conflict",
        ),
        Subcommand(
            "switch",
            flags="-q -f -c -C -d -t -m --quiet --force --create --force-create --detach --track "
            "--no-track --discard-changes --merge --guess --no-guess",
            texts="--orphan",
        ),
        Subcommand(
            "restore",
            flags="-q -S -W -p -2 -3 --staged --worktree --quiet --ours --theirs --patch --progress",
            texts="-s --source",
            optional="--source",
        ),
        Subcommand("reset", flags="-q -p --soft --mixed --hard --merge --keep --quiet --patch -N --intent-to-add"),
        Subcommand("clean", flags="-d -f -n -q -x -X --dry-run --force --quiet", texts="-e --exclude"),
        Subcommand("rm", flags="-f -n -r -q --cached --force --dry-run --quiet --ignore-unmatch"),
        Subcommand("mv", flags="-f -k -n -v --force --dry-run --verbose"),
        Subcommand(
            "merge",
            flags="-q -v -n --no-ff --ff --ff-only --squash --no-commit --commit --abort --continue --quit "
            "--no-edit --stat --no-stat --autostash --allow-unrelated-histories --signoff",
            texts="-m --message",
            optional="--message --into-name",
        ),
        Subcommand(
            "rebase",
            flags="-q -v -f --abort --continue --skip --quit --autostash --no-autostash --autosquash "
            "--no-autosquash --keep-base --root --update-refs --no-verify --stat --committer-date-is-author-date",
            texts="--onto",
            optional="--onto",
        ),
        Subcommand(
            "cherry-pick",
            flags="-n -x -s --abort --continue --skip --quit --no-commit --signoff --allow-empty --ff",
            texts="-m --mainline",
            optional="--mainline",
        ),
        Subcommand(
            "revert", flags="-n -s --no-edit --no-commit --abort --continue --skip --quit --signoff", texts="-m"
        ),
        Subcommand("init", flags="-q --quiet --bare", texts="-b --initial-branch", optional="--initial-branch"),
        Subcommand(
            "apply",
            flags="-v -R -3 --check --stat --numstat --summary --index --cached --3way --reverse --verbose --reject",
            texts="-p",
        ),
        Subcommand("notes", flags=""),
        Subcommand("gc", flags="--auto -q --quiet"),
    )
}
