"""Fine-tuning, ours and with transformers' Trainer."""
import dataclasses
import functools
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from comparison import (
    BENCH, BUILD, CORES, MEMORY, MODEL, MODEL_RATE, SHARE, Comparison, Figure, Floor, Place, count_lines, memory
)
from flops import bert_training
from measure import run

WARM_UP = 2  # updates that are not counted, as in peers/timed_trainer.py
GROUPED, DEFAULT = "Trainer, grouped by length", "Trainer, default padding"
COMPILED = "Trainer, grouped, torch_compile"


def train(place, config, model, settings=(), rows=None, ranks=1, threads=CORES):
    """One run of `train` with a configuration of bench/: how it went, and what its log says of the updates.
    Of several ranks, the peak memory is that of the largest."""
    runs = place.folder / "runs"
    launcher = [BENCH.parent / "scripts" / "launch" / "local", ranks] if ranks > 1 else []
    # A new store: the data are tokenised in every round.
    command = [BUILD / "bin" / "train", "--quiet", "--config", BENCH / config, "--output", runs / "run"]
    for setting in [f"data.store={runs / 'store'}", *settings]:
        command += ["--set", setting]
    done = run(
        [*launcher, *command], threads, RUBRIC_BENCH_ROWS=rows or place.rows, RUBRIC_BENCH_MODEL=model
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
        MEMORY: done.memory,
        "all tokens": report["tokens"],
    }


def training(floors=None, *more, peers=()):
    """The figures of a comparison. `peers` are those of which the memory is asked, and those with floors."""
    floors = floors or {}
    return [
        Figure("examples/s", floors=floors),
        Figure("whole run, s", more_is_better=False),
        *more,
        memory([*floors, *peers]),
    ]


@dataclasses.dataclass
class BertTraining:
    """LERC on a BERT, fine-tuned for an epoch."""

    place: Place
    model: Callable[[], Path]  # made when it is asked for
    rows: Path  # a folder with answers.json, dev.json and answers.jsonl
    batch: int
    max_length: int
    device: str = "cpu"

    @functools.cached_property
    def lengths(self):
        return self.place.row_lengths(self.model(), self.rows / "answers.jsonl", self.max_length)

    def figures(self, done, report, first_token_only):
        if report["tokens"] != sum(self.lengths):
            sys.exit(f"scripts/bench: {report['tokens']} tokens were computed and {sum(self.lengths)} are counted")
        figures = training_figures(done, report, len(self.lengths))
        config = json.loads((self.model() / "config.json").read_text())
        operations = bert_training(config, self.lengths, first_token_only) / len(self.lengths)
        return {**figures, MODEL_RATE: figures["examples/s"] * operations / 1e9}

    def ours(self, _):
        settings = [f"batches.size={self.batch}", f"data.max_length={self.max_length}"]
        if self.device == "cuda":
            settings += ["device=cuda", "precision=bfloat16"]
        done, report = train(self.place, "finetune.yaml", self.model(), settings, self.rows)
        return self.figures(done, report, first_token_only=True)

    def trainer(self, batching):
        def measured(_):
            rows, output = self.rows / "answers.jsonl", self.place.folder / "trainer"
            arguments = [self.model(), rows, output, self.batch, self.max_length, batching, self.device]
            done = self.place.peer("finetune.py", *arguments, threads=CORES)
            figures = self.figures(done, done.report, first_token_only=False)
            return {**figures, "padding, %": 100 * done.report["padding"]}

        return measured


def finetuning(place):
    minilm = BertTraining(place, lambda: MODEL, place.rows, batch=32, max_length=256)
    return Comparison(
        "fine-tuning",
        CORES,
        training(
            {GROUPED: Floor(2.3, aim=2.7), DEFAULT: Floor(4), COMPILED: Floor(1.5)}, Figure(SHARE, limit=75)
        ),
        minilm.ours,
        {
            GROUPED: minilm.trainer("grouped"),
            DEFAULT: minilm.trainer("default"),
            COMPILED: minilm.trainer("compiled"),
        },
        neural=True,
    )


def finetuning_base(place):
    """Batches of 8: an update of either program takes many seconds on two cores."""
    base = BertTraining(place, lambda: place.bert_base, place.rows / "base", batch=8, max_length=512)
    return Comparison(
        "fine-tuning, BERT-base's shape",
        CORES,
        training({GROUPED: Floor(1.8), COMPILED: Floor(1.5)}, Figure(SHARE)),
        base.ours,
        {GROUPED: base.trainer("grouped"), COMPILED: base.trainer("compiled")},
        neural=True,
    )


def finetuning_gpu(place):
    """bfloat16 in both programs. Memory is that of the processor, and says nothing."""
    base = BertTraining(place, lambda: place.bert_base, place.rows / "gpu", batch=32, max_length=512, device="cuda")
    return Comparison(
        "fine-tuning, BERT-base's shape on a GPU",
        CORES,
        [Figure("examples/s", floors={GROUPED: Floor(1.5)}), Figure(SHARE, limit=45)],
        base.ours,
        {GROUPED: base.trainer("grouped")},
        device="cuda",
        neural=True,
        missing="" if Path("/dev/nvidia0").exists() else "there is no NVIDIA GPU",
    )


def finetuning_on_ranks(place):
    """Two ranks with a thread each against one: ours both."""

    def on(ranks):
        def measured(_):
            done, report = train(place, "finetune.yaml", MODEL, ranks=ranks, threads=1)
            return training_figures(done, report, count_lines(place.rows / "answers.jsonl"))

        return measured

    return Comparison("fine-tuning, 2 ranks", 1, training(), on(2), {"1 rank": on(1)}, neural=True)


def finetuning_seq2seq(place):
    rows = place.rows / "seq2seq.jsonl"

    def ours(_):
        return training_figures(*train(place, "finetune_seq2seq.yaml", place.t5), count_lines(rows))

    def peer(_):
        done = place.peer("finetune_seq2seq.py", place.t5, rows, place.folder / "trainer", threads=CORES)
        return training_figures(done, done.report, count_lines(rows))

    peers = {"Seq2SeqTrainer, grouped by length": peer}
    figures = training(peers=peers)
    return Comparison("fine-tuning, T5-small's shape", CORES, figures, ours, peers, neural=True)
