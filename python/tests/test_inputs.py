"""What callers give as rows, of every kind, and what of it is refused."""

from __future__ import annotations

import datetime
import decimal
import json
import math
import re
import warnings
from pathlib import Path
from typing import Any

import pytest

import rubric

ROOT = Path(__file__).parents[2]
ROWS = {"candidate": ["the dog", "a cat", "x"], "reference": ["dog", "cat", "y"]}
EXPECTED = [1.0, 1.0, 0.0]


def f1(*arguments: Any, **more: Any) -> list[float]:
    return rubric.score(*arguments, metrics=["f1"], **more)["f1"].scores


def test_iterables():
    assert f1((text for text in ROWS["candidate"]), iter(ROWS["reference"])) == EXPECTED
    assert f1(tuple(ROWS["candidate"]), {i: text for i, text in enumerate(ROWS["reference"])}.values()
              ) == EXPECTED
    assert f1("candidate" and ["a" * 1_000_000], ["a" * 1_000_000]) == [1.0]
    assert f1(dict(zip(ROWS, cells)) for cells in zip(*ROWS.values())) == EXPECTED


def test_numpy():
    numpy = pytest.importorskip("numpy")
    assert f1(numpy.array(ROWS["candidate"]), numpy.array(ROWS["reference"], dtype=object)) == EXPECTED
    assert f1([numpy.str_("dog")], [[numpy.str_("dog")]]) == [1.0]
    with pytest.raises(rubric.InputError, match="candidates is one text"):
        f1(numpy.array("the dog"), ["dog"])


def test_pandas():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ROWS, index=[7, 8, 9])
    assert f1(frame) == EXPECTED and f1(frame[1:]) == EXPECTED[1:]
    assert f1(frame["candidate"], frame["reference"]) == EXPECTED
    assert f1(frame.astype("string")) == f1(frame.astype("category")) == EXPECTED
    assert list(rubric.score(frame).to_pandas().index) == [7, 8, 9]
    twice = pandas.DataFrame([["a", "b", "a"]] * 3, columns=["candidate", "candidate", "reference"])
    with pytest.raises(rubric.InputError, match="several columns 'candidate'"):
        f1(twice)
    for name in "x", "label", "id":  # which no metric reads
        unread = pandas.DataFrame([["the dog", 1, 2, "dog"]], columns=["candidate", name, name,
                                                                       "reference"])
        s = rubric.score(unread, metrics=["f1"])
        assert list(s.to_pandas().columns) == [*unread.columns, "f1"]
        assert s.columns()[name + " (2)"] == [2]
        with pytest.raises(rubric.InputError, match=f"several columns '{name}'"):
            f1(unread, columns={"reference": name})


def test_polars():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(ROWS)
    assert f1(frame) == EXPECTED and f1(frame["candidate"], frame["reference"]) == EXPECTED
    with pytest.raises(rubric.InputError, match="reference of row 2 .* None"):
        f1(frame.with_columns(reference=polars.Series(["a", "b", None])))
    with pytest.raises(rubric.InputError, match=r"LazyFrame.*\n.*collect\(\)"):
        f1(frame.lazy())


def test_arrow():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.concat_tables([pyarrow.table(ROWS).slice(0, 1), pyarrow.table(ROWS).slice(1)])
    assert table["candidate"].num_chunks == 2 and f1(table) == EXPECTED
    assert f1(table["candidate"], table["reference"]) == EXPECTED
    assert f1(pyarrow.RecordBatch.from_pydict(ROWS)) == EXPECTED
    lists = pyarrow.table({**ROWS, "reference": [["dog"], ["cat", "hen"], ["y"]]})
    assert f1(lists) == EXPECTED
    twice = pyarrow.Table.from_arrays([table["candidate"]] * 2 + [table["reference"]],
                                      names=["candidate", "candidate", "reference"])
    with pytest.raises(rubric.InputError, match="several columns 'candidate'"):
        f1(twice)
    unread = pyarrow.Table.from_arrays([table["candidate"]] * 3 + [table["reference"]],
                                       names=["candidate", "x", "x", "reference"])
    assert f1(unread) == EXPECTED


def test_datasets():
    datasets = pytest.importorskip("datasets")
    rows = datasets.Dataset.from_dict(ROWS)
    assert f1(rows) == f1(rows.select(range(3))) == EXPECTED
    assert f1(rows[1:]) == EXPECTED[1:]  # a dict of columns
    assert f1(rows["candidate"], rows["reference"]) == EXPECTED
    with pytest.raises(rubric.InputError, match="candidate is one text"):
        f1(rows[0])
    stream = datasets.IterableDataset.from_generator(
        lambda: ({"candidate": "dog", "reference": "dog"} for _ in range(2)))
    with pytest.raises(rubric.InputError, match=r"IterableDataset, does not hold.*\n.*list\(table\)"):
        f1(stream)
    assert f1(list(stream)) == [1, 1]


def of_each_kind(columns: dict[str, list[Any]]) -> list[Any]:
    """Tables of these columns: pandas, polars, Arrow, datasets."""
    makers = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}
    tables = [getattr(pytest.importorskip(name), maker)(columns) for name, maker in makers.items()]
    return [*tables, pytest.importorskip("datasets").Dataset.from_dict(columns)]


