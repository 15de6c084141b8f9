"""The table of programs that read, option by option (permissions.md §4 and §6). Data.

An option that is not listed is a hazard. What is left out of an entry, and why: `sort -o` and `tree -o` write,
`tail -f` never ends, `find -exec` and `rg --pre` run programs, `find -L`, `grep -R` and `ls -L` follow links out of the
workspace, `file -C` writes, `file -z` and `rg -z` run programs, `--files0-from` reads names from a file, `date -s` sets
the clock, `hostname -f` asks the network.
"""

from decode_core.permissions.shell.git_reading import GIT
from decode_core.permissions.shell.programs import Operands, Program
from decode_core.permissions.shell.special_programs import (
    read_awk,
    read_curl,
    read_date,
    read_echo,
    read_find,
    read_jq,
    read_printf,
    read_sed,
    read_seq,
    read_strings,
    read_tar,
    read_test,
)

_GREP = Program(
    "grep egrep fgrep",
    flags="-i -v -c -l -L -n -H -h -o -q -s -w -x -E -F -G -P -a -I -r -z -b -T -U --ignore-case --invert-match "
    "--count "
    "--files-with-matches --files-without-match --line-number --with-filename --no-filename --only-matching --quiet "
    "--silent --no-messages --word-regexp --line-regexp --extended-regexp --fixed-strings --basic-regexp --perl-regexp "
    "--text --recursive --null-data --null -Z --initial-tab --line-buffered",
    texts="-e -A -B -C -m --regexp --after-context --before-context --context --max-count --include --exclude "
    "--exclude-dir --binary-files --label",
    files="-f --file --exclude-from",
    optional="--color --colour",
    operands=Operands.TEXT_THEN_FILES,
    recursive="-r --recursive",
    pattern_options="-e -f --regexp --file",
    takes_numbers=True,
)

_RG = Program(
    "rg",
    flags="-i -s -S -v -c -l -n -N -H -I -o -q -w -x -F -P -U -a -p -0 --ignore-case --case-sensitive --smart-case "
    "--invert-match --count --count-matches --files-with-matches --files-without-match --line-number --no-line-number "
    "--with-filename --no-filename --only-matching --quiet --word-regexp --line-regexp --fixed-strings --pcre2 "
    "--multiline --text --pretty --heading --no-heading --column --json --files --hidden --no-ignore --no-ignore-vcs "
    "-. -u --vimgrep --trim --stats --null --no-messages --no-config --type-list --crlf --passthru --unrestricted",
    texts="-e -A -B -C -m -g -t -T -M -d -j -r -E --regexp --after-context --before-context --context --max-count "
    "--glob "
    "--iglob --type --type-not --max-columns --max-depth --threads --replace --encoding --sort --sortr --color "
    "--colors "
    "--max-filesize",
    files="-f --file --ignore-file",
    operands=Operands.TEXT_THEN_FILES,
    pattern_options="-e -f --regexp --file --files --type-list",
    always_recursive=True,
    skips_hidden=True,
    hidden="--hidden -. -u --unrestricted -g --glob --iglob",
)

