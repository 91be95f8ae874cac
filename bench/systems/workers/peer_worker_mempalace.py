"""MemPalace: one palace, a wing for each user.

Texts go in many at a time, as its miner files them, cut as its tool for a single drawer cuts them (that takes a fifth
of a second for each); what is found comes by its search.
"""

import logging
import os
import threading

import serving
from minilm import put_minilm, remember

put_minilm()

BATCH = 500


def at(folder):
    """Bind MemPalace to a folder: it reads these when it is imported."""
    os.environ["MEMPALACE_PALACE_PATH"] = os.path.join(folder, "palace")
    os.environ["MEMPALACE_CONFIG_DIR"] = os.path.join(folder, "config")


class Peer:
    def __init__(self, embedder, folder):
        at(folder)
        import mempalace
        from mempalace import embedding
        from mempalace.config import MempalaceConfig
        from mempalace.palace import get_collection

        logging.disable(logging.WARNING)
        self.versions = f"mempalace {mempalace.__version__}"
        self.palace = os.environ["MEMPALACE_PALACE_PATH"]
        self.size = MempalaceConfig().chunk_size
        self.scopes = 0
        if embedder == "ours":
            put_handed(embedding)
        else:
            remember()
        self.collection = get_collection(self.palace, create=True)

    def index(self, items):
        self.scopes += 1
        self.items = {f"scope-{self.scopes}-{at}": item["id"] for at, item in enumerate(items)}
        drawers = [
            drawer for at, item in enumerate(items) for drawer in self.cut(f"scope-{self.scopes}-{at}", item["text"])
        ]
        for start in range(0, len(drawers), BATCH):
            ids, texts, about = zip(*drawers[start : start + BATCH], strict=True)
            self.collection.upsert(ids=list(ids), documents=list(texts), metadatas=list(about))

    def cut(self, name, text):
        about = {"wing": f"scope-{self.scopes}", "room": "notes", "source_file": "", "chunk_index": 0}
        if len(text) <= self.size:
            yield name, text, about
            return
        for at in range(0, len(text), self.size):
            number = at // self.size
            part = {**about, "chunk_index": number, "parent_drawer_id": name}
            yield f"{name}_chunk_{number:06d}", text[at : at + self.size], part

    def search(self, text, k):
        from mempalace.searcher import search_memories

        found = search_memories(text, self.palace, wing=f"scope-{self.scopes}", n_results=k)
        if "error" in found:
            raise RuntimeError(found["error"])
        return [(self.items[hit["drawer_id"]], hit["similarity"]) for hit in found["results"]]


def put_handed(embedding):
    """Have MemPalace take our vectors instead of its model's."""
    model = type(embedding.get_embedding_function(device="cpu", model="minilm"))
    lock = threading.Lock()

    class Handed(model):
        def __call__(self, input):
            with lock:
                return list(serving.embed(input, "passage"))

        def embed_query(self, input):
            with lock:
                return list(serving.embed(input, "query"))

    handed = Handed()
    for key in list(embedding._EF_CACHE):
        embedding._EF_CACHE[key] = handed


serving.serve(Peer)
