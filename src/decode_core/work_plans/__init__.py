"""Work plans on this machine: handed over by a session, approved, and whether their gates may run (delegation.md)."""
