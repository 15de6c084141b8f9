"""Programs whose words are a language of their own: what of it only reads (permissions.md §4 and §6). Pure.

Each function looks at all words of a command after its options were read, and notes what is a hazard or in doubt.
"""

import re
from collections.abc import Sequence

from decode_core.permissions.shell.programs import Arg, Use

_FIND_TESTS = frozenset(
    [
        "-empty",
        "-print",
        "-print0",
        "-prune",
        "-not",
        "!",
        "(",
        ")",
        "-a",
        "-o",
        "-and",
        "-or",
        "-true",
        "-false",
        "-depth",
        "-readable",
        "-writable",
        "-executable",
        "-xdev",
        "-mount",
        "-ls",
        "-quit",
        "-daystart",
        "-nouser",
        "-nogroup",
        ",",
    ]
)
_FIND_TEXT_TESTS = frozenset(
    [
        "-name",
        "-iname",
        "-path",
        "-ipath",
        "-wholename",
        "-regex",
        "-iregex",
        "-type",
        "-xtype",
        "-size",
        "-mtime",
        "-mmin",
        "-ctime",
        "-cmin",
        "-atime",
        "-amin",
        "-perm",
        "-user",
        "-group",
        "-uid",
        "-gid",
        "-maxdepth",
        "-mindepth",
        "-links",
        "-inum",
        "-printf",
        "-regextype",
        "-fstype",
        "-lname",
        "-ilname",
    ]
)
_FIND_FILE_TESTS = frozenset({"-newer", "-anewer", "-cnewer", "-samefile"})
_FIND_GLOBAL = frozenset({"-P", "-O0", "-O1", "-O2", "-O3"})


def read_find(args: Sequence[Arg], use: Use) -> None:
    """Start folders, then tests; every action but printing is a hazard."""
    in_expression = False
    index = 0
    while index < len(args):
        arg = args[index]
        index += 1
        if not arg.is_known:
            use.danger("a word is only known when it runs")
        elif arg.text in _FIND_GLOBAL and not in_expression:
            continue
        elif not in_expression and not arg.text.startswith("-") and arg.text not in ("!", "(", ")", ","):
            use.reads.append(arg)
        elif arg.is_expanded:
            use.danger(f"a pattern or loop gives {arg.text}")
        elif arg.text in _FIND_TESTS:
            in_expression = True
        elif arg.text in _FIND_TEXT_TESTS | _FIND_FILE_TESTS:
            in_expression = True
            if index >= len(args) or not args[index].is_known or args[index].is_expanded:
                use.danger(f"what follows {arg.text} is not plain")
            elif arg.text in _FIND_FILE_TESTS:
                use.reads.append(args[index])
            else:
                use.texts.add(args[index].number)
            index += 1
        else:
            use.danger(f"{arg.text} does more than look for files")
    if not use.reads:
        use.reads.append(Arg("."))


# A mark inside of brackets does not end the pattern for sed: `s/a[/]b/p;s/w file/p` writes a file. So there is none in
# brackets, and none that do not close.
_SED_CLASS = r"\[\^?\]?(?:\[:\w+:\]|(?!{mark})[^\]\[\\\n])*\]"
_SED_PATTERN = r"(?:" + _SED_CLASS + r"|(?!{mark})[^\\\n\[]|\\.)*"
_SED_ADDRESS = rf"(?:\d+|\$|/{_SED_PATTERN.format(mark='/')}/I?)"
_SED_COMMAND = re.compile(
    rf"\s*(?:{_SED_ADDRESS}(?:,\s*(?:{_SED_ADDRESS}|[+~]\d+))?)?\s*!?\s*"
    rf"(?:[pdqDGHNPghnxl=]|s(?P<mark>[/|#,:@]){_SED_PATTERN.format(mark='(?P=mark)')}(?P=mark)"
    r"(?:(?!(?P=mark))[^\\\n]|\\.)*(?P=mark)[gpiI\d]*)?\s*(?:;|\n|$)"
)


def read_sed(args: Sequence[Arg], use: Use) -> None:
    """Scripts of addresses and the commands that neither write, run nor loop."""
    for script in _scripts(args, ("-e", "--expression"), ("-f", "--file", "-l", "-i")):
        position = 0
        while position < len(script):
            found = _SED_COMMAND.match(script, position)
            if found is None or found.end() == position:
                use.danger("the script of sed does more than print and replace")
                return
            position = found.end()


_AWK_REFUSED = re.compile(
    r"system|getline|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|ARGV|ARGC|FILENAME|close|fflush|include|load|extension|namespace"
    r"|while|\bfor\b|\bdo\b|func|BEGINFILE|nextfile|[|>@]|\\\n"
)


def read_awk(args: Sequence[Arg], use: Use) -> None:
    """Programs without pipes, redirections, loops and a view of the environment."""
    for script in _scripts(args, (), ("-F", "--field-separator")):
        if _AWK_REFUSED.search(script):
            use.danger("the program of awk may do more than print")
    if any(re.match(r"[A-Za-z_]\w*=", arg.text) for arg in args[1:] if not arg.text.startswith("-")):
        use.danger("awk is given a variable")


_JQ_REFUSED = re.compile(
    r"\b(?:env|ENV|import|include|modulemeta|get_search_list|input|inputs|debug|stderr|input_filename|repeat|until|while"
    r"|recurse|range|limit|def|foreach|getpath|halt|halt_error|now|localtime|\$__prog_args)\b|\$__"
)


def read_jq(args: Sequence[Arg], use: Use) -> None:
    """Filters that see neither the environment nor other files, and end."""
    for script in _scripts(args, (), ("--indent",)):
        if _JQ_REFUSED.search(script):
            use.danger("the filter of jq may do more than filter")


