"""The terminal application and the command line of decode."""

__version__ = "0.1.0"
