"""How people and programs meet a memory: translation, and no rule of its own."""
