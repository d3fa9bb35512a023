"""Fine-tunes a T5 with transformers' Seq2SeqTrainer, group_by_length, one epoch, batch 16, float32.

    python finetune_seq2seq.py MODEL ROWS.jsonl OUTPUT_FOLDER

Prints the real tokens (of source and target) and the seconds of the updates after the first two.
"""
import json
import sys

import torch
import transformers
from seq2seq_rows import encode, read_rows
from timed_trainer import ARGUMENTS, Clock, CountingCollator, Grouped, report


class GroupedTrainer(Grouped, transformers.Seq2SeqTrainer):
    pass


def main(model_name, rows, output):
    transformers.set_seed(0)
    tokenizer = transformers.AutoTokenizer.from_pretrained(model_name)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(model_name)
    dataset = encode(tokenizer, read_rows(rows))
    arguments = transformers.Seq2SeqTrainingArguments(
        output_dir=output, per_device_train_batch_size=16, learning_rate=1e-4, use_cpu=True, **ARGUMENTS
    )
    pad = transformers.DataCollatorForSeq2Seq(tokenizer, model=model)
    collator = CountingCollator(pad, ["input_ids", "labels"])
    clock = Clock()
    trainer = GroupedTrainer(
        model=model, args=arguments, train_dataset=dataset, data_collator=collator, callbacks=[clock]
    )
    trainer.train()
    print(json.dumps({"examples": len(dataset), "threads": torch.get_num_threads(), **report(clock, collator)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
