"""The Python package beside the command, and beside the packages that its users have called until now."""
import functools
import itertools
import os
import statistics
import subprocess

from comparison import BENCH, CORES, MEMORY, Comparison, Figure, Floor, count_lines
from measure import run
from scoring import STARTS, score

LERC_ROWS = 2_000
PEER_ROWS = 20_000  # of the 100,000: the peers take a minute or two for them


@functools.cache
def packages(python, folder):
    """A folder with the package, of the wheel that scripts/wheel makes, for PYTHONPATH."""
    subprocess.run([BENCH.parent / "scripts" / "wheel"], check=True, stdout=subprocess.DEVNULL)
    (wheel,) = (BENCH.parent / "build" / "wheel").glob("*.whl")
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target"]
    subprocess.run([*command, folder / "packages", wheel], check=True)
    return folder / "packages"


def package(place, *arguments):
    path = packages(place.python, place.folder)
    return run([place.python, BENCH / "package.py", *arguments], CORES, PYTHONPATH=path)


def first_rows(rows, number, into):
    """The first rows of a file; one that has fewer is repeated."""
    lines = rows.read_text().splitlines(keepends=True)
    into.write_text("".join(itertools.islice(itertools.cycle(lines), number)))
    return into


def python_lexical(place):
    rows = place.rows / "replies.jsonl"

    def ours(_):
        done = package(place, "lexical", rows)
        return {"rows/s": done.report["rows"] / done.report["seconds"], MEMORY: done.memory}

    def command(_):
        done = score("f1,rouge_l,bleu1", rows, place.folder / "python.jsonl")
        return {"rows/s": count_lines(rows) / done.seconds, MEMORY: done.memory}

    def peer(_):
        fewer = first_rows(rows, PEER_ROWS, place.folder / "fewer.jsonl")
        done = place.peer("score_lexical.py", fewer, os.devnull, threads=CORES)
        return {"rows/s": done.report["rows"] / done.report["seconds"], MEMORY: done.memory}

    floors = {"score": Floor(1 / 1.15), "pycocoevalcap": Floor(30)}
    figures = [Figure("rows/s", floors=floors), Figure(MEMORY, more_is_better=False)]
    return Comparison("python, lexical", CORES, figures, ours, {"score": command, "pycocoevalcap": peer})


def python_memory(place):
    """What the process grows by in the call, beside the size of the texts that it scores."""

    def ours(_):
        report = package(place, "lexical", place.rows / "replies.jsonl").report
        return {"times the texts": report["grown"] / report["texts"]}

    return Comparison(
        "python, memory", CORES, [Figure("times the texts", more_is_better=False, limit=2)], ours, {}
    )


def python_lerc(place):
    @functools.cache
    def rows():
        return first_rows(place.rows / "answers.jsonl", LERC_ROWS, place.folder / "python_answers.jsonl")

    def ours(_):
        done = package(place, "lerc", place.lerc, rows())
        return {"rows/s": done.report["rows"] / done.report["seconds"], MEMORY: done.memory}

    def command(_):
        output, options = place.folder / "python.jsonl", ("--model", place.lerc)
        start = score("lerc", place.rows / "answer.jsonl", output, *options)
        whole = score("lerc", rows(), output, *options)
        return {"rows/s": LERC_ROWS / (whole.seconds - start.seconds), MEMORY: whole.memory}

    figures = [Figure("rows/s", floors={"score": Floor(0.95)}), Figure(MEMORY, more_is_better=False)]
    return Comparison("python, lerc", CORES, figures, ours, {"score": command}, neural=True)


def python_import(place):
    def ours(_):
        return {"s": statistics.median(package(place, "import").report["seconds"] for _ in range(STARTS))}

    return Comparison("python, import", CORES, [Figure("s", more_is_better=False, limit=0.1)], ours, {})
