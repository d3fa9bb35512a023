"""SQuAD's F1, ROUGE-L and BLEU-1 of every row, as their users call them: transformers' port of SQuAD's script and
pycocoevalcap, all rows in one call.

    python score_lexical.py ROWS.jsonl OUTPUT.jsonl

Prints the seconds of the calls alone.
"""
import json
import sys
import time

from pycocoevalcap.bleu.bleu import Bleu
from pycocoevalcap.rouge.rouge import Rouge
from transformers.data.metrics.squad_metrics import compute_f1


def main(rows_file, output):
    with open(rows_file) as lines:
        rows = [json.loads(line) for line in lines]
    references = {i: row["reference"] for i, row in enumerate(rows)}
    candidates = {i: [row["candidate"]] for i, row in enumerate(rows)}
    start = time.perf_counter()
    f1 = [max(compute_f1(reference, row["candidate"]) for reference in row["reference"]) for row in rows]
    rouge = Rouge().compute_score(references, candidates)[1]
    bleu = Bleu(1).compute_score(references, candidates, verbose=0)[1][0]
    seconds = time.perf_counter() - start
    with open(output, "w") as out:
        for row, *scores in zip(rows, f1, rouge, bleu):
            named = dict(zip(("f1", "rouge_l", "bleu1"), map(float, scores)))
            out.write(json.dumps({**row, "scores": named}) + "\n")
    print(json.dumps({"seconds": seconds, "rows": len(rows)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
