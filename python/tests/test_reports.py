"""rubric.agreement and rubric.compare."""

from __future__ import annotations

import json
import math
import os
import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest

import rubric

ROWS = {
    "id": list(range(12)),
    "dataset": ["x", "y"] * 6,
    "model": ["m", "m", "n", "n", "o", "o"] * 2,
    "candidate": ["the dog", "a cat", "cow", "hen", "a big pig", "ox", "dog", "c", "d", "e", "cat", "g"],
    "reference": ["dog", "cat", "cow", "egg", "pig", "ox", "cat", "c", "a d", "f", "a cat", "h"],
    "judge": [1.0, 0.8, 1.0, 0.1, 0.7, None, 0.0, 1.0, 0.9, 0.2, 1.0, 0.1],
}


@pytest.fixture
def scores():
    return rubric.score(ROWS, metrics=["f1", "rouge_l"])


def command(*arguments: object) -> str:
    program = Path(rubric.__file__).parent / "bin" / "rubric"
    return subprocess.run([program, *map(str, arguments)], check=True, capture_output=True, text=True,
                          env={**os.environ, "COLUMNS": "0"}).stdout  # any width


def without_signature(values):
    return {key: value for key, value in values.items() if key != "signature"}


def write_rows(scores, path, rows=ROWS):
    lines = [dict(zip(rows, cells)) | {"scores": {name: s.scores[i] for name, s in scores.items()}}
             for i, cells in enumerate(zip(*rows.values()))]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize("place", ["plain", "R&D's <\"x\"> ä"])
def test_pages_name_no_files_of_the_call(scores, tmp_path, monkeypatch, place):
    (tmp_path / place).mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / place))
    page = tmp_path / "page.html"
    rubric.agreement(scores, human="judge", missing="drop").to_html(page)
    pages = [page.read_text(encoding="utf-8")]
    assert "<p>Data: the rows (labels: " in pages[0]
    file = write_rows(scores, tmp_path / "a.json&l.jsonl")
    for tables, names in (((scores, scores), "table 0, table 1"),
                          ((scores, file, scores), f"table 0, {tmp_path}/a.json&amp;l.jsonl, table 2")):
        rubric.compare(*tables, metric="f1").to_html(page)
        pages.append(page.read_text(encoding="utf-8"))
        assert f"<p>Data: {names}</p>" in pages[-1]
    assert not [page for page in pages if "rubric-" in page or "rows" in page and ".jsonl/" in page]


def test_messages_tell_the_table():
    rows = {"f1": [0.5, 1.0]}
    with pytest.raises(rubric.InputError, match=r"is a value of type bytes\n.* row 1 \(the first is 0\) of table 1\n"):
        rubric.compare(rows, {"f1": [0.5, b"1"]}, metric="f1")
    with pytest.raises(rubric.InputError, match="^table 1 is a value of type int\n"):
        rubric.compare(rows, 3, metric="f1")
    with pytest.raises(rubric.InputError, match="^rows are a value of type int\n"):
        rubric.agreement(3, human="judge")
    with pytest.raises(rubric.InputError, match="(?s)^the table holds no scores\n.*metrics="):
        rubric.agreement([{"text": "x", "judge": 1}], human="judge")
    for empty in [], [{}, {}]:
        with pytest.raises(rubric.InputError, match=" no rows"):
            rubric.agreement(empty, human="judge")


def test_the_label_is_no_metric():
    """It would agree with itself, r = 1.000."""
    rows = {"id": list("abcd"), "f1": [0.1, 0.5, 0.4, 0.9], "lab": [1, 2, 3, 5]}
    for call in (lambda: rubric.agreement(rows, metrics=["f1", "lab"], human="lab"),
                 lambda: rubric.estimate(rows, metrics=["f1", "lab"], human="lab")):
        with pytest.raises(rubric.InputError, match="^the label lab is also named as a metric\n"):
            call()


