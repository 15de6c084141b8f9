"""A small repository and the scripted turns that the pictures of the application are taken of."""

from pathlib import Path

from sessions import write_script

CLIENT = '''"""Sends requests."""

from settings import Settings


class Client:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def send(self, request: str) -> str:
        last: Exception | None = None
        for attempt in range(3):
            try:
                return self.transport.handle(request)
            except OSError as error:
                last = error
        raise RuntimeError("gave up") from last
'''
SETTINGS = '''"""What can be set."""


class Settings:
    timeout_s: float = 10.0
'''

CHANGE = """
- thinking: "Where are the retries fixed? In send, most likely."
  text: "I will look at the client first."
  calls:
    - {tool: read, args: {path: src/client.py}}
    - {tool: grep, args: {pattern: "range\\\\(", path: src}}
    - tool: todo_write
      args:
        items:
          - {id: "1", content: Find where retries are fixed, status: completed}
          - {id: "2", content: Add the setting, status: in_progress, active_form: Adding the setting}
          - {id: "3", content: Cover it with tests, status: pending}
          - {id: "4", content: Mention it in the docs, status: pending}
- text: |
    The client retries **three** times, fixed in `src/client.py:12`. I will add a `retries` field to `Settings`
    and read it in `Client.send`.

    1. Add `retries: int = 3` with a lower bound of 0
    2. Use it in the loop; keep the back-off as it is
  calls:
    - {tool: read, args: {path: src/settings.py}}
    - tool: edit
      args: {path: src/settings.py, old: "s: float = 10.0\\n", new: "s: float = 10.0\\n    retries: int = 3\\n"}
    - {tool: edit, args: {path: src/client.py, old: "range(3)", new: "range(self.settings.retries + 1)"}}
  usage: {input: 4200, output: 300}
- text: "`Client.send` now tries as often as `Settings.retries` says, and once where it is 0."
  usage: {input: 5100, output: 40}
"""
"""A turn that looks, changes two files and says so."""

QUESTION = """
- text: "One thing is not mine to decide."
  calls:
    - tool: ask_user
      args:
        question: Where should the number of retries be set?
        options:
          - In Settings, beside timeout_s
          - In each Client, so that callers can differ
          - By an environment variable
- text: "Thank you."
"""
"""A turn that asks the person."""

PLAN = """
- calls:
    - tool: exit_plan_mode
      args:
        title: Configurable retries
        plan: |
          ## Goal
          The number of retries is a setting. Nothing else about sending changes.

          ## Steps
          1. Add `retries: int = 3` to `Settings`, not below 0
          2. Use it in `Client.send`; the back-off stays
          3. Rename the module
          4. Tests: no retry, success after one, giving up

          ## Risk
          A value of 0 must still send once.
- text: "I start with the setting."
"""
"""A turn that proposes a plan."""

PROMPT = "Make the retry count configurable and cover it with tests"


def repository(home: Path) -> Path:
    """Make the repository `payments` in `home`, on the branch `retries`."""
    root = home / "payments"
    (root / "src").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / ".git" / "HEAD").write_text("ref: refs/heads/retries\n")
    (root / "README.md").write_text("# Payments\n")
    (root / "src" / "client.py").write_text(CLIENT)
    (root / "src" / "settings.py").write_text(SETTINGS)
    return root


def script(home: Path, responses: str) -> str:
    """The name of the model that plays `responses`."""
    return write_script(home, responses)
