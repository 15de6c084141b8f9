"""Trust in a folder by its content (permissions.md §9): what it brings, whether somebody trusted just that, and what
a change of it loosens.

`content` reads, `record` remembers, `loosening` compares. A folder is never trusted by its name alone.
"""
