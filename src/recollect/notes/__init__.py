"""Notes: what an agent keeps about a user, in four types."""