def test_rows_without_ids_are_called_by_their_numbers_from_0():
    tables = [{"f1": [0.5, 1.0, 0.1], "question": ["p", "q", "r"]},
              {"f1": [0.5, 0.2, 0.9], "question": ["p", "q", "s"]}]
    report = rubric.compare(tables[0], {**tables[1], "question": ["p", "q", "r"]}, metric="f1")
    assert [row.id for row in report.records.differing] == ["1", "2"]
    with pytest.raises(rubric.InputError, match="1 of 3 records have another question .*: row 2\n"):
        rubric.compare(*tables, metric="f1")
    system = {"m": ["x", "y"], "f1": [1, 2]}
    with pytest.raises(rubric.InputError, match="not one record"):
        rubric.compare(system, metric="f1", system="m")
    twice = {"id": [1, 1], "llm": ["x", "y"], "f1": [1, 2], "judge": [1, 2]}
    with pytest.raises(rubric.InputError, match='names the system, system="llm"; where'):
        rubric.agreement(twice, metric="f1", human="judge")


def test_names_in_one_text_are_told_to_be_a_list():
    rows = {"f1": [0.5, 1.0], "em": [0, 1], "judge": [0, 1]}
    for call in (lambda: rubric.agreement(rows, metrics="f1, em", human="judge"),
                 lambda: rubric.compare(rows, rows, metric="f1,em"),
                 lambda: rubric.Running("f1,em")):
        with pytest.raises(rubric.InputError, match=r'=\["f1", "em"\]$'):
            call()


