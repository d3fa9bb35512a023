"""Hugging Face's evaluate and lm-evaluation-harness, the packages themselves."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import rubric

FIXTURE = Path(__file__).parents[2] / "tests" / "fixtures" / "lerc"
needs_models = pytest.mark.skipif(
    not (Path(rubric.__file__).parent / "bin" / "libtorch").exists(),
    reason="the wheel is without models")

TASK = """
task: rubric_example
dataset_path: json
dataset_kwargs: {data_files: {test: FILE}}
test_split: test
output_type: generate_until
doc_to_text: "{{question}}"
doc_to_target: "{{answers[0]}}"
generation_kwargs: {until: ["."]}
filter_list:
  - name: rubric
    filter:
      - {function: custom, filter_fn: !function rubric.lm_eval.score}
process_results: !function rubric.lm_eval.process_results
metric_list:
  - {metric: f1, aggregation: mean, higher_is_better: true}
  - {metric: em, aggregation: mean, higher_is_better: true}
  - {metric: rouge_l, aggregation: mean, higher_is_better: true}
"""


@pytest.fixture(autouse=True)
def offline(monkeypatch, tmp_path):
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "HF_EVALUATE_OFFLINE"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))


CALLS = """
import evaluate, rubric
lexical = evaluate.load(rubric.hf_path(), "lexical")
print(lexical.compute(predictions=["the dog", "cat"], references=["dog", "cow"])["f1"])
print(lexical.compute(predictions=["the dog", "cat"], references=[["dog"], ["cow", "cat"]],
                      metrics=["em"]))
try:
    evaluate.load(rubric.hf_path(), "lerk").compute(predictions=["a"], references=["a"])
except rubric.InputError as error:
    print(error)
