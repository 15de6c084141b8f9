"""What the two profiles let a command see and change, and how each mechanism is told (permissions.md §11)."""

from pathlib import Path

import pytest

from decode_core.permissions.sandbox.bubblewrap import bubblewrap_arguments, packed
from decode_core.permissions.sandbox.profile import (
    Access,
    Guarded,
    Host,
    Profile,
    ProfileKind,
    read_only_profile,
    sandboxed_environment,
    workspace_profile,
)
from decode_core.permissions.sandbox.seatbelt import seatbelt_text

HOME = Path("/home/me")
ROOT = Path("/home/me/project")
HOST = Host(
    home=HOME,
    other_homes=(Path("/home"),),
    credentials=(HOME / ".ssh", HOME / ".netrc"),
    own_hidden=(HOME / ".local/share/decode", HOME / ".cache/decode"),
    own_settings=(HOME / ".config/decode",),
    caches=(HOME / ".cache",),
    temporary=(Path("/tmp"),),
    sockets=(Path("/run/docker.sock"),),
)
GUARDED = Guarded(
    read_only=(ROOT / ".git/config", ROOT / ".vscode"),
    pinned=(ROOT / ".git",),
    absent=(ROOT / ".mcp.json",),
    shared=(Path("/repo/.git/objects"),),
)


def access(profile: Profile, place: str) -> Access:
    return profile.access(Path(place))


@pytest.mark.parametrize(
    ("place", "workspace", "read_only"),
    [
        (f"{ROOT}/src/a.py", Access.WRITE, Access.READ),
        (f"{ROOT}/.git/index", Access.WRITE, Access.READ),
        (f"{ROOT}/.git/config", Access.READ, Access.READ),
        (f"{ROOT}/.vscode/tasks.json", Access.READ, Access.READ),
        ("/repo/.git/objects/ab", Access.WRITE, Access.READ),
        ("/repo/.git/config", Access.READ, Access.READ),
        (f"{HOME}/.cache/pip", Access.WRITE, Access.READ),
        (f"{HOME}/.cache/decode/x", Access.HIDDEN, Access.HIDDEN),
        (f"{HOME}/.local/share/decode/sessions", Access.HIDDEN, Access.HIDDEN),
        (f"{HOME}/.config/decode/settings.json", Access.READ, Access.READ),
        (f"{HOME}/.bashrc", Access.READ, Access.READ),
        (f"{HOME}/.ssh/id", Access.HIDDEN, Access.HIDDEN),
        (f"{HOME}/.netrc", Access.HIDDEN, Access.HIDDEN),
        ("/home/other/x", Access.HIDDEN, Access.HIDDEN),
        ("/run/docker.sock", Access.HIDDEN, Access.HIDDEN),
        ("/tmp/x", Access.PRIVATE, Access.PRIVATE),
        ("/etc/passwd", Access.READ, Access.READ),
    ],
)
def test_what_a_command_may_do_with_a_place(place: str, workspace: Access, read_only: Access) -> None:
    assert access(workspace_profile(HOST, [ROOT], GUARDED), place) is workspace
    assert access(read_only_profile(HOST, [ROOT]), place) is read_only


def test_what_the_person_names_is_writable_but_never_decodes_own_data() -> None:
    named = [HOME / "other", HOME / ".netrc", HOME / ".local/share/decode", HOME / ".config/decode"]
    profile = workspace_profile(HOST, [ROOT], GUARDED, writable=named)
    assert [access(profile, str(path)) for path in named] == [Access.WRITE, Access.WRITE, Access.HIDDEN, Access.READ]


def test_a_workspace_in_a_hidden_or_temporary_folder_is_there_all_the_same() -> None:
    for root in (Path("/tmp/project"), Path("/home/other/project")):
        profile = workspace_profile(HOST, [root], Guarded())
        assert access(profile, f"{root}/a") is Access.WRITE
        mounts = [path for path, _ in profile.in_order()]
        assert all(mounts.index(path) < mounts.index(root) for path in mounts if path in root.parents)


def test_only_the_read_only_profile_and_the_setting_take_the_network_away() -> None:
    assert workspace_profile(HOST, [ROOT], GUARDED).network
    assert not workspace_profile(HOST, [ROOT], GUARDED, network=False).network
    assert not read_only_profile(HOST, [ROOT]).network


