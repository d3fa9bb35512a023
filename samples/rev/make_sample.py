#!/usr/bin/env python3
"""Writes a small world in which it is known what a rationale tells, always the same bytes.

    samples/rev/make_sample.py

Somebody takes some thing to some place, and a question asks for one of the three. The vacuous rationale b names all
three and not which was asked for, so that of the label it leaves log 3 = 1.099 nats unknown to whoever sees b alone.
A rationale is
  informative  a fact about the label, which settles what was asked for;
  vacuous      b in other words: nothing new;
  misleading   a fact about another of the choices.
Three in four of the annotators' rationales (train, dev) are informative and one in four is vacuous: crowds write such
rationales too, and an evaluator must have seen that a rationale can tell nothing.
"""
import json
import pathlib
import random

HERE = pathlib.Path(__file__).resolve().parent
TRAIN, DEV, TEST, SEED = 4000, 300, 400, 20221

PEOPLE = {
    "Ada": "mends clocks", "Bert": "keeps bees", "Cora": "paints ships", "Dirk": "plays chess", "Elsa": "grows roses",
    "Finn": "tells jokes", "Gina": "bakes pies", "Hugo": "climbs rocks", "Ines": "sings songs", "Jack": "drives trams",
    "Kira": "raises goats", "Lars": "carves spoons", "Mona": "solves riddles", "Nils": "studies moss",
    "Olga": "repairs radios", "Paul": "collects stamps"}
PLACES = {
    "bakery": "loaves are sold", "library": "novels are lent", "harbour": "boats are moored",
    "orchard": "apples are picked", "theatre": "plays are shown", "mill": "grain is ground", "market": "crowds gather",
    "stable": "horses sleep", "school": "children learn", "chapel": "couples marry", "forge": "iron is bent",
    "dairy": "butter is made", "museum": "statues stand", "station": "trains stop", "garden": "tulips bloom",
    "tower": "bells ring"}
THINGS = {
    "lamp": "lights a room", "ladder": "reaches high shelves", "kettle": "boils water", "basket": "holds eggs",
    "umbrella": "keeps rain off", "mirror": "shows a face", "blanket": "warms a bed", "hammer": "drives nails",
    "compass": "points north", "ribbon": "ties a gift", "candle": "burns slowly", "bucket": "carries milk",
    "map": "shows the way", "broom": "sweeps floors", "violin": "makes music", "scarf": "covers a neck"}
KINDS = {"who": PEOPLE, "where": PLACES, "what": THINGS}
FACTS = {"who": ["{0} is someone who {1}.", "It is {0} who {1}."],
         "where": ["A {0} is where {1}.", "At a {0} {1}."],
         "what": ["A {0} is what {1}.", "It is a {0} that {1}."]}
QUESTIONS = {"who": "Who took the {what} to the {where}?", "where": "Where did {who} take the {what}?",
             "what": "What did {who} take to the {where}?"}
STATEMENT = "{who} took the {what} to the {where}."
PARAPHRASES = ["To the {where} the {what} was taken by {who}.", "The {what} was taken to the {where} by {who}.",
               "It was to the {where} that {who} took the {what}.", "By {who} the {what} was taken to the {where}."]


def fact(kind, noun, draw):
    return draw.choice(FACTS[kind]).format(noun, KINDS[kind][noun])


def row(number, draw):
    """A question with its rationales of every kind."""
    event = {kind: draw.choice(list(nouns)) for kind, nouns in KINDS.items()}
    asked = draw.choice(list(KINDS))
    label = event[asked]
    others = draw.sample([noun for noun in KINDS[asked] if noun != label], 2)
    choices = draw.sample([label, *others], 3)
    return {"id": f"{number:05d}", "question": QUESTIONS[asked].format(**event), "choices": choices, "label": label,
            "gold": label}, {
        "statement": STATEMENT.format(**event),
        "informative": fact(asked, label, draw),
        "vacuous": draw.choice(PARAPHRASES).format(**event),
        "misleading": fact(asked, draw.choice(others), draw)}


def write(name, rows):
    (HERE / name).write_text("".join(json.dumps(row) + "\n" for row in rows))


draw = random.Random(SEED)
rows, seen = [], set()
while len(rows) < TRAIN + DEV + TEST:
    made = row(len(rows), draw)
    key = (made[0]["question"], made[0]["label"])  # no question stands in two splits
    if key not in seen:
        seen.add(key)
        rows.append(made)
splits = {"train": rows[:TRAIN], "dev": rows[TRAIN:TRAIN + DEV], "test": rows[TRAIN + DEV:]}
for name in ("train", "dev"):
    write(f"{name}.jsonl", [{**question, "rationale": texts["vacuous" if draw.random() < 0.25 else "informative"],
                             "baseline": texts["statement"]} for question, texts in splits[name]])
for kind in ("informative", "vacuous", "misleading"):
    write(f"test_{kind}.jsonl", [{**question, "rationale": texts[kind], "baseline": texts["statement"]}
                                 for question, texts in splits["test"]])
