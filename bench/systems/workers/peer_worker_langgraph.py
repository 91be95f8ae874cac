"""LangGraph's store: a namespace for each user, in memory, with an index over the text."""

from importlib.metadata import version

import serving
from langgraph.store.memory import InMemoryStore


class Peer:
    def __init__(self, embedder, folder):
        self.versions = f"langgraph {version('langgraph')}, langgraph-checkpoint {version('langgraph-checkpoint')}"
        self.dimension = serving.embed(["any text"], "passage").shape[1]
        self.scopes = 0

    def index(self, items):
        self.scopes += 1
        self.user = ("memories", f"scope-{self.scopes}")
        self.role = "passage"
        self.store = InMemoryStore(index={"dims": self.dimension, "embed": self.embed, "fields": ["text"]})
        for item in items:  # one by one: a batch that holds a text twice is an error in this version
            self.store.put(self.user, item["id"], {"text": item["text"]})

    def search(self, text, k):
        self.role = "query"
        return [(item.key, item.score) for item in self.store.search(self.user, query=text, limit=k)]

    def embed(self, texts):
        return serving.embed(texts, self.role).tolist()


serving.serve(Peer)
