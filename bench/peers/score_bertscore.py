"""Scores rows with the package bert-score, its own batches: 64 at a time, sorted by their words.

    python score_bertscore.py MODEL LAYER ROWS.jsonl OUTPUT.jsonl
"""
import json
import sys

import bert_score
import torch


def main(model, layer, rows_file, output):
    with open(rows_file) as lines:
        rows = [json.loads(line) for line in lines]
    references = [row["reference"] for row in rows]
    candidates = [row["candidate"] for row in rows]
    _, _, f1 = bert_score.score(candidates, references, model_type=model, num_layers=int(layer))
    with open(output, "w") as out:
        for row, value in zip(rows, f1.tolist()):
            out.write(json.dumps({**row, "scores": {"bertscore": value}}) + "\n")
    print(json.dumps({"threads": torch.get_num_threads()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