def test_lists_in_cells_are_read_as_the_command_reads_them():
    columns = {"candidate": ["the dog", "b's", "[0, 1]"],
               "reference": ['["dog", "cat"]', """['cow', "b's"]""", "[0, 1]"]}
    for table in of_each_kind(columns):
        s = rubric.score(table, metrics=["em"])
        assert s["em"].scores == [1, 1, 1]
        assert s.columns()["reference"] == columns["reference"]  # the rows that were given
        columns_alone = rubric.score(table["candidate"], table["reference"], metrics=["em"])
        assert columns_alone["em"].scores == [1, 1, 1]
        of_scores = rubric.score(s, metrics=["f1"])
        assert of_scores["f1"].scores == [1, 1, 1]
        assert rubric.score(of_scores, metrics=["contains"])["contains"].scores == [1, 1, 1]
    assert rubric.score(columns, metrics=["em"])["em"].scores == [0, 0, 1]  # lists, as they are
    assert rubric.score(*columns.values(), metrics=["em"])["em"].scores == [0, 0, 1]
    assert rubric.score(rubric.score(columns, metrics=["f1"]), metrics=["em"])["em"].mean == 1 / 3
    columns["reference"][1] = "['a' 'b']"
    for table in of_each_kind(columns):
        with pytest.raises(rubric.InputError, match="no comma") as caught:
            rubric.score(table, metrics=["em"])
        assert (caught.value.row, caught.value.field) == (1, "reference")


def test_usual_names_of_fields_are_found():
    columns = {"Prediction": ["the dog", "a"], "golden_answers": [["dog", "hen"], ["b"]],
               "context": ["x", "x"], "question": ["y", "y"]}
    of_ours = rubric.score(columns["Prediction"], columns["golden_answers"], metrics=["f1"],
                           passages=columns["context"], questions=columns["question"])
    rows = [dict(zip(columns, cells)) for cells in zip(*columns.values())]
    for table in [columns, rows, *of_each_kind(columns)]:
        assert str(rubric.score(table, metrics=["f1"])) == str(of_ours)
    squad = [{"prediction_text": "dog", "answers": {"text": ["the dog"], "answer_start": [3]}}]
    assert f1(squad) == [1.0]
    columns["gold"] = ["dog", "b"]  # part of the others
    for table in [columns, *of_each_kind(columns)]:
        assert f1(table) == [1, 0]
    columns["gold"] = ["dog", "cow"]
    for table in [columns, *of_each_kind(columns)]:
        with pytest.raises(rubric.InputError, match="reference may be any of the fields gold, "
                           "golden_answers\n.*columns={\"reference\": \"gold\"}"):
            f1(table)
        assert f1(table, columns={"reference": "gold"}) == [1, 0]


def test_names_of_fields_do_not_depend_on_the_order_of_rows():
    late = [{"gold": "x", "note": "n"}] * 150 + [{"gold": "x", "response": "x", "note": "n"}]
    mixed = [{"prediction": "x", "gold": "x", "context": ["x"]},
             {"prediction": "y", "gold": ["y"], "context": "y"},
             {"prediction": ["z"], "gold": "z", "context": None}]
    for rows in late, mixed:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = [rubric.score(order, metrics="f1", missing="drop")["f1"].mean
                     for order in (rows, rows[::-1])]
        assert found == [1, 1]


def test_equal_columns_are_one():
    pandas = pytest.importorskip("pandas")
    rows = [{"prediction": "a", "response": "a", "gold": "b", "target": "b"},
            {"prediction": "c", "response": "c", "gold": "c", "target": "c"}]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    for table in rows, columns, pandas.DataFrame(rows):
        assert rubric.score(table, metrics="em")["em"].scores == [0, 1]
    lists = {"candidate": ["a"], "label": ["a"], "labels": [["a", "b"]]}  # one has more than the other
    assert rubric.score(lists, metrics="em")["em"].scores == [1]
    for name in "response", "target":
        other = [{**row, name: row[name] + "x"} for row in rows]
        with pytest.raises(rubric.InputError, match=f'columns={{"\\w+": "{name}"}}'):
            rubric.score(other, metrics="em")


@pytest.mark.parametrize("cell", [{}, {"a": 1}, [], ["a", "b"], [["a"]], True, 3, 2.5, None, b"a"])
@pytest.mark.parametrize("column", ["id", "question", "passage", "context", "constituent", "scores"])
def test_columns_of_other_types_stop_no_call(column, cell):
    pandas = pytest.importorskip("pandas")
    rows = [{"candidate": "a", "reference": "a", column: cell},
            {"candidate": "b", "reference": "a", column: cell}]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for table in rows, pandas.DataFrame(rows):
            scores = rubric.score(table, metrics="em")
            assert scores["em"].scores == [1, 0]
            assert column in scores.to_pandas()


def test_what_is_no_question_is_told():
    rows = [{"candidate": "a", "reference": "a", "question": {"text": "q"}}] * 2
    with pytest.warns(rubric.RubricWarning, match="column 'question' has values that are no texts"):
        rubric.score(rows, metrics="em")


@pytest.mark.parametrize("names", [{"metric": "f1"}, {"metrics": "f1"}, {"metric": ["f1"]},
                                   {"metrics": ("f1",)}])