PROGRAMS: dict[str, Program] = {
    name: program
    for program in (
        Program(
            "cat",
            flags="-A -b -e -E -n -s -t -T -u -v --show-all --number-nonblank --show-ends --number --squeeze-blank "
            "--show-tabs --show-nonprinting",
        ),
        Program(
            "head",
            flags="-q -v -z --quiet --silent --verbose --zero-terminated",
            texts="-n -c --lines --bytes",
            takes_numbers=True,
        ),
        Program(
            "tail",
            flags="-q -v -z --quiet --silent --verbose --zero-terminated",
            texts="-n -c --lines --bytes",
            takes_numbers=True,
        ),
        Program("tac", flags="-b -r --before --regex", texts="-s --separator"),
        Program("nl", texts="-b -d -f -h -i -l -n -s -v -w", flags="-p"),
        Program("rev"),
        Program("wc", flags="-c -m -l -L -w --bytes --chars --lines --max-line-length --words"),
        Program(
            "ls",
            flags="-a -A -l -h -1 -d -F -g -G -i -k -m -n -N -o -p -q -Q -r -R -s -S -t -u -U -c -v -x -X -C -B -Z "
            "--all "
            "--almost-all --human-readable --directory --classify --inode --numeric-uid-gid --no-group --reverse "
            "--recursive --size --group-directories-first --full-time --author --escape --literal --si",
            texts="-I -w -T --ignore --hide --width",
            optional="--color --sort --time --time-style --format --indicator-style --quoting-style --block-size",
            is_metadata=True,
        ),
        Program(
            "tree",
            flags="-a -d -f -i -p -s -h -u -g -D -F -q -N -C -n -J -X -A -S -v -t -r --dirsfirst --noreport --du "
            "--prune "
            "--gitignore --inodes",
            texts="-L -I -P --filelimit --sort",
            optional="--charset",
            is_metadata=True,
        ),
        Program(
            "stat",
            flags="-t -f --terse --file-system",
            texts="-c --format --printf",
            is_metadata=True,
        ),
        Program("file", flags="-b -i -h -k -N -p -r -0 --brief --mime --mime-type --mime-encoding", texts="-F"),
        Program(
            "du",
            flags="-a -b -c -h -k -m -s -S -x -0 --all --bytes --total --human-readable --summarize --si "
            "--apparent-size",
            texts="-d -t --max-depth --threshold --exclude",
            is_metadata=True,
        ),
        Program("df", flags="-a -h -H -i -k -l -T -P --all --human-readable", texts="-t -x", is_metadata=True),
        Program("readlink", flags="-f -e -m -n -q -s -v -z", is_metadata=True),
        Program("realpath", flags="-e -m -s -q -z -P -L", texts="--relative-to --relative-base", is_metadata=True),
        Program("basename", flags="-a -z", texts="-s --suffix", operands=Operands.TEXT),
        Program("dirname", flags="-z", operands=Operands.TEXT),
        Program("pwd", flags="-L -P", operands=Operands.NONE),
        Program("cd pushd", flags="-L -P -e", operands=Operands.ONE_FILE, is_metadata=True),
        Program(
            "sort",
            flags="-b -d -f -g -h -i -M -n -R -r -V -c -C -s -u -z --ignore-leading-blanks --dictionary-order "
            "--ignore-case --general-numeric-sort --human-numeric-sort --month-sort --numeric-sort --reverse "
            "--version-sort --check --stable --unique --zero-terminated",
            texts="-k -t --key --field-separator --sort --parallel",
        ),
        Program(
            "uniq",
            flags="-c -d -D -i -u -z --count --repeated --ignore-case --unique --zero-terminated",
            texts="-f -s -w --skip-fields --skip-chars --check-chars",
            operands=Operands.ONE_FILE,
        ),
        Program(
            "cut",
            flags="-n -s -z --complement --only-delimited --zero-terminated",
            texts="-b -c -d -f --bytes --characters --delimiter --fields --output-delimiter",
        ),
        Program("tr", flags="-c -C -d -s -t --complement --delete --squeeze-repeats", operands=Operands.TEXT),
        Program("paste", flags="-s -z --serial", texts="-d --delimiters"),
        Program("join", flags="-i -z", texts="-a -e -j -o -t -v -1 -2"),
        Program("comm", flags="-1 -2 -3 -z --check-order --nocheck-order --total", optional="--output-delimiter"),
        Program("cmp", flags="-b -l -s --print-bytes --verbose --quiet --silent", texts="-i -n"),
        Program(
            "diff",  # of folders it compares what is in them
            always_recursive=True,
            flags="-u -q -s -c -e -n -y -p -i -E -Z -b -w -B -a -d -N -t -T --brief --report-identical-files "
            "--side-by-side --ignore-case --ignore-space-change --ignore-all-space --ignore-blank-lines --text "
            "--minimal --new-file --expand-tabs --suppress-common-lines",
            texts="-U -C -W -I -L -F --label --width",
            optional="--color --unified --context",
        ),
        Program("fold", flags="-b -s", texts="-w --width"),
        Program("fmt", flags="-c -s -t -u", texts="-w --width"),
        Program("expand", flags="-i", texts="-t"),
        Program("column", flags="-t -x -n -e", texts="-s -c -o -N"),
        Program(
            "od",
            flags="-a -b -c -d -f -i -l -o -s -v -x",
            texts="-A -j -N -S -t -w --address-radix --skip-bytes --read-bytes --format",
        ),
        Program(
            "xxd",
            flags="-a -b -e -i -p -u -E",
            texts="-c -g -l -o -s",
            operands=Operands.ONE_FILE,
        ),
        Program("hexdump", flags="-b -c -C -d -o -v -x", texts="-n -s -e"),
        Program("strings", flags="-a -f -o", texts="-n -t -e --bytes", special=read_strings),
        Program("cksum sum"),
        Program("md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum", flags="-b -t -z --binary --text --tag"),
        Program("base64 base32", flags="-d -i --decode --ignore-garbage", texts="-w --wrap"),
        Program("echo", reader=read_echo),
        Program("printf", operands=Operands.TEXT, special=read_printf),
        Program("true false :", operands=Operands.TEXT),
        Program("test [ [[", is_metadata=True, reader=read_test),
        Program("seq", flags="-w", texts="-s -f", operands=Operands.TEXT, special=read_seq),
        Program(
            "date",
            flags="-u -R --utc --universal --rfc-email",
            texts="-d --date",
            optional="-I --iso-8601 --rfc-3339",
            operands=Operands.TEXT,
            special=read_date,
        ),
        Program("whoami nproc arch tty logname", operands=Operands.NONE),
        Program("hostname", flags="-s", operands=Operands.NONE),
        Program("uname", flags="-a -s -n -r -v -m -p -i -o --all", operands=Operands.NONE),
        Program("id groups", flags="-u -g -G -n -r", operands=Operands.TEXT),
        Program("which", flags="-a -s", operands=Operands.TEXT),
        Program("popd", operands=Operands.NONE),
        Program("command", flags="-v -V", operands=Operands.TEXT),
        Program("type", flags="-a -t -p -P -f", operands=Operands.TEXT),
        Program("find", is_metadata=True, reader=read_find),
        Program(
            "sed",
            flags="-n -E -r -u -z --quiet --silent --regexp-extended",
            texts="-e --expression",
            operands=Operands.TEXT_THEN_FILES,
            pattern_options="-e --expression",
            special=read_sed,
        ),
        Program(
            "awk gawk mawk",
            texts="-F --field-separator",
            operands=Operands.TEXT_THEN_FILES,
            special=read_awk,
        ),
        Program(
            "jq",
            flags="-c -r -n -e -s -S -M -C -j -a -R --compact-output --raw-output --null-input --exit-status --slurp "
            "--sort-keys --monochrome-output --color-output --join-output --ascii-output --raw-input --tab",
            texts="--indent",
            operands=Operands.TEXT_THEN_FILES,
            special=read_jq,
        ),
        Program(
            "tar",
            flags="-t -c -x -z -j -J -v -f -k -p --list --create --extract --gzip --bzip2 --xz --verbose",
            ordinary_texts="-C --directory --file --exclude --strip-components",
            operands=Operands.FILES,
            is_read=False,
            special=read_tar,
        ),
        Program(
            "curl",
            flags="-s -S -f -L -I -i -v -k -G -g -4 -6 --silent --show-error --fail --location --head --include "
            "--verbose --insecure --get --compressed --http1.1 --http2",
            ordinary_texts="-H -X -A -d -m -u -w -e --header --request --user-agent --data --data-raw --max-time "
            "--user "
            "--connect-timeout --retry --write-out --referer --json --data-urlencode",
            operands=Operands.TEXT,
            is_read=False,
            special=read_curl,
        ),
        Program("tee", flags="-a -i", operands=Operands.NONE, is_read=False),
        _GREP,
        _RG,
        GIT,
    )
    for name in program.names.split()
}

