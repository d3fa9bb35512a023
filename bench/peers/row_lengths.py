"""How many tokens each row has: as LERC reads it, or without MAX_LENGTH its source and its target.

    python row_lengths.py MODEL ROWS.jsonl [MAX_LENGTH]
"""
import json
import sys

import lerc_rows
import seq2seq_rows
import transformers


def main(model_name, file, max_length=None):
    tokenizer = transformers.AutoTokenizer.from_pretrained(model_name)
    if max_length:
        rows = lerc_rows.encode(tokenizer, lerc_rows.read_answers(file), int(max_length))
        lengths = [len(row["input_ids"]) for row in rows]
    else:
        rows = seq2seq_rows.encode(tokenizer, seq2seq_rows.read_rows(file))
        lengths = [(len(row["input_ids"]), len(row["labels"])) for row in rows]
    print(json.dumps({"lengths": lengths}))


if __name__ == "__main__":
    main(*sys.argv[1:])
