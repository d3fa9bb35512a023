"""Sources and targets as transformers users make them: tokenised with the end-of-sequence token, cut at the end."""
import json

MAX_SOURCE = 256
MAX_TARGET = 64


def read_rows(file):
    with open(file) as lines:
        return [json.loads(line) for line in lines]


def encode(tokenizer, rows):
    """A list of {"input_ids", "labels"}, neither padded nor converted."""
    sources = tokenizer([row["source"] for row in rows], truncation=True, max_length=MAX_SOURCE)["input_ids"]
    targets = tokenizer([row["target"] for row in rows], truncation=True, max_length=MAX_TARGET)["input_ids"]
    return [{"input_ids": source, "labels": target} for source, target in zip(sources, targets)]


def batches(tokenizer, rows, size, by_length):
    """Lists of (row's number, its encoding): `by_length` tokenises all rows first and sorts, else batch by batch in the
    file's order."""
    if by_length:
        encoded = encode(tokenizer, rows)
        order = sorted(range(len(rows)), key=lambda i: -len(encoded[i]["input_ids"]))
        for begin in range(0, len(rows), size):
            yield [(i, encoded[i]) for i in order[begin : begin + size]]
    else:
        for begin in range(0, len(rows), size):
            yield list(enumerate(encode(tokenizer, rows[begin : begin + size]), begin))
