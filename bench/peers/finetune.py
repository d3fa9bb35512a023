"""Fine-tunes BERT for regression with transformers' Trainer, one epoch: float32 on the processor, bfloat16 on a GPU.

    python finetune.py MODEL ANSWERS.jsonl OUTPUT_FOLDER BATCH MAX_LENGTH grouped|default|compiled cpu|cuda

grouped: group_by_length, as it is on a data set of MOCHA's size. compiled: so with torch_compile, for all shapes at once.
default: rows in random order. All pad a batch to its longest row. Prints the real tokens and the seconds of the updates after the first two.
"""
import json
import sys

import torch
import transformers
from lerc_rows import encode, read_answers
from timed_trainer import ARGUMENTS, Clock, CountingCollator, Grouped, report


class GroupedTrainer(Grouped, transformers.Trainer):
    pass


def main(model_name, answers, output, batch, max_length, batching, device):
    transformers.set_seed(0)
    tokenizer = transformers.AutoTokenizer.from_pretrained(model_name)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(model_name, num_labels=1)
    rows = read_answers(answers)
    dataset = encode(tokenizer, rows, int(max_length))
    for i, row in enumerate(dataset):
        row["labels"] = float(i % 5 + 1)
    arguments = transformers.TrainingArguments(
        output_dir=output,
        per_device_train_batch_size=int(batch),
        learning_rate=2e-5,
        use_cpu=device == "cpu",
        bf16=device == "cuda",
        torch_compile=batching == "compiled",
        **ARGUMENTS,
    )
    collator = CountingCollator(transformers.DataCollatorWithPadding(tokenizer), ["input_ids"])
    clock = Clock()
    # A shape is not compiled for itself: that would take an update of every length.
    torch._dynamo.config.assume_static_by_default = False
    kind = transformers.Trainer if batching == "default" else GroupedTrainer
    kind(model=model, args=arguments, train_dataset=dataset, data_collator=collator, callbacks=[clock]).train()
    print(json.dumps({"examples": len(rows), "threads": torch.get_num_threads(), **report(clock, collator)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
