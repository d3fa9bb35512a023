"""METEOR 1.5 of every row by its Java classes, on one thread that compiles and collects besides.

    python score_meteor.py meteor ROWS.jsonl OUTPUT.jsonl

Needs a JDK. Prints the seconds of the scoring alone: neither Java's start nor the reading of its data is in it.
"""
import base64
import json
import subprocess
import sys
from pathlib import Path

import pycocoevalcap

HARNESS = Path(__file__).resolve().parent / "MeteorScores.java"
METEOR = Path(pycocoevalcap.__path__[0]) / "meteor"


def main(metric, rows_file, output):
    with open(rows_file) as lines:
        rows = [json.loads(line) for line in lines]
    texts = ([row["candidate"], *row["reference"]] for row in rows)
    encoded = "".join(" ".join(base64.b64encode(t.encode()).decode() for t in row) + "\n" for row in texts)
    command = ["java", "-Xmx4G", "-cp", METEOR / "meteor-1.5.jar", HARNESS, METEOR / "data" / "paraphrase-en.gz", "scores"]
    done = subprocess.run(command, input=encoded.encode("ascii"), stdout=subprocess.PIPE, check=True)
    *scores, report = done.stdout.decode().splitlines()
    with open(output, "w") as out:
        for row, score in zip(rows, scores, strict=True):
            out.write(json.dumps({**row, "scores": {metric: float(score)}}) + "\n")
    print(report)


if __name__ == "__main__":
    main(*sys.argv[1:])
