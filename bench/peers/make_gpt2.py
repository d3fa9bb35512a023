"""A random GPT-2 of the smallest published shape that never ends a text by itself, and a byte-level BPE of its size.

    python make_gpt2.py OUTPUT_FOLDER TEXT_FILE…
"""
import sys

import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

END = "<|endoftext|>"
EMBEDDING = 0.05


def byte_bpe(files, size):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=size, special_tokens=[END], initial_alphabet=alphabet, show_progress=False)
    tokenizer.train(list(files), trainer)
    names = dict.fromkeys(("unk_token", "bos_token", "eos_token"), END)
    return transformers.GPT2TokenizerFast(tokenizer_object=tokenizer, model_max_length=1024, **names)


def main(output, *files):
    tokenizer = byte_bpe(files, 50257)
    tokenizer.save_pretrained(output)
    transformers.set_seed(0)
    # GPT2Config's defaults are GPT-2 small: 12 layers of 768 numbers, 12 heads, 50257 tokens, 1024 positions, tied.
    ends = {"bos_token_id": tokenizer.eos_token_id, "eos_token_id": tokenizer.eos_token_id}
    model = transformers.GPT2LMHeadModel(transformers.GPT2Config(**ends))
    # As in make_t5.py: layers outweigh what was read last, and rows of zero are never generated.
    weight = model.transformer.wte.weight.data
    weight *= EMBEDDING
    weight[len(tokenizer):] = 0
    weight[tokenizer.eos_token_id] = 0
    model.transformer.ln_f.weight.data /= EMBEDDING
    model.save_pretrained(output)


if __name__ == "__main__":
    main(*sys.argv[1:])
