"""The commands by name: results are the command's, and mistakes, warnings and stops arrive."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import signal
import subprocess
import threading
from pathlib import Path

import pytest

import rubric

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "samples"
PROGRAM = Path(rubric.__file__).parent / "bin" / "rubric"

needs_models = pytest.mark.skipif(not PROGRAM.with_name("libtorch").exists(),
                                  reason="the wheel is without models")


def command(*arguments: object) -> str:
    return subprocess.run([PROGRAM, *map(str, arguments)], check=True, capture_output=True,
                          text=True).stdout


def test_evaluate_mocha_is_the_command_s(tmp_path):
    data, scored = SAMPLES / "mocha" / "dev.json", tmp_path / "scored.json"
    command("score", "f1,bleu1", "--input", data, "--output", scored)
    options = ("evaluate", "mocha", "--data", data, "--scores", scored, "--constituent", "drop")
    report = rubric.evaluate_mocha(data, scores=scored, constituent=["drop"])
    assert report.values == json.loads(command(*options, "--format", "json"))
    assert report.to_text("csv") == command(*options, "--format", "csv")
    resampled = rubric.evaluate_mocha(data, scores=scored, constituent=["drop"], resamples=20,
                                      resampled=True)
    assert json.loads(resampled.to_text("json")) == json.loads(command(
        *options, "--resampled", "--resamples", 20, "--format", "json"))
    report.to_html(tmp_path / "mocha.html")
    assert "drop" in (tmp_path / "mocha.html").read_text(encoding="utf-8")


def test_evaluate_r4c_and_describe(tmp_path):
    gold = SAMPLES / "r4c" / "dev.json"
    assert rubric.describe("r4c", gold).values == json.loads(
        command("describe", "r4c", gold, "--format", "json"))
    with pytest.raises(rubric.InputError, match="nothing.json"):
        rubric.evaluate_r4c(gold, tmp_path / "nothing.json")


def test_judge_and_evaluate_chie(tmp_path):
    ledger = tmp_path / "ledger.jsonl"
    entries = rubric.judge(SAMPLES / "chie" / "replies.csv", ledger, recorded=True, judge="gpt-4o")
    assert len(entries) > 3 and entries[0]["judge"] == "gpt-4o"
    report = rubric.evaluate_chie(ledger, human_file=SAMPLES / "chie" / "labels.csv")
    assert report.values == json.loads(command(
        "evaluate", "chie", "--ledger", ledger, "--human-file", SAMPLES / "chie" / "labels.csv",
        "--format", "json"))
    with pytest.raises(rubric.InputError, match="did you mean"):
        rubric.evaluate_chie(ledger, human_fil="x")


def test_reproduce_shows_its_plan():
    experiment = next((ROOT / "experiments" / "mocha").glob("sample*.yaml"))
    assert rubric.reproduce(experiment, dry_run=True).to_text() == command(
        "reproduce", experiment, "--dry-run")


def test_reproduce_runs_its_steps_once(tmp_path):
    experiment = tmp_path / "own.yaml"
    experiment.write_text(f"""\
title: own
output: {tmp_path / "runs"}
steps:
  dev: {{command: "describe mocha {SAMPLES / "mocha" / "dev.json"}"}}
  train: {{command: "describe mocha {SAMPLES / "mocha" / "train.json"}"}}
columns: {{DROP: {{}}}}
cells:
  - {{row: of dev, step: dev, value: "candidates, group=drop, subset=dev", paper: [null]}}
  - {{row: of train, step: train, value: "candidates, group=drop, subset=train", paper: [null]}}
