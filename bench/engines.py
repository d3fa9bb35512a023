"""Inference engines as peers: each has the model in the form it reads, is set as is fastest here, and is timed once warm."""
import functools
import itertools
import sys

from comparison import BEST, CORES, Floor, count_lines

ENCODERS = {  # by their names in the table
    "OpenVINO": "openvino", "ONNX Runtime": "onnxruntime", "CTranslate2": "ctranslate2", "torch.compile": "torch.compile"
}
CTRANSLATE2 = "CTranslate2"
# About as many rows are tried, and half of all at most: with fewer, settings of large batches leave workers idle that
# have work when all rows are computed.
SAMPLE = 128
WORKERS = sorted({1, CORES})  # batches that are computed at once
LERC_SETTINGS = list(itertools.product(WORKERS, (256, 512, 1024)))  # (workers, tokens a batch)
BERTSCORE_SETTINGS = [(1, 8), (1, 16), (1, 64)]  # (workers, texts a batch): its loop has one batch at a time
# (workers, rows a batch). Of a batch GPT-2's reads at once as many tokens as the shortest source has, and the rest step
# by step: that is best with few rows.
TEXT_SETTINGS = {
    "t5": list(itertools.product(WORKERS, (8, 16, 32))), "gpt2": list(itertools.product(WORKERS, (1, 4, 16))),
    "llama": list(itertools.product(WORKERS, (1, 4, 16)))
}
EXACT, ROUNDED = 0.999, 0.99  # how alike to ours values are: correlation, or the share of the same texts


def sample(place, rows):
    """A file of rows that are evenly spread over another, and so over its lengths."""
    file = place.folder / f"sample-{rows.name}"
    if not file.exists():
        lines = rows.read_text().splitlines(keepends=True)
        file.write_text("".join(lines[:: max(2, len(lines) // SAMPLE)]))
    return file


def at_its_best(place, name, program, settings, rows):
    """A peer that runs `program`, of (rows, output, workers, size), with the setting that was the fastest on a sample of
    `rows`, tried when it first runs."""

    @functools.cache
    def best():
        few, output = sample(place, place.rows / rows), place.folder / "sample.jsonl"
        seconds = {setting: program(few, output, *setting).report["seconds"] for setting in settings}
        workers, size = min(seconds, key=seconds.get)
        place.settings[name] = f"{workers} at once, {size} a batch"
        tried = ", ".join(f"{one}: {count_lines(few) / took:.4g} rows/s" for one, took in seconds.items())
        print(f"{name}: {place.settings[name]}, of {tried}", file=sys.stderr, flush=True)
        return workers, size

    return lambda rows, output: program(rows, output, *best())


def encoders(place, comparison, task, model, precision, settings, rows):
    """{name: peer}; `model` is a function that makes it. torch.compile has float32 alone, and one batch at a time, as it
    cannot compile on two threads."""
    names = {name: engine for name, engine in ENCODERS.items() if precision == "float32" or engine != "torch.compile"}

    def peer(name, engine):
        @functools.cache
        def exported():
            if engine == "torch.compile":
                return model()
            folder = place.folder / f"{task}-{engine}-{precision}"
            calibration = place.rows / "answers.jsonl"
            place.peer("make_encoder.py", engine, precision, model(), calibration, folder, threads=CORES)
            return folder

        def program(rows, output, workers, size):
            arguments = (engine, task, model(), exported(), workers, size, rows, output)
            return place.peer("encoder_engines.py", *arguments, threads=CORES)

        tried = [setting for setting in settings if engine != "torch.compile" or setting[0] == 1]
        return at_its_best(place, f"{comparison}, {name}", program, tried, rows)

    return {name: peer(name, engine) for name, engine in names.items()}


def ctranslate2(place, comparison, task, kind, rows, precision="float32", new_tokens=64):
    """The peer for texts: `task` is likelihood or a number of beams, `kind` the name of a model of the place."""

    def program(rows, output, workers, size):
        model, folder = getattr(place, kind), place.converted(kind, precision)
        arguments = (task, new_tokens, model, folder, workers, size, rows, output)
        return place.peer("texts_ctranslate2.py", *arguments, threads=CORES)

    return at_its_best(place, f"{comparison}, {CTRANSLATE2}", program, TEXT_SETTINGS[kind], rows)


def judged(engines, at_least, alike=EXACT):
    """What scored_files needs to know of engines among its peers: those, the floor of the best, and how alike they are."""
    return {"engines": tuple(engines), "floors": {BEST: Floor(at_least)}, "alike": dict.fromkeys(engines, alike)}
