"""The engine: the only folder that imports pydantic_ai. Runs in a thread and a loop of its own."""
