"""Finding what matters for a question, and saying why."""
