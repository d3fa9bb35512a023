"""A random BERT of BERT-base's shape with the tokenizer of another model: what is timed does not depend on the weights.

    python make_bert.py MODEL OUTPUT_FOLDER
"""
import sys

import transformers


def main(model, output):
    transformers.AutoTokenizer.from_pretrained(model, model_max_length=512).save_pretrained(output)
    transformers.set_seed(0)
    # BertConfig's defaults are BERT-base: 12 layers of 768 numbers, 12 heads, 3072 inside, 30522 tokens.
    transformers.BertModel(transformers.BertConfig()).save_pretrained(output)


if __name__ == "__main__":
    main(*sys.argv[1:])
