"""A LERC of MiniLM with an untrained score layer: what is timed does not depend on the weights.

    python make_lerc.py MODEL OUTPUT_FOLDER
"""
import shutil
import sys
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file


def main(model, output):
    model, output = Path(model), Path(output)
    output.mkdir(parents=True)
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json", "vocab.txt", "special_tokens_map.json"):
        shutil.copy(model / name, output / name)
    tensors = load_file(model / "model.safetensors")
    hidden = tensors["embeddings.word_embeddings.weight"].shape[1]
    tensors["score_layer.weight"] = torch.randn(1, hidden, generator=torch.Generator().manual_seed(0)) * 0.1
    tensors["score_layer.bias"] = torch.full((1,), 3.0)
    save_file(tensors, output / "model.safetensors", metadata={"format": "pt"})
    (output / "rubric.yaml").write_text("task: lerc\nmax_length: 256\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