def test_metrics_are_one_or_several_under_both_names(names):
    scores = rubric.score(["a", "b c"], ["a", "b"], **names)
    assert list(scores) == ["f1"]
    running = rubric.Running(**names)
    running.update(["x"], ["x"])
    assert running.compute() == {"f1": 1}
    rows = {"id": list("wxyz"), "f1": [0.1, 0.5, 0.4, 0.9], "judge": [1, 2, 3, 5]}
    assert rubric.agreement(rows, human="judge", **names).find("pearson").metric == "f1"
    assert rubric.compare(rows, rows, **names).find("difference", method="permutation").value == 0
    assert len(rubric.choose(rows, 2, method="score", **names).rows) == 2
    many = {"f1": [i * 7 % 10 / 10 for i in range(80)],
            "judge": [i // 2 % 2 if i % 2 else None for i in range(80)]}
    assert rubric.estimate(many, human="judge", **names).find("lambda").metric == "f1"
    assert rubric.plan(many, human="judge", width=0.2, **names).find("labels_per_question").value == 1
    with pytest.raises(rubric.InputError, match="two names of one argument"):
        rubric.score(["a"], ["a"], metrics="f1", metric="em")


def test_names_of_metrics_are_taken_as_by_the_command():
    for call in (lambda: rubric.compare({"f1": [1]}, {"f1": [1]}),
                 lambda: rubric.compare({"f1": [1]}, {"f1": [1]}, metrics=[])):
        with pytest.raises(rubric.InputError, match="no metric is named"):
            call()
    assert list(rubric.score(["a"], ["a"], metrics=["exact_match", "BLEU"])) == ["em", "bleu"]
    for name, meant in {"F1": "f1", "Exact Match": "em", "ROUGE-L": "rouge_l or rougeL",
                        "METEOR": "meteor", "EM": "em", "token-f1": "f1"}.items():
        with pytest.raises(rubric.InputError, match=f"did you mean {re.escape(meant)}\\?"):
            rubric.score(["a"], ["a"], metrics=[name])


@pytest.mark.parametrize(("path", "message"), [
    ("r.nope", "'r' has the keys text, all, lists, null\n.*'r.text'"),
    ("r.txt", "'r' has the keys text, all, lists, null\n.*'r.text'"),
    ("r.text.more", "'r.text' is a value of type str"),
    ("r.all.5", "'r.all' is a list of 2"),
    ("r.all.text", "'r.all' is a list of 2"),
    ("r.all.0.text", "'r.all' is a list of 2"),
    ("r.lists.text", "'r.lists' is a list of 1"),
    ("r.null.text", "'r.null' is None"),
    ("reference.text", "'reference' is a value of type str"),
])
@pytest.mark.parametrize("field", ["candidate", "reference", "question", "passage"])
def test_paths_that_lead_nowhere_are_errors(field, path, message):
    rows = [{"candidate": "dog", "reference": "dog", "em": i / 4, "judge": i % 2,
             "r": {"text": "dog", "all": ["a", "b"], "lists": [[{"a": 1}]], "null": None}}
            for i in range(4)]
    for call in (lambda: rubric.score(rows, metrics="em", columns={field: path}),
                 lambda: rubric.agreement(rows, metrics="em", human="judge", columns={field: path})):
        with pytest.raises(rubric.InputError, match=f"no row has anything at '{path}'.*row 0.*"
                                                    + message) as caught:
            call()
        assert caught.value.row == 0 and caught.value.field == path.partition(".")[0]
    if field in ("question", "passage"):  # which need not have a value
        assert rubric.score([{**row, "r": {"empty": None}} for row in rows], metrics="em",
                            columns={field: "r.empty"})["em"].mean == 1
    # Where some rows have it, the others follow the rule for missing values.
    rows[3]["r"] = {"nope": "dog"}
    if path == "r.nope" and field == "candidate":
        with pytest.warns(rubric.RubricWarning, match="3 rows have an empty candidate.*rows 0, 1, 2"):
            assert rubric.score(rows, metrics="em", columns={field: path})["em"].mean == 0.25


def test_a_path_into_a_column_of_nothing_says_so():
    for cell in (None, math.nan):
        rows = [{"candidate": "dog", "reference": "dog", "doc": cell}] * 2
        with pytest.raises(rubric.InputError, match="'doc.text': 'doc' is None in all rows"):
            rubric.score(rows, metrics="em", columns={"passage": "doc.text"})
    rows = [{"candidate": "dog", "reference": "dog", "doc": items} for items in ([], [[]])]
    assert rubric.score(rows, metrics="em", columns={"passage": "doc.text"})["em"].mean == 1


def test_names_of_columns_may_cross():
    """A name of ours that the caller has for another field: all are read from the caller's table."""
    rows = [{"id": i, "prompt": "What is it?", "question": f"passage {i // 2}",
             "said": "dog" if i % 3 else "cat", "candidate": "dog", "judge": i % 4 / 4}
            for i in range(20)]
    names = {"question": "prompt", "passage": "question", "candidate": "said",
             "reference": "candidate"}
    for columns in names, dict(reversed(names.items())):
        s = rubric.score(rows, metrics=["f1"], columns=columns)
        assert s["f1"].mean == 13 / 20
        of_scores, of_columns = (rubric.agreement(table, metrics=["f1"], human="judge", columns=known)
                                 for table, known in ((s, None), (s.columns(), columns)))
        assert of_scores.find("questions").value == of_columns.find("questions").value == 10
        for row in rubric.choose(s, 9).rows:  # with the texts under our names
            whole = rows[int(row["id"])]
            assert (row["passage"], row["question"], row["candidate"], row["reference"]) == (
                whole["question"], whole["prompt"], whole["said"], whole["candidate"])


def test_columns_without_any_answer_are_errors():
    pandas = pytest.importorskip("pandas")
    nothing = {"candidate": [None, None], "reference": ["a", "b"], "question": [None, None]}
    frame = pandas.DataFrame(nothing).astype({"candidate": float})
    for given in ((nothing,), (frame,), ([None, [None]], ["a", "b"])):
        with pytest.raises(rubric.InputError, match="no row has a candidate.*row 0") as caught:
            f1(*given)
        assert caught.value.row == 0 and caught.value.field == "candidate"
        with pytest.warns(rubric.RubricWarning, match="2 rows have an empty candidate"):
            assert f1(*given, missing="empty") == [0, 0]
    with pytest.warns(rubric.RubricWarning, match="1 row has an empty candidate"):
        assert f1({**nothing, "candidate": [None, "b"]}) == [0, 1]
    running = rubric.Running("f1")
    running.update([None], ["b"])  # a batch is not all rows
    running.update(["b"], ["b"])
    with pytest.warns(rubric.RubricWarning, match="1 row has an empty candidate"):
        assert running.scores()["f1"].scores == [0, 1]


def test_paths_lead_into_arrays():
    """As parquet gives lists; a name behind a list takes that field of each item."""
    numpy = pytest.importorskip("numpy")
    pandas = pytest.importorskip("pandas")
    answers = [numpy.array(["dog", "x"], dtype=object), numpy.array(["cat"], dtype=object), ["y"]]
    frame = pandas.DataFrame({
        "pred": ROWS["candidate"], "doc": [{"answers": cell} for cell in answers],
        "squad": [{"text": cell, "answer_start": numpy.array([3])} for cell in answers],
        "items": [numpy.array([{"text": text} for text in cell], dtype=object)
                  for cell in answers]})
    for path, expected in (("doc.answers", EXPECTED), ("doc.answers.0", EXPECTED),
                           ("squad.text", EXPECTED), ("items.text", EXPECTED),
                           ("items.0.text", EXPECTED)):
        assert f1(frame, columns={"candidate": "pred", "reference": path}) == expected, path
    assert f1(frame.rename(columns={"squad": "answers"})[["pred", "answers"]]) == EXPECTED
    with pytest.raises(rubric.InputError, match="reference of row 1") as caught:
        f1(frame, columns={"candidate": "pred", "reference": "doc.answers.1"})
    assert caught.value.row == 1


# What JSON has not, and what is inside of lists and dicts.
ODD = [math.inf, -math.inf, b"x", {1, 2}, frozenset("a"), [1, math.nan], {"a": [math.inf]},
       datetime.datetime(2026, 1, 2), datetime.timedelta(1), decimal.Decimal("NaN"),
       decimal.Decimal("0.1"), {("a", 1): 2}, object(), 1 + 2j, bytearray(b"x"), range(3), ...]


def test_columns_that_are_not_read_never_stop_a_call(tmp_path):
    rows = {"candidate": ["a"] * len(ODD), "reference": ["a", "b"] * (len(ODD) // 2) + ["a"],
            "odd": ODD, "id": [f"r{i}" for i in range(len(ODD))],
            "judge": [i % 5 for i in range(len(ODD))],
            "reply": ["Agree Agree Disagree Disagree"] * len(ODD)}
    plain = {name: column for name, column in rows.items() if name != "odd"}
    expected = rubric.score(plain, metrics=["em"])
    tables: list[Any] = [rows, [dict(zip(rows, cells)) for cells in zip(*rows.values())]]
    try:
        import numpy
        import pandas
    except ImportError:
        pass
    else:
        frame = pandas.DataFrame(rows)
        frame["time"] = pandas.Timestamp("2026-01-01 00:00:00.000000001")
        frame["period"] = pandas.Period("2026-01")
        frame["none"] = pandas.NaT
        frame["step"] = numpy.timedelta64(3, "ns")
        tables.append(frame)
    for table in tables:
        s = rubric.score(table, metrics=["em"])
        assert s["em"].scores == expected["em"].scores
        report = rubric.agreement(s, human="judge")
        assert report.measurements == rubric.agreement(expected, human="judge").measurements
        assert rubric.compare(s, s.columns(), metric="em").find("difference", method="permutation").value == 0
        assert len(rubric.choose(s, 3).rows) == 3
        assert rubric.estimate(s, human="judge").find("labels").value == len(ODD)
        entries = rubric.judge(table, tmp_path / "ledger.jsonl", recorded=True, judge="gpt",
                               system_name="mine", field={"passage": "candidate",
                                                          "question": "candidate"})
        assert [entry.id for entry in entries] == rows["id"]
    with pytest.raises(rubric.InputError, match="a value of type bytes") as caught:
        rubric.agreement({**rows, "f1": [0.5] * (len(ODD) - 1) + [b"1"]}, metrics=["f1"],
                         human="judge")
    assert (caught.value.row, caught.value.field) == (len(ODD) - 1, "f1")


def test_a_notebook_s_columns_and_labels():
    pandas = pytest.importorskip("pandas")
    numpy = pytest.importorskip("numpy")
    pyarrow = pytest.importorskip("pyarrow")
    frame = pandas.DataFrame(ROWS, index=[7, 7, -1])
    kinds = ["string", "category", "object", "string[python]", "string[pyarrow]",
             pandas.ArrowDtype(pyarrow.string()), pandas.ArrowDtype(pyarrow.large_string())]
    for kind in kinds:
        assert f1(frame.astype(kind)) == EXPECTED, kind
        assert f1(frame.candidate.astype(kind), frame.reference.astype(kind)) == EXPECTED, kind
        assert list(rubric.score(frame.astype(kind)).to_pandas().index) == [7, 7, -1]
    lists = pandas.Series([["dog"], ["cat", "x"], ["y"]], index=frame.index,
                          dtype=pandas.ArrowDtype(pyarrow.list_(pyarrow.string())))
    assert f1(frame.assign(reference=lists)) == EXPECTED == f1(frame.candidate, lists)
    assert f1(numpy.array(ROWS["candidate"]), numpy.array(ROWS["reference"])) == EXPECTED
    ragged = numpy.array([["dog"], ["cat", "x"], "y"], dtype=object)
    assert f1(frame.candidate, ragged) == EXPECTED
    labels: dict[Any, list[Any]] = {
        "Int64": [1, None, 3, 5], "Float64": [1, None, 3, 5], "boolean": [True, None, False, False],
        "object": [1, pandas.NA, 3, math.nan], "category": [1, None, 3, 5],
        pandas.ArrowDtype(pyarrow.int8()): [1, None, 3, 5],
        pandas.ArrowDtype(pyarrow.bool_()): [True, None, False, False]}
    for kind, label in labels.items():
        rated = pandas.DataFrame({"id": list("wxyz"), "f1": [0.1, 0.2, 0.4, 0.4], "judge": label})
        plain = {"id": list("wyz"), "f1": [0.1, 0.4, 0.4], "judge": [label[0], *label[2:]]}
        if kind == "object":
            plain = {"id": ["w", "y"], "f1": [0.1, 0.4], "judge": [1, 3]}
        assert (rubric.agreement(rated.astype({"judge": kind}), metrics=["f1"], human="judge",
                                 missing="drop").measurements
                == rubric.agreement(plain, metrics=["f1"], human="judge").measurements), kind


def test_what_a_notebook_gives_in_a_wrong_place():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"f1": [0.1, 0.2] * 50, "judge": [1, 2] * 50})
    with pytest.raises(rubric.InputError, match=r"^human is a value of type Series.*\n  to do: give "
                       "the name of a column"):
        rubric.agreement(frame, metrics=["f1"], human=frame.judge)
    with pytest.raises(rubric.InputError, match="give one of them, such as .*'test'"):
        f1({"test": pandas.DataFrame(ROWS), "dev": pandas.DataFrame(ROWS)})
    whole = pandas.DataFrame({"candidate": ["1984", "7"], "reference": [1984.0, 7.0]})
    with pytest.warns(rubric.RubricWarning, match="'reference' has numbers, .*: 2, .*'1984'"):
        assert f1(whole) == [1.0, 1.0]


@pytest.fixture(params=["lists", "dict", "dicts", "pandas", "polars", "arrow", "datasets"])
def given(request: pytest.FixtureRequest) -> Any:
    """Makes of columns what is given to `score`: one argument or several."""
    def make(rows: dict[str, list[Any]]) -> tuple[Any, ...]:
        if request.param == "lists":
            return tuple(rows.values())
        makers = {"dict": lambda: rows,
                  "dicts": lambda: [dict(zip(rows, cells)) for cells in zip(*rows.values())],
                  "pandas": lambda: pytest.importorskip("pandas").DataFrame(rows),
                  "polars": lambda: pytest.importorskip("polars").DataFrame(rows),
                  "arrow": lambda: pytest.importorskip("pyarrow").table(rows),
                  "datasets": lambda: pytest.importorskip("datasets").Dataset.from_dict(rows)}
        return (makers[request.param](),)
    return make


def test_missing_candidates_and_references(given):
    rows = given({"candidate": ["the dog", None, "x", None], "reference": ["dog", "cat", "x", ""]})
    with pytest.warns(rubric.RubricWarning) as told:
        s = rubric.score(*rows, metrics=["em"])
    assert s["em"].scores == [1, 0, 1, 1]
    (message,) = [str(one.message) for one in told if "candidate" in str(one.message)]
    assert "rows 1, 3 (the first is 0); 2 of them None or NaN\n  to do: " in message
    assert 'keep_default_na=False, na_values={"rating": [""]}' in message
    with pytest.raises(rubric.InputError, match='candidate of row 1 .* is (None|NaN|NA), not a '
                       'text\n  to do: missing="empty" .* keep_default_na=False') as caught:
        rubric.score(*rows, metrics=["em"], missing="error")
    assert (caught.value.row, caught.value.field) == (1, "candidate")
    with pytest.warns(rubric.RubricWarning, match=r"^2 rows are left out: 2 without a candidate, "
                      r"rows 1, 3 \(the first is 0\)$"):
        s = rubric.score(*rows, metrics=["em"], missing="drop")
    assert s["em"].scores == [1, 1]
    assert list(s.columns()["candidate"]) == ["the dog", "x"] == list(s.to_pandas()["candidate"])

    rows = given({"candidate": ["the dog", "", "x"], "reference": ["dog", None, None]})
    for rule in None, "error":
        with pytest.raises(rubric.InputError, match="reference of row 1 .* is (None|NaN|NA), ") as caught:
            rubric.score(*rows, metrics=["em"], missing=rule)
        assert (caught.value.row, caught.value.field) == (1, "reference")
    with pytest.warns(rubric.RubricWarning):
        assert rubric.score(*rows, metrics=["em"], missing="empty")["em"].scores == [1, 1, 0]
        s = rubric.score(*rows, metrics=["em"], missing="drop")
    assert s["em"].scores == [1] and s.columns()["reference"] == ["dog"]
    with pytest.warns(rubric.RubricWarning), pytest.raises(rubric.InputError, match="no row has"):
        rubric.score(*given({"candidate": [None, "a"], "reference": ["a", None]}), missing="drop")
    with pytest.raises(rubric.InputError, match="^missing is 'skip'\n  to do: choose"):
        rubric.score(["a"], ["a"], missing="skip")


def test_several_references_in_one_text(given):
    rows = given({"candidate": ["b", "x", "z"], "reference": ["p/b / c", "y/ x/", "z"]})
    with pytest.warns(rubric.RubricWarning, match='2 of 3 references hold "/".*reference_separator='):
        assert rubric.score(*rows, metrics=["em"])["em"].scores == [0, 0, 1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        s = rubric.score(*rows, metrics=["em"], reference_separator="/")
    assert s["em"].scores == [1, 1, 1]
    lists = given({"candidate": ["b", "d"], "reference": [["p/b", "c"], ["d"]]})
    assert rubric.score(*lists, metrics=["em"], reference_separator="/")["em"].scores == [1, 1]
    with pytest.raises(rubric.InputError, match="^reference_separator is 3"):
        rubric.score(*rows, metrics=["em"], reference_separator=3)
    signature = rubric.score(*lists, metrics=["em"], reference_separator="/")["em"].signature
    assert "|refsep:/|rubric:" in signature


@pytest.mark.parametrize("kind", [list, tuple])  # of lists alone, which are flat, and others
def test_lists_without_what_is_missing(kind):
    rows = (["dog", "cat", ""], [kind(["dog", None]), [float("nan"), None], []])
    with pytest.warns(rubric.RubricWarning, match="1 row is left out: 1 without a reference, row 1 "):
        s = rubric.score(*rows, metrics=["em"], missing="drop")
    assert s["em"].scores == [1, 1] and "|missing:drop|rubric:" in s["em"].signature
    with pytest.raises(rubric.InputError, match="reference of row 1 .* None, not a text"):
        rubric.score(*rows, metrics=["em"])


def test_a_candidate_may_be_a_list_of_one():
    rows = {"filtered_resps": [["dog"], "cat", [["5"]]], "target": ["dog", "cat", "5"]}
    assert rubric.score(rows, metrics=["em"])["em"].scores == [1, 1, 1]
    with pytest.raises(rubric.InputError, match="candidate of row 0 .* of type list"):
        rubric.score({**rows, "filtered_resps": [["a", "b"], "c", "d"]}, metrics=["em"])


def test_our_names_never_give_way():
    rows = {"candidate": [4], "reference": ["4"], "response": ["I think four"]}
    with pytest.raises(rubric.InputError, match='columns={"candidate": "response"}'):
        rubric.score(rows, metrics=["em"])


def test_texts_that_pandas_reads_as_missing(tmp_path):
    """What the warning advises keeps them."""
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "rows.csv"
    path.write_text("candidate,reference,rating\nNA,NA,1\nNone,None,\nnull,null,3\nnan,nan,4\nx,y,5\n")
    with pytest.raises(rubric.InputError, match="keep_default_na=False"):
        rubric.score(pandas.read_csv(path), metrics=["em"])
    frame = pandas.read_csv(path, keep_default_na=False, na_values={"rating": [""]})
    s = rubric.score(frame, metrics=["em"])
    assert s["em"].scores == [1, 1, 1, 1, 0]
    assert frame["rating"].isna().tolist() == [False, True, False, False, False]


def test_what_pandas_has_in_the_place_of_missing_values():
    pandas = pytest.importorskip("pandas")
    for missing in (None, math.nan, pandas.NA):
        frame = pandas.DataFrame({**ROWS, "reference": ["dog", missing, "y"]}, index=[7, 8, 8])
        for kind in "object", "string", "category":
            with pytest.raises(rubric.InputError, match="reference of row 1") as caught:
                f1(frame.astype({"reference": kind}))
            assert (caught.value.row, caught.value.field) == (1, "reference")
            with pytest.warns(rubric.RubricWarning, match="1 row is left out"):
                s = rubric.score(frame.astype({"reference": kind}), metrics=["f1"], missing="drop")
            assert s["f1"].scores == [1, 0] and list(s.to_pandas().index) == [7, 8]
    assert f1(["x"], [["x", None]]) == [1]


def test_predictions_is_a_name_of_candidates():
    assert f1(predictions=ROWS["candidate"], references=ROWS["reference"]) == EXPECTED
    running = rubric.Running(["f1"])
    running.update(predictions=ROWS["candidate"], references=ROWS["reference"])
    assert running.scores()["f1"].scores == EXPECTED
    with pytest.raises(rubric.InputError, match="two names of one argument"):
        f1(ROWS["candidate"], ROWS["reference"], predictions=ROWS["candidate"])
    with pytest.raises(rubric.InputError, match="there are no candidates"):
        f1(references=ROWS["reference"])


def test_two_tables_are_joined_by_id():
    """As the metric squad of `evaluate` takes them."""
    predictions = [{"id": "a", "prediction_text": "dog"}, {"id": "b", "prediction_text": ""}]
    references = [{"id": "b", "answers": {"text": [], "answer_start": []}},
                  {"id": "a", "answers": {"text": ["cat", "dog"], "answer_start": [0, 4]}}]
    assert f1(predictions=predictions, references=references) == [1, 1]
    others = [predictions[:1], [predictions[0]] * 2, [{"prediction_text": "dog"}] * 2,
              [{"id": [1], "prediction_text": "dog"}] * 2, [predictions[0], "dog"]]
    for other in others:
        with pytest.raises(rubric.InputError, match="two tables, whose ids differ"):
            f1(predictions=other, references=references)


def test_lists_as_texts_are_told_in_lists():
    """Lists of Python are not split, as JSON's are not: a text may be the printed list."""
    references = ["['dog', 'hound']", "cat", '["y"]']
    for given in ((ROWS["candidate"], references), ({**ROWS, "reference": references},),
                  (ROWS["candidate"], iter(references))):
        with pytest.warns(rubric.RubricWarning) as told:
            assert f1(*given)[1] == 1
        assert [str(warning.message) for warning in told] == [
            "2 references look like a list, such as \"['dog', 'hound']\": each counts as one text; "
            "give a list in place of such a text"]


def test_what_is_missing_is_refused_where_it_is_read():
    """No metric without a model reads questions and passages."""
    pandas = pytest.importorskip("pandas")
    rows = {"candidate": ["a", "b", "b"], "reference": ["a", "c", "c"]}
    alone = rubric.score(rows, metrics=["em"])
    for missing in (None, math.nan, pandas.NA):
        table = {**rows, "question": ["q", missing, "r"], "passage": [missing] * 3}
        for given in (table, pandas.DataFrame(table)):
            assert str(rubric.score(given, metrics=["em"])) == str(alone)
    table["question"][1] = 7  # a text of a table, as in the command
    assert str(rubric.score(table, metrics=["em"])) == str(alone)
    with pytest.raises(rubric.InputError, match="question of row 1 .* type int"):
        rubric.score(rows["candidate"], rows["reference"], questions=["q", 7, "r"])


def test_numbers_of_a_table_are_texts_as_in_a_file():
    """As the command reads JSON's numbers, with a note; pandas makes 1990 and NaN floats."""
    pandas = pytest.importorskip("pandas")
    numpy = pytest.importorskip("numpy")
    texts = {"candidate": ["1990", "12", "7"], "reference": ["1990", "12", "8"]}
    alone = rubric.score(texts, metrics=["em", "f1"])
    numbers = {name: list(map(int, cells)) for name, cells in texts.items()}
    frame = pandas.DataFrame(numbers)
    with_lists = frame.assign(reference=[[1990, "x"], [12], numpy.array([8])])
    for table in (numbers, frame, frame.astype("Int64"), frame.astype(object), with_lists,
                  {**numbers, "reference": [[1990], [12], [8.5, None]]}):
        with pytest.warns(rubric.RubricWarning) as told:
            assert str(rubric.score(table, metrics=["em", "f1"])) == str(alone)
        messages = [str(warning.message) for warning in told]
        assert messages[0] == ("the column 'candidate' has numbers, which are read as texts: 3, "
                               "the first in row 0 (the first is 0), '1990'")
        assert len(messages) == 2 and messages[1].startswith("the column 'reference' has numbers")
    with pytest.warns(rubric.RubricWarning, match="'true'"):
        table = {"candidate": [True, 2.0], "reference": ["true", "2.0"]}
        assert rubric.score(table, metrics=["em"])["em"].scores == [1.0, 1.0]


def test_numbers_of_a_table_beside_missing_values():
    pandas = pytest.importorskip("pandas")
    rows = pandas.DataFrame({"candidate": [1990, math.nan, 7], "reference": ["1990", "a", "7"]})
    with pytest.warns(rubric.RubricWarning, match="has numbers, .*: 2, .*'1990'"):
        dropped = rubric.score(rows, metrics=["em"], missing="drop")
    assert dropped["em"].scores == [1.0, 1.0]
    rows = rows.assign(candidate=[2, 2.5, math.nan], reference=["2.0", "2.5", "x"])
    with pytest.warns(rubric.RubricWarning, match="has numbers"):
        assert rubric.score(rows, metrics=["em"])["em"].scores == [1.0, 1.0, 0.0]
    with (pytest.warns(rubric.RubricWarning, match="has numbers"),
          pytest.raises(rubric.InputError, match="candidate of row 1 .* type float")):
        rubric.score({"candidate": [1, math.inf], "reference": ["1", "2"]})


def test_numbers_in_lists_of_cells_are_not_cut():
    pandas = pytest.importorskip("pandas")
    numpy = pytest.importorskip("numpy")
    frame = pandas.DataFrame({"candidate": ["8.5", "1990", "x"]})
    lists: list[Any] = [[8.5], [1990], ["x"]]
    for reference in (lists, list(map(numpy.array, lists)), [[8.5], 1990.0, ("x",)]):
        with pytest.warns(rubric.RubricWarning, match="'reference' has numbers, .*: 2, .*'8.5'"):
            s = rubric.score(frame.assign(reference=reference), metrics=["em"])
        assert s["em"].scores == [1.0, 1.0, 1.0]
    floats = pandas.DataFrame({"candidate": ["0.25", "8.0", "1990"],
                               "reference": [numpy.array([0.25, 8]), [8.0], [1990.0]]})
    with pytest.warns(rubric.RubricWarning, match="'reference' has numbers"):
        assert rubric.score(floats, metrics=["em"])["em"].scores == [1.0, 1.0, 0.0]
    both = pandas.DataFrame({"candidate": [[8.0], [8.5]], "reference": [[8.0], [8.5]]})
    with pytest.warns(rubric.RubricWarning, match="'candidate' has numbers, .*'8.0'"):
        assert rubric.score(both, metrics=["em"])["em"].scores == [1.0, 1.0]


def test_whole_floats_are_whole_numbers_in_pandas_alone(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    feather = pytest.importorskip("pyarrow.feather")
    polars = pytest.importorskip("polars")
    table = pytest.importorskip("pyarrow").table(
        {"candidate": ["2.0", "2", "7"], "reference": [2.0, 2.0, 7.0]})
    parquet.write_table(table, tmp_path / "a.parquet")
    feather.write_feather(table, str(tmp_path / "a.feather"))
    (tmp_path / "a.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in table.to_pylist()))
    for given in (table, polars.from_arrow(table), table.to_pydict(), *tmp_path.iterdir()):
        assert rubric.score(given, metrics=["em"])["em"].scores == [1.0, 0.0, 0.0], given
    with pytest.warns(rubric.RubricWarning, match="has numbers, .*'2'"):
        s = rubric.score(table.to_pandas(), metrics=["em"])
    assert s["em"].scores == [0.0, 1.0, 1.0]


def test_numbers_in_lists_are_told_how_they_become_texts():
    pandas = pytest.importorskip("pandas")
    advice = r'not a text\n  to do: .*convert_dtypes\(\)\.astype\("string"\)'
    # As advised, also of a column with what is missing: "nan" would be a text.
    for candidates, texts in (([1, 2], ["1", "2"]), ([1.0, 2, math.nan], ["1", "2", None]),
                              ([2, 2.5, math.nan], ["2.0", "2.5", None])):
        column = pandas.Series(candidates)
        with pytest.raises(rubric.InputError, match=advice):
            rubric.score(column, ["x"] * len(texts))
        read = column.convert_dtypes().astype("string")
        assert [None if pandas.isna(cell) else cell for cell in read] == texts


def test_warnings_tell_rows():
    with pytest.warns(rubric.RubricWarning) as told:
        rubric.score(["?", "", "a"], ["a", "b", "?"], metrics=["rouge_l"], strip="?")
        rubric.score(["x", "A"], ["x", "a"], metrics=["f1"])
    messages = [str(warning.message) for warning in told]
    assert messages.pop().endswith("articles and punctuation there: row 1 (the first is 0)")
    assert messages == [
        "1 row has an empty candidate and is scored as an empty text: row 1 (the first is 0)",
        "rouge_l: strip= leaves candidates empty: 1, in row 0 (the first is 0)",
        "rouge_l: strip= leaves references empty: 1, in row 2 (the first is 0)"], messages


@pytest.mark.parametrize(("candidates", "references", "message"), [
    ([b"dog"], ["dog"], "candidate of row 0 .* type bytes"),
    (b"dog", ["dog"], "is one text"),
    (3, ["dog"], "candidates is a value of type int, not a list"),
    (["a", "b"], ["c", "\udcff"], "reference of row 1 .* lone surrogate"),
    (["a"], [b"a"], "reference of row 0 .* type bytes"),
    ([("a", "b")], ["a"], "candidate of row 0 .* type tuple"),
    ([{"a"}], ["a"], "candidate of row 0 .* type set.*\n.*sorted"),
    (["a"], [{"a", "b"}], "reference of row 0 .* type set.*\n.*sorted"),
    (["a"], [frozenset("a")], "reference of row 0 .* type frozenset.*\n.*sorted"),
    ({"candidate": {"a"}, "reference": ["a"]}, None, "candidate is a value of type set, not a list"),
    ({"candidate": "a", "reference": ["b"]}, None, "candidate is one text"),
    ({"candidate": [], "reference": []}, None, "no candidates\n  to do: give"),
    ({"candidate": ["a"], "reference": ["a"], "n": [1, 2]}, None, "1 value in .*, 2 in 'n'"),
])
def test_mistakes(candidates, references, message):
    with pytest.raises(rubric.InputError, match=message):
        f1(candidates, references)


@pytest.mark.parametrize("values", [{"a", "b"}, frozenset({"a", "b"}), {"a": 1}.keys()])
def test_what_has_no_order_is_no_list_of_a_command(values, tmp_path):
    row = {"passage": "p", "question": "q", "candidate": "a", "reference": ("a", "b"), "system": "m",
           "reply": "Agree Agree Disagree Disagree"}
    (entry,) = rubric.judge([row], tmp_path / "a.jsonl", recorded=True, judge="gpt")
    assert entry.reference == ["a", "b"]
    for field, fault in (("reference", "must be a text.*it is"), ("candidate", "must be a text.*it is"),
                         ("passage", "is")):
        with pytest.raises(rubric.InputError, match=f'"{field}" {fault} a value of type '
                                                    + type(values).__name__) as caught:
            rubric.judge([{**row, field: values}], tmp_path / "b.jsonl", recorded=True, judge="gpt")
        assert caught.value.row == 0 and caught.value.field == field


@pytest.mark.parametrize(("call", "given", "meant"), [
    ("score", {"field": {}}, "columns"), ("score", {"colums": {}}, "columns"),
    ("agreement", {"field": {}, "human": "x"}, "columns"), ("agreement", {"humn": "x"}, "human"),
    ("agreement", {"label": "x"}, "human"), ("compare", {"metrik": "f1"}, "metric"),
    ("estimate", {"hman": "x"}, "human"), ("plan", {"human": "x", "widht": 1}, "width"),
    ("choose", {"n": 3}, "budget"), ("judge", {"columns": {}, "ledger": "x"}, "field"),
    ("generate", {"columns": {}, "model": "x"}, "field"),
    ("likelihood", {"field": {}, "model": "x"}, "columns"),
    ("train", {"set": {"run.epochs": 1}}, "overrides"), ("train", {"overide": {"run.epochs": 1}}, "overrides"),
    ("train", {"columns": {}}, "field"), ("load", {"modl": "x", "metric": "lerc"}, "model"),
    ("evaluate_mocha", {"prediction": "x"}, "predictions"),
])
def test_unknown_keywords_name_the_one_that_is_meant(call, given, meant):
    with pytest.raises(rubric.InputError, match=f"did you mean {meant}(=|\\?)"):
        rows = ROOT / "configs" / "sample_rev.yaml" if call == "train" else "rows.jsonl"
        getattr(rubric, call)(*([] if call == "load" else [rows]), **given)


def test_unknown_keywords_without_a_meaning_are_named():
    with pytest.raises(rubric.InputError, match=r"update\(\) has no argument missing=\n"):
        rubric.Running("f1").update(["a"], ["a"], missing="drop")


def test_columns_of_lists_are_refused():
    with pytest.raises(rubric.InputError, match="names the columns of a table, but lists are given"):
        f1(["a"], ["a"], columns={"candidate": "x"})
    for wrong in "prediction", ["candidate"], {"candidate": None}, {"candidate": 0}:
        with pytest.raises(rubric.InputError, match="^columns is .*\n  to do: give the table"):
            f1(ROWS, columns=wrong)
    with pytest.raises(rubric.InputError, match="there is no column 'candidate'; there are none\n"):
        f1({})
    with pytest.raises(rubric.InputError, match="columns has 'prediction', but the fields"):
        f1(ROWS, columns={"prediction": "candidate"})


def test_rows_with_scores():
    values = {"f1": [decimal.Decimal("0.5"), 0.25, 1, 0.75], "judge": [1, 2.0, None, 3]}
    report = rubric.agreement(values, metrics=["f1"], human="judge", missing="drop")
    assert report.find("pearson").value == pytest.approx(0.5)
    numpy = pytest.importorskip("numpy")
    values["f1"] = list(numpy.array([0.5, 0.25, 1, 0.75], dtype=numpy.float32))
    again = rubric.agreement(values, metrics=["f1"], human="judge", missing="drop")
    assert again.measurements == report.measurements
    for value, message in ((b"1", "type bytes"), (math.inf, "row 1"), ([math.nan], "row 1")):
        with pytest.raises(rubric.InputError, match=message) as caught:
            rubric.agreement({**values, "f1": [1, value, 1, 1]}, metrics=["f1"], human="judge",
                             missing="drop")
        assert caught.value.row == 1
