"""The side panel of agents, without its widgets: documents, drafts, checks, completion, colours."""
