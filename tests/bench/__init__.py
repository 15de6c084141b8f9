"""Programs that measure decode against reference runs in the same minute; see docs/guides/bench.md.

They print figures and never judge by them: a time that is asserted fails on somebody else's machine.
"""
