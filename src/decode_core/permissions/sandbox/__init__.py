"""The second wall: what a command may do at most, whatever the gate said (permissions.md §11).

A `Profile` says which places a command sees, reads and writes; `bubblewrap` and `seatbelt` turn it into a command line.
Both are pure. `host` and `probe` look at the machine. Nothing here starts a command of the agent: the bash tool does.
"""
