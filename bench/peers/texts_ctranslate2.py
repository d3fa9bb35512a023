"""Generates from a T5, GPT-2 or Llama in CTranslate2, or scores by its likelihood; it is opened and warm before the clock starts.

    python texts_ctranslate2.py --export float32|int8 MODEL FOLDER
    python texts_ctranslate2.py BEAMS|likelihood NEW_TOKENS MODEL FOLDER WORKERS SIZE ROWS.jsonl OUTPUT.jsonl

All rows are tokenised and given at once: CTranslate2 sorts them by length, and computes WORKERS batches of SIZE rows at
once, among which the cores are shared. Prints the seconds from the texts in memory to the results, and how many tokens
were made. A likelihood is the mean log-probability of a target's tokens, the end-of-sequence token with them.
"""
import json
import os
import sys
import time

CORES = len(os.sched_getaffinity(0))
WARM_UP = 2  # rows for each worker


def export(precision, model, folder):
    from ctranslate2.converters import TransformersConverter

    TransformersConverter(model).convert(folder, quantization=None if precision == "float32" else precision)


class T5:
    def __init__(self, model, folder, **threads):
        import ctranslate2
        import sentencepiece

        self.pieces = sentencepiece.SentencePieceProcessor(model_file=f"{model}/spiece.model")
        self.translator = ctranslate2.Translator(folder, **threads)

    def tokens(self, text):
        return self.pieces.encode(text, out_type=str)

    def generate(self, sources, beams, new_tokens, size):
        sources = [[*self.tokens(source), "</s>"] for source in sources]
        made = self.translator.translate_batch(
            sources, max_batch_size=size, beam_size=beams, max_decoding_length=new_tokens, max_input_length=0
        )
        made = [result.hypotheses[0] for result in made]
        return list(map(self.pieces.decode, made)), sum(map(len, made))

    def likelihood(self, sources, targets, size):
        sources = [[*self.tokens(source), "</s>"] for source in sources]
        # It adds the end-of-sequence token to a target.
        targets = list(map(self.tokens, targets))
        scored = self.translator.score_batch(sources, targets, max_batch_size=size, max_input_length=0)
        found = [result.log_probs for result in scored]
        return [sum(values) / len(values) for values in found], sum(map(len, found))


class GPT2:
    END = "<|endoftext|>"

    def __init__(self, model, folder, **threads):
        import ctranslate2
        import tokenizers

        self.tokenizer = tokenizers.Tokenizer.from_file(f"{model}/tokenizer.json")
        self.generator = ctranslate2.Generator(folder, **threads)

    def tokens(self, texts):
        return [encoding.tokens for encoding in self.tokenizer.encode_batch(texts, add_special_tokens=False)]

    def generate(self, sources, beams, new_tokens, size):
        made = self.generator.generate_batch(
            self.tokens(sources), max_batch_size=size, beam_size=beams, max_length=new_tokens,
            include_prompt_in_result=False,  # the source is read at once
        )
        ids = [result.sequences_ids[0] for result in made]
        return self.tokenizer.decode_batch(ids), sum(map(len, ids))

    def likelihood(self, sources, targets, size):
        sources, targets = self.tokens(sources), [[*target, self.END] for target in self.tokens(targets)]
        both = [source + target for source, target in zip(sources, targets)]
        scored = self.generator.score_batch(both, max_batch_size=size, max_input_length=0)
        # The first token has none, and behind the last there may be values of padding.
        found = [
            result.log_probs[len(source) - 1 :][: len(target)] for source, target, result in zip(sources, targets, scored)
        ]
        return [sum(values) / len(values) for values in found], sum(map(len, found))


def main(task, new_tokens, model, folder, workers, size, rows_file, output):
    with open(f"{model}/config.json") as config:
        kind = {"t5": T5, "gpt2": GPT2, "llama": GPT2}[json.load(config)["model_type"]]
    opened = kind(model, folder, inter_threads=int(workers), intra_threads=CORES // int(workers))
    with open(rows_file) as lines:
        rows = [json.loads(line) for line in lines]

    def compute(rows):
        sources, size_ = [row["source"] for row in rows], int(size)
        if task == "likelihood":
            return opened.likelihood(sources, [row["target"] for row in rows], size_)
        return opened.generate(sources, int(task), int(new_tokens), size_)

    compute(rows[: WARM_UP * int(workers)])
    start = time.perf_counter()
    values, tokens = compute(rows)
    seconds = time.perf_counter() - start
    with open(output, "w") as out:
        for row, value in zip(rows, values, strict=True):
            added = {"scores": {"likelihood": value}} if task == "likelihood" else {"generated": value}
            out.write(json.dumps({**row, **added}) + "\n")
    print(json.dumps({"rows": len(rows), "seconds": seconds, "tokens": tokens}))


if __name__ == "__main__":
    if sys.argv[1] == "--export":
        export(*sys.argv[2:])
    else:
        main(*sys.argv[1:])
