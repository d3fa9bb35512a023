"""What a user of the Python package does, timed in their process.

    python bench/package.py lexical ROWS.jsonl
    python bench/package.py lerc MODEL ROWS.jsonl
    python bench/package.py import
"""
import json
import sys
import time
from pathlib import Path


def memory(key):
    """VmRSS, or VmHWM, its largest value so far, in MB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(key + ":"))


def columns(rows_file):
    with open(rows_file) as lines:
        rows = [json.loads(line) for line in lines]
    return {name: [row.get(name, "") for row in rows] for name in ("candidate", "reference", "passage", "question")}


def lexical(rows_file):
    import rubric

    rows = columns(rows_file)
    texts = [text for column in rows.values() for cell in column for text in ([cell] if isinstance(cell, str) else cell)]
    size = sum(len(text.encode()) for text in texts) / 2**20
    before = memory("VmRSS")
    start = time.perf_counter()
    scores = rubric.score(rows["candidate"], rows["reference"], questions=rows["question"],
                          metrics=["f1", "rouge_l", "bleu1"])
    seconds = time.perf_counter() - start
    return {"rows": len(scores["f1"]), "seconds": seconds, "texts": size, "grown": memory("VmHWM") - before}


def lerc(model, rows_file):
    import rubric

    rows = columns(rows_file)
    with rubric.load(model) as loaded:
        start = time.perf_counter()
        loaded.score(rows["candidate"], rows["reference"], passages=rows["passage"], questions=rows["question"])
        return {"rows": len(rows["candidate"]), "seconds": time.perf_counter() - start}


def importing():
    start = time.perf_counter()
    import rubric  # noqa: F401

    return {"seconds": time.perf_counter() - start}


if __name__ == "__main__":
    print(json.dumps({"lexical": lexical, "lerc": lerc, "import": importing}[sys.argv[1]](*sys.argv[2:])))
