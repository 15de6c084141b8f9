"""The permission gate: modes, rules, facts of a call and the pure verdict over them."""
