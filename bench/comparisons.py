"""What is compared. Each program is a function from the round's number to its figures."""
import dataclasses
import functools
import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

from measure import run

BENCH = Path(__file__).resolve().parent
BUILD = BENCH.parent / "build"
FIXTURES = BENCH.parent / "tests" / "fixtures"
MODEL = BENCH.parent / ".deps" / "minilm"
CORES = len(os.sched_getaffinity(0))
LAYER = 6  # MiniLM's last, for BERTScore
WARM_UP = 2  # updates of fine-tuning that are not counted, as in peers/timed_trainer.py


@dataclasses.dataclass
class Figure:
    name: str
    more_is_better: bool = True


@dataclasses.dataclass
class Comparison:
    name: str
    threads: int
    figures: list[Figure]  # besides "memory", which every program gives
    ours: Callable[[int], dict]
    peers: dict[str, Callable[[int], dict]]
    # The largest difference between our values and those of a peer, after a round.
    difference: Callable[[str], float] | None = None


@dataclasses.dataclass
class Place:
    python: str  # of the reference environment
    folder: Path  # temporary; rows/ in it is what rows.py wrote

    @property
    def rows(self):
        return self.folder / "rows"

    @functools.cached_property
    def lerc(self):
        """A model directory to score with."""
        self.peer("make_lerc.py", MODEL, self.folder / "lerc", threads=1)
        return self.folder / "lerc"

    @functools.cached_property
    def byte_bpe(self):
        """A folder with a byte-level BPE as large as those that are published."""
        texts = (self.rows / name for name in ("english.txt", "world.txt"))
        self.peer("make_byte_bpe.py", self.folder / "byte_bpe", *texts, threads=CORES)
        return self.folder / "byte_bpe"

    @functools.cached_property
    def t5(self):
        """A model directory of T5-small's shape."""
        texts = (self.rows / name for name in ("seq2seq.jsonl", "english.txt"))
        self.peer("make_t5.py", self.folder / "t5", *texts, threads=1)
        return self.folder / "t5"

    @functools.cached_property
    def evaluator(self):
        """The same as REV's evaluator, made as the published code makes one."""
        self.peer("make_evaluator.py", self.t5, self.folder / "evaluator", threads=1)
        return self.folder / "evaluator"

    def peer(self, script, *arguments, threads):
        return run([self.python, BENCH / "peers" / script, *arguments], threads)


def count_lines(file):
    with open(file) as lines:
        return sum(1 for _ in lines)


def train(place, config, model, ranks=1, threads=CORES):
    """One run of `train` with a configuration of bench/: how it went, and what its log says of the updates.
    Of several ranks, the peak memory is that of the largest."""
    runs = place.folder / "runs"
    launcher = [BENCH.parent / "scripts" / "launch" / "local", ranks] if ranks > 1 else []
    # A new store: the data are tokenised in every round.
    done = run(
        [*launcher, BUILD / "bin" / "train", "--quiet", "--config", BENCH / config]
        + ["--set", f"data.store={runs / 'store'}", "--output", runs / "run"],
        threads,
        RUBRIC_BENCH_ROWS=place.rows,
        RUBRIC_BENCH_MODEL=model,
    )
    events = [json.loads(line) for line in (runs / "run" / "log.jsonl").read_text().splitlines()]
    updates = [event for event in events if event["event"] == "update"]
    tokens = [round(update["tokens_per_second"] * update["seconds"]) for update in updates]
    shutil.rmtree(runs)
    report = {
        "tokens": sum(tokens),
        "timed tokens": sum(tokens[WARM_UP:]),
        "timed seconds": sum(update["seconds"] for update in updates[WARM_UP:]),
    }
    return done, report


def training_figures(done, report, examples):
    # By the tokens: the updates that are not counted are short in one program and long in another.
    rate = report["timed tokens"] / report["timed seconds"]
    return {
        "examples/s": rate * examples / report["tokens"],
        "whole run, s": done.seconds,
        "memory": done.memory,
        "all tokens": report["tokens"],
    }


TRAINING_FIGURES = [Figure("examples/s"), Figure("whole run, s", more_is_better=False)]


def finetuning(place):
    rows = place.rows / "answers.jsonl"

    def ours(_):
        return training_figures(*train(place, "finetune.yaml", MODEL), count_lines(rows))

    def peer(batching):
        def measured(_):
            done = place.peer("finetune.py", MODEL, rows, place.folder / "trainer", batching, threads=CORES)
            return training_figures(done, done.report, count_lines(rows))

        return measured

    peers = {"Trainer, grouped by length": peer("grouped"), "Trainer, default padding": peer("default")}
    return Comparison("fine-tuning", CORES, TRAINING_FIGURES, ours, peers)