def read_echo(args: Sequence[Arg], use: Use) -> None:
    """Whatever stands there is printed, what looks like an unknown option as well."""
    use.texts.update(arg.number for arg in args)


def read_printf(args: Sequence[Arg], use: Use) -> None:
    """The first word must be a plain format: `-v` sets a variable."""
    if not args or not args[0].is_known or args[0].is_expanded or args[0].text.startswith("-") or "%n" in args[0].text:
        use.danger("the format of printf is not plain")


def read_strings(args: Sequence[Arg], use: Use) -> None:
    """`@file` reads options and names from a file."""
    if any(arg.text.startswith("@") for arg in args):
        use.danger("strings would read names from a file")


def read_date(args: Sequence[Arg], use: Use) -> None:
    """A word that is no format would set the clock."""
    takes_value = False
    for arg in args:
        if takes_value or arg.text.startswith("-"):
            takes_value = not takes_value and arg.text in ("-d", "--date")
        elif not arg.text.startswith("+"):
            use.danger("date would set the clock")


def read_seq(args: Sequence[Arg], use: Use) -> None:
    """Numbers small enough that it ends soon."""
    if not all(re.fullmatch(r"-?\d{1,6}|-w|-s.{0,8}|,", arg.text) and arg.is_known for arg in args):
        use.doubt("seq may run very long")
    if any(arg.text in ("0", "-0") for arg in args[1:-1]):
        use.doubt("seq may never end")


_TEST_TEXT = frozenset({"-n", "-z"})
_TEST_FILES = frozenset(
    ["-d", "-e", "-f", "-r", "-s", "-w", "-x", "-L", "-h", "-p", "-S", "-b", "-c", "-g", "-u", "-k", "-O", "-G", "-N"]
)
_TEST_COMPARISONS = frozenset({"=", "==", "!="})
_TEST_NUMBERS = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge"})
_TEST_FILE_PAIRS = frozenset({"-nt", "-ot", "-ef"})
_TEST_JOINS = frozenset({"!", "-a", "-o", "(", ")"})


def read_test(args: Sequence[Arg], use: Use) -> None:
    """Tests of files, of texts and of plain numbers; `-v` and arithmetic evaluate what they are given."""
    words = [arg for arg in args if arg.text not in ("]", "]]") or not arg.is_known]
    index = 0
    while index < len(words):
        first, second, third = [*words[index : index + 3], None, None][:3]
        assert first is not None  # noqa: S101 - the slice begins inside
        if first.is_known and first.text in _TEST_JOINS:
            index += 1
        elif second is not None and third is not None and second.is_known and _compares(first, second, third, use):
            index += 3
        elif second is not None and first.is_known and first.text in _TEST_TEXT and second.is_one_word:
            use.texts.add(second.number)
            index += 2
        elif second is not None and first.is_known and second.is_known and first.text in _TEST_FILES:
            use.reads.append(second)
            index += 2
        elif first.is_known and not first.text.startswith("-") and second is None:
            use.texts.add(first.number)
            index += 1
        else:
            use.danger("the test may evaluate what it is given")
            return


def _compares(left: Arg, operator: Arg, right: Arg, use: Use) -> bool:
    if operator.text in _TEST_COMPARISONS:
        if not (left.is_one_word and right.is_one_word) or left.text.startswith("-") or left.text in _TEST_JOINS:
            return False
        # an unknown left side may be an operator itself: `test "$x" = y` has three words and compares all the same
        use.texts.update((left.number, right.number))
        return True
    if operator.text in _TEST_NUMBERS:
        return all(arg.is_known and re.fullmatch(r"-?\d+", arg.text) for arg in (left, right))
    if operator.text in _TEST_FILE_PAIRS and left.is_known and right.is_known:
        use.reads.extend((left, right))
        return True
    return False


def read_tar(args: Sequence[Arg], use: Use) -> None:
    """A first word without a dash is a cluster of letters."""
    if (
        args
        and args[0].is_known
        and not args[0].text.startswith("-")
        and not re.fullmatch(r"[tcxzjJvfkp]+", args[0].text)
    ):
        use.danger("the first word of tar is no ordinary one")


def read_curl(args: Sequence[Arg], use: Use) -> None:
    """`@file` sends a file, and addresses are http and https alone."""
    for arg in args:
        value = arg.text.partition("=")[2] if arg.text.startswith("--") else arg.text
        if value.startswith("@") or re.match(r"-[dHwu]@", arg.text) or "=@" in arg.text:
            use.danger("curl would read a file")
        if re.match(r"(?!https?:)[a-z]+:", arg.text):
            use.danger("curl is given another scheme than http")


def _scripts(args: Sequence[Arg], options: Sequence[str], valued: Sequence[str]) -> list[str]:
    """The values of script options; without any, the first word that is no option."""
    found: list[str] = []
    first: str | None = None
    index = 0
    while index < len(args):
        text = args[index].text
        index += 1
        if text in options and index < len(args):
            found.append(args[index].text)
            index += 1
        elif text in valued:
            index += 1
        elif any(text.startswith(f"{option}=") for option in options if option.startswith("--")):
            found.append(text.partition("=")[2])
        elif any(text.startswith(option) and len(text) > 2 for option in options if not option.startswith("--")):
            found.append(text[2:])
        elif re.match(r"-[a-zA-Z]*e$", text) and "-e" in options and index < len(args):
            found.append(args[index].text)
            index += 1
        elif re.match(r"-[a-zA-Z]*e", text) and "-e" in options:
            found.append(text[text.index("e") + 1 :])
        elif not text.startswith("-") and first is None:
            first = text
    return found or ([first] if first is not None else [])