""")
    report = rubric.reproduce(experiment)
    assert len(list((tmp_path / "runs").rglob("results.json"))) == 2
    shutil.rmtree(tmp_path / "runs")
    assert "of train" in report.to_text("markdown") and report.to_text("csv").count("\n") == 3
    assert not (tmp_path / "runs").exists()
    with pytest.raises(rubric.InputError, match="'launcher' is given by the function itself"):
        rubric.reproduce(experiment, launcher="slurm")


def training(tmp_path: Path, epochs: int) -> dict[str, object]:
    return {"config": ROOT / "configs" / "sample_rev.yaml", "output": tmp_path / "run",
            "overrides": {"run.epochs": epochs, "data.store": str(tmp_path / "store")}}


@needs_models
def test_train(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)  # the sample's paths are the repository's
    events: list[dict[str, object]] = []
    run = rubric.train(**training(tmp_path, 1), on_event=events.append)
    log = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    assert events == log and any(event["event"] == "validation" for event in events)
    assert run.is_finished and run.model.is_dir()
    assert run.results == json.loads((tmp_path / "run" / "results.json").read_text())
    with pytest.raises(rubric.InputError, match="run.epoch"):
        rubric.train(ROOT / "configs" / "sample_rev.yaml", overrides={"run.epoch": 1})
    with pytest.raises(rubric.InputError, match="did you mean own.yaml"):
        rubric.train("owm.yaml")
    with pytest.raises(rubric.InputError, match='overrides={"data.train": "F"}') as both:
        rubric.train("own.yaml", overrides={"data.train": "none", "model.name": "none"})
    assert "\nalso: the model" in str(both.value) and "error:" not in str(both.value)


@needs_models
def test_ctrl_c_stops_a_run_that_goes_on(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)

    epochs = 30  # many more than are done until the stop
    stop = threading.Thread(target=os.kill, args=(os.getpid(), signal.SIGINT))

    def stop_at_once(event: dict[str, object]) -> None:
        # Once, though a slow machine tells of several updates at a time: a second Ctrl-C kills.
        if event["event"] == "update" and stop.ident is None:
            stop.start()

    def stop_again(event: dict[str, object]) -> None:
        raise ValueError(event["step"])

    with pytest.raises(KeyboardInterrupt):
        rubric.train(**training(tmp_path, epochs), on_event=stop_at_once)
    log = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    last = [event for event in log if event["event"] == "update"][-1]
    assert 1 <= last["step"] < last["steps"] / 2
    with pytest.raises(ValueError) as caught:  # the same call goes on where the first was stopped
        rubric.train(**training(tmp_path, epochs), on_event=stop_again)
    assert caught.value.args[0] > 1


def test_mistakes_in_options(tmp_path):
    gold = SAMPLES / "r4c" / "dev.json"
    for call in (lambda: rubric.describe("r4c", gold, version=True),
                 lambda: rubric.generate(["a"], "x", output="y.jsonl")):
        with pytest.raises(rubric.InputError, match="given by the function itself"):
            call()
    for call in (lambda: rubric.train("own.yaml", dry_run=True),
                 lambda: rubric.judge([{"candidate": "a"}], tmp_path / "l.jsonl", dry_run=True)):
        with pytest.raises(rubric.InputError, match="judge.. sends its requests then") as caught:
            call()
        assert "leave it out" not in str(caught.value)
    with pytest.raises(rubric.InputError, match="--version"):
        rubric.describe("r4c", "--version")


def test_a_report_keeps_every_format(monkeypatch, tmp_path):
    shutil.copy(SAMPLES / "r4c" / "dev.json", tmp_path / "dev.json")
    monkeypatch.chdir(tmp_path)
    printed = {format: command("describe", "r4c", "dev.json", "--format", format)
               for format in ("text", "json", "markdown", "csv", "latex")}
    report = rubric.describe("r4c", "dev.json")
    shutil.copy(SAMPLES / "r4c" / "train.json", tmp_path / "dev.json")
    for again in report, pickle.loads(pickle.dumps(report)):
        for format, expected in printed.items():
            assert again.to_text(format) == expected
    with pytest.raises(rubric.InputError, match="'format' is given by the function itself"):
        rubric.describe("r4c", "dev.json", format="csv")


def test_a_report_is_of_its_files_as_they_were(tmp_path):
    data, scored = tmp_path / "dev.json", tmp_path / "scored.json"
    shutil.copy(SAMPLES / "mocha" / "dev.json", data)
    command("score", "f1", "--input", data, "--output", scored)
    expected = command("evaluate", "mocha", "--data", data, "--scores", scored)
    report = rubric.evaluate_mocha(data, scores=scored)
    data.unlink()
    assert report.to_text() == expected and repr(report) == str(report)
    report.to_html(tmp_path / "mocha.html")
    assert "quoref" in (tmp_path / "mocha.html").read_text(encoding="utf-8")
    with pytest.raises(rubric.InputError, match="'report' is given by the function itself"):
        rubric.evaluate_mocha(data, scores=scored, report="x.html")


def test_values_of_numpy_are_options(tmp_path):
    numpy = pytest.importorskip("numpy")
    data, scored = SAMPLES / "mocha" / "dev.json", tmp_path / "scored.json"
    command("score", "f1", "--input", data, "--output", scored)
    report = rubric.evaluate_mocha(data, scores=scored, constituent=numpy.array(["drop"]),
                                   resamples=numpy.int64(10))
    assert report.find("pearson", group="drop").n == 14
    assert set(report.to_pandas().group) == {"", "drop"}
    experiment = next((ROOT / "experiments" / "mocha").glob("sample*.yaml"))
    assert rubric.reproduce(experiment, dry_run=numpy.True_).to_text()
    stemmed = rubric.score(["the dogs"], ["the dog"], metrics=["rouge1"], stem=numpy.True_)
    assert stemmed["rouge1"].mean == 1


@pytest.mark.parametrize(("call", "message"), [
    (lambda: rubric.load(3), "model is 3\n"),
    (lambda: rubric.load("\udcff"), "model is '.udcff'\n"),
    (lambda: rubric.load("x" * 5000), "the model .x"),
    (lambda: rubric.load("x", metric=["lerc", "similarity"]), "a model is of one metric"),
    (lambda: rubric.evaluate_chie("x", human_file="x" * 200_000), "longer than a command line"),
    (lambda: rubric.load(""), "model is ''\n"),
    (lambda: rubric.agreement("x y " * 100, human="judge"), "there is no file 'x y .*…'"),
    (lambda: rubric.generate("translate " * 100, "x"), "there is no file 'translate .*…'"),
    (lambda: rubric.agreement("", human="judge"), "rows is ''\n"),
    (lambda: rubric.train("own.yaml", resume=3), "resume is 3\n"),
    (lambda: rubric.train("owm.yaml", resume=None), "did you mean own.yaml"),
    (lambda: rubric.train(None), "config is None\n"),
    (lambda: rubric.describe("r4c", None), "a file is None\n"),
    (lambda: rubric.judge([{"id": "0"}], None), "ledger is None\n"),
    (lambda: rubric.rev([{"id": "0"}], model="x", baseline_model=None), "baseline_model is None\n"),
    (lambda: rubric.generate("a source", "x"), "there is no file 'a source'\n.*texts as a list"),
    (lambda: rubric.likelihood(["a"], model="x"), "there are no targets\n"),
    (lambda: rubric.score(["a"], ["a"], metrics=3), "metrics is a value of type int"),
    (lambda: rubric.score(["a"], ["a"], metrics=["bleu1"], strip="\udcff"), "strip is '.udcff'\n"),
    (lambda: rubric.score("rows.jsonl"), "there is no file 'rows.jsonl'\n"),
    (lambda: rubric.score(Path("rows.jsonl")), "there is no file 'rows.jsonl'\n"),
])
def test_arguments_of_a_wrong_type(call, message):
    with pytest.raises(rubric.InputError, match=message):
        call()


def test_events_of_a_log_that_is_rewritten(tmp_path):
    from rubric._training import _Log

    file = tmp_path / "log.jsonl"
    lines = [json.dumps({"step": step}) + "\n" for step in range(10)]
    file.write_text("".join(lines))
    log = _Log(file)
    again = [json.dumps({"step": step, "again": True}) + "\n" for step in range(5, 9)]
    file.write_text("".join(lines[:5] + again) + "{\"torn")
    assert log.new_lines() == [json.loads(line) for line in again]
    assert log.new_lines() == []


def test_running_keeps_the_texts_of_a_batch():
    running, references = rubric.Running(["em"]), [["cow"]]
    running.update(["cow"], references)
    references[0][0] = "hen"
    references[0].append(3)
    assert running.compute() == {"em": 1}


def test_running():
    running = rubric.Running(["f1", "bleu"])
    running.update(["a dog"], ["dog"])
    running.update([], [])
    with pytest.raises(rubric.InputError, match="is None"):
        running.update(["x"], [None])
    running.update(["the black cat sat"], [["black cat", "a cat sat"]])
    expected = rubric.score(["a dog", "the black cat sat"], ["dog", ["black cat", "a cat sat"]],
                            metrics=["f1", "bleu"])
    assert running.compute() == {name: score.mean for name, score in expected.items()}
    with pytest.raises(rubric.InputError, match="did you mean f1"):
        rubric.Running("f2")
    with pytest.raises(rubric.InputError, match="lerc needs a model"):
        rubric.Running(["lerc"])
