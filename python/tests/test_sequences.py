"""Calls of sequence models: values are the command's, and mistakes name the caller's rows."""

from __future__ import annotations

import json
import math
import subprocess
from pathlib import Path
from typing import Any

import pytest

import rubric
from rubric._program import Files

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests" / "fixtures"
T5, BART, GPT2 = (FIXTURES / "likelihood" / name for name in ("t5", "bart", "gpt2"))
REV = FIXTURES / "rev"
PROGRAM = Path(rubric.__file__).parent / "bin" / "rubric"
LONG = "bread " * 2000

pytestmark = pytest.mark.skipif(not PROGRAM.with_name("libtorch").exists(),
                                reason="the wheel is without models")


def scored(tmp_path: Path, rows: list[dict[str, Any]] | Path, *arguments: object) -> list[Any]:
    """What the command `score` makes of rows."""
    file = rows
    if not isinstance(rows, Path):
        file = tmp_path / "rows.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    subprocess.run([PROGRAM, "score", *map(str, arguments), "--input", file, "--output",
                    tmp_path / "out.jsonl"], check=True, capture_output=True)
    return [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]


def by_row(s: rubric.Scores) -> list[dict[str, float]]:
    """Scores as the command has them, without those of a row that has none."""
    n = len(next(iter(s.values())))
    rows = [{name: s[name].scores[row] for name in s} for row in range(n)]
    return [{name: x for name, x in row.items() if not math.isnan(x)} for row in rows]


def test_rows_that_a_command_counts_from_1_are_told_from_0():
    with Files({"source": ["a", "b"]}) as files:
        told = files.told("error: the model's logits are not finite\n  where: row 2\n  to do: x")
    assert told.split("\n")[1] == "  where: row 1 (the first is 0)"


def test_generate():
    texts = rubric.generate(["a dog", "the cat"], T5, max_new_tokens=3)
    assert len(texts) == 2
    assert rubric.generate({"source": ["a dog", "the cat"]}, T5, max_new_tokens=3) == texts
    assert rubric.generate({"q": ["dog", "cat"], "article": ["a", "the"]}, T5, max_new_tokens=3,
                           source="{article} {q}") == texts


def test_warnings_of_generate_count_the_caller_s_rows():
    with pytest.warns(rubric.RubricWarning) as told:
        rubric.generate(["a", LONG, LONG], GPT2, max_new_tokens=1)
    (message,) = [str(one.message) for one in told if "row" in str(one.message)]
    assert "rows 1, 2 (the first is 0)" in message and "record" not in message
    assert {one.filename for one in told} == {__file__}


@pytest.mark.parametrize(("rows", "options", "row"), [
    ({"source": ["a", LONG], "qid": ["7", "9"]}, {"field": {"id": "qid"}}, 1),
    ({"source": ["a", LONG], "meta": [{"id": 7}, {"id": 9}]}, {"field": ["id=meta.id"]}, 1),
    ({"source": ["a", LONG], "id": ["2", "1"]}, {}, 1),
    ([{"source": "a"}, {"source": LONG}, {"source": "b", "id": "k"}], {}, 1),
    ([{"source": LONG, "id": None}, {"source": "b", "id": "k"}], {}, 0),
])
def test_rows_with_ids_are_known_by_their_places(rows, options, row):
    with pytest.raises(rubric.InputError, match=rf"row {row} \(the first is 0\)") as caught:
        rubric.generate(rows, GPT2, max_new_tokens=1, truncation="error", **options)
    assert caught.value.row == row


def test_generate_refuses_or_ignores_sources_that_are_cut(recwarn):
    sources = ["a", LONG, LONG]
    with pytest.raises(rubric.InputError, match=r"rows 1, 2 \(the.*\n.*shorten") as caught:
        rubric.generate(sources, GPT2, max_new_tokens=1, truncation="error")
    assert caught.value.row == 1
    assert len(rubric.generate(sources, GPT2, max_new_tokens=1, truncation="ignore")) == 3
    assert not [one for one in recwarn.list if "cut" in str(one.message)]
    with pytest.raises(rubric.InputError, match="choose warn, error or ignore"):
        rubric.generate(["a"], GPT2, truncation="cut")


@pytest.mark.parametrize("missing", [None, math.nan])
def test_a_template_s_missing_value_is_named(missing):
    rows = {"question": ["a", "b", "c"], "passage": ["d", "e", missing]}
    for call in (lambda: rubric.generate(rows, T5, source="{question} {passage}"),
                 lambda: rubric.likelihood(rows, model=T5, source="{question}", target="{passage}")):
        with pytest.raises(rubric.InputError, match=r"is null\n.*row 2 \(the first") as caught:
            call()
        assert (caught.value.row, caught.value.field) == (2, "passage")
    with pytest.raises(rubric.InputError, match="source of row 1") as caught:
        rubric.generate(["a", missing], T5)
    assert (caught.value.row, caught.value.field) == (1, "source")


