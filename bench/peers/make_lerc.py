"""A LERC of MiniLM whose score layer is not trained: what is timed does not depend on the weights.

    python make_lerc.py MODEL ANSWERS.jsonl OUTPUT_FOLDER

It reads the direction in which the rows differ most, as a trained one does; along a random one they differ so little that
the rounding to 8 bits would hide whether two programs compute the same.
"""
import shutil
import sys
from pathlib import Path

import torch
import transformers
from lerc_rows import encode, read_answers
from safetensors.torch import load_file, save_file

ROWS = 64
MAX_LENGTH = 256


def first_states(model, answers):
    """[rows, hidden]: of [CLS]."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(model)
    encoder = transformers.AutoModel.from_pretrained(model, add_pooling_layer=False).eval()
    with torch.inference_mode():
        inputs = tokenizer.pad(encode(tokenizer, read_answers(answers)[:ROWS], MAX_LENGTH), return_tensors="pt")
        return encoder(**inputs).last_hidden_state[:, 0]


def main(model, answers, output):
    model, output = Path(model), Path(output)
    output.mkdir(parents=True)
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json", "vocab.txt", "special_tokens_map.json"):
        shutil.copy(model / name, output / name)
    tensors = load_file(model / "model.safetensors")
    states = first_states(model, answers)
    center = states.mean(0)
    direction = torch.linalg.svd(states - center, full_matrices=False).Vh[:1]
    direction /= ((states - center) @ direction.T).std()
    tensors["score_layer.weight"] = direction.contiguous()
    tensors["score_layer.bias"] = 3 - direction @ center  # scores are 3 on average, with a deviation of 1
    save_file(tensors, output / "model.safetensors", metadata={"format": "pt"})
    (output / "rubric.yaml").write_text(f"task: lerc\nmax_length: {MAX_LENGTH}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
