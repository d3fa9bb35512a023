"""Makes samples/r4c/tiny_t5/spiece.model: a SentencePiece unigram model of the sample's own texts.

    python samples/r4c/make_tokenizer.py

Needs the package sentencepiece (made with 0.2.3); training starts from the config.json beside it, with random weights.
"""
import json
from pathlib import Path

import sentencepiece

HERE = Path(__file__).resolve().parent


def texts():
    for question in json.loads((HERE / "hotpot_train.json").read_text()):
        yield question["question"]
        for title, sentences in question["context"]:
            yield title
            yield from sentences
    for derivations in json.loads((HERE / "train.json").read_text()).values():
        for derivation in derivations:
            for title, sentence, (head, relation, tail) in derivation:
                yield f"{title} | {sentence} | {head} | {relation} | {tail} ;"


sentencepiece.SentencePieceTrainer.train(
    sentence_iterator=iter(list(texts())), model_prefix=str(HERE / "tiny_t5" / "spiece"), vocab_size=300,
    model_type="unigram", hard_vocab_limit=False, pad_id=0, eos_id=1, unk_id=2, bos_id=-1,
    normalization_rule_name="identity", split_digits=True, user_defined_symbols=["|", ";"], num_threads=1)
(HERE / "tiny_t5" / "spiece.vocab").unlink()
