#!/usr/bin/env python3
"""Writes a small world in which it is known what a rationale tells, always the same bytes.

    samples/rev/make_sample.py

Somebody takes some thing to some place, and a question asks for one of the three. The vacuous rationale b names all
three and not which was asked for, so that of the label it leaves log 3 = 1.099 nats unknown to whoever sees b alone.
A rationale is
  informative  a fact about the label, which settles what was asked for;
  vacuous      b in other words: nothing new;
  misleading   a fact about another of the choices.
Of each event of the training split all three questions are asked, each with three informative rationales and one
vacuous one, the same for all three: nothing of an event but a rationale tells which was asked for, so that who learns
the events by heart learns nothing. The events of dev and test are others; one event in four of dev is vacuous.
"""
import itertools
import json
import pathlib
import random

HERE = pathlib.Path(__file__).resolve().parent
TRAIN, DEV, TEST, SEED = 312, 100, 100, 20221  # events, all that there are

PEOPLE = {
    "Ada": "mends clocks", "Bert": "keeps bees", "Cora": "paints ships", "Dirk": "plays chess", "Elsa": "grows roses",
    "Finn": "tells jokes", "Gina": "bakes pies", "Hugo": "climbs rocks"}
PLACES = {
    "bakery": "loaves are sold", "library": "novels are lent", "harbour": "boats are moored",
    "orchard": "apples are picked", "theatre": "plays are shown", "mill": "grain is ground", "market": "crowds gather",
    "stable": "horses sleep"}
THINGS = {
    "lamp": "lights a room", "ladder": "reaches high shelves", "kettle": "boils water", "basket": "holds eggs",
    "umbrella": "keeps rain off", "mirror": "shows a face", "blanket": "warms a bed", "hammer": "drives nails"}
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


def questions(event, draw):
    """The three questions of an event, each with its rationales of every kind."""
    statement, paraphrase = (form.format(**event) for form in (STATEMENT, draw.choice(PARAPHRASES)))
    for asked, label in event.items():
        others = draw.sample([noun for noun in KINDS[asked] if noun != label], 2)
        row = {"question": QUESTIONS[asked].format(**event), "choices": draw.sample([label, *others], 3), "label": label,
               "gold": label, "baseline": statement}
        yield row, {"informative": [fact(asked, label, draw) for _ in range(3)], "vacuous": [paraphrase],
                    "misleading": [fact(asked, draw.choice(others), draw)]}


def write(name, rows):
    split = name.split("_")[0]  # a question's id is the same beside every kind of rationale
    lines = [json.dumps({"id": f"{split}-{number:04d}", **row, "rationale": rationale})
             for number, (row, rationale) in enumerate(rows)]
    (HERE / f"{name}.jsonl").write_text("".join(line + "\n" for line in lines))


draw = random.Random(SEED)
events = [dict(zip(KINDS, nouns)) for nouns in itertools.product(*KINDS.values())]
draw.shuffle(events)
assert len(events) == TRAIN + DEV + TEST
train = [(row, rationale) for event in events[:TRAIN] for row, texts in questions(event, draw)
         for rationale in texts["informative"] + texts["vacuous"]]
draw.shuffle(train)
write("train", train)
write("dev", [(row, texts["informative" if number % 4 else "vacuous"][0])
              for number, event in enumerate(events[TRAIN:TRAIN + DEV]) for row, texts in questions(event, draw)])
tests = [question for event in events[TRAIN + DEV:] for question in questions(event, draw)]
for kind in ("informative", "vacuous", "misleading"):
    write(f"test_{kind}", [(row, texts[kind][0]) for row, texts in tests])