def test_likelihood(tmp_path):
    rows = [{"source": "a dog", "target": "cat"}, {"source": "b", "target": "a dog"}]
    expected = scored(tmp_path, rows, "likelihood", "--model", T5, "--sum", "--per-token")
    s = rubric.likelihood(["a dog", "b"], ["cat", "a dog"], model=T5, sum=True, per_token=True)
    assert by_row(s) == [row["scores"] for row in expected]
    assert s.columns()["target"] == ["cat", "a dog"]
    named = {"question": ["a dog", "b"], "answer": ["cat", "a dog"]}
    again = rubric.likelihood(named, model=T5, columns={"source": "question", "target": "answer"},
                              sum=True)
    assert again["likelihood"].scores == s["likelihood"].scores
    assert list(again.columns()) == ["question", "answer", "likelihood", "likelihood_sum"]
    twice = rubric.likelihood(again, model=T5, columns={"source": "question", "target": "answer"},
                              sum=True)
    assert twice.columns() == again.columns()
    of_answers = rubric.score(named, metrics=["em"],
                              columns={"candidate": "question", "reference": "answer"})
    of_scores = rubric.likelihood(of_answers, model=T5, columns={"source": "question"},
                                  target="{answer}")  # rows of what a call returned
    assert of_scores["likelihood"].scores == s["likelihood"].scores
    assert list(of_scores.columns()) == ["question", "answer", "em", "likelihood"]
    (tmp_path / "named.jsonl").write_text("".join(
        json.dumps(dict(zip(named, row))) + "\n" for row in zip(*named.values())))
    of_file = rubric.likelihood(tmp_path / "named.jsonl", model=T5,
                                columns={"source": "question", "target": "answer"})
    assert of_file["likelihood"].scores == s["likelihood"].scores
    with pytest.raises(rubric.InputError, match='fields "x", "target" are missing\n(.*\n)*.*"question", "answer"'):
        rubric.likelihood(named, model=T5, columns={"source": "x"})
    with pytest.raises(rubric.InputError, match="trget"):
        rubric.likelihood({"source": ["a"], "target": ["b"], "t": ["c"]}, model=T5,
                          columns={"trget": "t"})
    assert s.columns()["likelihood_tokens"] == [row["likelihood_tokens"] for row in expected]
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(rows, index=["x", "y"])
    assert list(rubric.likelihood(frame, model=T5).to_pandas().index) == ["x", "y"]
    of_lists = rubric.likelihood(frame.assign(reference='["a dog", "cat"]'), model=T5)
    em = rubric.score(of_lists, columns={"candidate": "target"}, metrics=["em"])["em"]
    assert em.scores == [1, 1]
    assert by_row(rubric.likelihood(tmp_path / "rows.jsonl", model=T5, sum=True)) == by_row(s)


def test_mistakes_of_likelihood():
    with pytest.raises(rubric.InputError, match="where: decoder_start=xx\n"):
        rubric.likelihood(["a"], ["b"], model=T5, decoder_start="xx")
    with pytest.raises(rubric.InputError, match=r"^columns is \{'source': None\}\n"):
        rubric.likelihood({"q": ["a"], "target": ["b"]}, model=T5, columns={"source": None})
    for sources, row in ((["a", None], 1), ([3, "a"], 0)):
        with pytest.raises(rubric.InputError, match="source of row") as caught:
            rubric.likelihood(sources, ["b", "b"], model=T5)
        assert (caught.value.row, caught.value.field) == (row, "source")
    with pytest.raises(rubric.InputError, match='fields "source", "target" are missing\n') as caught:
        rubric.likelihood({"x": ["a"]}, model=T5)
    assert (caught.value.row, caught.value.field) == (0, "source")
    assert 'columns={"source": "…", "target": "…"}' in str(caught.value)
    with pytest.raises(rubric.InputError, match="names the columns of a table, but lists"):
        rubric.likelihood(["a"], ["b"], model=T5, columns={"source": "a"})
    with pytest.raises(rubric.InputError, match="2 values .* 1 in 'target'"):
        rubric.likelihood(["a", "b"], ["c"], model=T5)
    with pytest.raises(rubric.InputError, match=r"row 1 \(the first is 0\)") as caught:
        rubric.likelihood({"source": ["a", "b"], "target": ["c", " "]}, model=T5)
    assert caught.value.row == 1


def test_rows_that_are_cut_are_named():
    rows = (["a", LONG], ["a", "b"])
    for call, name in (
            (lambda how: rubric.likelihood(*rows, model=GPT2, truncation=how), "likelihood"),
            (lambda how: rubric.bartscore(*rows, model=BART, truncation=how), "bartscore")):
        with pytest.warns(rubric.RubricWarning) as told:
            assert call("warn")[name].truncated == [1]
        assert [(str(one.message), one.filename) for one in told] == [
            ("too long for the model to read whole: 1 of 2 rows, row 1 (the first is 0)", __file__)]
        with pytest.raises(rubric.InputError, match="1 of 2 rows, row 1 ") as caught:
            call("error")
        assert caught.value.row == 1
        with pytest.raises(rubric.InputError, match="choose warn, error or ignore"):
            call("cut")


