"""What a shell command says: its simple commands, what rules may make of them, and what can be proven of them. Pure."""
