"""R4C's scores by its integer programme, PuLP with CBC, and the time that the questions take.

    python align_derivations.py GOLD PREDICTIONS OUTPUT

OUTPUT: {question: {"e": F1, "r": F1, "er": F1}}.
"""
import json
import sys
import time
from pathlib import Path

import Levenshtein

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "fixtures"))
import make_r4c  # noqa: E402


def main(gold, predictions, output):
    make_r4c.levenshtein = Levenshtein.distance  # in C, as a fair peer has it
    questions = list(json.loads(Path(gold).read_text()).items())
    derivations = json.loads(Path(predictions).read_text())["re"]
    begin = time.perf_counter()
    scores = {
        question: {scorer: each["f1"] for scorer, each in make_r4c.score(derivations[question], references).items()}
        for question, references in questions
    }
    seconds = time.perf_counter() - begin
    Path(output).write_text(json.dumps(scores))
    print(json.dumps({"rows": len(questions), "seconds": seconds}))


if __name__ == "__main__":
    main(*sys.argv[1:])
