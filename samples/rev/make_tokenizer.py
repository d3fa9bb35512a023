"""Makes samples/rev/tiny_t5/spiece.model: a SentencePiece unigram model of the sample's own texts.

    python samples/rev/make_tokenizer.py

Needs the package sentencepiece (made with 0.2.3); training starts from the config.json beside it, with random weights.
"""
import json
from pathlib import Path

import sentencepiece

HERE = Path(__file__).resolve().parent


def texts():
    for line in (HERE / "train.jsonl").read_text().splitlines():
        row = json.loads(line)
        yield from (row["question"], row["rationale"], row["baseline"], *row["choices"])


sentencepiece.SentencePieceTrainer.train(
    sentence_iterator=iter(list(texts())), model_prefix=str(HERE / "tiny_t5" / "spiece"), vocab_size=400,
    model_type="unigram", hard_vocab_limit=False, pad_id=0, eos_id=1, unk_id=2, bos_id=-1,
    normalization_rule_name="identity", num_threads=1)
(HERE / "tiny_t5" / "spiece.vocab").unlink()
