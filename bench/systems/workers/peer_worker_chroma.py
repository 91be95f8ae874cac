"""Chroma: a collection for each user, in memory."""

import serving
from minilm import put_minilm, remember

put_minilm()

import chromadb  # noqa: E402
from chromadb.config import Settings  # noqa: E402

BATCH = 1_000


class Handed(chromadb.EmbeddingFunction):
    """Our vectors, with the role that Chroma asks for."""

    def __init__(self):
        pass

    def __call__(self, input):
        return list(serving.embed(input, "passage"))

    def embed_query(self, input):
        return list(serving.embed(input, "query"))

    @staticmethod
    def name():
        return "handed"

    def get_config(self):
        return {}

    @staticmethod
    def build_from_config(config):
        return Handed()


class Peer:
    def __init__(self, embedder, folder):
        self.versions = f"chromadb {chromadb.__version__}"
        self.client = chromadb.EphemeralClient(Settings(anonymized_telemetry=False))
        self.given = {
            "embedding_function": Handed(), "configuration": {"hnsw": {"space": "cosine"}}
        } if embedder == "ours" else {}  # fmt: skip
        self.scopes = 0
        if embedder != "ours":
            remember()

    def index(self, items):
        if self.scopes:
            self.client.delete_collection(f"scope-{self.scopes}")
        self.scopes += 1
        self.collection = self.client.create_collection(f"scope-{self.scopes}", **self.given)
        for start in range(0, len(items), BATCH):
            batch = items[start : start + BATCH]
            self.collection.add(ids=[item["id"] for item in batch], documents=[item["text"] for item in batch])

    def search(self, text, k):
        found = self.collection.query(query_texts=[text], n_results=k)
        return [(item, -distance) for item, distance in zip(found["ids"][0], found["distances"][0], strict=True)]


serving.serve(Peer)
