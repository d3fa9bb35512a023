"""Paths of files in the place of rows: those that the commands read, parquet, feather and .xlsx."""

from __future__ import annotations

import csv
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import summary_of

import rubric

ROWS = [
    {"id": "x", "prediction": "the dog", "reference": ["dog", "hound"], "judge": 5, "year": 1984,
     "reply": "Agree Agree Disagree Disagree"},
    {"id": "y", "prediction": "a cat", "reference": ["cow"], "judge": 1, "year": 1066,
     "reply": "who knows"},
    {"id": "z", "prediction": "hen", "reference": ["a hen"], "judge": 4, "year": 7, "reply": "I"},
    {"id": "w", "prediction": "the pig", "reference": ["a sow"], "judge": 2, "year": 7,
     "reply": "none"},
]
F1 = [1.0, 0.0, 1.0, 0.0]


def columns(rows: list[dict[str, Any]] = ROWS) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in rows[0]}


def with_texts() -> dict[str, list[Any]]:
    """As a spreadsheet has them: lists as texts."""
    return {**columns(), "reference": [str(row["reference"]) for row in ROWS]}


def as_parquet(path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.table(columns()), path)


def as_parquet_of_pandas(path: Path) -> None:
    pytest.importorskip("pyarrow")
    frame = pytest.importorskip("pandas").DataFrame(columns())
    frame.set_index(frame.index * 2).to_parquet(path)


def as_feather(path: Path) -> None:
    feather = pytest.importorskip("pyarrow.feather")
    feather.write_feather(pytest.importorskip("pyarrow").table(columns()), str(path))