"""


def test_evaluate_opens_the_module(tmp_path):
    pytest.importorskip("evaluate")
    out = subprocess.run([sys.executable, "-c", CALLS], check=True, capture_output=True, text=True,
                         cwd=tmp_path).stdout.splitlines()
    expected = rubric.score(["the dog", "cat"], [["dog"], ["cow", "cat"]], metrics=["em"]).to_dict()
    assert out[:3] == ["0.5", str(expected), "there is no configuration 'lerk'"]


@needs_models
def test_evaluate_opens_lerc(tmp_path):
    pytest.importorskip("evaluate")
    code = ("import evaluate, rubric\n"
            "lerc = evaluate.load(rubric.hf_path(), 'lerc')\n"
            "for references in (['dog'], [['dog', 'hound']]):\n"
            "    print(lerc.compute(predictions=['a dog'], references=references, passages=['p'],\n"
            f"                       questions=['q'], model={str(FIXTURE)!r})['lerc'])\n"
            "try:\n"
            "    lerc.compute(predictions=['a dog'], references=['a'], passages=['word ' * 2000],\n"
            f"                 questions=['q'], model={str(FIXTURE)!r}, truncation='error')\n"
            "except Exception as error:\n"
            "    print(error.row)\n")
    out = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True,
                         cwd=tmp_path).stdout
    with rubric.load(FIXTURE) as lerc:
        expected = [lerc.score(["a dog"], references, passages=["p"], questions=["q"])["lerc"].mean
                    for references in (["dog"], [["dog", "hound"]])]
    assert list(map(float, out.split())) == [*expected, 0]


@needs_models
def test_evaluate_gives_verdicts_and_explanations(tmp_path):
    pytest.importorskip("evaluate")
    texts = {"predictions": ["a dog", "a cat"], "references": ["the dog", "the dog"],
             "passages": ["p", "p"], "questions": ["q", "q"]}
    code = ("import evaluate, json, rubric\n"
            "lerc = evaluate.load(rubric.hf_path(), 'lerc')\n"
            f"print(json.dumps(lerc.compute(verdict=True, explain=True, **{texts!r})))\n"
            f"print(json.dumps(lerc.compute(**{texts!r})))\n")
    out = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True,
                         cwd=tmp_path).stdout.splitlines()
    with rubric.load(verdict=True, explain=True) as lerc:
        expected = lerc.score(texts["predictions"], texts["references"], passages=texts["passages"],
                              questions=texts["questions"])
    told, plain = map(json.loads, out)
    assert plain == expected.to_dict()
    assert told == {**plain, "verdicts": expected["lerc"].verdicts,
                    "explanations": expected["lerc"].explanations}


@pytest.mark.parametrize("setting", ["verdict", "explain"])
def test_a_filter_refuses_what_gives_more_than_numbers(setting):
    from rubric import lm_eval

    with pytest.raises(rubric.InputError, match=f"^{setting} gives more .*\n  to do: leave it out"):
        lm_eval.scorer("lerc", **{setting: True})
    lm_eval.scorer("lerc", **{setting: False})


def test_lm_evaluation_harness_scores_by_a_filter(tmp_path):
    pytest.importorskip("lm_eval")
    rows = [{"question": "Who?", "answers": ["lol", "nobody"]}, {"question": "What?", "answers": ["a cat"]},
            {"question": "When?", "answers": ["at noon", "lol now"]}]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "task.yaml").write_text(TASK.replace("FILE", str(tmp_path / "rows.jsonl")))
    subprocess.run([sys.executable, "-m", "lm_eval", "--model", "dummy", "--include_path", tmp_path,
                    "--tasks", "rubric_example", "--output_path", tmp_path / "out", "--log_samples"],
                   check=True, cwd=tmp_path)
    (results,) = (tmp_path / "out").rglob("results*.json")
    measured = json.loads(results.read_text())["results"]["rubric_example"]
    expected = rubric.score(["lol"] * 3, [row["answers"] for row in rows],
                            metrics=["f1", "em", "rouge_l"])  # what the dummy answers
    for name in expected:
        assert measured[f"{name},rubric"] == pytest.approx(expected[name].mean, abs=1e-12)


def test_documents_without_references_are_refused():
    from rubric import lm_eval

    with pytest.raises(rubric.InputError, match="no field of question holds references"):
        lm_eval.score([["a"]], [{"question": "q"}])
    with pytest.raises(rubric.InputError, match="may be any of the fields target, answers"):
        lm_eval.score([["a"]], [{"answers": ["a"], "target": "b"}])
    with pytest.raises(rubric.InputError, match="document 1 .* no 'gold'"):
        lm_eval.scorer(["f1"], references="gold")([["a"], ["b"]], [{"gold": "a"}, {"x": 1}])
    with pytest.raises(rubric.InputError, match="not of each"):
        lm_eval.scorer("bleu")([["a"]], [{"answers": ["a"]}])
    with pytest.raises(rubric.InputError, match="document 1 .* no response") as caught:
        lm_eval.score([["a"], []], [{"answers": ["a"]}] * 2)
    assert caught.value.row == 1
    assert lm_eval.score([], []) == []


@pytest.mark.filterwarnings("ignore::rubric.RubricWarning")
def test_answers_of_squad():
    """A question without an answer is right where nothing is answered, as in SQuAD 2's script."""
    from rubric import lm_eval

    docs = [{"answers": {"text": text, "answer_start": [0] * len(text)}}
            for text in (["cat", "a black cat"], [], [])]
    assert lm_eval.scorer(["em", "f1"])([["a cat"], [""], ["dog"]], docs) == [
        {"em": 1.0, "f1": 1.0}, {"em": 1.0, "f1": 1.0}, {"em": 0.0, "f1": 0.0}]


@needs_models
def test_without_a_model_lerc_is_the_shipped_one():
    from rubric import lm_eval

    docs = [{"answers": ["dog", "hound"], "question": "What barks?"}]
    with rubric.load() as lerc:
        expected = lerc.score(["a dog"], [["dog", "hound"]], questions=["What barks?"])["lerc"]
    scores = lm_eval.scorer("lerc", questions="question")([["a dog"]], docs)
    assert scores == [{"lerc": expected.scores[0]}]
    for metrics, message in ((["lerc", "f1"], "a model is for one metric"),
                             (["bertscore"], "bertscore has no model of its own")):
        with pytest.raises(rubric.InputError, match=message):
            lm_eval.scorer(metrics)([["a dog"]], docs)


@needs_models
def test_a_filter_with_a_model_says_what_it_does_with_long_texts(recwarn):
    from rubric import lm_eval

    docs = [{"answers": ["b"], "passage": "word " * 2000, "question": "q"}]
    fields = {"questions": "question", "passages": "passage", "model": FIXTURE}
    with pytest.raises(rubric.InputError, match="to read whole: 1 of 1 rows, row 0"):
        lm_eval.scorer("lerc", truncation="error", **fields)([["b"]], docs)
    lm_eval.scorer("lerc", truncation="ignore", **fields)([["b"]], docs)
    assert not recwarn.list
    with pytest.raises(rubric.InputError, match="truncation is 'zz'"):
        lm_eval.scorer("f1", truncation="zz")