def test_nothing_is_told_where_truncation_is_ignored(recwarn):
    s = rubric.bartscore(["a", LONG], ["a", "b"], model=BART, truncation="ignore")
    assert s["bartscore_r"].truncated == [1] and not recwarn.list


def test_bartscore(tmp_path):
    rows = [{"candidate": "a dog", "reference": "cat", "passage": "the cat"}]
    (expected,) = scored(tmp_path, rows, "bartscore", "--model", BART)
    s = rubric.bartscore(["a dog"], ["cat"], passages=["the cat"], model=BART)
    assert by_row(s) == [expected["scores"]] and "bartscore_s" in s
    pairs = ["a dog", "a"] * 5, ["cat", "a"] * 5
    of_questions = rubric.bartscore(*pairs, questions=["q", "r"] * 5, model=BART)["bartscore"]
    # Equal texts may differ in the last digits, as products go by the row's place in its batch.
    ends = min(of_questions.scores), max(of_questions.scores)
    assert of_questions.interval == pytest.approx(ends, rel=1e-6)
    assert by_row(rubric.bartscore(rows, model=BART)) == by_row(s)


def test_rev(tmp_path):
    models = {"model": REV / "t5_v1_0", "baseline_model": REV / "t5_v1_1"}
    options = ["rev", "--model", models["model"], "--baseline-model", models["baseline_model"]]
    lines = (REV / "rows.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    expected = [row["scores"] for row in scored(tmp_path, REV / "rows.jsonl", *options)]
    s = rubric.rev(rows, **models)
    assert by_row(s) == expected and s["rev"].truncated == []
    assert by_row(rubric.rev(REV / "rows.jsonl", **models)) == expected
    assert s.columns()["rationale"] == [row["rationale"] for row in rows]
    named = [{"why" if key == "rationale" else key: value for key, value in row.items()}
             for row in rows]
    of_named = rubric.rev(named, columns={"rationale": "why"}, **models)
    for wrong in {"rational": "why"}, {"rationale": "reason"}:
        with pytest.raises(rubric.InputError, match="fields of a rationale are id, .*, why"):
            rubric.rev(named, columns=wrong, **models)
    assert by_row(of_named) == expected and "rationale" not in of_named.columns()
    assert of_named.columns()["why"] == s.columns()["rationale"]
    bad = [*rows[:2], {**rows[2], "label": ""}]
    with pytest.raises(rubric.InputError, match=r"row 2 \(the first is 0\)") as caught:
        rubric.rev(bad, **models)
    assert caught.value.row == 2
    without_ids = [{key: value for key, value in row.items() if key != "id"} for row in bad]
    with pytest.warns(rubric.RubricWarning, match=r"row 2 \(the first is 0\)\n"):
        rubric.rev(without_ids, **models, keep_going=True)
    with pytest.warns(rubric.RubricWarning):
        kept = rubric.rev(bad, **models, keep_going=True)
    assert math.isnan(kept["rev"].scores[2])
    assert by_row(kept) == [row.get("scores", {})
                            for row in scored(tmp_path, bad, *options, "--keep-going")]


def test_kinds_of_rationales_are_compared(tmp_path):
    models = ["--model", REV / "t5_v1_0", "--baseline-model", REV / "t5_v1_1"]
    rows = [{"id": "0", "question": "Where?", "choices": ["attic", "bath"], "label": "attic",
             "gold": "attic", "rationale": "It is warm.", "baseline": "In the attic."}]
    files = {}
    for kind in ("written", "vacuous"):
        rows[0]["rationale"] = kind
        scored(tmp_path, rows, "rev", *models)
        files[kind] = (tmp_path / "out.jsonl").rename(tmp_path / f"{kind}.jsonl")
    report = rubric.evaluate_rev(files)
    pairs = [f"{kind}={file}" for kind, file in files.items()]
    assert report.values == json.loads(subprocess.run(
        [PROGRAM, "evaluate", "rev", "--pairs", *pairs, "--format", "json"], check=True,
        capture_output=True).stdout)
    report.to_html(tmp_path / "rev.html")
    assert "vacuous" in (tmp_path / "rev.html").read_text(encoding="utf-8")


def test_a_row_that_a_model_cannot_score():
    with pytest.raises(rubric.InputError, match=r"row 2 \(the first is 0\)") as caught:
        rubric.bartscore(["a", "b", ""], ["x", "y", "z"], model=BART)
    assert caught.value.row == 2
    with pytest.raises(rubric.InputError, match=r'columns=\{"source": "src"\}'):
        rubric.likelihood({"src": ["a"], "target": ["b"]}, columns={"source": "sr"}, model=T5)
    with pytest.raises(rubric.InputError, match="'output_field' is given by the function itself"):
        rubric.generate(["a"], T5, output_field="x")
