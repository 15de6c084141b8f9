"""The agents catalog: Markdown files with YAML front matter, in three layers."""
