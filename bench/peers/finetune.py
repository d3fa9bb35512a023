"""Fine-tunes BERT for regression with transformers' Trainer, one epoch, batch 32, float32.

    python finetune.py MODEL ANSWERS.jsonl OUTPUT_FOLDER grouped|default

grouped: group_by_length, as it is on a data set of MOCHA's size. default: rows in random order. Both pad a batch to
its longest row. Prints the real tokens and the seconds of the updates after the first two.
"""
import json
import random
import sys
import time

import torch
import transformers
from lerc_rows import encode, read_answers
from transformers.trainer_pt_utils import get_length_grouped_indices

BATCH = 32
WINDOW = 50  # batches
WARM_UP = 2  # updates that are not counted


class Clock(transformers.TrainerCallback):
    """When each update ended."""

    def __init__(self):
        self.times = []

    def on_step_end(self, args, state, control, **kwargs):
        self.times.append(time.perf_counter())


class GroupedTrainer(transformers.Trainer):
    """group_by_length sorts windows of 50 batches, but on so few rows as here smaller ones, which helps less. This
    one has them whole, and takes the batches in random order, so that those not counted are as long as the others.
    """

    def _get_train_sampler(self, train_dataset=None):
        lengths = [len(row["input_ids"]) for row in self.train_dataset]
        indices = get_length_grouped_indices(lengths, BATCH, mega_batch_mult=WINDOW)
        batches = [indices[begin : begin + BATCH] for begin in range(0, len(indices), BATCH)]
        random.shuffle(batches)
        return [i for batch in batches for i in batch]


class CountingCollator:
    """Pads, and notes the tokens of every batch in order."""

    def __init__(self, tokenizer):
        self.pad = transformers.DataCollatorWithPadding(tokenizer)
        self.tokens = []

    def __call__(self, rows):
        self.tokens.append(sum(len(row["input_ids"]) for row in rows))
        return self.pad(rows)


def main(model_name, answers, output, batching):
    transformers.set_seed(0)
    tokenizer = transformers.AutoTokenizer.from_pretrained(model_name)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(model_name, num_labels=1)
    rows = read_answers(answers)
    dataset = encode(tokenizer, rows)
    for i, row in enumerate(dataset):
        row["labels"] = float(i % 5 + 1)
    arguments = transformers.TrainingArguments(
        output_dir=output,
        use_cpu=True,
        num_train_epochs=1,
        per_device_train_batch_size=BATCH,
        learning_rate=2e-5,
        weight_decay=0.01,
        max_grad_norm=1.0,
        dataloader_num_workers=0,
        dataloader_pin_memory=False,
        eval_strategy="no",
        save_strategy="no",
        logging_strategy="no",
        report_to="none",
        disable_tqdm=True,
        seed=0,
    )
    collator = CountingCollator(tokenizer)
    clock = Clock()
    kind = {"grouped": GroupedTrainer, "default": transformers.Trainer}[batching]
    kind(model=model, args=arguments, train_dataset=dataset, data_collator=collator, callbacks=[clock]).train()
    report = {
        "examples": len(rows),
        "tokens": sum(collator.tokens),
        "timed tokens": sum(collator.tokens[WARM_UP:]),
        "timed seconds": clock.times[-1] - clock.times[WARM_UP - 1],
        "threads": torch.get_num_threads(),
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main(*sys.argv[1:])
