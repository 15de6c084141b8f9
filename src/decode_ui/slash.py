"""Slash commands: what they are called, what they take, and what was meant by a wrong one. Pure."""

import difflib
from dataclasses import dataclass


@dataclass(frozen=True)
class SlashCommand:
    """One command of the prompt, run by `WorkActs.run_command`."""

    name: str
    takes: str
    help: str

    @property
    def usage(self) -> str:
        """How it is written."""
        return f"/{self.name} {self.takes}".rstrip()


COMMANDS = (
    SlashCommand("agent", "[name]", "choose the active agent"),
    SlashCommand("mode", "[name]", "choose the mode: default, edit, plan, dont_ask, bypass"),
    SlashCommand("model", "[name]", "choose the model"),
    SlashCommand("plan", "[goal]", "go to plan mode; with a goal, ask for a plan"),
    SlashCommand("theme", "[name]", "choose the colours; arrows show them"),
    SlashCommand("todo", "", "go to the to-do list"),
    SlashCommand("permissions", "", "go to the permission log"),
    SlashCommand("trust", "", "see what this folder brings, and let it count"),
    SlashCommand("settings", "[project]", "open the settings in $EDITOR, at what is broken"),
    SlashCommand("sessions", "", "choose another session; rename, fork, export or delete one"),
    SlashCommand("resume", "[id]", "go on with another session"),
    SlashCommand("fork", "", "copy this session, to go on in another way"),
    SlashCommand("diff", "", "go to the files that this session changed"),
    SlashCommand("export", "[file]", "write this session to a file: .md, .html, .jsonl or .yaml"),
    SlashCommand("cost", "", "tokens and cost of this session"),
    SlashCommand("doctor", "", "what decode finds on this machine, and what to mend"),
    SlashCommand("notices", "", "everything this session had to tell you"),
    SlashCommand("find", "[text]", "search the conversation"),
    SlashCommand("editor", "", "write the prompt in $EDITOR"),
    SlashCommand("keys", "", "every key; keys are taught anew"),
    SlashCommand("help", "", "keys, modes and words"),
    SlashCommand("quit", "", "leave decode"),
)


@dataclass(frozen=True)
class Parsed:
    """A line that begins with a slash: the command with its argument, or a sentence about what is wrong."""

    command: SlashCommand | None
    argument: str = ""
    problem: str = ""


def parse(text: str) -> Parsed | None:
    """Read a sent text; None where it is no command. A leading blank makes it plain text."""
    if not text.startswith("/") or "\n" in text.strip():
        return None
    word, _, argument = text[1:].strip().partition(" ")
    if "/" in word or not word:
        return None  # a path, or a lone slash
    command = next((command for command in COMMANDS if command.name == word.lower()), None)
    if command is not None:
        return Parsed(command, argument.strip())
    close = difflib.get_close_matches(word.lower(), [command.name for command in COMMANDS], n=1)
    hint = f"did you mean /{close[0]}?" if close else "/help lists the commands"
    return Parsed(None, problem=f"There is no command /{word[:40]}; {hint} (A space first makes it plain text.)")
