"""What callers give as rows, of every kind, and what of it is refused."""

from __future__ import annotations

import decimal
import math
from typing import Any

import pytest

import rubric

ROWS = {"candidate": ["the dog", "a cat", "x"], "reference": ["dog", "cat", "y"]}
EXPECTED = [1.0, 1.0, 0.0]


def f1(*arguments: Any, **more: Any) -> list[float]:
    return rubric.score(*arguments, metrics=["f1"], **more)["f1"].scores


def test_iterables():
    assert f1((text for text in ROWS["candidate"]), iter(ROWS["reference"])) == EXPECTED
    assert f1(tuple(ROWS["candidate"]), {i: text for i, text in enumerate(ROWS["reference"])}.values()
              ) == EXPECTED
    assert f1("candidate" and ["a" * 1_000_000], ["a" * 1_000_000]) == [1.0]


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
    for missing in (None, math.nan, pandas.NA):
        frame = pandas.DataFrame({**ROWS, "reference": ["dog", missing, "y"]})
        with pytest.raises(rubric.InputError, match="reference of row 1") as caught:
            f1(frame)
        assert (caught.value.row, caught.value.field) == (1, "reference")
    twice = pandas.DataFrame([["a", "b", "a"]] * 3, columns=["candidate", "candidate", "reference"])
    with pytest.raises(rubric.InputError, match="several columns 'candidate'"):
        f1(twice)


def test_polars():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(ROWS)
    assert f1(frame) == EXPECTED and f1(frame["candidate"], frame["reference"]) == EXPECTED
    with pytest.raises(rubric.InputError, match="candidate of row 2 .* None"):
        f1(frame.with_columns(candidate=polars.Series(["a", "b", None])))
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
    columns["gold"] = ["dog", "b"]
    for table in [columns, *of_each_kind(columns)]:
        with pytest.raises(rubric.InputError, match="reference may be any of the fields gold, "
                           "golden_answers\n.*columns={\"reference\": \"gold\"}"):
            f1(table)
        assert f1(table, columns={"reference": "gold"}) == [1, 0]


@pytest.mark.parametrize(("candidates", "references", "message"), [
    ([b"dog"], ["dog"], "candidate of row 0 .* type bytes"),
    (b"dog", ["dog"], "is one text"),
    (3, ["dog"], "candidates is a value of type int, not a list"),
    (["a", "b"], ["c", "\udcff"], "reference of row 1 .* lone surrogate"),
    (["a"], [b"a"], "reference of row 0 .* type bytes"),
    ({"candidate": "a", "reference": ["b"]}, None, "candidate is one text"),
    ({"candidate": [], "reference": []}, None, "no candidates\n  to do: give"),
    ({"candidate": ["a"], "reference": ["a"], "n": [1, 2]}, None, "1 value in .*, 2 in 'n'"),
    ([None], ["a"], r"None, not a text\n  to do: .*fillna\(\"\"\)"),
])
def test_mistakes(candidates, references, message):
    with pytest.raises(rubric.InputError, match=message):
        f1(candidates, references)


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
    report = rubric.agreement(values, metrics=["f1"], human="judge")
    assert report.all.metrics.f1.pearson.value == pytest.approx(0.5)
    numpy = pytest.importorskip("numpy")
    values["f1"] = list(numpy.array([0.5, 0.25, 1, 0.75], dtype=numpy.float32))
    assert rubric.agreement(values, metrics=["f1"], human="judge").all == report.all
    for value, message in ((b"1", "type bytes"), (math.inf, "row 1"), ([math.nan], "row 1")):
        with pytest.raises(rubric.InputError, match=message) as caught:
            rubric.agreement({**values, "f1": [1, value, 1, 1]}, metrics=["f1"], human="judge")
        assert caught.value.row == 1
