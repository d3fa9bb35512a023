"""BLEU-1 or ROUGE-L of every row by pycocoevalcap, all rows in one call.

    python score_ngrams.py bleu1|rouge_l ROWS.jsonl OUTPUT.jsonl

Prints the seconds of that call alone.
"""
import json
import sys
import time

from pycocoevalcap.bleu.bleu import Bleu
from pycocoevalcap.rouge.rouge import Rouge


def sentence_scores(metric, references, candidates):
    if metric == "bleu1":
        return Bleu(1).compute_score(references, candidates, verbose=0)[1][0]
    return Rouge().compute_score(references, candidates)[1]


def main(metric, rows_file, output):
    with open(rows_file) as lines:
        rows = [json.loads(line) for line in lines]
    references = {i: row["reference"] for i, row in enumerate(rows)}
    candidates = {i: [row["candidate"]] for i, row in enumerate(rows)}
    start = time.perf_counter()
    scores = sentence_scores(metric, references, candidates)
    seconds = time.perf_counter() - start
    with open(output, "w") as out:
        for row, score in zip(rows, scores):
            out.write(json.dumps({**row, "scores": {metric: float(score)}}) + "\n")
    print(json.dumps({"seconds": seconds, "rows": len(rows)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
