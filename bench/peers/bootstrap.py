"""scipy's Pearson, Spearman and Kendall over rows with labels, and their bootstrap intervals.

    python bootstrap.py SCORED_FILE METRIC RESAMPLES
"""
import json
import sys

import numpy as np
from scipy import stats


def main(file, metric, resamples):
    with open(file, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    human = np.array([row["score"] for row in rows])
    scores = np.array([row["scores"][metric] for row in rows])
    generator = np.random.default_rng(0)
    figures = np.empty((int(resamples), 3))
    for resample in figures:
        drawn = generator.integers(len(rows), size=len(rows))
        x, y = human[drawn], scores[drawn]
        resample[:] = [figure(x, y).statistic for figure in (stats.pearsonr, stats.spearmanr, stats.kendalltau)]
    print(json.dumps({"ci95": np.percentile(figures, [2.5, 97.5], axis=0).T.tolist()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
