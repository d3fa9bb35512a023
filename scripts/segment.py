"""Cuts texts into words, for `rubric evaluate chie`.

    segment.py newmm|jieba

Reads a JSON string a line. The first line it writes names the segmenter and its version; then each text is answered
before the next is read: {"words": [...]}. Those of newmm are without blanks, as PyThaiNLP counts with
keep_whitespace=False; those of jieba with them. Line breaks are words.
"""
import importlib.metadata
import json
import logging
import re
import sys

# A longer text is cut in pieces first: both segmenters take the square of the time for twice as much of the same
# character, which 200,000 digits would make an hour.
LONG, PIECE = 10_000, 1_000


def pieces(text):
    """All of a text, in pieces that end behind a blank where there is one."""
    return re.findall(rf"(?s).{{0,{PIECE - 1}}}\s|.{{1,{PIECE}}}", text) if len(text) > LONG else [text]


def segmenter(name):
    """The function that cuts a text, and the package it is from."""
    if name == "newmm":
        from pythainlp.tokenize import word_tokenize

        def newmm(text):
            words = [word.strip(" ") for word in word_tokenize(text, engine="newmm")]
            return [word for word in words if word]
        return newmm, "pythainlp"
    if name == "jieba":
        import jieba
        jieba.setLogLevel(logging.WARNING)
        return jieba.lcut, "jieba"
    sys.exit(f"segment.py: there is no segmenter {name!r}")


def main():
    name = sys.argv[1]
    cut, package = segmenter(name)
    sys.stdin.reconfigure(encoding="utf-8", newline="\n")
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    print(json.dumps({"segmenter": f"{name}-{importlib.metadata.version(package)}"}), flush=True)
    for line in sys.stdin:
        words = [word for piece in pieces(json.loads(line)) for word in cut(piece)]
        print(json.dumps({"words": words}, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
