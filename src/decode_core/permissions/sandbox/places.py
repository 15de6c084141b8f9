"""Places on a machine that matter to the sandbox; relative ones count from the home folder. Data."""

CREDENTIALS = (
    ".ssh",
    ".aws",
    ".azure",
    ".gnupg",
    ".kube",
    ".docker/config.json",
    ".config/gcloud",
    ".config/gh",
    ".config/glab-cli",
    ".config/hub",
    ".config/op",
    ".config/doctl",
    ".config/git/credentials",
    ".config/rclone",
    ".config/containers/auth.json",
    ".git-credentials",
    ".netrc",
    ".pgpass",
    ".my.cnf",
    ".pypirc",
    ".npmrc",
    ".yarnrc.yml",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".gem/credentials",
    ".m2/settings.xml",
    ".terraform.d",
    ".vault-token",
    ".password-store",
    ".local/share/keyrings",
    ".mozilla",
    ".config/google-chrome",
    ".config/chromium",
    ".config/BraveSoftware",
    ".bash_history",
    ".zsh_history",
    ".python_history",
    "Library/Keychains",
    "Library/Cookies",
    "Library/Application Support/Google/Chrome",
    "Library/Application Support/Firefox",
)
"""Stores of keys, tokens and of what was typed: hidden from every command."""

CACHES = (
    ".cache",
    ".npm",
    ".yarn/berry/cache",
    ".local/share/pnpm/store",
    ".cargo/registry",
    ".cargo/git",
    "go/pkg/mod",
    ".gradle/caches",
    ".m2/repository",
    ".ivy2/cache",
    ".nuget/packages",
    ".bundle/cache",
    ".composer/cache",
    "Library/Caches",
)
"""What package managers fill and anybody can make again: writable, so that builds work."""

TEMPORARY = ("/tmp", "/var/tmp")  # noqa: S108 - these are the places that are replaced
"""Folders that every command gets to itself."""

PROGRAMS = ("/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin")
"""Where the program that makes the sandbox is looked for: nobody but the machine's owner writes there."""

SOCKETS = (
    "/run/docker.sock",
    "/run/containerd/containerd.sock",
    "/run/podman/podman.sock",
    "/run/crio/crio.sock",
    "/run/dbus/system_bus_socket",
    "/run/systemd/private",
    "/run/systemd/notify",
    "/run/snapd.socket",
    "/nix/var/nix/daemon-socket/socket",
    ".docker/run/docker.sock",
    ".colima/default/docker.sock",
    ".lima/docker/sock/docker.sock",
    ".orbstack/run/docker.sock",
)
"""Sockets behind which something with other rights listens. They may be mounted from elsewhere, unseen by /proc."""

SOCKET_FOLDERS = ("/run/user",)
"""Folders that hold the sockets of a person's session, and little else."""

SOCKET_VARIABLES = frozenset(
    {
        "DBUS_SESSION_BUS_ADDRESS",
        "DBUS_SYSTEM_BUS_ADDRESS",
        "DISPLAY",
        "DOCKER_HOST",
        "CONTAINER_HOST",
        "GPG_AGENT_INFO",
        "GNOME_KEYRING_CONTROL",
        "I3SOCK",
        "KITTY_LISTEN_ON",
        "NOTIFY_SOCKET",
        "NVIM",
        "NVIM_LISTEN_ADDRESS",
        "PULSE_SERVER",
        "SESSION_MANAGER",
        "SSH_AGENT_PID",
        "SSH_AUTH_SOCK",
        "STY",
        "SWAYSOCK",
        "TMUX",
        "VSCODE_IPC_HOOK_CLI",
        "VSCODE_GIT_IPC_HANDLE",
        "WAYLAND_DISPLAY",
        "WEZTERM_UNIX_SOCKET",
        "XAUTHORITY",
        "XDG_RUNTIME_DIR",
        "ZELLIJ",
    }
)
"""Variables that lead to a socket."""
