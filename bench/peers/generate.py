"""Decodes sources with transformers' generate, greedily, at most 64 new tokens each.

    python generate.py MODEL ROWS.jsonl OUTPUT.jsonl BATCH ordered|sorted

ordered: the batches follow the file. sorted: every row is tokenised first, and the batches go by length.
Prints how many tokens it made, the end-of-sequence tokens with them.
"""
import json
import sys

import torch
import transformers
from seq2seq_rows import batches, read_rows

NEW_TOKENS = 64


def main(model_name, file, output, batch_size, order):
    tokenizer = transformers.AutoTokenizer.from_pretrained(model_name)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(model_name).eval()
    rows = read_rows(file)
    texts = [""] * len(rows)
    made = 0
    with torch.inference_mode():
        for batch in batches(tokenizer, rows, int(batch_size), order == "sorted"):
            inputs = tokenizer.pad([{"input_ids": row["input_ids"]} for _, row in batch], return_tensors="pt")
            tokens = model.generate(**inputs, max_new_tokens=NEW_TOKENS, num_beams=1, do_sample=False)[:, 1:]
            ended = (tokens == tokenizer.eos_token_id).long()
            made += int((ended.cumsum(1) - ended == 0).sum())
            for (i, _), text in zip(batch, tokenizer.batch_decode(tokens, skip_special_tokens=True)):
                texts[i] = text
    with open(output, "w") as out:
        for row, text in zip(rows, texts):
            out.write(json.dumps({**row, "generated": text}) + "\n")
    print(json.dumps({"tokens": made, "threads": torch.get_num_threads()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
