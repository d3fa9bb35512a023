"""Makes a SentencePiece unigram model of the texts of rationale rows, for a T5 that is trained from scratch.

    python samples/rev/make_tokenizer.py                                           # samples/rev/tiny_t5/spiece.model
    python samples/rev/make_tokenizer.py SHAPE FOLDER VOCABULARY ROWS.jsonl        # FOLDER: SHAPE's files and its own vocabulary

Needs the package sentencepiece (made with 0.2.3). Training starts from the config.json beside it, with random weights.
"""
import json
import shutil
import sys
from pathlib import Path

import sentencepiece

HERE = Path(__file__).resolve().parent


def texts(rows):
    for line in rows.read_text().splitlines():
        row = json.loads(line)
        yield from (row["question"], row["rationale"], *row["choices"])
        if "baseline" in row:
            yield row["baseline"]


def make(folder, size, rows):
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(list(texts(rows))), model_prefix=str(folder / "spiece"), vocab_size=size,
        model_type="unigram", hard_vocab_limit=False, pad_id=0, eos_id=1, unk_id=2, bos_id=-1,
        normalization_rule_name="identity", num_threads=1)
    (folder / "spiece.vocab").unlink()


if len(sys.argv) == 1:
    make(HERE / "tiny_t5", 400, HERE / "train.jsonl")
else:
    shape, folder, size, rows = sys.argv[1:]
    shutil.copytree(shape, folder)
    make(Path(folder), int(size), Path(rows))
