"""rubric.load: a model in a process of its own."""

from __future__ import annotations

import hashlib
import json
import math
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import pytest
from conftest import summary_of

import rubric

BIN = Path(rubric.__file__).parent / "bin"
FIXTURE = Path(__file__).parents[2] / "tests" / "fixtures" / "lerc"
ROWS = json.loads((FIXTURE / "expected.json").read_text(encoding="utf-8"))
TEXTS = {name: [row[name] for row in ROWS] for name in ("candidate", "reference", "passage", "question")}

pytestmark = [
    pytest.mark.skipif(not (BIN / "libtorch").exists(), reason="the wheel is without models"),
    pytest.mark.filterwarnings("ignore::rubric.RubricWarning"),
]


@pytest.fixture(scope="module")
def lerc():
    with rubric.load(FIXTURE, threads=1) as model:
        yield model


def wait_for_end(pid: int) -> None:
    """Hangs, and is stopped by its caller, where the process does not end."""
    while True:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return
        if state == "Z":
            return
        time.sleep(0.05)


def test_equals_the_command_bit_for_bit(lerc, tmp_path):
    with open(tmp_path / "rows.jsonl", "w", encoding="utf-8") as file:
        for row in zip(*TEXTS.values()):
            file.write(json.dumps(dict(zip(TEXTS, row))) + "\n")
    subprocess.run([BIN / "rubric", "score", "lerc", "--model", FIXTURE, "--threads", "1", "--input",
                    tmp_path / "rows.jsonl", "--output", tmp_path / "out.jsonl", "--summary",
                    tmp_path / "summary.json"], check=True)
    rows = map(json.loads, (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines())
    summary = summary_of(tmp_path / "summary.json")["lerc"]
    expected = [row["scores"]["lerc"] for row in rows]
    for _ in range(2):  # the second call counts its own rows
        s = lerc.score(TEXTS)["lerc"]
        assert s.scores == expected
        assert (s.mean, list(s.interval), s.signature) == summary


def test_inputs_and_progress(lerc, capsys):
    s = lerc.score(TEXTS["candidate"], TEXTS["reference"], passages=TEXTS["passage"],
                   questions=TEXTS["question"], progress=True)
    assert list(s) == ["lerc"] and len(s["lerc"]) == len(ROWS)
    assert f"{len(ROWS)}/{len(ROWS)}" in capsys.readouterr().err
    with pytest.warns(rubric.RubricWarning, match="1 of 1 row has no passage"):
        lerc.score(["é\U0001f600"], [["dog", "hound"]])
    with pytest.raises(rubric.InputError, match="there is no file 'rows.jsonl'"):
        lerc.score("rows.jsonl")
    with pytest.raises(rubric.InputError, match="reference of row 1") as caught:
        lerc.score(["a", "b"], ["a", None])
    assert caught.value.row == 1
    with pytest.warns(rubric.RubricWarning, match="row 1 .*; 1 of them None or NaN\n"):
        assert len(lerc.score(["a", None], ["a", "b"])["lerc"]) == 2
    with pytest.warns(rubric.RubricWarning, match="1 row is left out"):
        assert len(lerc.score(["a", None], ["a", "b"], missing="drop")["lerc"]) == 1


def test_mistakes():
    with pytest.raises(rubric.InputError, match="nowhere"):
        rubric.load("nowhere")
    with pytest.raises(rubric.InputError, match="no metric called"):
        rubric.load(FIXTURE, metric="lerk")
    with pytest.raises(rubric.InputError, match="takes no model"):
        rubric.load(FIXTURE, metric="f1")
    with pytest.raises(rubric.InputError, match="no setting of lerc"):
        rubric.load(FIXTURE, layers=3)
    with pytest.raises(rubric.InputError, match="likelihood does not score answers by a model\n  to do: name one"):
        rubric.load(FIXTURE, metric="likelihood")
    with pytest.raises(rubric.InputError, match="threads is -3"):
        rubric.load(FIXTURE, threads=-3)
    with pytest.raises(rubric.InputError, match="^layer= is x\n"):
        rubric.load(FIXTURE, metric="bertscore", layer="x")
    with pytest.raises(rubric.InputError, match="as the command takes it\n"
                                                r"  to do: rubric.load\('x', metric='bertscore'\)"):
        rubric.load("bertscore=x")
    with pytest.raises(rubric.InputError, match="^the metric f1 takes no model"):
        rubric.load("f1=x")


def test_arguments_that_are_not_there_are_told_those_that_are():
    there = "There are model, metric, metrics, threads, int8, verdict, explain$"
    for name, meant in ("device", "leave it out"), ("model_name", "did you mean model[?]"), (
            "batch_size", "leave it out"), ("thread", "did you mean threads[?]"):
        message = f"{name!r} is no .*\n  to do: {meant}.*{there}"
        with pytest.raises(rubric.InputError, match=message):
            rubric.load("lerc-answers", **{name: "x"})


def test_what_is_no_model_is_told_what_to_do(tmp_path):
    with pytest.raises(rubric.InputError, match="to do: did you mean lerc-answers, which"):
        rubric.load("lerc_answers")
    with pytest.raises(rubric.InputError, match="(?s)holds no model.*to do: name the folder") as no:
        rubric.load(tmp_path)
    assert "--" not in str(no.value)
    with pytest.raises(rubric.InputError, match="`rubric train --config lerc_ad.yaml --set model.name="):
        rubric.load(FIXTURE.parents[2] / ".deps" / "minilm")
    for metric in "lerc", "bertscore":
        shutil.copytree(FIXTURE, tmp_path / metric)
        for config in "{", "{}", '{"model_type": "llama"}':
            (tmp_path / metric / "config.json").write_text(config)
            with pytest.raises(rubric.InputError, match="(?s)config.json.*  to do: name a "):
                rubric.load(tmp_path / metric, metric=metric)


def test_a_missing_passage_or_question_is_none(lerc, tmp_path):
    texts = {name: column[:3] for name, column in TEXTS.items()}
    for field in "passage", "question":
        with pytest.warns(rubric.RubricWarning, match=f"1 of 3 rows has no {field}, which the"):
            expected = lerc.score({**texts, field: ["x", "", "x"]})["lerc"]
        assert "|missing:1/3|" in expected.signature
        file = tmp_path / f"{field}.jsonl"
        rows = [{name: column[i] for name, column in texts.items()} for i in range(3)]
        rows[1].pop(field)
        rows[0][field] = rows[2][field] = "x"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        for given in ({**texts, field: ["x", None, "x"]}, {**texts, field: ["x", math.nan, "x"]},
                      rows, file):
            with pytest.warns(rubric.RubricWarning, match=f"1 of 3 rows has no {field}, which"):
                score = lerc.score(given)["lerc"]
            assert (score.scores, score.signature) == (expected.scores, expected.signature)
    with rubric.load(FIXTURE.parent / "bertscore/roberta", metric="bertscore", layer=1) as model:
        expected = model.score(texts)["bertscore"].scores
        assert model.score({**texts, "question": ["x", None, "x"]})["bertscore"].scores == expected


def test_warnings_of_a_model_tell_rows(lerc):
    with pytest.warns(rubric.RubricWarning, match=r"as an empty text: row 1 \(the first is 0\)$"):
        lerc.score(["a", ""], ["a", "b"], passages=["p"] * 2, questions=["q"] * 2)


def test_without_a_name_it_is_the_shipped_model():
    shipped = Path(rubric.__file__).parent / "share/rubric/models/lerc-answers-small"
    scores = []
    for name in (None, "lerc-answers", shipped):
        with rubric.load(name, threads=1) as model:
            scores.append(model.score(TEXTS)["lerc"])
    assert [s.scores for s in scores] == [scores[0].scores] * 3
    assert scores[0].signature.startswith("lerc|model:lerc-answers-small:")
    assert scores[0].signature == scores[1].signature == scores[2].signature
    assert scores[0].verdicts is None and scores[0].explanations is None
    defaults = {metric.name: metric.default_model for metric in rubric.list_metrics()}
    assert {name for name, model in defaults.items() if model} == {"lerc"}
    with pytest.raises(rubric.InputError, match="bertscore has no model of its own"):
        rubric.load(metric="bertscore")


@pytest.fixture
def judging(lerc, tmp_path):
    """The tiny model with a threshold in the middle of its scores, and these."""
    scores = lerc.score(TEXTS)["lerc"].scores
    shutil.copytree(FIXTURE, tmp_path / "model")
    threshold = sorted(scores)[len(scores) // 2]
    (tmp_path / "model" / "rubric.yaml").write_text(f"max_length: 64\nthreshold: {threshold!r}\n")
    with rubric.load(tmp_path / "model", threads=1, verdict=True, explain=True) as model:
        yield model, scores, threshold


def test_verdicts_and_explanations(judging, lerc):
    model, scores, threshold = judging
    s = model.score(TEXTS)
    assert s["lerc"].scores == scores
    assert s["lerc"].verdicts == ["right" if x >= threshold else "wrong" for x in scores]
    assert set(s["lerc"].verdicts) == {"right", "wrong"}
    assert f"|threshold:{threshold!r}|" in s["lerc"].signature
    assert s.columns()["verdict"] == s["lerc"].verdicts
    row = next(row for row, text in enumerate(TEXTS["candidate"]) if len(text.split()) > 1)
    explanation = s["lerc"].explanations[row]
    first, *rest = TEXTS["candidate"][row].split()
    assert [word for word, _ in explanation["words"]] == [first, *rest]
    without = lerc.score([" ".join(rest)], [TEXTS["reference"][row]],
                         passages=[TEXTS["passage"][row]], questions=[TEXTS["question"][row]])
    assert explanation["words"][0][1] == pytest.approx(scores[row] - without["lerc"].scores[0],
                                                       abs=1e-5)
    assert explanation["reference"] == TEXTS["reference"][row]


def test_verdicts_are_a_column(judging):
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    model, _, _ = judging
    for table in (pandas.DataFrame(TEXTS), polars.DataFrame(TEXTS), TEXTS):
        s = model.score(table)
        verdicts = s["lerc"].verdicts
        assert list(s.to_pandas()["verdict"]) == verdicts
        assert s.to_polars()["verdict"].to_list() == verdicts
    again = model.score(model.score(TEXTS))
    assert again.columns()["verdict"] == verdicts and again.columns()["lerc"] == s["lerc"].scores
    with pytest.warns(rubric.RubricWarning, match="other values in lerc, verdict; "):
        replaced = model.score({**TEXTS, "verdict": ["mine"] * len(ROWS), "lerc": [7] * len(ROWS)})
    assert replaced.columns()["verdict"] == verdicts


def test_a_column_named_as_a_score_gives_way(lerc):
    own = ["mine"] * len(ROWS)
    assert lerc.score({**TEXTS, "verdict": own}).columns()["verdict"] == own  # none was asked for
    with rubric.load(FIXTURE.parent / "likelihood" / "bart", metric="bartscore") as model:
        with pytest.warns(rubric.RubricWarning, match="other values in bartscore_p; "):
            s = model.score({**TEXTS, "bartscore_p": own})
        assert s.columns()["bartscore_p"] == s["bartscore_p"].scores


def test_truncated_rows_are_named(lerc):
    texts = {"candidate": ["a dog", "a dog"], "reference": ["dog", "dog"], "question": ["q", "q"],
             "passage": ["p", "word " * 2000]}
    with pytest.warns(rubric.RubricWarning, match="1 of 2 rows, row 1 "):
        assert lerc.score(texts)["lerc"].truncated == [1]
    with pytest.raises(rubric.InputError, match="too long for the model to read whole") as caught:
        lerc.score(texts, truncation="error")
    assert caught.value.row == 1
    with pytest.raises(rubric.InputError, match="choose warn, error or ignore"):
        lerc.score(texts, truncation="cut")
    # A reference that is left out costs one warning, too.
    for row in texts, {**texts, "passage": ["p", "p"], "reference": ["dog", ["dog", "word " * 600]]}:
        for truncation, count in ("warn", 1), ("ignore", 0):
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                assert lerc.score(row, truncation=truncation)["lerc"].truncated == [1]
            assert [str(one.message) for one in told][count:] == []
    short = lerc.score(["a"], ["b"], passages=["p"], questions=["q"], truncation="error")
    assert short["lerc"].truncated == []


def test_several_models_and_threads(lerc):
    expected = lerc.score(TEXTS)["lerc"].scores
    with rubric.load(FIXTURE, threads=1) as other:
        got = []
        threads = [threading.Thread(target=lambda m=m: got.append(m.score(TEXTS)["lerc"].scores))
                   for m in (lerc, other, lerc, other)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert got == [expected] * 4


class WhenScoring:
    """In place of stderr: calls a function when progress is shown for the first time."""

    def __init__(self, call) -> None:
        self._call, self._is_called = call, False

    def write(self, text: str) -> None:
        if "scoring" in text and not self._is_called:
            self._is_called = True
            self._call()

    def flush(self) -> None:
        pass


class Recorded:
    """A worker's events, which it keeps."""

    def __init__(self, queue) -> None:
        self._queue, self.events = queue, []

    def get(self):
        self.events.append(self._queue.get())
        return self.events[-1]


MANY = {name: column * 20_000 for name, column in TEXTS.items()}


def test_ctrl_c_gives_up_a_call_and_the_next_one_scores(lerc, monkeypatch):
    expected = lerc.score(TEXTS)["lerc"].scores
    recorded = Recorded(lerc._worker._events)
    monkeypatch.setattr(lerc._worker, "_events", recorded)
    monkeypatch.setattr(sys, "stderr", WhenScoring(lambda: os.kill(os.getpid(), signal.SIGINT)))
    with pytest.raises(KeyboardInterrupt):
        lerc.score(MANY, progress=True)
    given_up = recorded.events[0]["id"]
    assert lerc.score(TEXTS)["lerc"].scores == expected
    events = [event for event in recorded.events if event["id"] == given_up]
    assert not [event for event in events if event["event"] == "done"]
    done = [event["done"] for event in events if event["event"] == "progress"]
    assert 0 < max(done) < len(MANY["candidate"]) / 2  # the process itself has stopped, too


def test_close_while_another_thread_scores(monkeypatch):
    model = rubric.load(FIXTURE, threads=1)
    monkeypatch.setattr(sys, "stderr",
                        WhenScoring(lambda: threading.Thread(target=model.close).start()))
    with pytest.raises(rubric.Error, match="^the model is closed\n"):
        model.score(MANY, progress=True)


def test_an_end_of_the_process_is_an_error():
    model = rubric.load(FIXTURE, threads=1)
    os.kill(model._worker.pid, signal.SIGKILL)
    with pytest.raises(rubric.Error, match="by SIGKILL"):
        model.score(TEXTS)
    with pytest.raises(rubric.Error, match="closed"):
        model.score(TEXTS)


def test_close_ends_the_process_and_leaves_no_thread_or_file():
    def held():
        return set(threading.enumerate()), sorted(os.listdir("/proc/self/fd"))

    before = held()
    model = rubric.load(FIXTURE, threads=1)
    pid = model._worker.pid
    model.close()
    assert held() == before
    wait_for_end(pid)
    with pytest.raises(rubric.Error, match="closed"):
        model.score(TEXTS)
    model = rubric.load(FIXTURE, threads=1)
    pid = model._worker.pid
    del model
    wait_for_end(pid)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_close_ends_the_process_that_a_fork_has_a_pipe_to():
    model = rubric.load(FIXTURE, threads=1)
    child = multiprocessing.get_context("fork").Process(target=time.sleep, args=(60,))
    child.start()
    process = model._worker._process
    model.close()
    child.kill()
    child.join()
    assert process.returncode == 0  # it was not killed


@pytest.mark.parametrize("child", ["", "if os.fork() == 0: time.sleep(60); os._exit(0)"])
def test_the_process_ends_with_a_killed_parent(child):
    """Also where another child holds the other end of its pipe."""
    code = ("import os, signal, sys, time, rubric\n"
            f"model = rubric.load({str(FIXTURE)!r}, threads=1)\n"
            f"{child}\n"
            "print(model._worker.pid, flush=True)\n"
            "os.kill(os.getpid(), signal.SIGKILL)\n")
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        pid = int(parent.stdout.readline())
        parent.wait()
        wait_for_end(pid)
    finally:
        try:
            os.killpg(parent.pid, signal.SIGKILL)  # the other child
        except ProcessLookupError:
            pass
        parent.stdout.close()


def score_in_child(model) -> str:
    try:
        model.score(TEXTS)
    except rubric.Error as error:
        return str(error)
    return "scored"


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_loads_its_own(lerc):
    parent, child = multiprocessing.get_context("fork").Pipe()
    process = multiprocessing.get_context("fork").Process(
        target=lambda: child.send(score_in_child(lerc)))
    process.start()
    assert "in another process" in parent.recv()
    process.join()
    assert len(lerc.score(TEXTS)["lerc"]) == len(ROWS)


def test_leaves_the_process_as_it_was(lerc):
    sys.path.insert(0, str(Path(__file__).parent))
    from test_process import state_of_process

    lerc.score(TEXTS)
    before = state_of_process()
    lerc.score(TEXTS)
    assert state_of_process() == before


def test_questions_that_the_model_has_seen(tmp_path):
    shutil.copytree(FIXTURE, tmp_path / "model")
    (tmp_path / "model" / "rubric.yaml").write_text(
        "max_length: 64\nquestion_hashes: squad-unicode-1\n")
    for name, question in ("trained", b"who came"), ("tuned", b"why"):
        (tmp_path / "model" / f"{name}_questions.bin").write_bytes(
            hashlib.sha256(question).digest()[:8])
    rows = {"candidate": ["Tom", "rain", "a dog", "two", "bread"],
            "reference": ["Tom", "rain", "a cat", "two", "a bridge"],
            "passage": ["It rained."] * 5,
            "question": ["Who came?", "Why?", "the: WHO came", "How many?", "What?"]}
    with rubric.load(tmp_path / "model", threads=1) as model, \
            pytest.warns(rubric.RubricWarning, match="trained on the questions of 40% of the rows"):
        s = model.score(rows)
    assert s["lerc"].seen == ["trained", "tuned", "trained", None, None]
    assert "|seen:40%,tuned:20%|" in s["lerc"].signature
    columns = s.columns()
    assert columns["seen.lerc"] == s["lerc"].seen
    report = rubric.agreement({**columns, "human": [1, 2, 3, 4, 5]}, human="human",
                              metrics=["lerc"])
    assert report.find("pearson").n == 5
    assert report.find("pearson", subset="unseen questions").n == 2
    assert (report.find("seen_trained").value, report.find("seen_tuned").value) == (2, 1)


def test_a_model_that_lists_no_questions(lerc):
    s = lerc.score(TEXTS)
    assert s["lerc"].seen is None
    assert "seen.lerc" not in s.columns()
