"""How two scored files agree: python agreement.py METRIC OURS.jsonl THEIRS.jsonl

METRIC generated: the share of texts that are the same.
"""
import json
import statistics
import sys


def read(metric, file):
    with open(file) as lines:
        return [row["generated"] if metric == "generated" else row["scores"][metric] for row in map(json.loads, lines)]


def main(metric, ours, theirs):
    ours, theirs = read(metric, ours), read(metric, theirs)
    if metric == "generated":
        print(json.dumps({"same": sum(a == b for a, b in zip(ours, theirs, strict=True)) / len(ours)}))
        return
    difference = max(abs(a - b) for a, b in zip(ours, theirs, strict=True))
    print(json.dumps({"difference": difference, "correlation": statistics.correlation(ours, theirs)}))


main(*sys.argv[1:])
