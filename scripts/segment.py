"""Cuts texts into words, for `rubric evaluate chie`.

    segment.py newmm|jieba

Reads a JSON string a line. The first line it writes names the segmenter and its version; then each text is answered
before the next is read: {"words": [...]}, without blanks, as PyThaiNLP counts with keep_whitespace=False: line breaks
are words.
"""
import importlib.metadata
import json
import logging
import sys


def segmenter(name):
    """The function that cuts a text, and the package it is from."""
    if name == "newmm":
        from pythainlp.tokenize import word_tokenize
        return lambda text: word_tokenize(text, engine="newmm"), "pythainlp"
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
        words = [word.strip(" ") for word in cut(json.loads(line)) if word.strip(" ")]
        print(json.dumps({"words": words}, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