def finetuning_on_ranks(place):
    """Two ranks with a thread each against one: ours both."""

    def on(ranks):
        examples = count_lines(place.rows / "answers.jsonl")
        return lambda _: training_figures(*train(place, "finetune.yaml", MODEL, ranks, threads=1), examples)

    return Comparison("fine-tuning, 2 ranks", 1, TRAINING_FIGURES, on(2), {"1 rank": on(1)})


def finetuning_seq2seq(place):
    rows = place.rows / "seq2seq.jsonl"

    def ours(_):
        return training_figures(*train(place, "finetune_seq2seq.yaml", place.t5), count_lines(rows))

    def peer(_):
        done = place.peer("finetune_seq2seq.py", place.t5, rows, place.folder / "trainer", threads=CORES)
        return training_figures(done, done.report, count_lines(rows))

    peers = {"Seq2SeqTrainer, grouped by length": peer}
    return Comparison("fine-tuning, T5-small's shape", CORES, TRAINING_FIGURES, ours, peers)


def scored_files(place, metric, rows, one_row, threads, score_ours, peers, unit):
    """A comparison of programs that score a file; `peers` are functions of (rows, output)."""
    total = count_lines(place.rows / rows)
    outputs = {}

    def measured(name, score):
        outputs[name] = place.folder / f"{metric}-{len(outputs)}.jsonl"

        def measure(_):
            start = score(place.rows / one_row, outputs[name])
            whole = score(place.rows / rows, outputs[name])
            return {
                f"{unit}": total / (whole.seconds - start.seconds),
                "whole run, s": whole.seconds,
                "start, s": start.seconds,
                "memory": whole.memory,
            }

        return measure

    def difference(peer):
        done = place.peer("largest_difference.py", metric, outputs["ours"], outputs[peer], threads=1)
        return done.report["difference"]

    return Comparison(
        f"scoring, {metric}",
        threads,
        [Figure(unit), Figure("whole run, s", more_is_better=False), Figure("start, s", more_is_better=False)],
        measured("ours", score_ours),
        {name: measured(name, score) for name, score in peers.items()},
        difference,
    )


def scoring_lerc(place):
    def ours(rows, output):
        command = [BUILD / "bin" / "score", "lerc", "--quiet", "--model", place.lerc]
        return run([*command, "--input", rows, "--output", output], CORES)

    def peer(order):
        return lambda rows, output: place.peer("score_lerc.py", place.lerc, rows, output, order, threads=CORES)

    peers = {"transformers, file order": peer("ordered"), "transformers, sorted": peer("sorted")}
    return scored_files(place, "lerc", "answers.jsonl", "answer.jsonl", CORES, ours, peers, "rows/s")


def scoring_bertscore(place):
    def ours(rows, output):
        command = [BUILD / "bin" / "score", "bertscore", "--quiet", "--model", MODEL, "--layer", LAYER]
        return run([*command, "--input", rows, "--output", output], CORES)

    def peer(rows, output):
        return place.peer("score_bertscore.py", MODEL, LAYER, rows, output, threads=CORES)

    return scored_files(
        place, "bertscore", "pairs.jsonl", "reply.jsonl", CORES, ours, {"bert-score": peer}, "rows/s"
    )


def scoring_likelihood(place):
    def ours(rows, output):
        command = [BUILD / "bin" / "score", "likelihood", "--quiet", "--model", place.t5]
        return run([*command, "--input", rows, "--output", output], CORES)

    def peer(order):
        return lambda rows, output: place.peer("score_likelihood.py", place.t5, rows, output, order, threads=CORES)

    peers = {"transformers, file order": peer("ordered"), "transformers, sorted": peer("sorted")}
    return scored_files(place, "likelihood", "seq2seq.jsonl", "task.jsonl", CORES, ours, peers, "rows/s")


def scoring_rev(place):
    """The published script reads row after row. The text that it also generates for each, which counts nowhere, is
    left out."""

    def ours(rows, output):
        command = [BUILD / "bin" / "score", "rev", "--quiet", "--model", place.evaluator]
        return run([*command, "--input", rows, "--output", output], CORES)

    def peer(rows, output):
        return place.peer("score_rev.py", place.evaluator, rows, output, threads=CORES)

    peers = {"transformers, one by one": peer}
    return scored_files(place, "rev", "rationales.jsonl", "rationale.jsonl", CORES, ours, peers, "rows/s")


def generating(place):
    """Greedily, 64 new tokens a row: the random model ends hardly one by itself."""
    batch = 16

    def ours(rows, output):
        output.unlink(missing_ok=True)  # else a run would go on where the one before ended
        command = [BUILD / "bin" / "generate", "--quiet", "--model", place.t5, "--batch", batch]
        return run([*command, "--max-new-tokens", 64, "--input", rows, "--output", output], CORES)

    def peer(order):
        return lambda rows, output: place.peer("generate.py", place.t5, rows, output, batch, order, threads=CORES)

    peers = {"transformers, file order": peer("ordered"), "transformers, sorted": peer("sorted")}
    scored = scored_files(place, "generated", "seq2seq.jsonl", "task.jsonl", CORES, ours, peers, "rows/s")
    return dataclasses.replace(scored, name="generating, greedy", difference=None)


