"""LERC's input as transformers users make it: [CLS] p [SEP] q [SEP] reference [SEP] candidate [SEP]; p is cut."""
import json


def read_answers(file):
    with open(file) as lines:
        return [json.loads(line) for line in lines]


def encode(tokenizer, rows, max_length):
    """A list of {"input_ids", "token_type_ids"}, neither padded nor converted."""
    fields = [
        tokenizer([row[name] for row in rows], add_special_tokens=False, verbose=False)["input_ids"]
        for name in ("passage", "question", "reference", "candidate")
    ]
    cls, sep = [tokenizer.cls_token_id], [tokenizer.sep_token_id]
    encoded = []
    for passage, question, reference, candidate in zip(*fields):
        kept = max_length - 5 - len(question) - len(reference) - len(candidate)
        first = cls + passage[:kept] + sep + question + sep
        second = reference + sep + candidate + sep
        encoded.append(
            {"input_ids": first + second, "token_type_ids": [0] * len(first) + [1] * len(second)}
        )
    return encoded
