"""Writes what the comparisons run on into a folder. Deterministic; the standard library only.

    python3 bench/rows.py FOLDER

answers.json   MOCHA's form, six constituents: what LERC is fine-tuned on
dev.json       a dozen of them
answers.jsonl  the same rows, a line each: what LERC scores
base/          the first three with passages of 300 words, for BERT-base on two cores: few rows
gpu/           the first three again, many rows, for BERT-base on a GPU
answer.jsonl   the first of answers.jsonl, to time the start of a program
replies.jsonl  100,000 question, references and candidate for BLEU-1 and ROUGE-L
reply.jsonl    the first of them
pairs.jsonl    the first 1,000 of them, for BERTScore
shuffled.jsonl 20,000 of them in random order, none with the references of the row before
judged.jsonl   the first 10,000 of them, for the shipped learned metric
seq2seq.jsonl  source and target: questions with their passage and answer, and with a reference and a system's answer
few.jsonl      every fourth of them, for work of minutes
task.jsonl     the first of them
rationales.jsonl  question, choices, label, rationale and baseline, for REV
rationale.jsonl   the first of them
english.txt    English text; world.txt English, Thai and Chinese text

With $RUBRIC_DATA set these are real texts: stories, questions and answers of MCTest, the systems' answers of
EVOUNA, paragraphs of XQuAD, explanations of CoS-E v1.0. Else the shipped samples, repeated.
"""
import itertools
import json
import os
import random
import sys
from pathlib import Path

ANSWERS = 384  # 12 batches of 32
LONG_ANSWERS = 48  # 6 batches of 8
GPU_ANSWERS = 4096
REPLIES = 100_000
PAIRS = 1_000
JUDGED = 10_000
SHUFFLED = 20_000
SEQ2SEQ = 192  # 12 batches of 16
FEW = 48  # of them
RATIONALES = 300

# MOCHA's training set (Chen et al. 2020, Table 2): words a passage, and candidates.
MOCHA = {
    "narrativeqa": (333.0, 7471),
    "mcscript": (197.1, 7210),
    "cosmosqa": (72.8, 5033),
    "socialiqa": (15.7, 7409),
    "drop": (213.4, 687),
    "quoref": (324.0, 3259),
}
SAMPLES = Path(__file__).resolve().parent.parent / "samples"
SHIPPED = SAMPLES / "mocha"


def mctest_stories(folder):
    """(story, [(question, [right answer, wrong answers…])…]) of MCTest's training and test sets."""
    for name in ("mc500.train", "mc500.test", "mc160.train"):
        keys = (folder / f"{name}.ans").read_text().splitlines()
        for line, key in zip((folder / f"{name}.tsv").read_text().splitlines(), keys):
            _, _, story, *questions = line.replace("\\newline", " ").replace("\\tab", " ").split("\t")
            asked = []
            for i, letter in enumerate(key.split("\t")):
                question, *options = questions[5 * i : 5 * i + 5]
                right = options.pop("ABCD".index(letter))
                asked.append((question.split(": ", 1)[1], [right, *options]))
            yield story, asked


def answers_like(sizes, stories):
    """Rows whose passages have lengths as `sizes` says: the longer ones are several stories in a row, cut."""
    numbers = random.Random(0)
    stories = itertools.cycle(stories)
    names = list(sizes)
    weights = [candidates for _, candidates in sizes.values()]
    while True:
        constituent = numbers.choices(names, weights)[0]
        length = round(sizes[constituent][0] * numbers.uniform(0.5, 1.5))
        story, asked = next(stories)
        words = story.split()
        while len(words) < length:
            words += next(stories)[0].split()
        question, (right, *wrong) = numbers.choice(asked)
        candidate = numbers.choice(wrong)
        yield constituent, {
            "context": " ".join(words[:length]),
            "question": question,
            "reference": right,
            "candidate": candidate,
            "score": numbers.randint(1, 5),
        }


def shipped_answers():
    constituents = json.loads((SHIPPED / "train.json").read_text())
    rows = [(name, row) for name, rows in constituents.items() for row in rows.values()]
    random.Random(0).shuffle(rows)
    return itertools.cycle(rows)


def shipped_stories():
    for _, row in itertools.islice(shipped_answers(), ANSWERS):
        yield row["context"], [(row["question"], [row["reference"], row["candidate"]])]


def evouna_replies(file):
    """Every system's answer to every proper question."""
    for row in json.loads(file.read_text()):
        for system in ("fid", "gpt35", "chatgpt", "gpt4", "newbing"):
            if not row["improper"] and row[f"answer_{system}"]:
                yield row["question"], row["golden_answer"].split("/"), row[f"answer_{system}"]


def write_answers(folder, source, count):
    rows = list(itertools.islice(source, count))
    folder.mkdir(exist_ok=True)
    as_mocha, dev = {}, {}
    with open(folder / "answers.jsonl", "w") as lines:
        for i, (name, row) in enumerate(rows):
            as_mocha.setdefault(name, {})[f"r{i}"] = row
            if i < 12:
                dev.setdefault(name, {})[f"d{i}"] = row
            line = {
                "id": f"r{i}",
                "passage": row["context"],
                "question": row["question"],
                "reference": row["reference"],
                "candidate": row["candidate"],
            }
            lines.write(json.dumps(line) + "\n")
    (folder / "answers.json").write_text(json.dumps(as_mocha, indent=1))
    (folder / "dev.json").write_text(json.dumps(dev, indent=1))


