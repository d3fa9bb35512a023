"""A random T5 of T5-small's shape that never ends a text by itself, and a SentencePiece unigram of its size as far as the texts go.

    python make_t5.py OUTPUT_FOLDER TEXT_FILE…
"""
import json
import sys
from pathlib import Path

import sentencepiece
import transformers

PIECES = 32000  # T5Tokenizer adds 100 more
EMBEDDING = 0.05


def texts(files):
    """Every line once: a JSON row's source and target, else the line."""
    seen = {}
    for file in files:
        for line in open(file):
            row = json.loads(line) if file.endswith(".jsonl") else {"source": line, "target": ""}
            seen.update(dict.fromkeys((row["source"].strip(), row["target"].strip())))
    return [text for text in seen if text]


def main(output, *files):
    output = Path(output)
    output.mkdir(parents=True)
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts(files)),
        model_prefix=str(output / "spiece"),
        model_type="unigram",
        vocab_size=PIECES,
        hard_vocab_limit=False,  # less where the texts do not hold so many
        pad_id=0,
        eos_id=1,
        unk_id=2,
        bos_id=-1,
        max_sentence_length=100_000,
        num_threads=1,
        minloglevel=2,
    )
    (output / "spiece.vocab").unlink()
    tokenizer = transformers.T5Tokenizer(str(output / "spiece.model"), legacy=True, model_max_length=512)
    tokenizer.save_pretrained(output)
    transformers.set_seed(0)
    # T5Config's defaults are T5-small: d_model 512, six layers of eight heads, d_ff 2048, 32128 tokens, relu, tied.
    model = transformers.T5ForConditionalGeneration(transformers.T5Config(decoder_start_token_id=0))
    # As it is drawn the model repeats the decoder's start for ever: a token's embedding, seen through the tied
    # head, outweighs the layers. Rows of zero are never generated: those past the tokenizer's and the end of a text, so
    # that every program makes as many tokens as it is allowed.
    model.shared.weight.data *= EMBEDDING
    model.shared.weight.data[len(tokenizer):] = 0
    model.shared.weight.data[tokenizer.eos_token_id] = 0
    model.decoder.final_layer_norm.weight.data /= EMBEDDING
    model.save_pretrained(output)


if __name__ == "__main__":
    main(*sys.argv[1:])