NEEDS_OWN_RULE = frozenset(
    [
        "sh",
        "bash",
        "dash",
        "zsh",
        "ksh",
        "fish",
        "csh",
        "tcsh",
        "busybox",
        "python",
        "python2",
        "python3",
        "pypy",
        "pypy3",
        "node",
        "nodejs",
        "deno",
        "bun",
        "ruby",
        "perl",
        "php",
        "lua",
        "luajit",
        "tclsh",
        "wish",
        "expect",
        "Rscript",
        "julia",
        "java",
        "groovy",
        "scala",
        "ghci",
        "runghc",
        "osascript",
        "pwsh",
        "powershell",
        "awk",
        "gawk",
        "mawk",
        "npx",
        "pnpx",
        "bunx",
        "uvx",
        "pipx",
        "uv",
        "poetry",
        "pdm",
        "hatch",
        "rye",
        "conda",
        "mamba",
        "micromamba",
        "tmux",
        "screen",
        "systemd-run",
        "at",
        "batch",
        "crontab",
        "docker",
        "podman",
        "nerdctl",
        "kubectl",
        "nsenter",
        "unshare",
        "chroot",
        "su",
        "runuser",
        "script",
        "flock",
        "strace",
        "ltrace",
        "gdb",
        "lldb",
        "vim",
        "vi",
        "nvim",
        "emacs",
        "ed",
        "ex",
        "nano",
        "less",
        "more",
        "man",
        "claude",
        "codex",
        "gemini",
        "opencode",
        "aider",
        "goose",
        "cursor-agent",
        "amp",
        "crush",
        "decode",
        "vibe",
        "kimi",
        "qwen",
        "make-kpkg",
        "socat",
        "nc",
        "ncat",
        "netcat",
        "telnet",
        "sqlite3",
        "psql",
        "mysql",
        "mongosh",
        "redis-cli",
        "ansible",
        "ansible-playbook",
        "terraform",
        "sudo",
        "doas",
        "env",
        "exec",
        "nohup",
        "setsid",
        "watch",
        "xargs",
        "parallel",
        "ssh",
        "ionice",
        "eval",
    ]
)
"""Shells, interpreters, package runners, other agents and whatever else runs what it is given.

Only a rule that begins with the program's own name covers them: `*` does not.
"""

NEVER_BY_WILDCARD = frozenset(
    [
        "let",
        "coproc",
        "trap",
        "source",
        ".",
        "alias",
        "unalias",
        "enable",
        "hash",
        "eval",
        "exec",
        "bind",
        "complete",
        "fc",
    ]
)
"""Builtins that change what later words mean, or run text: no wildcard covers them."""
