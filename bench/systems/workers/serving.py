"""A worker: one other memory in its own environment, asked over lines of JSON on its standard input and output.

It is started as `python peer_worker_NAME.py`, imports nothing of ours, and answers `start`, `index` and `search`. While
it answers it may itself ask for vectors of our embedder with a line `embed`.
"""

import base64
import json
import os
import sys

LINES = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)  # what the packages print goes where warnings go


def tell(**message):
    """Write one line."""
    LINES.write(json.dumps(message, ensure_ascii=False) + "\n")
    LINES.flush()


def hear():
    """Return the next line, or None when there is none."""
    line = sys.stdin.readline()
    return json.loads(line) if line else None


def embed(texts, role):
    """Return vectors of our embedder as an array of float32, one row for each text."""
    import numpy as np

    tell(embed=list(texts), role=role)
    told = hear()
    return np.frombuffer(base64.b64decode(told["vectors"]), "<f4").reshape(len(texts), told["dimension"]).copy()


def serve(make):
    """Answer until the input ends; `make(embedder, folder)` returns what has `index(items)` and `search(text, k)`."""
    asked = hear()
    peer = make(asked["embedder"], asked["folder"])
    tell(versions=peer.versions)
    while (asked := hear()) is not None:
        if asked["do"] == "index":
            peer.index(asked["items"])
            tell(done=True)
        else:
            tell(ranked=[[item, float(score)] for item, score in peer.search(asked["text"], asked["k"])])
