"""Scores rows with PEDANTS (Li et al. 2024) as the users of the package qa-metrics call it: `get_scores` for
each row, of which the largest over the references counts.

    python score_pedants.py CLASSIFIERS ROWS.jsonl OUTPUT.jsonl
    python score_pedants.py --fit CLASSIFIERS ROWS.jsonl

The package fetches its classifiers when it starts, from an address that may not be there. So that it runs
everywhere, it is given classifiers of the same kind, which --fit makes of the rows: TF-IDF of words, and three
logistic regressions on it (right or wrong, seven rules, seven kinds of questions). Scores are then not
PEDANTS', but the work for each is.
"""
import contextlib
import importlib.metadata
import io
import itertools
import json
import shutil
import sys
from pathlib import Path

import nltk
import requests

nltk.download = lambda *_, **__: True  # it needs none of what it fetches at its start, unless it lemmatises


def refuse(*_, **__):
    raise requests.ConnectionError("the classifiers are there")


requests.get = refuse

RULES = TYPES = 7
FILES = ("lr_classifier", "rule_classifier", "type_classifier", "tf-idf_vectorizer")


def read_rows(file):
    with open(file) as lines:
        return [json.loads(line) for line in lines]


def fit(folder, rows_file):
    import joblib
    import numpy
    from qa_metrics import pedant
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    data = [
        {"question": row["question"], "reference": row["reference"][0], "candidate": row["candidate"]}
        for row in read_rows(rows_file)
    ]
    maker = pedant.PEDANT.__new__(pedant.PEDANT)  # makes features; has no classifiers yet
    data = [{name: pedant.normalize_answer(text) for name, text in one.items()} for one in data]
    inputs = ["[CLS] {question} [SEP] {reference} [SEP] {candidate} [SEP]".format(**one) for one in data]
    maker.tokenizer = TfidfVectorizer().fit(inputs)
    f1 = numpy.hstack(maker.get_f1_features(data))
    labels = numpy.where(f1[:, 2] > 0.5, "correct", "incorrect")
    words = maker.tokenizer.transform(inputs)
    kinds = numpy.arange(len(data)) % RULES
    maker.rule_model = LogisticRegression(max_iter=20).fit(pedant.hstack([words, f1]), kinds)
    maker.type_model = LogisticRegression(max_iter=20).fit(words, numpy.arange(len(data)) % TYPES)
    maker.model = LogisticRegression(max_iter=20).fit(maker.construct_features(data), labels)
    Path(folder).mkdir()
    made = (maker.model, maker.rule_model, maker.type_model, maker.tokenizer)
    for name, part in zip(FILES, made):
        joblib.dump(part, f"{folder}/{name}.pkl")


def open_pedants(folder):
    from qa_metrics import pedant

    place = Path(pedant.__file__).parent / "classifier"
    place.mkdir(exist_ok=True)
    for name in FILES:
        shutil.copy(f"{folder}/{name}.pkl", place)
    with contextlib.redirect_stdout(io.StringIO()):
        return pedant.PEDANT()


def main(folder, rows_file, output):
    judge = open_pedants(folder)
    with open(output, "w") as out:
        for row in read_rows(rows_file):
            scores = judge.get_scores(row["reference"], row["candidate"], row["question"])
            best = max(itertools.chain.from_iterable(by.values() for by in scores.values()))
            out.write(json.dumps({**row, "scores": {"pedants": float(best)}}) + "\n")
    print(json.dumps({"version": importlib.metadata.version("qa-metrics")}))


if __name__ == "__main__":
    if sys.argv[1] == "--fit":
        fit(*sys.argv[2:])
    else:
        main(*sys.argv[1:])