def as_stream(path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(columns())
    with pyarrow.OSFile(str(path), "wb") as file, pyarrow.ipc.new_stream(file, table.schema) as out:
        out.write_table(table)


def as_xlsx(path: Path, cells: dict[str, list[Any]] | None = None) -> None:
    book = pytest.importorskip("openpyxl").Workbook()
    cells = with_texts() if cells is None else cells
    for line in [list(cells), *zip(*cells.values())]:
        book.active.append(list(line))
    book.active.append([None] * len(cells))  # a line that is formatted alone
    book.save(path)


def as_json_lines(path: Path) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")


def as_csv(path: Path) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([list(with_texts()), *zip(*with_texts().values())])


# The name says nothing of what the package reads; the commands' own formats are known by it.
FORMATS: dict[str, Callable[[Path], None]] = {
    "parquet.bin": as_parquet, "pandas.parquet": as_parquet_of_pandas, "feather.bin": as_feather,
    "stream.arrow": as_stream, "sheet.xlsx": as_xlsx, "rows.jsonl": as_json_lines,
    "parquet.csv": as_parquet, "feather.json": as_feather, "sheet.csv": as_xlsx,
    "sheet.txt": as_xlsx, "stream.jsonl": as_stream, "parquet.json": as_parquet,
    "rows.csv": as_csv}


@pytest.fixture(params=FORMATS)
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / request.param
    FORMATS[request.param](path)
    return path


def test_score_takes_a_path(file):
    s = rubric.score(file, metrics=["f1"])
    assert s["f1"].scores == F1
    assert rubric.score(str(file), metrics=["f1"])["f1"].scores == F1
    assert list(s.columns()) == [*ROWS[0], "f1"] and s.columns()["id"] == list("xyzw")
    named = rubric.score(file, columns={"candidate": "id"}, metrics=["f1"])
    assert named["f1"].scores == [0.0] * 4
    with pytest.raises(rubric.InputError, match='"mine"|column \'mine\''):
        rubric.score(file, columns={"candidate": "mine"}, metrics=["f1"])


def test_the_other_calls_take_a_path(file, tmp_path):
    report = rubric.agreement(file, metrics=["year"], human="judge")
    assert report.measurements == rubric.agreement(
        ROWS, metrics=["year"], human="judge").measurements
    changed = [{**row, "judge": row["judge"] + 1} for row in ROWS]
    comparison = rubric.compare(file, changed, metric="judge")
    assert comparison.find("difference", method="permutation").value == -1
    assert comparison.measurements[0].system == file.name.rpartition(".")[0]
    entries = rubric.judge(file, tmp_path / "ledger.jsonl", recorded=True, judge="gpt",
                           system_name="mine", field={"candidate": "prediction", "passage": "id",
                                                      "question": "id"})
    assert [entry.reference for entry in entries] == [["dog", "hound"], "cow", "a hen", "a sow"]
    assert [entry.verdicts is None for entry in entries] == [False, True, True, True]


def test_numbers_of_a_file_are_read_as_texts(tmp_path):
    cells = {"candidate": [1984, "7", 0.5, True], "reference": ["1984", 7, "0.5", "true"],
             "size": [1, 2.5, None, 4]}
    as_xlsx(tmp_path / "sheet.xlsx", cells)
    with pytest.warns(rubric.RubricWarning, match="candidate' has numbers.*: 3, the first in row 0"):
        s = rubric.score(tmp_path / "sheet.xlsx", metrics=["em"])
    assert s["em"].scores == [1.0] * 4
    assert s.columns()["candidate"] == cells["candidate"] and s.columns()["size"] == cells["size"]


def test_sheets(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    path = tmp_path / "sheet.xlsx"
    as_xlsx(path)
    book = openpyxl.load_workbook(path)
    book.create_sheet("notes")
    book.save(path)
    with pytest.warns(rubric.RubricWarning, match="the sheet 'Sheet' is read; there are also notes"):
        assert rubric.score(path, metrics=["f1"])["f1"].scores == F1
    book = openpyxl.Workbook()
    for line in ([None, "candidate", "reference"], [0, "b", "b"]):  # pandas' index
        book.active.append(line)
    book.save(path)
    with pytest.warns(rubric.RubricWarning, match="columns without a name are not read: column 1"):
        assert rubric.score(path, metrics=["em"])["em"].scores == [1]
    book = openpyxl.Workbook()
    for line in (["candidate", "x", "x", "reference"], ["b", 1, 2, "b"]):
        book.active.append(line)
    book.save(path)
    s = rubric.score(path, metrics=["em"])
    assert list(s.columns()) == ["candidate", "x (1)", "x (2)", "reference", "em"]
    as_xlsx(path, {})
    with pytest.raises(rubric.InputError, match="has no rows below a line of names"):
        rubric.score(path)


@pytest.mark.parametrize(("name", "package"), [
    ("pandas.parquet", "pyarrow"), ("feather.bin", "pyarrow"), ("sheet.xlsx", "openpyxl")])
def test_a_package_that_is_missing_is_named(tmp_path, monkeypatch, name, package):
    FORMATS[name](tmp_path / name)
    from rubric import _files

    def missing(wanted: str) -> None:
        assert wanted.partition(".")[0] == package
        raise ImportError(wanted)

    monkeypatch.setattr(_files, "import_module", missing)
    for call in (lambda: rubric.score(tmp_path / name),
                 lambda: rubric.agreement(tmp_path / name, metrics=["f1"], human="judge")):
        with pytest.raises(rubric.InputError, match=f"is a.*\n  to do: pip install {package}$"):
            call()


def test_broken_files(tmp_path):
    for name in "pandas.parquet", "feather.bin", "stream.arrow":
        FORMATS[name](tmp_path / name)
        content = (tmp_path / name).read_bytes()
        (tmp_path / name).write_bytes(content[:len(content) // 2])
        with pytest.raises(rubric.InputError, match="cannot be read: "):
            rubric.score(tmp_path / name)
    (tmp_path / "old.xls").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 512)
    with pytest.raises(rubric.InputError, match="save it as .xlsx or .csv"):
        rubric.score(tmp_path / "old.xls")
    with pytest.raises(rubric.InputError, match="is a folder\n.*load_from_disk"):
        rubric.score(tmp_path)
    with pytest.raises(rubric.InputError, match="there is no file 'the dog'"):
        rubric.score("the dog")
    (tmp_path / "rows.jsonl").write_text(
        '{"candidate": "a", "reference": "b"}\n{"candidate": "a"}\n')
    with pytest.raises(rubric.InputError, match=r"rows.jsonl:2"):
        rubric.score(tmp_path / "rows.jsonl")


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.csv"])
def test_missing_values_of_files(tmp_path, name):
    path = tmp_path / name
    path.write_text({"rows.jsonl": '{"candidate": "dog", "reference": "dog"}\n'
                                   '{"candidate": null, "reference": "cat"}\n',
                     "rows.csv": "candidate,reference\ndog,dog\n,cat\n"}[name])
    with pytest.warns(rubric.RubricWarning, match="1 row has an empty candidate"):
        assert rubric.score(path, metrics=["em"])["em"].scores == [1, 0]
    with pytest.warns(rubric.RubricWarning, match="1 row is left out: 1 without a candidate"):
        s = rubric.score(path, metrics=["em"], missing="drop")
    assert s["em"].scores == [1] and s.columns()["candidate"] == ["dog"]
    with pytest.raises(rubric.InputError, match='missing="drop"'):
        rubric.score(path, metrics=["em"], missing="error")
    path.write_text(path.read_text().replace("cat", "a/b").replace("null", '"b"'))
    assert rubric.score(path, metrics=["em"], reference_separator="/")["em"].scores[0] == 1


def test_a_path_is_scored_as_the_command_scores_it(tmp_path):
    path = Path(__file__).parents[2] / "samples" / "mocha" / "dev.json"
    program = Path(rubric.__file__).parent / "bin" / "rubric"
    subprocess.run([program, "score", "f1", "--input", path, "--output", tmp_path / "out.json",
                    "--summary", tmp_path / "summary.json"], check=True)
    summary = summary_of(tmp_path / "summary.json")["f1"]
    f1 = rubric.score(path, metrics=["f1"])["f1"]
    assert (f1.mean, list(f1.interval or ()), f1.signature) == summary


def test_advice_can_be_pasted(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("candidate,reference\n1969,1969|1970\n1984,1984|1985\n")
    with pytest.warns(rubric.RubricWarning, match=r'add reference_separator="\|"$'):
        rubric.score(path, metrics=["em"])
