"""The largest difference between two scored files: python largest_difference.py METRIC OURS.jsonl THEIRS.jsonl"""
import json
import sys


def scores(metric, file):
    with open(file) as lines:
        return [json.loads(line)["scores"][metric] for line in lines]


def main(metric, ours, theirs):
    pairs = zip(scores(metric, ours), scores(metric, theirs), strict=True)
    print(json.dumps({"difference": max(abs(a - b) for a, b in pairs)}))


main(*sys.argv[1:])
