"""`decode completion`: the script that completes commands, options and modes in a shell."""

import click
from click.shell_completion import get_completion_class


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(shell: str) -> None:
    """Print the completion script; for bash: `eval "$(decode completion bash)"`."""
    kind = get_completion_class(shell)
    if kind is None:
        raise click.ClickException(f"there is no completion for {shell}")
    root = click.get_current_context().find_root().command
    click.echo(kind(root, {}, "decode", "_DECODE_COMPLETE").source())
