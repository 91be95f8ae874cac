"""txtai: a hybrid index (dense and BM25) for each user, in memory."""

import os
from importlib.metadata import version

import serving
from minilm import minilm_folder

os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["HF_HUB_OFFLINE"] = "1"

import txtai


class Peer:
    def __init__(self, embedder, folder):
        self.versions = f"txtai {version('txtai')}, torch {version('torch')}"
        self.role = "passage"
        if embedder == "ours":
            self.config = {"method": "external", "transform": lambda texts: serving.embed(texts, self.role)}
        else:
            self.config = {"path": minilm_folder()}

    def index(self, items):
        self.role = "passage"
        self.embeddings = txtai.Embeddings(hybrid=True, **self.config)
        self.embeddings.index([(item["id"], item["text"], None) for item in items])

    def search(self, text, k):
        self.role = "query"
        return self.embeddings.search(text, k)


serving.serve(Peer)
