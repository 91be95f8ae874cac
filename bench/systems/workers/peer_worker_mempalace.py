"""MemPalace: one palace, a wing for each user; texts go in by the tool that files a drawer, and come by its search."""

import logging
import os
import threading

import serving
from minilm import put_minilm, remember

put_minilm()


def at(folder):
    """Bind MemPalace to a folder: it reads these when it is imported."""
    os.environ["MEMPALACE_PALACE_PATH"] = os.path.join(folder, "palace")
    os.environ["MEMPALACE_CONFIG_DIR"] = os.path.join(folder, "config")


class Peer:
    def __init__(self, embedder, folder):
        at(folder)
        import mempalace
        from mempalace import embedding, mcp_server

        logging.disable(logging.WARNING)
        self.versions = f"mempalace {mempalace.__version__}"
        self.palace = os.environ["MEMPALACE_PALACE_PATH"]
        self.file = mcp_server.tool_add_drawer
        self.scopes = 0
        if embedder == "ours":
            put_handed(embedding)
        else:
            remember()

    def index(self, items):
        self.scopes += 1
        self.items = {}
        for item in items:
            filed = self.file(f"scope-{self.scopes}", "notes", item["text"])
            if not filed["success"]:
                raise RuntimeError(filed["error"])
            self.items.setdefault(filed["drawer_id"], []).append(item["id"])

    def search(self, text, k):
        from mempalace.searcher import search_memories

        found = search_memories(text, self.palace, wing=f"scope-{self.scopes}", n_results=k)
        if "error" in found:
            raise RuntimeError(found["error"])
        return [(item, hit["similarity"]) for hit in found["results"] for item in self.items.get(hit["drawer_id"], ())]


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
