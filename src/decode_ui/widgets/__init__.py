"""Small parts that screens and panes are made of."""
