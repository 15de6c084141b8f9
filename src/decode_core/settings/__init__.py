"""Settings: JSON files of the person and of the project, read strictly, merged, and written without disturbing them.

`layers.load_settings` reads, `writing` changes files, `schema` says which keys there are.
"""