def test_variables_that_lead_to_sockets_and_hidden_places_are_taken_away() -> None:
    given = {
        "SSH_AUTH_SOCK": "/run/user/1/agent",
        "DOCKER_HOST": "tcp://localhost",
        "MY_BUS": "unix:path=/run/x",
        "KUBE": str(HOME / ".ssh/config"),
        "PATH": f"/usr/bin:{HOME}/.ssh",
        "HOME": str(HOME),
        "TMPDIR": "/var/folders/x",
    }
    kept = sandboxed_environment(given, read_only_profile(HOST, [ROOT]))
    assert kept == {"PATH": given["PATH"], "HOME": str(HOME), "TMPDIR": "/tmp"}


def arguments(profile: Profile) -> list[str]:
    files = frozenset({HOME / ".netrc", Path("/run/docker.sock")})
    return bubblewrap_arguments(profile, start=ROOT, files=files, private=Path("/data/tmp"))


def has(found: list[str], *words: str) -> bool:
    return any(tuple(found[at : at + len(words)]) == words for at in range(len(found)))


def test_bubblewrap_mounts_each_place_as_the_profile_says() -> None:
    found = arguments(workspace_profile(HOST, [ROOT], GUARDED))
    assert has(found, "--ro-bind", "/", "/")
    assert has(found, "--bind", str(ROOT), str(ROOT))
    assert has(found, "--ro-bind", f"{ROOT}/.git/config", f"{ROOT}/.git/config")
    assert has(found, "--bind", "/data/tmp", "/tmp")
    assert has(found, "--ro-bind", "/dev/null", f"{HOME}/.netrc")
    assert has(found, "--tmpfs", f"{HOME}/.ssh")
    assert has(found, "--remount-ro", f"{HOME}/.ssh")
    assert has(found, "--chdir", str(ROOT))
    assert f"{ROOT}/.mcp.json" not in found
    assert found.index(str(ROOT)) < found.index(f"{ROOT}/.git") < found.index(f"{ROOT}/.git/config")


@pytest.mark.parametrize(
    "word", ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--new-session", "--die-with-parent", "--cap-drop"]
)
@pytest.mark.parametrize("kind", list(ProfileKind))
def test_bubblewrap_shuts_off_processes_terminal_and_rights(kind: ProfileKind, word: str) -> None:
    both = {
        ProfileKind.WORKSPACE: workspace_profile(HOST, [ROOT], GUARDED),
        ProfileKind.READ_ONLY: read_only_profile(HOST, [ROOT]),
    }
    assert word in arguments(both[kind])


def test_bubblewrap_gets_a_network_of_its_own_only_without_the_network() -> None:
    assert "--unshare-net" not in arguments(workspace_profile(HOST, [ROOT], GUARDED))
    assert "--unshare-net" in arguments(read_only_profile(HOST, [ROOT]))


def test_arguments_are_packed_with_a_zero_behind_each() -> None:
    assert packed(["--a", "b\udcff"]) == b"--a\0b\xff\0"


def test_the_text_for_macos_refuses_what_the_profile_refuses_and_the_last_word_counts() -> None:
    text = seatbelt_text(workspace_profile(HOST, [ROOT], GUARDED))
    order = [
        '(deny file-write* (subpath "/"))',
        f'(allow file-read* file-write* (subpath "{ROOT}"))',
        f'(deny file-write* (subpath "{ROOT}/.git/config"))',
        f'(deny file-write* (subpath "{ROOT}/.mcp.json"))',
        f'(deny file-write-unlink (literal "{ROOT}/.git"))',
        "(deny network* (local unix-socket) (remote unix-socket))",
    ]
    places = [text.index(line) for line in order]
    assert places == sorted(places)
    assert f'(deny file-read* file-write* (subpath "{HOME}/.ssh"))' in text


def test_the_text_for_macos_in_the_read_only_profile_writes_nowhere() -> None:
    text = seatbelt_text(read_only_profile(HOST, [ROOT]))
    assert "file-read* file-write*" not in text.replace("(deny file-read* file-write*", "")
    assert "(deny network*)" in text


def test_a_quote_in_a_name_does_not_end_the_text_for_macos() -> None:
    profile = workspace_profile(HOST, [Path('/a") (allow default')], Guarded())
    assert '(subpath "/a\\") (allow default")' in seatbelt_text(profile)
