"""A random Llama of SmolLM2-135M's shape that never ends a text by itself, and a byte-level BPE of its size.

    python make_llama.py OUTPUT_FOLDER TEXT_FILE…
"""
import sys

import transformers
from make_gpt2 import EMBEDDING, END, byte_bpe


def main(output, *files):
    tokenizer = byte_bpe(files, 49152)
    tokenizer.save_pretrained(output)
    transformers.set_seed(0)
    model = transformers.LlamaForCausalLM(
        transformers.LlamaConfig(
            vocab_size=49152, hidden_size=576, intermediate_size=1536, num_hidden_layers=30, num_attention_heads=9,
            num_key_value_heads=3, max_position_embeddings=8192, rope_theta=100000, rms_norm_eps=1e-5,
            tie_word_embeddings=True, bos_token_id=tokenizer.eos_token_id, eos_token_id=tokenizer.eos_token_id,
        )
    )
    # As in make_t5.py: layers outweigh what was read last, and rows of zero are never generated.
    weight = model.model.embed_tokens.weight.data
    weight *= EMBEDDING
    weight[len(tokenizer):] = 0
    weight[tokenizer.eos_token_id] = 0
    model.model.norm.weight.data /= EMBEDDING
    model.save_pretrained(output)


if __name__ == "__main__":
    main(*sys.argv[1:])
