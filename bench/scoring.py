"""Commands that read a file of rows and write one: `score` and `generate`, and what does the same in Python."""
import functools
import json
import statistics

from comparison import (
    BUILD, CORES, MEMORY, MODEL, MODEL_RATE, SHARE, Comparison, Figure, Floor, count_lines, memory
)
from engines import (
    BERTSCORE_SETTINGS, CTRANSLATE2, LERC_SETTINGS, ROUNDED, ctranslate2, encoders, judged
)
from flops import bert_forward, t5_forward
from measure import run

ORDERED, SORTED = "transformers, file order", "transformers, sorted"
OURS_FLOAT32 = "ours, float32"
LAYER = 6  # MiniLM's last, for BERTScore
BATCH, NEW_TOKENS = 32, 64  # of generating: the default of `generate`
SAME_TEXTS = 0.9  # rounding changes some text after tokens that are nearly as probable
OUR_STARTS = 3  # runs on one row, of which the median is taken from the whole run
STARTS = 10  # runs on one row, of which the median counts


def scored_files(place, metric, rows, one_row, score_ours, peers, floors=None, operations=None, neural=True, name=None,
                 other_metrics=(), engines=(), alike=None):
    """A comparison of programs that score a file; `peers` are functions of (rows, output). Rows a second are those of
    the whole run less a run on one row, or those that a program reports, which then timed itself without its start.
    `operations` says of a program what its matrix products count on all rows. Values of the peers in `other_metrics` are
    not compared with ours."""
    outputs = {}

    def measured(name, score):
        outputs[name] = place.folder / f"{metric}-{len(outputs)}.jsonl"

        def measure(_):
            whole = score(place.rows / rows, outputs[name])
            if "seconds" in whole.report:
                seconds, figures = whole.report["seconds"], {}
            else:
                starts = OUR_STARTS if name == "ours" else 1  # ours is short beside what a busy moment adds
                one = (score(place.rows / one_row, place.folder / "one_row.jsonl") for _ in range(starts))
                start = statistics.median(done.seconds for done in one)
                seconds = whole.seconds - start
                figures = {"whole run, s": whole.seconds, "start, s": start}
            figures |= {"rows/s": count_lines(place.rows / rows) / seconds, MEMORY: whole.memory}
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
            memory(set(peers) - set(other_metrics)),
        ],
        measured("ours", score_ours),
        {name: measured(name, score) for name, score in peers.items()},
        agreement,
        alike or {},
        engines,
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
    def lengths():
        return place.row_lengths(MODEL, place.rows / rows, 256)

    def operations(program):
        return bert_forward(json.loads((MODEL / "config.json").read_text()), lengths(), program == "ours")

    name, rows = "scoring, lerc", "answers.jsonl"
    engines = encoders(place, name, "lerc", lambda: place.lerc, "float32", LERC_SETTINGS, rows)
    peers = {ORDERED: peer("ordered"), SORTED: peer("sorted"), **engines}
    asked = judged(engines, 1.5)
    asked["floors"] |= {ORDERED: Floor(2.5), SORTED: Floor(1.7, aim=1.9)}
    return scored_files(place, "lerc", rows, "answer.jsonl", score_lerc(place), peers, operations=operations, **asked)


def scoring_lerc_int8(place):
    """Weights of 8 bits in all programs but our own of 32."""
    name, rows = "scoring, lerc --int8", "answers.jsonl"
    engines = encoders(place, name, "lerc", lambda: place.lerc, "int8", LERC_SETTINGS, rows)
    peers = {OURS_FLOAT32: score_lerc(place), **engines}
    asked = judged(engines, 1.6, ROUNDED)
    return scored_files(place, "lerc", rows, "answer.jsonl", score_lerc(place, "--int8"), peers, name=name, **asked)


def bert_score_peer(place):
    def peer(rows, output):
        return place.peer("score_bertscore.py", MODEL, LAYER, rows, output, threads=CORES)

    return {"bert-score": peer}


def scoring_bertscore(place):
    """The engines compute the encoder in bert-score's own loop."""
    name, rows = "scoring, bertscore", "pairs.jsonl"
    engines = encoders(place, name, "bertscore", lambda: MODEL, "float32", BERTSCORE_SETTINGS, rows)
    asked = judged(engines, 1.3)
    asked["floors"]["bert-score"] = Floor(2.5)
    peers = bert_score_peer(place) | engines
    return scored_files(place, "bertscore", rows, "reply.jsonl", score_bertscore(), peers, **asked)


def scoring_bertscore_int8(place):
    peers = {OURS_FLOAT32: score_bertscore(), **bert_score_peer(place)}
    ours, floors = score_bertscore("--int8"), {"bert-score": Floor(3.2)}
    name = "scoring, bertscore --int8"
    return scored_files(place, "bertscore", "pairs.jsonl", "reply.jsonl", ours, peers, floors, name=name)


def score_likelihood(model, *options):
    return lambda rows, output: score("likelihood", rows, output, "--model", model(), *options)


