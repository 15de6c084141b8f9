"""A terminal that has gone holds nothing up: what is written is dropped, and the writing thread lives on."""

import io
import threading
from typing import Any

import pytest
from textual.driver import Driver
from textual.drivers._writer_thread import WriterThread

from decode_ui.vanished_terminal import VanishingFile, forgiving


class Gone(io.StringIO):
    """A terminal whose other end is closed."""

    def write(self, text: str) -> int:
        raise OSError(5, "Input/output error")

    def flush(self) -> None:
        raise OSError(5, "Input/output error")


def test_more_than_the_queue_holds_is_written_to_a_terminal_that_has_gone() -> None:
    writer: Any = WriterThread(VanishingFile(Gone()))  # type: ignore[arg-type]
    writer.start()

    def write_and_stop() -> None:
        for _ in range(200):
            writer.write("x")
        writer.stop()

    ended = threading.Thread(target=write_and_stop, daemon=True)
    ended.start()
    ended.join(10)
    assert not ended.is_alive()
    assert not writer.is_alive()


def test_a_terminal_that_is_there_gets_everything() -> None:
    file = io.StringIO()
    vanishing = VanishingFile(file)
    assert vanishing.write("ab") == 2
    vanishing.flush()
    assert file.getvalue() == "ab"
    assert vanishing.isatty() is False


@pytest.mark.parametrize("has_file", [True, False])
def test_only_a_driver_with_a_terminal_is_changed(has_file: bool) -> None:
    class Some(Driver):
        def __init__(self) -> None:
            if has_file:
                self._file = Gone()

        def write(self, data: str) -> None: ...
        def start_application_mode(self) -> None: ...
        def disable_input(self) -> None: ...
        def stop_application_mode(self) -> None: ...

    driver: Any = forgiving(Some)()  # type: ignore[call-arg]
    assert isinstance(driver, Some)
    assert isinstance(getattr(driver, "_file", None), VanishingFile) is has_file
