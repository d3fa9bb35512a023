"""Trains a byte-level BPE on files: python make_byte_bpe.py OUTPUT_FOLDER TEXT_FILE…"""
import sys
from pathlib import Path

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers


def main(output, *files):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=50265, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train(list(files), trainer)
    Path(output).mkdir()
    tokenizer.save(f"{output}/tokenizer.json")


if __name__ == "__main__":
    main(*sys.argv[1:])
