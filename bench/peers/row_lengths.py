"""How many tokens each row has as LERC reads it.

    python row_lengths.py MODEL ANSWERS.jsonl MAX_LENGTH
"""
import json
import sys

import transformers
from lerc_rows import encode, read_answers


def main(model_name, answers, max_length):
    tokenizer = transformers.AutoTokenizer.from_pretrained(model_name)
    rows = encode(tokenizer, read_answers(answers), int(max_length))
    print(json.dumps({"lengths": [len(row["input_ids"]) for row in rows]}))


if __name__ == "__main__":
    main(*sys.argv[1:])
