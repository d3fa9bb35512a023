"""REV as the published script has it (https://github.com/HanjieChen/REV), rebuilt: one text after the other, no padding.

    python score_rev.py MODEL ROWS.jsonl OUTPUT.jsonl
"""
import json
import sys

import torch
import transformers


def main(model_name, file, output):
    tokenizer = transformers.AutoTokenizer.from_pretrained(model_name)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(model_name).eval()

    def ids(text):
        return tokenizer.convert_tokens_to_ids(tokenizer.tokenize(text))

    def log_probability(rationale, label):
        source, target = ids(f"[rationale] {rationale} [answer]"), ids(f"{label} <eos>")
        inputs = torch.tensor([source[-1:] + target[:-1]])
        logits = model(torch.tensor([source]), decoder_input_ids=inputs, use_cache=False).logits[0]
        return logits.log_softmax(-1).gather(1, torch.tensor(target)[:, None]).mean().item()

    def score(row):
        rationale, baseline, label = row["rationale"], row["baseline"], row["label"]
        rev_with = log_probability(f"{rationale} {baseline}", label)
        rev_without = log_probability(baseline, label)
        rev = 0.0 if rationale.lower().strip() == baseline.lower().strip() else rev_with - rev_without
        return {"rev": rev, "rev_with": rev_with, "rev_without": rev_without}

    with open(file) as lines:
        rows = [json.loads(line) for line in lines]
    with torch.inference_mode(), open(output, "w") as out:
        for row in rows:
            out.write(json.dumps({**row, "scores": score(row)}) + "\n")
    print(json.dumps({"threads": torch.get_num_threads()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
