"""A terminal that goes away under the application: SIGHUP is an orderly quit, never a wait for ever (keys.md §6.2)."""

import errno
import io

from decode_ui.vanishing_terminal import VanishingTerminal


class Gone(io.StringIO):
    """A terminal whose other end was closed."""

    def write(self, text: str) -> int:
        raise OSError(errno.EIO, "Input/output error")

    def flush(self) -> None:
        raise OSError(errno.EIO, "Input/output error")


def test_what_is_written_to_a_terminal_that_is_gone_is_lost_and_nothing_is_raised() -> None:
    terminal = VanishingTerminal(Gone())
    assert terminal.write("text") == 4
    terminal.flush()


def test_a_terminal_that_is_there_gets_everything() -> None:
    stream = io.StringIO()
    terminal = VanishingTerminal(stream)
    terminal.write("text")
    terminal.flush()
    assert stream.getvalue() == "text"
    assert terminal.isatty() is False
