"""mem0: its own Memory over Qdrant in a folder; texts are added as they are (`infer=False`: no language model)."""

import logging
import os
from importlib.metadata import version
from pathlib import Path

import serving

os.environ["MEM0_TELEMETRY"] = "False"
os.environ["OPENAI_API_KEY"] = "never-used"

from mem0 import Memory
from mem0.embeddings.base import EmbeddingBase

logging.disable(logging.WARNING)


class Handed(EmbeddingBase):
    """Our vectors; texts are fetched in advance, since mem0 asks for one at a time."""

    def __init__(self):
        super().__init__()
        self.known = {}

    def fetch(self, texts, role="passage"):
        texts = list(dict.fromkeys(texts))
        self.known |= dict(zip(((role, text) for text in texts), serving.embed(texts, role).tolist(), strict=True))

    def embed(self, text, memory_action=None):
        role = "query" if memory_action == "search" else "passage"
        if (role, text) not in self.known:
            self.fetch([text], role)
        return self.known[role, text]


class Peer:
    def __init__(self, embedder, folder):
        self.versions = f"mem0ai {version('mem0ai')}, qdrant-client {version('qdrant-client')}"
        dimension = serving.embed(["any text"], "passage").shape[1]
        store = {"path": str(Path(folder) / "qdrant"), "embedding_model_dims": dimension}
        config = {"vector_store": {"provider": "qdrant", "config": store}}
        self.memory = Memory.from_config({**config, "history_db_path": str(Path(folder) / "history.db")})
        self.memory.embedding_model = Handed()
        self.scopes = 0

    def index(self, items):
        self.scopes += 1
        self.memory.embedding_model.known.clear()
        self.memory.embedding_model.fetch([item["text"] for item in items])
        self.items = {}
        for item in items:
            added = self.memory.add(item["text"], user_id=f"scope-{self.scopes}", infer=False)
            for one in added["results"]:
                self.items[one["id"]] = item["id"]

    def search(self, text, k):
        found = self.memory.search(text, top_k=k, filters={"user_id": f"scope-{self.scopes}"})["results"]
        return [(self.items[one["id"]], one["score"]) for one in found]


serving.serve(Peer)
