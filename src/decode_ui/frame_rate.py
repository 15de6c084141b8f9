"""How often Textual may draw. Its 60 frames a second make a key wait up to 17 ms behind the text that streams."""

FRAMES_PER_SECOND = 120
"""What streams is drawn 30 times a second all the same: only a key comes sooner to its frame."""


def raise_frame_rate() -> None:
    """Call before anything of Textual but its constants is imported: it reads the rate on import.

    The variable TEXTUAL_FPS would do the same, but commands that the agent runs would inherit it.
    """
    from textual import constants

    constants.MAX_FPS = max(constants.MAX_FPS, FRAMES_PER_SECOND)  # type: ignore[misc]
