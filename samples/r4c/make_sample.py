#!/usr/bin/env python3
"""Writes the sample of HotpotQA's and R4C's formats beside this file, always the same bytes.

    samples/r4c/make_sample.py

Invented people, towns and novels; the questions join two of their articles. Every fifth question
is in dev. A question has three derivations, each in one invented annotator's manner.
"""
import json
import pathlib

COUNTRIES = ["Norland", "Esteria", "Valmark"]
RIVERS = ["Oda", "Lune", "Brisk", "Tarn"]
TOWNS = ["Arden", "Belmar", "Corvo", "Dunmere", "Elsin", "Farholt", "Greve", "Harrow"]
FIRST = ["Mira", "Jonas", "Petra", "Anton"]
LAST = ["Holt", "Brand", "Castell", "Dorn"]
PEOPLE = [f"{first} {last}" for last in LAST for first in FIRST]
PROFESSIONS = ["painter", "architect", "pilot"]
NOVELS = ["The Glass Orchard", "Seven Lanterns", "Salt; or, The Long Winter", "A House of Paper",
          "The Ninth Ferry", "Copper Rain", "The Quiet Mill", "North of Morning", "Two Bridges",
          "The Amber Door", "Low Tide", "The Clockmaker"]


def town_of(person):
    return TOWNS[(3 * PEOPLE.index(person) + PEOPLE.index(person) // 8) % len(TOWNS)]


def country_of(town):
    return COUNTRIES[TOWNS.index(town) % len(COUNTRIES)]


def river_of(town):
    return RIVERS[(TOWNS.index(town) // 2) % len(RIVERS)]


def profession_of(person):
    return PROFESSIONS[(PEOPLE.index(person) * 2 + PEOPLE.index(person) // 4) % len(PROFESSIONS)]


def author_of(novel):
    return PEOPLE[(5 * NOVELS.index(novel) + 2) % len(PEOPLE)]


def article(title):
    """The article's sentences; all but the first begin with a blank, as HotpotQA's do."""
    if title in PEOPLE:
        return [f"{title} was born in {town_of(title)}.", f" {title} is a {profession_of(title)}."]
    if title in TOWNS:
        return [f"{title} is a town in {country_of(title)}.", f" {title} lies on the {river_of(title)}."]
    return [f"{title} is a novel by {author_of(title)}.", f" It was published in {1950 + 3 * NOVELS.index(title)}."]


def birth(person):
    town = town_of(person)
    return [[person, 0, [person, relation, tail]]
            for relation, tail in (("was born in", town), ("is from", town), ("was born in", f"the town {town}"))]


def country_question(person):
    town, country = town_of(person), country_of(town_of(person))
    second = [[town, 0, [head, relation, country]]
              for head, relation in ((town, "is a town in"), (town, "is in"), (f"the town {town}", "is in"))]
    return f"In which country was {person} born?", country, [[person, 0], [town, 0]], zip(birth(person), second)


def river_question(person):
    town, river = town_of(person), river_of(town_of(person))
    second = [[town, 1, [head, relation, f"the {river}"]]
              for head, relation in ((town, "lies on"), (town, "is on"), (f"the town {town}", "lies on"))]
    return (f"On which river lies the town where {person} was born?", river, [[person, 0], [town, 1]],
            zip(birth(person), second))


def author_question(novel):
    person = author_of(novel)
    first = [[novel, 0, [novel, relation, tail]]
             for relation, tail in (("is a novel by", person), ("was written by", person), ("is by", person))]
    return (f"Where was the author of {novel} born?", town_of(person), [[novel, 0], [person, 0]],
            zip(first, birth(person)))


def comparison_question(number):
    one, other = PEOPLE[number], PEOPLE[(number + 3) % len(PEOPLE)]
    steps = [[[person, 1, [person, relation, profession_of(person)]] for relation in ("is a", "works as a", "is")]
             for person in (one, other)]
    same = profession_of(one) == profession_of(other)
    return (f"Do {one} and {other} have the same profession?", "yes" if same else "no",
            [[one, 1], [other, 1]], zip(*steps))


def hotpot_question(identifier, kind, question, answer, facts):
    titles = PEOPLE + TOWNS + NOVELS
    own = [title for title, _ in facts]
    start = 7 * int(identifier[1:], 16)
    others = [title for title in (titles[(start + 11 * i) % len(titles)] for i in range(4)) if title not in own]
    context = sorted(own + others[:2])
    return {"_id": identifier, "question": question, "answer": answer, "type": kind, "level": "easy",
            "supporting_facts": facts, "context": [[title, article(title)] for title in context]}


def lines(items, brackets):
    return brackets[0] + "\n" + ",\n".join(items) + "\n" + brackets[1] + "\n"


def main():
    kinds = [("bridge", country_question, PEOPLE[:14]), ("bridge", river_question, PEOPLE[1:15]),
             ("bridge", author_question, NOVELS), ("comparison", comparison_question, range(10))]
    hotpot, derivations, number = {"train": [], "dev": []}, {"train": [], "dev": []}, 0
    for kind, make, subjects in kinds:
        for subject in subjects:
            question, answer, facts, steps = make(subject)
            identifier, split = f"s{number:03x}", "dev" if number % 5 == 4 else "train"
            number += 1
            hotpot[split].append(json.dumps(hotpot_question(identifier, kind, question, answer, facts)))
            derivations[split].append(f"{json.dumps(identifier)}: {json.dumps([list(pair) for pair in steps])}")
    folder = pathlib.Path(__file__).parent
    for split in ("train", "dev"):
        (folder / f"hotpot_{split}.json").write_text(lines(hotpot[split], "[]"))
        (folder / f"{split}.json").write_text(lines(derivations[split], "{}"))
        print(split, len(hotpot[split]), "questions")


if __name__ == "__main__":
    main()
