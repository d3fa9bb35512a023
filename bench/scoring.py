"""Commands that read a file of rows and write one: `score` and `generate`, and what does the same in Python."""
import dataclasses
import functools
import json
import statistics

from comparison import (
    BUILD, CORES, MEMORY, MODEL, MODEL_RATE, SHARE, Comparison, Figure, Floor, count_lines, memory
)
from flops import bert_forward
from measure import run

ORDERED, SORTED = "transformers, file order", "transformers, sorted"
LAYER = 6  # MiniLM's last, for BERTScore
STARTS = 10  # runs on one row, of which the median counts


def scored_files(place, metric, rows, one_row, score_ours, peers, floors=None, operations=None, neural=True, name=None,
                 other_metrics=()):
    """A comparison of programs that score a file; `peers` are functions of (rows, output). Rows a second are those of
    the whole run less a run on one row. `operations` says of a program what its matrix products count on all rows.
    Where there are floors of rows a second, there is one of memory for every peer. Values of the peers in `other_metrics`
    are not compared with ours."""
    outputs = {}

    def measured(name, score):
        outputs[name] = place.folder / f"{metric}-{len(outputs)}.jsonl"

        def measure(_):
            start = score(place.rows / one_row, outputs[name])
            whole = score(place.rows / rows, outputs[name])
            seconds = whole.seconds - start.seconds
            figures = {
                "rows/s": count_lines(place.rows / rows) / seconds,
                "whole run, s": whole.seconds,
                "start, s": start.seconds,
                MEMORY: whole.memory,
            }
            return figures | ({MODEL_RATE: operations(name) / seconds / 1e9} if operations else {})

        return measure

    def agreement(peer):
        if peer in other_metrics:
            return {}
        return place.peer("agreement.py", metric, outputs["ours"], outputs[peer], threads=1).report

    return Comparison(
        name or f"scoring, {metric}",
        CORES if neural else 1,
        [
            Figure("rows/s", floors=floors or {}),
            Figure("whole run, s", more_is_better=False),
            Figure("start, s", more_is_better=False),
            *([Figure(SHARE)] if operations else []),
            memory(peers if floors else ()),
        ],
        measured("ours", score_ours),
        {name: measured(name, score) for name, score in peers.items()},
        agreement,
        neural=neural,
    )


def score(metric, rows, output, *options, threads=CORES):
    return run([BUILD / "bin" / "score", metric, "--quiet", "--input", rows, "--output", output, *options], threads)


def score_lerc(place, *options):
    return lambda rows, output: score("lerc", rows, output, "--model", place.lerc, *options)


def score_bertscore(*options):
    return lambda rows, output: score("bertscore", rows, output, "--model", MODEL, "--layer", LAYER, *options)


def scoring_lerc(place):
    def peer(order):
        return lambda rows, output: place.peer("score_lerc.py", place.lerc, rows, output, order, threads=CORES)

    @functools.cache
    def operations(program):
        lengths = place.row_lengths(MODEL, place.rows / "answers.jsonl", 256)
        return bert_forward(json.loads((MODEL / "config.json").read_text()), lengths, program == "ours")

    peers = {ORDERED: peer("ordered"), SORTED: peer("sorted")}
    floors = {ORDERED: Floor(2.5), SORTED: Floor(1.7, aim=1.9)}
    return scored_files(place, "lerc", "answers.jsonl", "answer.jsonl", score_lerc(place), peers, floors, operations)


def scoring_bertscore(place):
    def peer(rows, output):
        return place.peer("score_bertscore.py", MODEL, LAYER, rows, output, threads=CORES)

    peers, floors = {"bert-score": peer}, {"bert-score": Floor(3)}
    return scored_files(place, "bertscore", "pairs.jsonl", "reply.jsonl", score_bertscore(), peers, floors)


