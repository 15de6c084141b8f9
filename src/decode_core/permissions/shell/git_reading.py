"""Reads the words of git: global options, a subcommand of the table, its options and operands. Pure."""

import re
from collections.abc import Sequence

from decode_core.permissions.shell.git_table import SUBCOMMANDS, Subcommand
from decode_core.permissions.shell.programs import Arg, Program, Use

_GLOBAL_FLAGS = frozenset({"--no-pager", "-P", "--no-optional-locks", "--literal-pathspecs", "--version", "--help"})
_SIGNATURE = re.compile(r"%G|%\(\s*(?:signature|trailers:.*command)|signature")


def read_git(args: Sequence[Arg], use: Use) -> None:
    """A subcommand with its options; whatever is not listed for it is a hazard."""
    index = 0
    while index < len(args) and args[index].is_known and args[index].text.startswith("-"):
        option = args[index].text
        if option == "-C" and index + 1 < len(args):
            folder = args[index + 1]
            use.doubt("git -C looks at another folder")
            if not folder.is_known or folder.text.startswith(("/", "-")) or ".." in folder.text.split("/"):
                use.danger("git -C leaves the folder")
            index += 1
        elif option not in _GLOBAL_FLAGS:
            use.danger(f"git {option} is no ordinary option")
        elif option in ("--version", "--help"):
            use.subcommand = "version"
            if option == "--help":
                use.doubt("git --help opens a viewer")
        index += 1
    if index >= len(args):
        return
    first = args[index]
    if not first.is_known or first.is_expanded or (found := SUBCOMMANDS.get(first.text)) is None:
        use.danger(f"git {first.text} is no ordinary subcommand")
        return
    use.subcommand = found.name
    use.texts.add(first.number)
    _read_subcommand(found, args[index + 1 :], use)


def _read_subcommand(sub: Subcommand, args: Sequence[Arg], use: Use) -> None:
    options = Program(sub.name, sub.flags, sub.texts, optional=sub.optional, takes_numbers=sub.takes_numbers)
    given = options.read(args)
    if given.hazard:
        use.danger(f"git {sub.name}: {given.hazard}")
    use.texts |= given.texts
    words = [arg for arg in given.reads if arg.is_known]
    dashes = next((at for at, arg in enumerate(args) if arg.is_known and arg.text == "--"), None)
    use.pathspecs = None if dashes is None else list(args[dashes + 1 :])
    if sub.refused is not None and any(re.match(sub.refused, arg.text) for arg in words):
        use.danger(f"git {sub.name} is given an address that may run a program")
    if sub.name == "config" and not _only_reads_configuration(args, words):
        use.danger("git config sets what git runs and obeys")
    for arg in args:
        if arg.is_known and _SIGNATURE.search(arg.text):
            use.doubt("it would run a program to check signatures")
    if not sub.is_read:
        use.doubt(f"git {sub.name} changes something")
        use.reads.extend(words)
        return
    _read_reading(sub, args, words, use)


_READS_CONFIGURATION = frozenset({"--get", "--get-all", "--list", "-l"})


def _only_reads_configuration(args: Sequence[Arg], words: Sequence[Arg]) -> bool:
    """Whether a call of `git config` names a key at most: `KEY VALUE` and the verbs of newer versions change it."""
    texts = [arg.text for arg in words]
    if texts[:1] in (["get"], ["list"]) or any(arg.text in _READS_CONFIGURATION for arg in args if arg.is_known):
        return True
    return len(texts) <= 1 and all("." in text for text in texts) and all(arg.is_known for arg in args)


_CHANGES_BRANCHES = re.compile(
    r"-[a-zA-Z]*[dDmMcCfutaF]|--(?:delete|move|copy|force|track|no-track|unset|set|annotate|edit)"
)


def _read_reading(sub: Subcommand, args: Sequence[Arg], words: Sequence[Arg], use: Use) -> None:
    shown = [arg.text for arg in args if arg.is_known]
    if sub.name in ("branch", "tag"):
        lists = any(text in ("-l", "--list") for text in shown)
        changing = [text for text in shown if _CHANGES_BRANCHES.match(text) and text not in ("-a", "--all")]
        if sub.name == "tag" and "-a" in shown:
            changing.append("-a")
        if changing or (words and not lists):
            use.doubt(f"git {sub.name} changes something")
    elif sub.only is not None and not all(re.fullmatch(sub.only, arg.text) for arg in words):
        use.doubt(f"git {sub.name} changes something")
    if sub.name == "remote" and words and words[0].text != "get-url":
        use.doubt("git remote changes something or connects")
    if sub.name == "config":
        use.doubt("git config may print secrets")
    if sub.verbs and not (shown and args[0].is_known and shown[0] in sub.verbs.split()):
        use.doubt(f"git {sub.name} changes something")
    if sub.needs and not any(text in sub.needs.split() for text in shown):
        use.doubt(f"git {sub.name} needs {sub.needs.split()[0]} to be a mere read")
    use.prints_history = sub.prints_history or any(
        text == option or (option.startswith("--") and text.startswith(f"{option}=")) or _clusters(text, option)
        for text in shown
        for option in sub.history_options.split()
    )
    pattern_first = sub.name == "grep" and not any(text.startswith("-e") for text in shown)
    if pattern_first and words:
        use.texts.add(words[0].number)
        words = words[1:]
    use.reads.extend(words)


def _clusters(text: str, option: str) -> bool:
    return (
        not text.startswith("--")
        and len(option) == 2
        and re.match(rf"-[a-zA-Z]*{re.escape(option[1])}", text) is not None
    )


GIT = Program("git", reader=read_git)
