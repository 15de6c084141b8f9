"""The panes of the work screen, one a file. A pane shows what it is given and posts what the person wants."""