def scoring_lerc_int8(place):
    """Weights of 8 bits against ours of 32. The head is random: a trained one has scores further apart."""
    peers = {"float32": score_lerc(place)}
    ours = score_lerc(place, "--int8")
    return scored_files(place, "lerc", "answers.jsonl", "answer.jsonl", ours, peers, name="scoring, lerc --int8")


def scoring_bertscore_int8(place):
    peers = {"float32": score_bertscore()}
    ours = score_bertscore("--int8")
    return scored_files(place, "bertscore", "pairs.jsonl", "reply.jsonl", ours, peers, name="scoring, bertscore --int8")


def scoring_likelihood(place):
    def ours(rows, output):
        return score("likelihood", rows, output, "--model", place.t5)

    def peer(order):
        return lambda rows, output: place.peer("score_likelihood.py", place.t5, rows, output, order, threads=CORES)

    peers = {ORDERED: peer("ordered"), SORTED: peer("sorted")}
    floors = {SORTED: Floor(1.5)}
    return scored_files(place, "likelihood", "seq2seq.jsonl", "task.jsonl", ours, peers, floors)


def scoring_rev(place):
    """The published script reads row after row. The text that it also generates for each, which counts nowhere, is
    left out."""

    def ours(rows, output):
        return score("rev", rows, output, "--model", place.evaluator)

    def peer(rows, output):
        return place.peer("score_rev.py", place.evaluator, rows, output, threads=CORES)

    peers = {"transformers, one by one": peer}
    return scored_files(place, "rev", "rationales.jsonl", "rationale.jsonl", ours, peers)


def generating(place):
    """Greedily, 64 new tokens a row: the random model ends hardly one by itself."""
    batch = 16

    def ours(rows, output):
        output.unlink(missing_ok=True)  # else a run would go on where the one before ended
        command = [BUILD / "bin" / "generate", "--quiet", "--model", place.t5, "--batch", batch]
        return run([*command, "--max-new-tokens", 64, "--input", rows, "--output", output], CORES)

    def peer(order):
        return lambda rows, output: place.peer("generate.py", place.t5, rows, output, batch, order, threads=CORES)

    peers = {ORDERED: peer("ordered"), SORTED: peer("sorted")}
    floors = {ORDERED: Floor(2)}
    scored = scored_files(place, "generated", "seq2seq.jsonl", "task.jsonl", ours, peers, floors)
    return dataclasses.replace(scored, name="generating, greedy", agreement=None)


def scoring_ngrams(metric):
    def comparison(place):
        def ours(rows, output):
            return score(metric, rows, output, threads=1)

        def peer(rows, output):
            return place.peer("score_ngrams.py", metric, rows, output, threads=1)

        return scored_files(
            place, metric, "replies.jsonl", "reply.jsonl", ours, {"pycocoevalcap": peer}, neural=False
        )

    return comparison


def starting(name, ours, peer_name, peer, limit):
    """A command on one row, by the clock of whoever starts it."""

    def measured(score, times):
        return lambda _: {"s": statistics.median(score().seconds for _ in range(times))}

    figures = [Figure("s", more_is_better=False, limit=limit)]
    return Comparison(name, CORES, figures, measured(ours, STARTS), {peer_name: measured(peer, 1)})


def starting_bleu(place):
    rows, output = place.rows / "reply.jsonl", place.folder / "started.jsonl"

    def ours():
        return score("bleu1", rows, output)

    def peer():
        return place.peer("score_ngrams.py", "bleu1", rows, output, threads=CORES)

    return starting("starting, bleu1", ours, "pycocoevalcap", peer, limit=0.03)


def starting_lerc(place):
    rows, output = place.rows / "answer.jsonl", place.folder / "started.jsonl"

    def ours():
        return score_lerc(place)(rows, output)

    def peer():
        return place.peer("score_lerc.py", place.lerc, rows, output, "ordered", threads=CORES)

    return starting("starting, lerc", ours, "transformers", peer, limit=0.8)
