"""How two scored files agree: python agreement.py METRIC OURS.jsonl THEIRS.jsonl"""
import json
import statistics
import sys


def scores(metric, file):
    with open(file) as lines:
        return [json.loads(line)["scores"][metric] for line in lines]


def main(metric, ours, theirs):
    ours, theirs = scores(metric, ours), scores(metric, theirs)
    difference = max(abs(a - b) for a, b in zip(ours, theirs, strict=True))
    print(json.dumps({"difference": difference, "correlation": statistics.correlation(ours, theirs)}))


main(*sys.argv[1:])
