"""`python -m decode_ui` is the program `decode`."""

from decode_ui.cli import main

main()
