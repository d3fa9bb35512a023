"""The mean log-probability of a target's tokens given its source in a transformers loop, 16 rows at a time, each batch
padded to its longest row.

    python score_likelihood.py MODEL ROWS.jsonl OUTPUT.jsonl ordered|sorted

ordered: the batches follow the file. sorted: every row is tokenised first, and the batches go by length.
"""
import json
import sys

import torch
import transformers
from seq2seq_rows import batches, read_rows

BATCH = 16


def main(model_name, file, output, order):
    tokenizer = transformers.AutoTokenizer.from_pretrained(model_name)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(model_name).eval()
    pad = transformers.DataCollatorForSeq2Seq(tokenizer, model=model)

    def score(encoded):
        inputs = pad(encoded)
        labels = inputs["labels"]
        known = labels != -100
        scores = model(**inputs).logits.log_softmax(-1)
        chosen = scores.gather(2, labels.masked_fill(~known, 0)[:, :, None])[:, :, 0] * known
        return (chosen.sum(1) / known.sum(1)).tolist()

    rows = read_rows(file)
    likelihoods = [0.0] * len(rows)
    with torch.inference_mode():
        for batch in batches(tokenizer, rows, BATCH, order == "sorted"):
            for (i, _), value in zip(batch, score([row for _, row in batch])):
                likelihoods[i] = value
    with open(output, "w") as out:
        for row, value in zip(rows, likelihoods):
            out.write(json.dumps({**row, "scores": {"likelihood": value}}) + "\n")
    print(json.dumps({"threads": torch.get_num_threads()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
