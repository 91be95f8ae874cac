"""The verbs of memory as tools that a model can call, whatever the API."""
