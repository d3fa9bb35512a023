"""rubric.estimate, rubric.plan and rubric.choose."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

import rubric

ROWS = {
    "id": [f"q{i}" for i in range(120)],
    "dataset": ["x" if i % 3 else "y" for i in range(120)],
    "f1": [(i * 37 % 101) / 101 for i in range(120)],
    "em": [float(i % 4 == 0) for i in range(120)],
}
LABELS = {"id": [f"q{i}" for i in range(0, 120, 2)],
          "verdict": [(i * 37 % 101) > 40 for i in range(0, 120, 2)]}


def command(*arguments: object) -> str:
    """What the command prints, with the options in its notes as arguments of the call."""
    program = Path(rubric.__file__).parent / "bin" / "rubric"
    printed = subprocess.run([program, *map(str, arguments)], check=True, capture_output=True,
                             text=True).stdout
    printed = printed.replace("--field question=FIELD", r'columns={\"question\": \"FIELD\"}')
    return printed.replace("--strata or --probability", "strata= or probability=")


def write(table, path):
    lines = [json.dumps(dict(zip(table, cells))) for cells in zip(*table.values())]
    path.write_text("\n".join(lines))
    return path


@pytest.fixture
def files(tmp_path):
    return write(ROWS, tmp_path / "all.jsonl"), write(LABELS, tmp_path / "labels.jsonl")


def without_signature(values):
    return {key: value for key, value in values.items() if key != "signature"}


def test_estimate_is_the_command_s(files, tmp_path):
    report = rubric.estimate(ROWS, labels=LABELS, human="verdict", metrics=["f1", "em"],
                             group="dataset")
    expected = json.loads(command("estimate", "--all", files[0], "--labels", files[1], "--human",
                                  "verdict", "--metric", "f1,em", "--group", "dataset",
                                  "--format", "json"))
    assert without_signature(report.values) == without_signature(expected)
    again = rubric.estimate(files[0], labels=files[1], human="verdict", metrics=["f1", "em"],
                            group="dataset")
    assert again.values == expected
    mean = report.find("mean", source="labels", method="t")
    assert mean.value == pytest.approx(35 / 60) and mean.n == 60
    assert len(report.to_pandas()) == len(report.measurements)
    report.to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<p>Data: the rows, labels</p>" in page and "<svg" in page


def test_messages_tell_the_argument():
    with pytest.raises(rubric.InputError, match="labels of 1 answer not in the rows: id q999"):
        rubric.estimate(ROWS, labels={"id": ["q999"], "verdict": [1]}, human="verdict",
                        metrics=["f1"])
    with pytest.raises(rubric.InputError, match="the label \"verdict\" is 0") as told:
        rubric.estimate(ROWS, labels=LABELS, human="verdict", metrics=["f1"], scale=(2, 5))
    assert "scale=" in str(told.value) and "of labels" in str(told.value)
    with pytest.raises(rubric.InputError, match="neither rows nor a ledger"):
        rubric.estimate(human="verdict")
    with pytest.raises(rubric.InputError, match="scale is 5"):
        rubric.estimate(ROWS, human="verdict", scale=5)  # type: ignore[arg-type]


def frames(ids: str = "qid") -> tuple[dict, dict]:
    """Answers in order, and 60 labels of others in another order, which the metric predicts."""
    order = [i * 7 % 60 for i in range(60)]
    return ({ids: [f"q{i}" for i in range(120)], "question": [f"Question {i}?" for i in range(120)],
             "f1": [i * 37 % 101 / 101 for i in range(120)]},
            {ids: [f"q{2 * i + 1}" for i in order],
             "question": [f"Question {2 * i + 1}?" for i in order],
             "verdict": [(2 * i + 1) * 37 % 101 > 40 for i in order]})


def of(table: dict, *names: str) -> dict:
    return {name: table[name] for name in names}


@pytest.mark.filterwarnings("ignore::rubric.RubricWarning")
def test_labels_in_memory_are_joined_as_those_of_files(tmp_path):
    rows, labels = frames()
    score, label = of(rows, "qid", "f1"), of(labels, "qid", "verdict")
    joins = [(score, label), (rows, label), (rows, labels), (score, {"id": label["qid"], **label}),
             (of(rows, "question", "f1"), of(labels, "question", "verdict"))]
    for all_, labelled in joins:
        report = rubric.estimate(all_, labels=labelled, human="verdict", metrics=["f1"])
        paths = write(all_, tmp_path / "all.jsonl"), write(labelled, tmp_path / "labels.jsonl")
        of_files = rubric.estimate(paths[0], labels=paths[1], human="verdict", metrics=["f1"])
        assert report.measurements == of_files.measurements, list(all_)
        assert report.find("effective_labels", source="both").value > 80
        planned = rubric.plan(all_, labels=labelled, human="verdict", metrics=["f1"], width=0.1)
        assert planned.measurements == rubric.plan(paths[0], labels=paths[1], human="verdict",
                                                   metrics=["f1"], width=0.1).measurements


@pytest.mark.filterwarnings("ignore::rubric.RubricWarning")
def test_labels_are_not_joined_by_their_places():
    rows, labels = frames("number")
    for all_, labelled in ((of(rows, "f1"), of(labels, "verdict")),
                           (of(rows, "number", "f1"), of(labels, "number", "verdict")),
                           (rows, of(labels, "verdict"))):
        for call in (lambda: rubric.estimate(all_, labels=labelled, human="verdict", metric="f1"),
                     lambda: rubric.plan(all_, labels=labelled, human="verdict", metric="f1",
                                         width=0.1)):
            with pytest.raises(rubric.InputError, match='rows? ha(s|ve) no "id"'):
                call()
    with pytest.raises(rubric.InputError, match='rows have no "id"\n.* row 0 .the first is 0.'):
        rubric.choose(of(rows, "f1"), 10)
    by_question = rubric.choose(of(rows, "question", "f1"), 10)
    assert by_question.rows[0].id.startswith("Question")


@pytest.mark.filterwarnings("ignore::rubric.RubricWarning")
def test_a_judge_is_corrected(tmp_path):
    replies = {agrees: "\n".join(f"{i}. {word}" for i, word in enumerate(
        ["Agree" if agrees else "Disagree"] + 3 * ["Disagree"], 1)) for agrees in (True, False)}
    rows = [{"id": str(i), "passage": "A text.", "question": f"Q{i}?", "reference": "x",
             "candidate": "y", "reply": replies[i % 3 > 0]} for i in range(40)]
    rubric.judge(rows, tmp_path / "ledger.jsonl", recorded=True, judge="gpt", system_name="one")
    labels = {"id": [str(i) for i in range(20)], "system": ["one"] * 20,
              "C": [i % 3 > 1 for i in range(20)]}
    report = rubric.estimate(ledger=tmp_path / "ledger.jsonl", labels=labels, human="C")
    assert report.find("mean", source="metric").value == 26 / 40
    assert report.find("mean", source="labels", method="t").value == 6 / 20
    assert report.find("mean", source="both", metric="gpt", method="t").value < 0.5


@pytest.mark.filterwarnings("ignore::rubric.RubricWarning")
def test_plan_is_the_command_s(files, tmp_path):
    report = rubric.plan(ROWS, labels=LABELS, human="verdict", metrics=["f1", "em"], width=0.1,
                         difference=0.2, population=1000)
    expected = json.loads(command("plan", "--all", files[0], "--labels", files[1], "--human",
                                  "verdict", "--metric", "f1,em", "--width", "0.1",
                                  "--difference", "0.2", "--population", "1000", "--format",
                                  "json"))
    assert without_signature(report.values) == without_signature(expected)
    assert {one.statistic for one in report.measurements if "questions_for" in one.statistic} == {
        "questions_for_width", "correlation_questions_for_width",
        "correlation_questions_for_difference"}
    report.to_html(tmp_path / "plan.html")
    with pytest.raises(rubric.InputError, match="give difference=, which is to be found, or wid"):
        rubric.plan(ROWS, labels=LABELS, human="verdict", metrics=["f1"])
    with pytest.raises(rubric.InputError, match="width is '1'"):
        rubric.plan(ROWS, human="verdict", width="1")  # type: ignore[arg-type]


@pytest.mark.filterwarnings("ignore::rubric.RubricWarning")
def test_a_sheet_is_chosen_filled_in_and_estimated(files, tmp_path):
    sheet = rubric.choose(ROWS, 40, metrics=["f1", "em"], method="disagreement")
    expected = json.loads(command("choose", "--input", files[0], "--metric", "f1,em", "--budget",
                                  "40", "--method", "disagreement", "--output",
                                  tmp_path / "sheet.csv", "--format", "json"))
    assert without_signature(sheet.values) == without_signature(expected)
    sheet.to_csv(tmp_path / "again.csv")
    assert (tmp_path / "sheet.csv").read_text() == (tmp_path / "again.csv").read_text()
    sheet.to_html(tmp_path / "sheet.html")
    assert "Save as CSV" in (tmp_path / "sheet.html").read_text(encoding="utf-8")
    labels = [row | {"verdict": int(row.id[1:]) % 3 == 0} for row in sheet.rows]
    table = {name: [row[name] for row in labels] for name in labels[0]}
    report = rubric.estimate(ROWS, labels=table, human="verdict", metrics=["f1", "em"],
                             probability="probability", strata="stratum")
    assert report.find("labels").value == 40
    by_itself = rubric.estimate(ROWS, labels=table, human="verdict", metrics=["f1", "em"])
    assert by_itself.measurements == report.measurements
    more = rubric.choose(ROWS, 60, metrics=["f1"], method="score", labels=table)
    assert {row.id for row in more.rows} > {row.id for row in sheet.rows}
    assert {row.stratum for row in more.rows[:40]} == {"1"}
    assert {row.stratum[:2] for row in more.rows[40:]} == {"2."}
    assert more.find("earlier").value == 40 and more.find("chosen").value == 20
    assert more.find("lowest_score", subset="stratum 5").value > 0.7
    with pytest.raises(rubric.InputError, match="the budget is 121 and there are 120 answers"):
        rubric.choose(ROWS, 121, metrics=["f1"])
    with pytest.raises(rubric.InputError, match="no method 'best'"):
        rubric.choose(ROWS, 12, metrics=["f1"], method="best")  # type: ignore[arg-type]


@pytest.mark.filterwarnings("ignore::rubric.RubricWarning")
def test_columns_name_the_fields_of_an_answer():
    """As in `score`, `agreement` and `compare`."""
    ours = ROWS | {"question": [f"What is {i // 2}?" for i in range(120)]}
    theirs = {"item": ours["id"], "prompt": ours["question"], "f1": ours["f1"]}
    columns = {"id": "item", "question": "prompt"}
    labels = {"item": LABELS["id"], "verdict": LABELS["verdict"]}
    expected = rubric.estimate(ours, labels=LABELS, human="verdict", metrics=["f1"])
    report = rubric.estimate(theirs, labels=labels, human="verdict", metrics=["f1"],
                             columns=columns)
    assert report.measurements == expected.measurements
    planned = [rubric.plan(rows, labels=some, human="verdict", metrics=["f1"], width=0.1,
                           columns=names).measurements
               for rows, some, names in ((ours, LABELS, None), (theirs, labels, columns))]
    assert planned[0] == planned[1]
    sheets = [rubric.choose(rows, 40, metrics=["f1"], method="score", columns=names)
              for rows, names in ((ours, None), (theirs, columns))]
    assert [row.id for row in sheets[0].rows] == [row.id for row in sheets[1].rows]
    assert sheets[1].rows[0].question.startswith("What is")
    with pytest.raises(rubric.InputError, match="there is no column 'query'"):
        rubric.estimate(theirs, labels=labels, human="verdict", metrics=["f1"],
                        columns={"question": "query"})
    with pytest.raises(rubric.InputError, match="'id=x' holds an equals sign"):
        rubric.estimate(theirs, labels=labels, human="verdict", metrics=["f1"],
                        columns={"id=x": "item"})


def test_a_random_sheet_needs_no_scores_and_shows_none(tmp_path):
    rows = {"id": list(range(20)), "candidate": ["x"] * 20, "f1": [0.5] * 20}
    sheet = rubric.choose(rows, 4)
    sheet.to_csv(tmp_path / "sheet.csv")
    assert (tmp_path / "sheet.csv").read_text().startswith(
        "verdict,id,candidate,probability,stratum\n")


def test_a_system_without_labels_leaves_the_others_their_estimates():
    rows = {"id": list(range(90)), "system": ["a", "b", "c"] * 30,
            "f1": [i * 7 % 10 / 10 for i in range(90)],
            "verdict": [None if i % 3 == 2 else i // 3 % 2 for i in range(90)]}
    report = rubric.estimate(rows, human="verdict", metrics=["f1"], system="system")
    means = [report.find("mean", system=system, source="labels", method="t") for system in "abc"]
    assert [mean.value is None for mean in means] == [False, False, True]
    assert means[2].why_missing == "no label"
    assert any("c has no estimate, with no label" in note for note in report.values["notes"])


def test_rows_without_a_score_are_left_out_if_asked():
    labels = [i % 3 % 2 if i < 40 else None for i in range(80)]
    scores = [None if i % 10 == 4 else i % 7 / 7 for i in range(80)]
    with pytest.raises(rubric.InputError, match="no score"):
        rubric.estimate({"f1": scores, "verdict": labels}, metrics=["f1"], human="verdict")
    scored = [i for i in range(80) if i % 10 != 4]
    of_scored = {"f1": [scores[i] for i in scored], "verdict": [labels[i] for i in scored]}
    for missing, rows in ("drop", {"f1": scores, "verdict": labels}), (None, of_scored):
        report = rubric.estimate(rows, metrics=["f1"], human="verdict", missing=missing)
        assert report.find("labels").value == 36
        assert report.find("answers").value == 72
    plan = rubric.plan({"f1": scores, "verdict": labels}, metrics=["f1"], human="verdict",
                       width=0.2, missing="drop")
    assert plan.find("questions_for_width", source="labels").value > 0
    ids = list(range(80))
    sheet = rubric.choose({"id": ids, "f1": scores}, 20, metrics=["f1"], missing="drop")
    assert all(int(row.id) % 10 != 4 for row in sheet.rows)
