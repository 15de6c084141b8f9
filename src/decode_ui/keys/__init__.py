"""Keys beside the table of actions: those of panes and dialogs, the keymap, keys of other layouts."""
