"""Parts of the system timed alone, and commands that read no model."""
import functools
import json
import os
import random
from pathlib import Path

from comparison import BENCH, BUILD, CORES, MEMORY, MODEL, Comparison, Figure, Floor, memory
from measure import run

FIXTURES = BENCH.parent / "tests" / "fixtures"


def metric_alone(metric, floor, peer_name="pycocoevalcap", script="score_ngrams.py", file="replies.jsonl"):
    """The metric without reading and writing, and without reading its data. The peers' programs use one core."""

    def comparison(place):
        rows = place.rows / file

        def figures(done):
            return {"rows/s": done.report["rows"] / done.report["seconds"], MEMORY: done.memory}

        def ours(*starter):
            return lambda _: figures(run([*starter, BUILD / "bench" / "metric_bench", metric, rows], CORES))

        def peer(_):
            return figures(place.peer(script, metric, rows, os.devnull, threads=1))

        python = [peer_name] if peer_name == "pycocoevalcap" else []
        figures_asked = [Figure("rows/s", floors={peer_name: floor}), memory(python)]
        peers = {peer_name: peer, "ours, one core": ours("taskset", "--cpu-list", min(os.sched_getaffinity(0)))}
        return Comparison(f"{metric} alone", CORES, figures_asked, ours(), peers)

    return comparison


def tokenizing(kind, text, passes):
    def comparison(place):
        def arguments():
            model = MODEL if kind == "WordPiece" else place.byte_bpe
            return model, place.rows / text, passes

        def figures(done):
            return {
                "MB/s": done.report["bytes"] / done.report["seconds"] / 1e6,
                MEMORY: done.memory,
                "all tokens": done.report["ids"],
            }

        return Comparison(
            f"{kind}, {text}",
            1,
            [Figure("MB/s", floors={"tokenizers": Floor(1.5)} if kind == "WordPiece" else {}), memory(["tokenizers"])],
            lambda _: figures(run([BUILD / "bench" / "tokenizer_bench", *arguments()], 1)),
            {"tokenizers": lambda _: figures(place.peer("tokenizer.py", *arguments(), threads=1))},
        )

    return comparison


def bootstrap(place):
    """Intervals of three correlations over as many rows as MOCHA's test set has."""
    rows = place.folder / "labelled.jsonl"
    numbers = random.Random(0)
    with open(rows, "w") as out:
        for _ in range(6321):
            label = numbers.randint(3, 15) / 3  # a mean of three judgements
            out.write(json.dumps({"score": label, "scores": {"f1": label / 5 + numbers.gauss(0, 0.3)}}) + "\n")

    def measured(resamples, program):
        def measure(_):
            done = program(resamples)
            return {"resamples/s": resamples / done.seconds, "whole run, s": done.seconds, MEMORY: done.memory}

        return measure

    def ours(resamples):
        command = ["evaluate", "agreement", "--quiet", "--input", rows, "--resamples", resamples]
        return run([BUILD / "bin" / command[0], *command[1:]], CORES)

    def peer(resamples):
        return place.peer("bootstrap.py", rows, "f1", resamples, threads=1)

    return Comparison(
        "bootstrap of three correlations, 6,321 rows",
        CORES,
        [Figure("resamples/s"), memory(["scipy"])],
        measured(10_000, ours),
        {"scipy": measured(1_000, peer)},
    )


def agreement_with_people(*options, limit):
    """`evaluate agreement` on EVOUNA's Natural Questions with six metrics, start and reading included."""
    metrics = "f1,em,recall,contains,bleu1,rouge_l"

    def comparison(place):
        data = os.environ.get("RUBRIC_DATA")

        @functools.cache
        def scored():
            file = place.folder / "evouna.jsonl"
            command = [BUILD / "bin" / "score", metrics, "--quiet", "--input-format", "evouna"]
            run([*command, "--input", Path(data) / "evouna" / "NQ.json", "--output", file], CORES)
            return file

        def ours(_):
            command = [BUILD / "bin" / "evaluate", "agreement", "--quiet", "--metric", metrics, *options]
            done = run([*command, "--input", scored()], CORES)
            return {"s": done.seconds, MEMORY: done.memory}

        kind = "permutations" if "permutation" in options else "bootstrap"
        figures = [Figure("s", more_is_better=False, limit=limit)]
        missing = "" if data else "RUBRIC_DATA is not set"
        return Comparison(f"agreement, {kind} of EVOUNA", CORES, figures, ours, {}, missing=missing)

    return comparison


def aligning_derivations(place):
    """CORE's derivations of the first questions of R4C's dev set; without $RUBRIC_DATA those drawn for tests.
    Neither program's start and reading count."""
    data = os.environ.get("RUBRIC_DATA")
    folder = Path(data) / "r4c" if data else FIXTURES / "r4c"
    gold, predictions = (("dev_csf.json", "bm_core.json") if data else ("gold.json", "predictions.json"))
    asked = place.folder / "derivations.json"
    questions = list(json.loads((folder / gold).read_text()).items())[:300]
    asked.write_text(json.dumps(dict(questions)))
    scored = {name: place.folder / f"derivations-{name}.json" for name in ("ours", "peer")}

    def figures(done):
        return {"questions/s": done.report["rows"] / done.report["seconds"], MEMORY: done.memory}

    def ours(_):
        run([BUILD / "bin" / "evaluate", "r4c", "--quiet", "--gold", asked, "--predictions", folder / predictions,
             "--per-question", scored["ours"]], 1)
        return figures(run([BUILD / "bench" / "metric_bench", "r4c", asked, folder / predictions], 1))

    def peer(_):
        return figures(place.peer("align_derivations.py", asked, folder / predictions, scored["peer"], threads=1))

    def agreement(_):
        theirs = json.loads(scored["peer"].read_text())
        ours = [json.loads(line) for line in scored["ours"].read_text().splitlines()]
        differences = (
            abs(question["scores"][scorer]["f1"] - f1)
            for question in ours
            for scorer, f1 in theirs[question["id"]].items()
        )
        return {"difference": max(differences)}

    figures_asked = [Figure("questions/s"), memory(["PuLP"])]
    return Comparison("aligning derivations alone", 1, figures_asked, ours, {"PuLP": peer}, agreement)
