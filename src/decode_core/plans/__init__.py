"""Deep Work Plan records: contracts, a gated journal and what it proves.

A plan folder holds a contract (what was approved), an append-only journal (what happened) and evidence. Nothing here
takes anybody's word for it: a task is complete when this plan's own gates ran and passed after it was started.
Every rule is a pure function over values (`contract`, `events`, `standing`, `launch`); `folder`, `ledger`, `lock` and
`verbs` read and write. The format is that of Deep Work Plan 7 (and 6, which is read): other tools accept these files.
"""