def test_hints_have_no_options_that_the_call_lacks(tmp_path):
    (tmp_path / "rows.txt").write_text("x\n")
    with pytest.raises(rubric.InputError, match=r"--input-format \(of the command\)"):
        rubric.agreement(tmp_path / "rows.txt", human="judge")
    with pytest.raises(rubric.InputError, match=r'metrics=\["a", "b"\]$'):
        rubric.agreement({"x": [1, 2], "judge": [1, 2]}, human="judge")
    with pytest.raises(rubric.InputError, match="; the fields of the first row are x, judge$"):
        rubric.agreement({"x": [1, 2], "judge": [1, 2]}, metrics=["x"], human="judge", group="g")
    rows = [{"question": "q", "reference": "r", "candidate": "c", "passage": "p", "reply": "Agree"}]
    with pytest.raises(rubric.InputError, match="give system_name=NAME, or a field"):
        rubric.judge(rows, tmp_path / "ledger.jsonl", judge="x", recorded=True)
    with pytest.raises(rubric.InputError, match='where: overrides={"run.epoch": "3"}\n'):
        rubric.train("own.yaml", overrides={"run.epoch": 3})
    with pytest.raises(rubric.InputError, match="where: output= and resume=\n"):
        rubric.train("own.yaml", output="x", resume="y")
    with pytest.raises(rubric.InputError, match="scripts/setup --meteor in"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("RUBRIC_METEOR", str(tmp_path))
            rubric.score(["a"], ["a"], metrics=["meteor"])


def test_reports_have_no_words_of_a_command_line():
    """Of rows that share questions with the dev rows, one of which has no label."""
    rows = {"f1": [0.2, 0.7, 0.4, 0.9, 0.6], "em": [0, 1, 1, 1, 0], "question": list("ppqqr"),
            "judge": [False, True, True, True, False]}
    dev = {"f1": [0.25, 0.75, 1], "em": [0, 1, 1], "question": list("pqs"),
           "judge": [False, True, None]}
    report = rubric.agreement(rows, metrics=["f1", "em"], human="judge", dev=dev,
                              missing="drop")
    for format in "text", "json", "markdown", "csv", "latex":
        assert not re.findall("--[a-z]+", report.to_text(format))
    for note in ("It is the best on the 2 dev rows (1 positive)", "curve, of the dev rows.",
                 "dev rows: 1 row without a human label left out",
                 "4 rows have a question that the dev rows have too",
                 "the permutation test permutes the rows of a question together; "
                 'test="williams" takes rows as independent'):
        assert note in report.to_text()
    report = rubric.agreement(rows, metrics=["f1", "em"], human="judge", test="williams")
    assert 'test="permutation" permutes them together' in report.to_text()
    assert any('test="permutation"' in note for note in report.notes)


def test_agreement_is_the_command_s(scores, tmp_path):
    path = write_rows(scores, tmp_path / "rows.jsonl")
    expected = json.loads(command("evaluate", "agreement", "--input", path, "--human", "judge",
                                  "--group", "dataset", "--system", "model", "--missing", "drop",
                                  "--format", "json")
                          .replace("--test williams", r'test=\"williams\"'))
    arguments = {"human": "judge", "group": "dataset", "system": "model", "missing": "drop"}
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(scores.columns())
    for rows, metrics in ((scores, ()), (path, ()), (frame, ["f1", "rouge_l"])):
        report = rubric.agreement(rows, metrics=metrics, **arguments)
        assert without_signature(report.values) == without_signature(expected)
    report = rubric.agreement(path, **arguments)
    assert report.values == expected and report.signature == expected["signature"]
    assert report.find("pearson", metric="f1") in expected["measurements"]
    assert "f1" in str(report) and 'class="bar"' in report._repr_html_()
    assert report.to_text("csv").count(",") > 10


ALIKE = {"f1": [0.2, 0.7, 0.4, 0.9, 0.6], "judge": [False, True, True, True, False]}
OTHERS = {"f1": [0.25, 0.75], "judge": [False, True]}


def test_agreement_at_the_dev_threshold_is_the_command_s(tmp_path):
    """0.5 separates the dev rows, and calls three of five rows as the judge does."""
    files = []
    for name, table in ("rows", ALIKE), ("dev", OTHERS):
        lines = [json.dumps(dict(zip(table, cells))) for cells in zip(*table.values())]
        files.append(tmp_path / f"{name}.jsonl")
        files[-1].write_text("\n".join(lines))
    arguments = {"metrics": ["f1"], "human": "judge"}
    report = rubric.agreement(ALIKE, dev=OTHERS, **arguments)
    assert (report.find("accuracy_threshold").value, report.find("accuracy").value) == (0.5, 0.6)
    expected = json.loads(command("evaluate", "agreement", "--input", files[0], "--dev", files[1],
                                  "--metric", "f1", "--human", "judge", "--format", "json"))
    for rows, dev in (files, (files[0], OTHERS), (ALIKE, files[1])):
        values = rubric.agreement(rows, dev=dev, **arguments).values
        assert without_signature(values) == without_signature(expected)
    assert without_signature(report.values) == without_signature(expected)
    report.to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert ", dev (dev rows)</p>" in page and ".jsonl" not in page
    scores = rubric.score(["a", "b"], ["a", "x"], metrics=["em"])
    assert rubric.agreement({**scores.columns(), "judge": [1, 0]}, metrics=["em"], human="judge",
                            dev={"em": [1, 0, 1], "judge": [1, 0, 1]}).find("f1").value == 1


@pytest.mark.parametrize(("dev", "message", "row"), [
    (ALIKE, "^dev= has the rows of rows=\n  where: dev\n", None),
    ({"f1": [1, None], "judge": [0, 1]}, r"row 1 \(the first is 0\) of dev\n", 1),
    ({"f1": [1, math.inf], "judge": [0, 1]}, r"it is inf\n  where: row 1 \(the first is 0\) of dev\n", 1),
    ({"f1": [1, 2, 3], "judge": [0, 1, 2]}, "^dev= has the labels 0, 1, 2, and the input", None),
    (3, "^dev is a value of type int\n", None),
    ("nowhere", "^there is no file 'nowhere'", None),
])
def test_dev_rows_that_choose_no_threshold(dev, message, row):
    with pytest.raises(rubric.InputError, match=message) as caught:
        rubric.agreement(ALIKE, metrics=["f1"], human="judge", dev=dev)
    assert caught.value.row == row and "/rubric-" not in str(caught.value)


def test_agreement_writes_a_report(scores, tmp_path):
    report = rubric.agreement(scores, human="judge", missing="drop")
    report.to_html(tmp_path / "agreement.html")
    page = (tmp_path / "agreement.html").read_text(encoding="utf-8")
    assert page.lower().startswith("<!doctype html") and "rouge_l" in page


def systems(report):
    return list(dict.fromkeys(one.system for one in report.measurements if one.statistic == "mean"))


def test_compare_is_the_command_s(scores, tmp_path):
    right = ROWS | {"candidate": ROWS["reference"]}
    other = rubric.score(right, metrics=["f1", "rouge_l"])
    a, b = write_rows(scores, tmp_path / "a.jsonl"), write_rows(other, tmp_path / "b.jsonl", right)
    expected = json.loads(command("compare", a, b, "--metric", "f1", "--format", "json"))
    tests = [one for one in expected["measurements"] if one.get("method") == "permutation"]
    for pair in ((scores, other), (a, b), (scores, b)):
        comparison = rubric.compare(*pair, metric="f1")
        assert without_signature(comparison.values) == without_signature(expected)
        assert comparison.p_value == tests[0]["p"]
    named = rubric.compare(scores, other, metric="f1", names=["mine", "theirs"])
    assert systems(named) == ["mine", "theirs"]
    by_name = rubric.compare({"mine": scores, "theirs": b}, metric="f1")
    assert systems(by_name) == ["mine", "theirs"] and by_name.p_value == comparison.p_value
    by_name = rubric.compare({"mine": scores.to_pandas(), 2: other.to_pandas()}, metric="f1")
    assert systems(by_name) == ["mine", "2"] and by_name.p_value == comparison.p_value
    with pytest.raises(rubric.InputError, match="beside a dict"):
        rubric.compare({"mine": scores, "theirs": b}, metric="f1", names=["a", "b"])
    with pytest.raises(rubric.InputError, match="fewer than two systems"):
        rubric.compare({"mine": scores}, metric="f1")
    named = rubric.compare(scores, b, metric="f1", names=["x/y", "theirs"])
    assert systems(named) == ["x/y", "theirs"] and "rubric-" not in named.signature
    assert systems(rubric.compare(scores, b, metric="f1")) == ["a", "b"]
    named.to_html(tmp_path / "compare.html")
    assert "theirs" in (tmp_path / "compare.html").read_text(encoding="utf-8")
    grouped = rubric.compare(scores, other, metric="f1", group="dataset")
    with pytest.raises(rubric.InputError, match="several"):
        grouped.p_value
    grouped.find("difference", method="permutation")  # over all rows
    with pytest.raises(rubric.InputError, match="several measurements of 'mean' .*\n  .*name system"):
        grouped.find("mean", metric="f1", group=grouped.to_pandas().group.max())
    with pytest.raises(rubric.InputError, match="no measurement of 'median' .*\n  .*choose mean, "):
        grouped.find("median")
    with pytest.raises(rubric.InputError, match="no key 'systm'\n.*name metric, system, "):
        grouped.find("mean", systm="mine")
    with pytest.raises(rubric.InputError, match="system is a value of type int\n.*give a text"):
        grouped.find("mean", system=1)
    with pytest.raises(rubric.InputError, match="'mean' has group='absent'\n.*choose '', "):
        grouped.find("mean", group="absent")
    table = grouped.to_pandas()
    assert table[table.statistic == "mean"].value.notna().all() and set(table.metric) == {"f1", ""}
    assert grouped.to_dict()["measurements"] == grouped.measurements
    grouped.to_csv(tmp_path / "compare.csv")
    assert (tmp_path / "compare.csv").read_text(encoding="utf-8") == grouped.to_text("csv")
    by_system = rubric.compare({"model": ["m", "n"] * 2, "id": [1, 1, 2, 2], "x": [1.0, 0, 1, 1]},
                               metric="x", system="model")
    assert systems(by_system) == ["m", "n"]


def test_keys_of_measurements_are_texts_in_pandas():
    pandas = pytest.importorskip("pandas")
    rows = {"model": ["007", "NA"] * 3, "id": [1, 1, 2, 2, 3, 3], "x": [1.0, 0, 1, 0, 0, 1]}
    report = rubric.compare(rows, metric="x", system="model")
    table = report.to_pandas()
    assert set(table.system) == {"007", "NA", ""} and set(table.against) == {"NA", ""}
    assert set(table.group) == {""} and table.seed.map(type).eq(str).all()
    for name in ("p_is_bound", "p_holm_is_bound"):
        assert str(table[name].dtype) == "boolean"
        values = [one.get(name) for one in report.measurements]
        assert [None if value is pandas.NA else value for value in table[name]] == values
    assert table.value.tolist() == [one.value for one in report.measurements]


def test_rows_of_other_records_are_not_compared():
    texts = ["dog", "cat", "cow"]
    a = rubric.score(texts, texts, metrics=["em"])
    b = rubric.score(texts, texts[1:] + texts[:1], metrics=["em"])
    with pytest.raises(rubric.InputError, match="3 of 3 records have another reference in b than in a: rows 0, 1, 2"):
        rubric.compare(a, b, metric="em")


@pytest.mark.filterwarnings("ignore::rubric.RubricWarning")
def test_rows_are_matched_as_those_of_files(tmp_path):
    rows = [{"qid": i, "question": f"Question {i}?", "f1": i * 7 % 10 / 10} for i in range(40)]
    other = [{**row, "f1": row["f1"] ** 2} for row in sorted(rows, key=lambda row: row["qid"] % 7)]
    for names in ("qid", "f1"), ("question", "f1"), ("qid", "question", "f1"):
        tables = [[{name: row[name] for name in names} for row in table] for table in (rows, other)]
        report = rubric.compare(*tables, metric="f1")
        assert report.find("wins").value == 36 and report.find("ties").value == 4
        for path, table in ("a.jsonl", tables[0]), ("b.jsonl", tables[1]):
            (tmp_path / path).write_text("".join(json.dumps(row) + "\n" for row in table))
        of_files = rubric.compare(tmp_path / "a.jsonl", tmp_path / "b.jsonl", metric="f1")
        assert report.measurements == of_files.measurements


def test_columns_of_scored_tables_are_named():
    a = {"key": ["x", "y", "z"], "f1": [1.0, 0.5, 0.0], "judge": [1, 0, 1]}
    b = {"key": ["z", "x", "y"], "f1": [0.5, 0.5, 0.0]}
    comparison = rubric.compare(a, b, metric="f1", columns={"id": "key"})
    assert comparison.find("ties").value == 0 and comparison.find("wins").value == 2
    questions = {**a, "key": ["q", "q", "r"]}
    report = rubric.agreement(questions, metrics=["f1"], human="judge", columns={"question": "key"})
    assert report.find("questions").value == 2
    for call in (lambda columns: rubric.compare(a, b, metric="f1", columns=columns),
                 lambda columns: rubric.agreement(a, metrics=["f1"], human="judge", columns=columns)):
        with pytest.raises(rubric.InputError, match='columns='):
            call({"id": "absent"})
        with pytest.raises(rubric.InputError, match="columns is 'key'"):
            call("key")


def test_what_was_scored_stays_when_the_caller_changes_it():
    candidates = ["dog", "cat"]
    scores = rubric.score(candidates, ["dog", "cow"], metrics=["em"])
    candidates.append("hen")
    assert [len(column) for column in scores.columns().values()] == [2, 2, 2]


def test_several_metrics_are_compared_at_once(scores, tmp_path):
    other = rubric.score(ROWS | {"candidate": ROWS["reference"]}, metrics=["f1", "rouge_l"])
    paths = [write_rows(s, tmp_path / name) for s, name in ((scores, "a.jsonl"), (other, "b.jsonl"))]
    expected = json.loads(command("compare", *paths, "--metric", "f1,rouge_l", "--format", "json"))
    assert rubric.compare(*paths, metric=["f1", "rouge_l"]).values == expected


@pytest.mark.parametrize(("rows", "arguments", "message"), [
    ({"f1": [1.0, 0, 1, 0, 1], "judge": [1, 2, 3]}, {}, "5 values in column 'f1', 3 in 'judge'"),
    ([{"f1": 1.0, "judge": 1}, "abc"], {}, "row 1 .* type str"),
    ({"f1": [1.0, 0], "judge": [1, 2]}, {"test": "wilcoxon"}, "choose auto, williams or permutation"),
    ({"f1": [1.0, 0], "judge": [1, 2]}, {"seed": -1}, "seed is -1"),
    ({"f1": [1.0, 0], "judge": [1, 2]}, {"threads": 1.5}, "threads is 1.5"),
])
def test_mistakes_in_arguments(rows, arguments, message):
    with pytest.raises(rubric.InputError, match=message):
        rubric.agreement(rows, metrics=["f1"], human="judge", **arguments)


def test_rows_without_a_label_or_a_score(scores):
    with pytest.raises(rubric.InputError, match=r'"judge" is empty or NA\n.*row 5 \(the first is 0\)\n.*'
                       'missing="drop"'):
        rubric.agreement(scores, human="judge")
    rows = {"id": list("wxyz"), "f1": [0.1, None, 0.3, 0.4], "judge": [1, 2, None, 3]}
    kept = {"id": ["w", "z"], "f1": [0.1, 0.4], "judge": [1, 3]}
    with pytest.warns(rubric.RubricWarning, match="left out"):
        report = rubric.agreement(rows, metrics=["f1"], human="judge", missing="drop")
    expected = rubric.agreement(kept, metrics=["f1"], human="judge")
    assert report.measurements == expected.measurements
    with pytest.raises(rubric.InputError, match='missing="drop"'):
        rubric.compare(rows, {"id": list("wxyz"), "f1": [0, 0, 0, 0]}, metric="f1")
    with pytest.warns(rubric.RubricWarning, match="left out"):
        comparison = rubric.compare(rows, {"id": list("wxyz"), "f1": [0, 0, 0, 0]}, metric="f1",
                                    missing="drop")
    assert comparison.find("difference", method="permutation").value == pytest.approx(0.8 / 3)
    with pytest.raises(rubric.InputError, match="^missing is 'skip'"):
        rubric.agreement(scores, human="judge", missing="skip")


def test_mistakes(scores):
    with pytest.raises(rubric.InputError, match="nobody"):
        rubric.agreement(scores, human="nobody")
    with pytest.raises(rubric.InputError) as caught:
        rubric.agreement({"f1": [1.0, None], "judge": [1, 2]}, metrics=["f1"], human="judge")
    assert "/rubric-" not in str(caught.value) and "row 1 (the first is 0)" in str(caught.value)
    for systems in (scores,), ():
        with pytest.raises(rubric.InputError, match=r"^fewer than two systems .*\n  .*compare\(a, b\)"):
            rubric.compare(*systems, metric="f1")
    with pytest.raises(rubric.InputError, match="name of its own"):
        rubric.compare(scores, scores, metric="f1", names=["x", "x"])
    with pytest.raises(rubric.InputError, match="type int"):
        rubric.compare(1, 2, metric="f1")
    with pytest.raises(rubric.InputError, match="format"):
        rubric.compare(scores, scores, metric="f1").to_text("yaml")
    with pytest.raises(rubric.InputError, match="resamples"):
        rubric.agreement(scores, human="judge", resamples=0)


def test_mistakes_name_the_caller_s_rows():
    rows = {"f1": [0.1, 0.2, 0.3], "judge": [1, "x", 2]}
    with pytest.raises(rubric.InputError, match=r"(?m)row 1 \(the first is 0\)$") as caught:
        rubric.agreement(rows, metrics=["f1"], human="judge")
    assert (caught.value.row, caught.value.field) == (1, "judge")
    with pytest.raises(rubric.InputError, match=r"(?m)row 2 \(the first is 0\) of table 1$") as caught:
        rubric.compare(rows, {"f1": [0.1, 0.2, "z"]}, metric="f1")
    assert (caught.value.row, caught.value.field) == (2, "f1")


def test_a_report_needs_its_files_no_more(scores, tmp_path):
    a, b = write_rows(scores, tmp_path / "a.jsonl"), write_rows(scores, tmp_path / "b.jsonl")
    expected = command("compare", a, b, "--metric", "f1")
    made = [rubric.agreement(a, human="judge", missing="drop"), rubric.compare(a, b, metric="f1")]
    a.unlink()
    b.unlink()
    assert str(made[1]) == expected.rstrip("\n")
    for report in made:
        report.to_html(tmp_path / "report.html")
        assert "f1" in (tmp_path / "report.html").read_text(encoding="utf-8")
        with pytest.raises(rubric.InputError, match="nowhere/x.html cannot be written"):
            report.to_html(tmp_path / "nowhere" / "x.html")


def test_a_report_is_pickled(scores, tmp_path):
    report = rubric.agreement(scores, human="judge", missing="drop")
    again = pickle.loads(pickle.dumps(report))
    assert again.values == report.values and again.measurements == report.measurements
    assert again.to_text("latex") == report.to_text("latex")
    again.to_html(tmp_path / "report.html")


def test_tables_of_different_lengths_are_not_compared():
    with pytest.raises(rubric.InputError, match="^3 rows in table 0, 2 here, .*\n.*table 1\n"):
        rubric.compare({"f1": [1.0, 2, 3]}, {"f1": [1.0, 2]}, metric="f1")
    with pytest.raises(rubric.InputError) as caught:
        rubric.compare({"id": [0, 1, 5], "f1": [1.0, 2, 3]}, {"id": [0, 1], "f1": [1.0, 2]},
                       metric="f1")
    assert "1 id of table 0 is missing here" in str(caught.value)
    assert "where: table 1" in str(caught.value)
    with pytest.raises(rubric.InputError, match="where: the rows"):
        rubric.agreement({"f1": [0.5, 1]}, metrics=["f1"], human="judge")


@pytest.mark.parametrize(("arguments", "message"), [
    ({"group": None}, "group is None"),
    ({"human": 3}, "human is 3"),
    ({"metrics": 3}, "metrics is a value of type int"),
    ({"metrics": ["f1", 3]}, "one of metrics is 3"),
    ({"system": "\udcff"}, "system is '.udcff'"),
])
def test_arguments_that_are_no_texts(arguments, message):
    rows = {"f1": [1.0, 0, 1], "judge": [1, 2, 3]}
    with pytest.raises(rubric.InputError, match=message):
        rubric.agreement(rows, **{"metrics": ["f1"], "human": "judge", **arguments})
    with pytest.raises(rubric.InputError, match="one of metric is 3"):
        rubric.compare(rows, rows, metric=[3])
    with pytest.raises(rubric.InputError, match="there is no file 'rows'\n"):
        rubric.agreement("rows", human="judge")


def test_rows_without_a_score_are_told_as_such():
    columns = {"judge": [1, 2, 3, 5], "reference": list("abcd"), "candidate": list("abcx")}
    scores = rubric.score(columns, metrics=["em"])
    scores["em"].scores[2] = math.nan
    for rows in scores, scores.columns():
        with pytest.raises(rubric.InputError, match="em has no score in 1 of 4 rows|no score") as told:
            rubric.agreement(rows, metrics=["em"], human="judge")
        assert "JSON" not in str(told.value)


def test_messages_have_the_call_s_words():
    rows = {"f1": [0.1, 0.5, 0.4, 0.9], "judge": [1, 2, 3, 5]}
    with pytest.raises(rubric.InputError, match='did you mean human="judge"\\?'):
        rubric.agreement(rows, metrics=["f1"], human="jug")
    with pytest.raises(rubric.InputError, match="no option human_fil=\n  to do: did you mean human_file="
                       ) as told:
        rubric.evaluate_chie("x.jsonl", human_fil="a")
    assert "command line" not in str(told.value)


def test_scores_carry_the_columns_that_were_named():
    """So that the calls behind `score` find questions under the same names."""
    rows = [{"utterance": f"q{i // 2}", "said": "dog" if i % 3 else "cat", "gold_text": ["dog"],
             "r": {"id": i}, "judge": i % 4 / 4} for i in range(20)]
    names = {"question": "utterance", "candidate": "said", "reference": "gold_text"}
    s = rubric.score(rows, metrics=["f1"], columns=names)
    assert list(s.columns()) == ["utterance", "said", "gold_text", "r", "judge", "f1"]
    report = rubric.agreement(s, metrics=["f1"], human="judge")
    assert report.find("questions").value == 10
    named = rubric.agreement(s.columns(), metrics=["f1"], human="judge", columns=names)
    assert named.measurements == report.measurements
    named = rubric.agreement(s, metrics=["f1"], human="judge", columns=names)
    assert named.measurements == report.measurements
    assert rubric.compare(s, s, metric="f1").find("questions").value == 10


NO_RESULTS = {"Error", "InputError", "Metric", "Model", "RubricWarning", "Running", "Setting", "Values"}


def test_every_result_is_exported_alike(tmp_path: Path) -> None:
    """And those of one metric have the shape of those of several."""
    pandas = pytest.importorskip("pandas")
    rows = {"candidate": ["a", "b"] * 20, "reference": ["a", "c"] * 20, "question": [f"q{i}" for i in range(40)]}
    scores = rubric.score(rows, metrics=["f1", "em"])
    labelled = {**scores.columns(), "judge": [i % 3 for i in range(40)]}
    (tmp_path / "results.json").write_text(json.dumps({"measurements": [
        {"statistic": "pearson", "value": 0.5}, {"metric": "f1", "statistic": "pearson", "value": None}]}))
    results: list[object] = [
        scores, scores["f1"], rubric.agreement(labelled, metrics=["f1", "em"], human="judge"),
        rubric.choose(scores, 10, metrics=["f1"], method="score"), rubric.Run(tmp_path, True)]
    classes = {name for name in rubric.__all__ if isinstance(getattr(rubric, name), type)} - NO_RESULTS
    assert classes == {type(result).__name__ for result in results}
    for result in results:
        name = type(result).__name__
        assert isinstance(result.to_pandas(), pandas.DataFrame) and len(result.to_pandas()), name
        assert isinstance(result.to_dict(), dict) and result.to_dict(), name
        result.to_csv(tmp_path / "result.csv")
        assert len(pandas.read_csv(tmp_path / "result.csv")) > 0, name
    alone = rubric.score(rows, metrics=["f1"])
    assert alone.to_dict() == scores["f1"].to_dict() and list(alone.to_pandas()) == [*rows, "f1"]
    assert list(rubric.Run(tmp_path, True).to_pandas()) == list(results[2].to_pandas())
    one = rubric.agreement(labelled, metrics=["f1"], human="judge")
    assert one.to_dict().keys() == results[2].to_dict().keys()
    assert list(one.to_pandas()) == list(results[2].to_pandas())


def test_progress_is_quiet_in_a_notebook(monkeypatch, capsys) -> None:
    """Text goes to stdout, as a notebook shows stderr in red; a bar of tqdm where it is installed."""
    from rubric import _progress

    class ZMQInteractiveShell:
        pass

    class IPython:
        get_ipython = ZMQInteractiveShell

    def shown() -> tuple[str, str]:
        bar = _progress.Progress("scoring")
        for done in (1, 2):
            bar.show(done, 2)
        return tuple(capsys.readouterr())

    assert shown() == ("", "\rscoring 1/2\rscoring 2/2\n")
    monkeypatch.setitem(sys.modules, "IPython", IPython)
    monkeypatch.setattr(_progress, "find_spec", lambda name: None)
    assert shown() == ("\rscoring 1/2\rscoring 2/2\n", "")
    pytest.importorskip("tqdm")
    monkeypatch.setattr(_progress, "find_spec", lambda name: name == "tqdm" or None)
    out, err = shown()
    assert "scoring: 100%" in out and err == ""


def test_the_column_of_labels_has_a_name():
    rows = {"f1": [0.1, 0.9, 0.5, 0.4], "score": [1, 2, 3, 5]}
    for call in rubric.agreement, rubric.estimate:
        with pytest.raises(rubric.InputError, match="human is empty"):
            call(rows, metrics=["f1"], human="")
