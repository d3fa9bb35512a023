"""Hugging Face's tokenizers over the lines of a file; prints {"seconds", "bytes", "ids"} as tokenizer_bench does.

    python tokenizer.py MODEL TEXT_FILE PASSES
"""
import json
import sys
import time

from tokenizers import Tokenizer

LINES_AT_ONCE = 1000


def main(model, file, passes):
    tokenizer = Tokenizer.from_file(f"{model}/tokenizer.json")
    tokenizer.no_truncation()
    tokenizer.no_padding()
    with open(file, encoding="utf-8", newline="\n") as text:
        lines = text.read().removesuffix("\n").split("\n")
    size = sum(len(line.encode()) for line in lines)
    ids = 0
    seconds = 0.0
    for _ in range(int(passes)):
        for begin in range(0, len(lines), LINES_AT_ONCE):
            start = time.perf_counter()
            encodings = tokenizer.encode_batch_fast(lines[begin : begin + LINES_AT_ONCE], add_special_tokens=False)
            seconds += time.perf_counter() - start
            ids += sum(len(encoding) for encoding in encodings)
    print(json.dumps({"seconds": seconds, "bytes": size * int(passes), "ids": ids}))


if __name__ == "__main__":
    main(*sys.argv[1:])
