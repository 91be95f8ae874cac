"""The command line. What a command does not need is imported inside it: hooks of agents call it every turn."""
