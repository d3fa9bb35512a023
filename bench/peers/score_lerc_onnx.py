"""Scores rows with the shipped learned metric in ONNX Runtime, its weights and the inputs of its linear layers in 8 bits.

    python score_lerc_onnx.py MODEL MODEL.onnx ROWS.jsonl OUTPUT.jsonl

As `score lerc`: the same references of each row, the same tokens, the same numbers of the words, so as many passes. All
rows are tokenised first, each text once, and the batches go by length. Each thread computes a batch of its own: threads
that share a batch take longer.
"""
import concurrent.futures
import json
import os
import sys
from pathlib import Path

import numpy
import onnxruntime
import tokenizers
import yaml

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "fixtures"))
from lerc_answers import FEATURES, MOST_REFERENCES, Texts, joined, load_tensors, nearest, scores_of  # noqa: E402

TOKENS = 512  # of a batch at most, padding included


def open_session(file):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])


def open_tokenizer(directory):
    tokenizer = tokenizers.Tokenizer.from_file(str(directory / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def tokenised(tokenizer, rows):
    """{text: its ids} of every text that the model may read."""
    texts = list({text for row in rows for text in (row["question"], row["candidate"], *row["reference"])})
    encodings = tokenizer.encode_batch_fast(texts, add_special_tokens=False)
    return {text: encoding.ids for text, encoding in zip(texts, encodings)}


def passes_of(card, tokenizer, rows):
    """What the encoder reads: (ids, segments) of each reference of each row, and the number of the row."""
    ids = tokenised(tokenizer, rows)
    cls_id, sep_id = (tokenizer.token_to_id(token) for token in ("[CLS]", "[SEP]"))
    passes, of_row = [], []
    for number, row in enumerate(rows):
        for i in nearest(row["reference"], row["candidate"])[:MOST_REFERENCES]:
            pieces = [ids[text] for text in (row["question"], row["reference"][i], row["candidate"])]
            passes.append(joined(card, pieces, cls_id, sep_id)[:2])
            of_row.append(number)
    return passes, of_row


def batches_of(passes):
    """Numbers of passes, the longest first."""
    batch = []
    for i in sorted(range(len(passes)), key=lambda i: -len(passes[i][0])):
        if batch and (len(batch) + 1) * len(passes[batch[0]][0]) > TOKENS:
            yield batch
            batch = []
        batch.append(i)
    if batch:
        yield batch


def logits_of(session, passes, batch):
    shape = len(batch), len(passes[batch[0]][0])
    ids, mask, segments = (numpy.zeros(shape, numpy.int64) for _ in range(3))
    for line, i in enumerate(batch):
        length = len(passes[i][0])
        ids[line, :length], segments[line, :length] = passes[i]
        mask[line, :length] = 1
    inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": segments}
    return session.run(["logits"], inputs)[0]


def main(directory, file, rows_file, output):
    directory = Path(directory)
    card = yaml.safe_load((directory / "rubric.yaml").read_text())
    names = card["head"].get("features", [])
    tensors = {name: values for name, values in load_tensors(directory).items() if "_layer." in name}
    session, tokenizer = open_session(file), open_tokenizer(directory)
    with open(rows_file) as lines:
        rows = [json.loads(line) for line in lines]
    passes, of_row = passes_of(card, tokenizer, rows)
    batches = list(batches_of(passes))
    logits = numpy.zeros(len(passes))
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        computed = pool.map(lambda batch: logits_of(session, passes, batch), batches)
        for batch, values in zip(batches, computed):
            logits[batch] = values
    texts = (Texts(row["question"], row["reference"], row["candidate"]) for row in rows)
    features = numpy.array([[FEATURES[name](text) for name in names] for text in texts])
    scores = numpy.full(len(rows), -numpy.inf)
    numpy.maximum.at(scores, of_row, scores_of(tensors, card, logits, features[of_row]))
    with open(output, "w") as out:
        for row, value in zip(rows, scores.tolist()):
            out.write(json.dumps({**row, "scores": {"lerc": value}}) + "\n")
    print(json.dumps({"passes": len(passes), "tokens": sum(len(ids) for ids, _ in passes)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
