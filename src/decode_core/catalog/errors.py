"""What goes wrong with the choice of an agent; imports nothing, so that a command line can name it at once."""


class UnknownAgent(Exception):  # noqa: N818 - named for what the person did
    """No agent of this name. The message is one sentence."""
