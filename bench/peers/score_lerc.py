"""Scores rows with a LERC in a transformers loop, 32 at a time, each batch padded to its longest row.

    python score_lerc.py MODEL ANSWERS.jsonl OUTPUT.jsonl ordered|sorted

ordered: the batches follow the file. sorted: every row is tokenised first, and the batches go by length.
"""
import json
import sys

import torch
import transformers
from lerc_rows import encode, read_answers
from safetensors.torch import load_file

BATCH = 32
MAX_LENGTH = 256


def main(model_name, answers, output, order):
    tokenizer = transformers.AutoTokenizer.from_pretrained(model_name)
    encoder = transformers.AutoModel.from_pretrained(model_name, add_pooling_layer=False).eval()
    tensors = load_file(f"{model_name}/model.safetensors")
    weight, bias = tensors["score_layer.weight"], tensors["score_layer.bias"]

    def score(encoded):
        inputs = tokenizer.pad(encoded, return_tensors="pt")
        hidden = encoder(**inputs).last_hidden_state
        return torch.nn.functional.linear(hidden[:, 0], weight, bias)[:, 0].tolist()

    rows = read_answers(answers)
    scores = [0.0] * len(rows)
    with torch.inference_mode():
        if order == "sorted":
            encoded = encode(tokenizer, rows, MAX_LENGTH)
            by_length = sorted(range(len(rows)), key=lambda i: -len(encoded[i]["input_ids"]))
            for begin in range(0, len(rows), BATCH):
                batch = by_length[begin : begin + BATCH]
                for i, value in zip(batch, score([encoded[i] for i in batch])):
                    scores[i] = value
        else:
            for begin in range(0, len(rows), BATCH):
                batch = rows[begin : begin + BATCH]
                scores[begin : begin + BATCH] = score(encode(tokenizer, batch, MAX_LENGTH))
    with open(output, "w") as out:
        for row, value in zip(rows, scores):
            out.write(json.dumps({**row, "scores": {"lerc": value}}) + "\n")
    print(json.dumps({"threads": torch.get_num_threads()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
