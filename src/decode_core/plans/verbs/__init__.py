"""The verbs of the ledger: each takes a plan's folder and a writer, and either records something or raises."""
