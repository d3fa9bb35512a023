"""A T5 with the tokens that the published code of REV adds (https://github.com/HanjieChen/REV), saved as it saves one.

    python make_evaluator.py T5 OUTPUT_FOLDER
"""
import sys

import transformers

TOKENS = ["[question]", "[choice]", "[answer]", "[rationale]", "<eos>"]


def main(t5, output):
    tokenizer = transformers.AutoTokenizer.from_pretrained(t5)
    tokenizer.eos_token = "<eos>"
    tokenizer.add_tokens(TOKENS)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(t5)
    transformers.set_seed(0)
    model.resize_token_embeddings(len(tokenizer))
    model.save_pretrained(output)
    tokenizer.save_pretrained(output)


if __name__ == "__main__":
    main(*sys.argv[1:])