def scoring_likelihood(place):
    def peer(order):
        return lambda rows, output: place.peer("score_likelihood.py", place.t5, rows, output, order, threads=CORES)

    @functools.cache
    def lengths():
        return place.row_lengths(place.t5, place.rows / rows)

    def operations(_):
        return t5_forward(json.loads((place.t5 / "config.json").read_text()), lengths())

    name, rows = "scoring, likelihood", "seq2seq.jsonl"
    engines = {CTRANSLATE2: ctranslate2(place, name, "likelihood", "t5", rows)}
    peers = {ORDERED: peer("ordered"), SORTED: peer("sorted"), **engines}
    asked = judged(engines, 1.4)
    asked["floors"][SORTED] = Floor(1.5)
    ours = score_likelihood(lambda: place.t5)
    return scored_files(place, "likelihood", rows, "task.jsonl", ours, peers, operations=operations, **asked)


def scoring_likelihood_int8(place):
    name, rows = "scoring, likelihood --int8", "seq2seq.jsonl"
    engines = {CTRANSLATE2: ctranslate2(place, name, "likelihood", "t5", rows, "int8")}
    peers = {OURS_FLOAT32: score_likelihood(lambda: place.t5), **engines}
    ours = score_likelihood(lambda: place.t5, "--int8")
    asked = judged(engines, 1.4, ROUNDED)
    return scored_files(place, "likelihood", rows, "task.jsonl", ours, peers, name=name, **asked)


def scoring_likelihood_gpt2(place):
    name, rows = "scoring, likelihood, GPT-2's shape", "few.jsonl"
    engines = {CTRANSLATE2: ctranslate2(place, name, "likelihood", "gpt2", rows)}
    ours = score_likelihood(lambda: place.gpt2)
    return scored_files(place, "likelihood", rows, "task.jsonl", ours, engines, name=name, **judged(engines, 1.3))


def scoring_rev(place):
    """The published script reads row after row. The text that it also generates for each, which counts nowhere, is
    left out."""

    def ours(rows, output):
        return score("rev", rows, output, "--model", place.evaluator)

    def peer(rows, output):
        return place.peer("score_rev.py", place.evaluator, rows, output, threads=CORES)

    peers = {"transformers, one by one": peer}
    return scored_files(place, "rev", "rationales.jsonl", "rationale.jsonl", ours, peers)


def generated(place, name, kind, rows, beams, at_least, peers=None, floors=None, precision="float32"):
    """64 new tokens a row: the random model ends none by itself. In 8 bits texts part early, and are not compared."""

    def ours(rows, output):
        output.unlink(missing_ok=True)  # else a run would go on where the one before ended
        command = [BUILD / "bin" / "generate", "--quiet", "--model", getattr(place, kind), "--batch", BATCH]
        command += ["--beams", beams, "--max-new-tokens", NEW_TOKENS]
        command += ["--int8"] if precision == "int8" else []
        return run([*command, "--input", rows, "--output", output], CORES)

    engines = {CTRANSLATE2: ctranslate2(place, name, beams, kind, rows, precision, NEW_TOKENS)}
    asked = judged(engines, at_least, SAME_TEXTS)
    if precision == "int8":
        asked["alike"] = {}
    asked["floors"] |= floors or {}
    return scored_files(place, "generated", rows, "task.jsonl", ours, (peers or {}) | engines, name=name, **asked)


def generating(place):
    def peer(order):
        return lambda rows, output: place.peer("generate.py", place.t5, rows, output, BATCH, order, threads=CORES)

    peers = {ORDERED: peer("ordered"), SORTED: peer("sorted")}
    return generated(place, "generating, greedy", "t5", "seq2seq.jsonl", 1, 1.4, peers, {ORDERED: Floor(2)})


def generating_beams(beams):
    return lambda place: generated(place, f"generating, {beams} beams", "t5", "few.jsonl", beams, 1.3)


def generating_int8(name, kind, beams=1):
    return lambda place: generated(place, f"generating, {name} --int8", kind, "few.jsonl", beams, 1.3, precision="int8")


def generating_llama(place):
    return generated(place, "generating, greedy, SmolLM2's shape", "llama", "few.jsonl", 1, 1.3)


def generating_gpt2(place):
    return generated(place, "generating, greedy, GPT-2's shape", "gpt2", "few.jsonl", 1, 1.3)


def scoring_ngrams(metric):
    def comparison(place):
        def ours(rows, output):
            return score(metric, rows, output, "--threads", 1)

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

    return starting("starting, bleu1", ours, "pycocoevalcap", peer, limit=0.02)


def starting_lerc(place):
    rows, output = place.rows / "answer.jsonl", place.folder / "started.jsonl"

    def ours():
        return score_lerc(place)(rows, output)

    def peer():
        return place.peer("score_lerc.py", place.lerc, rows, output, "ordered", threads=CORES)

    return starting("starting, lerc", ours, "transformers", peer, limit=0.4)