def write_replies(folder, source):
    replies = itertools.cycle(list(source))
    with open(folder / "replies.jsonl", "w") as lines:
        for i, (question, references, candidate) in enumerate(itertools.islice(replies, REPLIES)):
            line = {"id": f"r{i}", "question": question, "reference": references, "candidate": candidate}
            lines.write(json.dumps(line) + "\n")


def write_shuffled(folder):
    with open(folder / "replies.jsonl") as lines:
        rows = list(lines)
    random.Random(0).shuffle(rows)
    references, written = None, 0
    with open(folder / "shuffled.jsonl", "w") as out:
        for row in rows:
            before, references = references, json.loads(row)["reference"]
            if references != before and written < SHUFFLED:
                out.write(row)
                written += 1


def write_seq2seq(folder):
    """Two of three rows are answers.jsonl's, long sources with short targets; the third is one of replies.jsonl's. No
    program's limit of 256 and 64 tokens cuts them."""

    def first_words(text, count):
        return " ".join(text.split()[:count])

    with open(folder / "answers.jsonl") as answers, open(folder / "replies.jsonl") as replies:
        answers, replies = map(json.loads, answers), map(json.loads, replies)
        with open(folder / "seq2seq.jsonl", "w") as lines:
            for i in range(SEQ2SEQ):
                row = next(replies if i % 3 == 2 else answers)
                if i % 3 == 2:
                    source = f"question: {row['question']} answer: {row['reference'][0]}"
                    target = first_words(row["candidate"], 30)
                else:
                    source = f"question: {row['question']} context: {first_words(row['passage'], 160)}"
                    target = row["reference"]
                lines.write(json.dumps({"id": f"r{i}", "source": source, "target": target}) + "\n")


def cose_rationales(folder):
    """CoS-E's training set with CommonsenseQA's questions; baselines that say no more than these and their answers."""
    explanations = {}
    with open(folder / "cose_train_v1.0.jsonl") as lines:
        for row in map(json.loads, lines):
            explanations[row["id"]] = row["explanation"]["open-ended"]
    with open(folder / "train_rand_split.jsonl") as lines:
        for row in map(json.loads, lines):
            choices = {choice["label"]: choice["text"] for choice in row["question"]["choices"]}
            question, label = row["question"]["stem"], choices[row["answerKey"]]
            yield {
                "question": question,
                "choices": list(choices.values()),
                "label": label,
                "rationale": explanations[row["id"]],
                "baseline": f"{question} The answer is {label}.",
            }


def shipped_rationales():
    with open(SAMPLES / "rev" / "train.jsonl") as lines:
        return itertools.cycle([json.loads(line) for line in lines])


def write_rationales(folder, source):
    with open(folder / "rationales.jsonl", "w") as lines:
        for i, row in enumerate(itertools.islice(source, RATIONALES)):
            lines.write(json.dumps({**row, "id": f"r{i}"}) + "\n")


def write_text(file, source, size):
    """Lines of the source, over and over, up to `size` characters."""
    texts = [line for text in source for line in text.splitlines() if line.strip()]
    written = 0
    with open(file, "w", newline="\n") as out:
        for line in itertools.cycle(texts):
            if written >= size:
                return
            out.write(line + "\n")
            written += len(line)


def xquad_texts(file):
    for article in json.loads(file.read_text())["data"]:
        for paragraph in article["paragraphs"]:
            yield paragraph["context"]


def write_rows(folder):
    data = os.environ.get("RUBRIC_DATA")
    if data:
        data = Path(data)
        stories = list(mctest_stories(data / "mctest"))
        answers = answers_like(MOCHA, stories)
        write_replies(folder, evouna_replies(data / "evouna" / "NQ.json"))
        write_rationales(folder, cose_rationales(data / "cose" / "v1.0"))
        english = [story for story, _ in stories]
        english += [candidate for _, _, candidate in evouna_replies(data / "evouna" / "NQ.json")]
        world = [t for name in ("en", "th", "zh") for t in xquad_texts(data / "xquad" / f"xquad.{name}.json")]
    else:
        stories = list(shipped_stories())
        answers = shipped_answers()
        shipped = [row for _, row in itertools.islice(shipped_answers(), ANSWERS)]
        write_replies(folder, ((r["question"], [r["reference"]], r["candidate"]) for r in shipped))
        write_rationales(folder, shipped_rationales())
        english = world = [text for r in shipped for text in (r["context"], r["question"], r["candidate"])]
    write_answers(folder, answers, ANSWERS)
    long_answers = answers_like({"narrativeqa": (300.0, 1)}, stories)
    write_answers(folder / "base", long_answers, LONG_ANSWERS)
    write_answers(folder / "gpu", answers_like(MOCHA, stories), GPU_ANSWERS)
    write_shuffled(folder)
    write_seq2seq(folder)
    with open(folder / "seq2seq.jsonl") as lines:
        (folder / "few.jsonl").write_text("".join(itertools.islice(lines, 0, None, SEQ2SEQ // FEW)))
    ones = {
        "answers.jsonl": "answer.jsonl",
        "replies.jsonl": "reply.jsonl",
        "seq2seq.jsonl": "task.jsonl",
        "rationales.jsonl": "rationale.jsonl",
    }
    for whole, first in ones.items():
        with open(folder / whole) as lines:
            (folder / first).write_text(next(lines))
    for name, count in (("pairs.jsonl", PAIRS), ("judged.jsonl", JUDGED)):
        with open(folder / "replies.jsonl") as lines:
            (folder / name).write_text("".join(itertools.islice(lines, count)))
    write_text(folder / "english.txt", english, 4_000_000)
    write_text(folder / "world.txt", world, 1_000_000)


if __name__ == "__main__":
    write_rows(Path(sys.argv[1]))
