"""LangGraph's store: a namespace for each user, in memory, with an index over the text."""

from importlib.metadata import version

import serving
from langgraph.store.base import PutOp
from langgraph.store.memory import InMemoryStore

BATCH = 500


class Peer:
    def __init__(self, embedder, folder):
        self.versions = f"langgraph {version('langgraph')}, langgraph-checkpoint {version('langgraph-checkpoint')}"
        self.scopes = 0

    def index(self, items):
        self.scopes += 1
        self.user = ("memories", f"scope-{self.scopes}")
        self.role = "passage"
        self.store = InMemoryStore(index={"dims": 384, "embed": self.embed, "fields": ["text"]})
        for start in range(0, len(items), BATCH):
            batch = items[start : start + BATCH]
            self.store.batch([PutOp(self.user, item["id"], {"text": item["text"]}) for item in batch])

    def search(self, text, k):
        self.role = "query"
        return [(item.key, item.score) for item in self.store.search(self.user, query=text, limit=k)]

    def embed(self, texts):
        return serving.embed(texts, self.role).tolist()


serving.serve(Peer)
