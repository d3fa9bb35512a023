"""What the runs of transformers' Trainer share: the clock, the tokens they saw, and rows grouped by length."""
import random
import time

import torch
import transformers
from transformers.trainer_pt_utils import get_length_grouped_indices

WINDOW = 50  # batches
WARM_UP = 2  # updates that are not counted

ARGUMENTS = {
    "num_train_epochs": 1,
    "weight_decay": 0.01,
    "max_grad_norm": 1.0,
    "dataloader_num_workers": 0,
    "dataloader_pin_memory": False,
    "eval_strategy": "no",
    "save_strategy": "no",
    "logging_strategy": "no",
    "report_to": "none",
    "disable_tqdm": True,
    "seed": 0,
}


class Clock(transformers.TrainerCallback):
    """When each update ended."""

    def __init__(self):
        self.times = []

    def on_step_end(self, args, state, control, **kwargs):
        if torch.cuda.is_available() and state.global_step in (WARM_UP, state.max_steps):
            torch.cuda.synchronize()
        self.times.append(time.perf_counter())


class Grouped:
    """group_by_length sorts windows of 50 batches, but on so few rows as here smaller ones, which helps less. This
    one has them whole, and takes the batches in random order, so that those not counted are as long as the others.
    For a Trainer to derive from, before its own class.
    """

    def _get_train_sampler(self, train_dataset=None):
        size = self.args.per_device_train_batch_size
        lengths = [len(row["input_ids"]) for row in self.train_dataset]
        indices = get_length_grouped_indices(lengths, size, mega_batch_mult=WINDOW)
        batches = [indices[begin : begin + size] for begin in range(0, len(indices), size)]
        random.shuffle(batches)
        return [i for batch in batches for i in batch]


class CountingCollator:
    """Pads, and notes the tokens of every batch in order: those of `names`, the padding left out."""

    def __init__(self, pad, names):
        self.pad = pad
        self.names = names
        self.tokens = []
        self.padded = 0  # tokens that are computed

    def __call__(self, rows):
        self.tokens.append(sum(len(row[name]) for row in rows for name in self.names))
        self.padded += sum(len(rows) * max(len(row[name]) for row in rows) for name in self.names)
        return self.pad(rows)


def report(clock, collator):
    return {
        "tokens": sum(collator.tokens),
        "padding": 1 - sum(collator.tokens) / collator.padded,
        "timed tokens": sum(collator.tokens[WARM_UP:]),
        "timed seconds": clock.times[-1] - clock.times[WARM_UP - 1],
    }