def scoring_ngrams(metric):
    def comparison(place):
        def ours(rows, output):
            return run([BUILD / "bin" / "score", metric, "--quiet", "--input", rows, "--output", output], 1)

        def peer(rows, output):
            return place.peer("score_ngrams.py", metric, rows, output, threads=1)

        return scored_files(
            place, metric, "replies.jsonl", "reply.jsonl", 1, ours, {"pycocoevalcap": peer}, "rows/s"
        )

    return comparison


def metric_alone(metric, peer_name="pycocoevalcap", script="score_ngrams.py"):
    """The metric without reading and writing, and without reading its data."""

    def comparison(place):
        rows = place.rows / "replies.jsonl"

        def figures(done):
            return {"rows/s": done.report["rows"] / done.report["seconds"], "memory": done.memory}

        def ours(_):
            return figures(run([BUILD / "bench" / "metric_bench", metric, rows], 1))

        def peer(_):
            return figures(place.peer(script, metric, rows, os.devnull, threads=1))

        return Comparison(f"{metric} alone", 1, [Figure("rows/s")], ours, {peer_name: peer})

    return comparison


def tokenizing(kind, text, passes):
    def comparison(place):
        def arguments():
            model = MODEL if kind == "WordPiece" else place.byte_bpe
            return model, place.rows / text, passes

        def figures(done):
            return {
                "MB/s": done.report["bytes"] / done.report["seconds"] / 1e6,
                "memory": done.memory,
                "all tokens": done.report["ids"],
            }

        return Comparison(
            f"{kind}, {text}",
            1,
            [Figure("MB/s")],
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
            return {"resamples/s": resamples / done.seconds, "whole run, s": done.seconds, "memory": done.memory}

        return measure

    def ours(resamples):
        command = ["evaluate", "agreement", "--quiet", "--input", rows, "--resamples", resamples]
        return run([BUILD / "bin" / command[0], *command[1:]], CORES)

    def peer(resamples):
        return place.peer("bootstrap.py", rows, "f1", resamples, threads=1)

    return Comparison(
        "bootstrap of three correlations, 6,321 rows",
        CORES,
        [Figure("resamples/s")],
        measured(10_000, ours),
        {"scipy": measured(1_000, peer)},
    )


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
        return {"questions/s": done.report["rows"] / done.report["seconds"], "memory": done.memory}

    def ours(_):
        run([BUILD / "bin" / "evaluate", "r4c", "--quiet", "--gold", asked, "--predictions", folder / predictions,
             "--per-question", scored["ours"]], 1)
        return figures(run([BUILD / "bench" / "metric_bench", "r4c", asked, folder / predictions], 1))

    def peer(_):
        return figures(place.peer("align_derivations.py", asked, folder / predictions, scored["peer"], threads=1))

    def difference(_):
        theirs = json.loads(scored["peer"].read_text())
        ours = [json.loads(line) for line in scored["ours"].read_text().splitlines()]
        return max(
            abs(question["scores"][scorer]["f1"] - f1)
            for question in ours
            for scorer, f1 in theirs[question["id"]].items()
        )

    return Comparison("aligning derivations alone", 1, [Figure("questions/s")], ours, {"PuLP": peer}, difference)


# Every comparison, by its name: a new one is a line here.
COMPARISONS = {
    "aligning derivations alone": aligning_derivations,
    "bootstrap": bootstrap,
    "fine-tuning": finetuning,
    "fine-tuning, 2 ranks": finetuning_on_ranks,
    "fine-tuning, T5-small's shape": finetuning_seq2seq,
    "generating, greedy": generating,
    "scoring, lerc": scoring_lerc,
    "scoring, bertscore": scoring_bertscore,
    "scoring, likelihood": scoring_likelihood,
    "scoring, rev": scoring_rev,
    "WordPiece, english.txt": tokenizing("WordPiece", "english.txt", 3),
    "WordPiece, world.txt": tokenizing("WordPiece", "world.txt", 6),
    "byte-level BPE, english.txt": tokenizing("byte-level BPE", "english.txt", 3),
    "byte-level BPE, world.txt": tokenizing("byte-level BPE", "world.txt", 6),
    "scoring, bleu1": scoring_ngrams("bleu1"),
    "scoring, rouge_l": scoring_ngrams("rouge_l"),
    "bleu1 alone": metric_alone("bleu1"),
    "rouge_l alone": metric_alone("rouge_l"),
    "meteor alone": metric_alone("meteor", "METEOR 1.5, Java", "score_meteor.py"),
}
