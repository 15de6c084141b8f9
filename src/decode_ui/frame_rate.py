"""How often Textual may draw. Its timer skips a beat that has begun: at 60 frames a second a key waits up to 33 ms."""

FRAMES_PER_SECOND = 250
"""What streams is drawn 30 times a second all the same: only a key comes sooner to its frame."""


def raise_frame_rate() -> None:
    """Call before anything of Textual but its constants is imported: it reads the rate on import.

    The variable TEXTUAL_FPS would do the same, but commands that the agent runs would inherit it.
    """
    from textual import constants

    constants.MAX_FPS = max(constants.MAX_FPS, FRAMES_PER_SECOND)  # type: ignore[misc]
