"""rubric.score: values, inputs, results and mistakes."""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys
import warnings
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from conftest import summary_of

import rubric

ROOT = Path(__file__).parents[2]
CANDIDATES = ["the dog", "a black cat", "Paris.", "", "naïve café", "7"]
REFERENCES = [["dog", "hound"], "cat", ["Paris", "the capital"], "x", ("naive", "naïve cafe"), "seven"]
QUESTIONS = ["q1", "q1", "q2", "", "", "q3"]
PASSAGES = ["p", "p", "p", "", "", "r"]
LIGHT = [m.name for m in rubric.list_metrics() if not m.needs_model and m.name != "meteor"]


@pytest.fixture
def scored_by_command(tmp_path: Path) -> tuple[list[dict], dict]:
    """The rows and the measurements of the command `score`, by metric, for the texts above."""
    with open(tmp_path / "rows.jsonl", "w", encoding="utf-8") as rows:
        for row in zip(CANDIDATES, REFERENCES, PASSAGES, QUESTIONS):
            names = ("candidate", "reference", "passage", "question")
            rows.write(json.dumps(dict(zip(names, row))) + "\n")
    program = Path(rubric.__file__).parent / "bin" / "rubric"
    subprocess.run([program, "score", ",".join(LIGHT), "--input", tmp_path / "rows.jsonl", "--output",
                    tmp_path / "out.jsonl", "--summary", tmp_path / "summary.json"], check=True)
    lines = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    return list(map(json.loads, lines)), summary_of(tmp_path / "summary.json")


@pytest.mark.filterwarnings("ignore::rubric.RubricWarning")
def test_equals_the_command_bit_for_bit(scored_by_command):
    rows, summary = scored_by_command
    s = rubric.score(CANDIDATES, REFERENCES, metrics=LIGHT, passages=PASSAGES, questions=QUESTIONS)
    assert list(s) == LIGHT == list(rows[0]["scores"])
    for name in LIGHT:
        assert s[name].scores == [row["scores"][name] for row in rows]
        assert (s[name].mean, list(s[name].interval), s[name].signature) == summary[name]


@pytest.mark.filterwarnings("ignore::rubric.RubricWarning")
def test_many_rows_and_long_texts_equal_the_command_bit_for_bit(tmp_path):
    """They are read in parts: of 2,048 rows, or fewer where texts are long."""
    words = ["the", "a", "black", "cat", "dog", "Paris.", "naïve", "café", "7", "-", "ran", "x"]
    draw = random.Random(0)

    def text(length: int) -> str:
        return " ".join(draw.choices(words, k=length))

    rows = [{"candidate": text(draw.randrange(1, 9)),
             "reference": [text(draw.randrange(1, 9)) for _ in range(draw.randrange(1, 4))],
             "passage": f"p{i % 7}", "question": f"q{i % 1501}" if i % 5 else ""}
            for i in range(5000)]
    for i in (700, 701, 702, 703, 3000):  # some 3 MB each, so that a part ends among them
        rows[i]["candidate"] = text(40) + " dog cat" * 400_000
    rows[702]["reference"] = ["cat " * 700_000, "dog"]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    with open(tmp_path / "rows.jsonl", "w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    names = ["f1", "em", "bleu1", "bleu"]
    program = Path(rubric.__file__).parent / "bin" / "rubric"
    subprocess.run([program, "score", ",".join(names), "--input", tmp_path / "rows.jsonl",
                    "--output", tmp_path / "out.jsonl", "--summary", tmp_path / "summary.json"],
                   check=True)
    with open(tmp_path / "out.jsonl", encoding="utf-8") as file:
        expected = [json.loads(line)["scores"] for line in file]
    summary = summary_of(tmp_path / "summary.json")
    s = rubric.score(columns, metrics=names)
    for name in names:
        assert s[name].scores == [row[name] for row in expected]
        assert (s[name].mean, list(s[name].interval), s[name].signature) == summary[name]


def test_a_bad_row_is_refused_before_any_is_scored():
    """Not even an array in the row before it is read."""
    class Array:
        def tolist(self):
            raise AssertionError("a row is read")

    for column, bad in ("candidate", b"7"), ("reference", ["b", b"7"]):
        table = {"candidate": ["a"] * 5000, "reference": ["b"] * 4998 + [Array()] + ["b"],
                 "question": ["q"] * 5000}
        table[column][-1] = bad
        with pytest.raises(rubric.InputError) as caught:
            rubric.score(table, metrics=["f1"])
        assert (caught.value.row, caught.value.field) == (4999, column)


def test_questions_decide_the_interval():
    pairs = (["a", "b"] * 10, ["a", "c"] * 10)
    by_row = rubric.score(*pairs, metrics=["em"])["em"]
    by_question = rubric.score(*pairs, metrics=["em"], questions=["q", "r"] * 10)["em"]
    assert by_row.scores == by_question.scores == [1.0, 0.0] * 10
    assert by_question.interval == (0.0, 1.0)  # two questions, drawn whole
    assert 0 < by_row.interval[0] < by_row.interval[1] < 1


@pytest.mark.skipif(not (ROOT / ".deps" / "meteor").exists(), reason="scripts/setup --meteor has not run")
def test_meteor_finds_its_data_in_the_clone(tmp_path, monkeypatch):
    monkeypatch.delenv("RUBRIC_METEOR", raising=False)
    monkeypatch.chdir(tmp_path)
    s = rubric.score(["the dog ran"], ["a dog was running"], metrics=["meteor"])
    monkeypatch.setenv("RUBRIC_METEOR", str(ROOT / ".deps" / "meteor"))
    assert s["meteor"].scores == rubric.score(["the dog ran"], ["a dog was running"],
                                              metrics=["meteor"])["meteor"].scores
    monkeypatch.setenv("RUBRIC_METEOR", str(tmp_path))
    with pytest.raises(rubric.InputError, match="run scripts/setup --meteor in the clone"):
        rubric.score(["the dog ran"], ["a dog was running"], metrics=["meteor"])


def test_settings():
    assert rubric.score(["cat"], ["cat."], metrics=["bleu1"])["bleu1"].mean < 0.5
    assert rubric.score(["cat"], ["cat."], metrics=["bleu1"], strip="?.!")["bleu1"].mean > 0.9
    plain = rubric.score(["the dogs"], ["the dog"], metrics=["rouge1"])
    stemmed = rubric.score(["the dogs"], ["the dog"], metrics=["rouge1"], stem=True)
    assert plain["rouge1"].mean < stemmed["rouge1"].mean == 1


TABLE = {"id": [1, 2], "prediction": ["the dog", "a cat"], "reference": [["dog", "hound"], ["cat"]]}
NAMES = {"candidate": "prediction"}


def tables():
    yield "dict", lambda: TABLE
    yield "list of dicts", lambda: [dict(zip(TABLE, row)) for row in zip(*TABLE.values())]
    yield "pandas", lambda: pytest.importorskip("pandas").DataFrame(TABLE)
    yield "polars", lambda: pytest.importorskip("polars").DataFrame(TABLE)
    yield "arrow", lambda: pytest.importorskip("pyarrow").table(TABLE)
    yield "arrow in pandas", lambda: pytest.importorskip("pyarrow").table(TABLE).to_pandas()


@pytest.mark.parametrize("make", [make for _, make in tables()], ids=[name for name, _ in tables()])
def test_tables(make):
    s = rubric.score(make(), columns=NAMES, metrics=["f1"])
    assert s["f1"].scores == [1.0, 1.0]
    df = pytest.importorskip("pandas")
    frame = s.to_pandas()
    assert isinstance(frame, df.DataFrame)
    assert list(frame.columns) == [*TABLE, "f1"] and list(frame["id"]) == [1, 2]
    pytest.importorskip("polars")
    assert s.to_polars().columns == [*TABLE, "f1"]


def test_arrays():
    numpy = pytest.importorskip("numpy")
    s = rubric.score(numpy.array(["a", "b"]), numpy.array([["a", "x"], ["c", "d"]]), metrics=["em"])
    assert s["em"].scores == [1.0, 0.0]
    assert s["em"].numpy().dtype == numpy.float64 and s["em"].numpy().shape == (2,)


def test_results():
    s = rubric.score(CANDIDATES[:3], REFERENCES[:3], metrics=["f1", "em"])
    lines = str(s).splitlines()
    assert lines[0] == "Scores of 3 rows" and lines[2].split() == ["metric", "mean"]
    assert lines[-2:] == [s["f1"].signature, s["em"].signature]
    assert f"{s['f1'].mean:.4f} [{s['f1'].interval[0]:.4f}" in str(s)
    html = s._repr_html_()
    assert html.count("<tr>") == 3 and s["em"].signature in html and 'class="bar"' in html
    assert set(s.to_dict("dev")) == {f"dev/{n}{e}" for n in ("f1", "em") for e in ("", "_low", "_high")}
    assert s.columns()["candidate"] == CANDIDATES[:3] and s.columns()["f1"] == s["f1"].scores
    with pytest.raises(KeyError):
        s["bleu1"]
    corpus = str(rubric.score(["a"], ["a"], metrics=["bleu", "em"]))
    assert corpus.splitlines()[2].split() == ["metric", "mean", "corpus"]


@pytest.mark.parametrize(("candidates", "references", "row", "field", "message"), [
    (["a", "b"], [["a"]], None, "reference", "2 candidates, 1 entry in references"),
    (["a", 7], ["a", "b"], 1, "candidate", "type int"),
    (["a", "b"], ["a", None], 1, "reference", "is None"),
    (["a", "b"], ["a", math.nan], 1, "reference", "is NaN"),
    (["a", "b"], ["a", [None, None]], 1, "reference", "is None"),
    (["a", "b"], ["a", {"b": 1}], 1, "reference", "type dict"),
    (["a", "b"], ["a", [["b"]]], 1, "reference", "type list"),
    (["a", "\ud800"], ["a", "b"], 1, "candidate", "lone surrogate"),
    ("the dog", ["dog"], None, "candidates", "is one text"),
    (["the dog"], "dog", None, "references", "is one text"),
    (["a"], None, None, "reference", "no references"),
    ([], [], None, None, "no candidates"),
    ({"candidate": ["a"]}, None, None, "reference", "no column 'reference'"),
    ([{"candidate": "a", "reference": "b"}, 3], None, 1, None, "not a dict"),
    ([{"candidate": "a", "reference": "b"}, {"candidate": "a"}], None, 1, "reference", "is None"),
    ({"candidate": ["a"], "reference": ["a", "b"]}, None, None, "reference", "2 in 'reference'"),
])
def test_mistakes_in_rows(candidates, references, row, field, message):
    with pytest.raises(rubric.InputError, match=message) as caught:
        rubric.score(candidates, references, metrics=["f1"])
    assert isinstance(caught.value, ValueError)
    assert (caught.value.row, caught.value.field) == (row, field)


@pytest.mark.parametrize(("arguments", "message"), [
    ({"metrics": ["f2"]}, "did you mean"),
    ({"metrics": ["rougel"]}, "did you mean rouge_l or rougeL[?]"),
    ({"metrics": []}, "no metric is named"),
    ({"metrics": ["f1", "f1"]}, "named twice"),
    ({"metrics": ["lerc"]}, r"needs a model\n  to do: load it, rubric.load\(metric='lerc'\)"),
    ({"metrics": ["bertscore"]}, r"rubric.load\(folder, metric='bertscore'\)"),
    ({"metrics": ["f1"], "strip": "?"}, "no setting of f1"),
    ({"metrics": "f1,em"}, r"metrics is one text, 'f1,em'\n  to do: give a list, "
                           r'metrics=\["f1", "em"\]'),
    ({"metrics": ["bleu1"], "stripp": "?"}, "did you mean strip"),
    ({"metrics": ["rouge1"], "stem": "yes"}, "True or False"),
    ({"metrics": ["chrf"], "word_order": "x"}, "^word_order= is x\n"),
    ({"metrics": ["f1"], "columns": {"candidate": "x"}}, "leave it out"),
    ({"metrics": ["f1"], "columns": ["candidate"]}, r"^columns is \['candidate'\]\n"),
    ({"metrics": ["f1"], "questions": ["q", "q"]}, "1 candidate, 2 entries in questions"),
    ({"metrics": ["f1"], "passages": [3]}, "passage of row 0"),
])
def test_mistakes_in_arguments(arguments, message):
    with pytest.raises(rubric.InputError, match=message):
        rubric.score(["a"], ["a"], **arguments)


def test_empty_texts_are_a_warning():
    with pytest.warns(rubric.RubricWarning, match="empty candidate"):
        rubric.score(["", "a"], ["b", "a"], metrics=["f1"])


def test_the_program_starts_without_the_package(tmp_path):
    code = "import sys, rubric_program; print('rubric' in sys.modules, flush=True); rubric_program.main()"
    out = subprocess.run([sys.executable, "-c", code, "--version"], check=True, capture_output=True,
                         text=True).stdout.split()
    assert out[:2] == ["False", "rubric"]


def test_needs_the_standard_library_alone():
    code = ("import sys; before = set(sys.modules); import rubric; "
            "rubric.score(['a'], ['a'], metrics=['f1']); "
            "print(*sorted({m.partition('.')[0] for m in set(sys.modules) - before}"
            " - set(sys.stdlib_module_names)))")
    out = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert out.stdout.split() in (["nanobind_backend", "rubric", "rubric_program"],
                                  ["rubric", "rubric_program"])


def test_an_old_cpu_is_told_before_the_extension_is_loaded(monkeypatch):
    from rubric import _cpu

    monkeypatch.setattr(_cpu, "_cpu_flags", lambda: {"sse2", "fma"})
    monkeypatch.setattr(_cpu.platform, "machine", lambda: "x86_64")
    with pytest.raises(ImportError, match="lacks avx2, bmi2"):
        _cpu.require_cpu("x86-64-v3")
    _cpu.require_cpu("x86-64")
    monkeypatch.setattr(_cpu, "_cpu_flags", set)
    _cpu.require_cpu("x86-64-v3")


def test_a_metric_answers_to_the_names_that_the_command_takes():
    s = rubric.score(["a"], ["a"], metrics=["exact_match", "BLEU"])
    assert list(s) == ["em", "bleu"] and s["exact_match"] is s["em"] and "BLEU" in s
    assert s.get("f1") is None and s.get("sacrebleu") is s["bleu"]
    program = Path(rubric.__file__).parent / "bin" / "rubric"
    for metric in rubric.list_metrics():
        listed = subprocess.run([program, "list", "metrics", metric.name, "--format", "json"], check=False,
                                capture_output=True, text=True)
        if listed.returncode == 0:
            assert list(metric.aliases) == json.loads(listed.stdout).get("aliases", [])
    with pytest.raises(rubric.InputError, match="em is named twice"):
        rubric.score(["a"], ["a"], metrics=["em", "exact_match"])
    rows = {"exact_match": [0, 1, 1], "judge": [1, 2, 3]}
    assert rubric.agreement(rows, metrics=["em"], human="judge").find("pearson").metric == "em"


def test_list_metrics_and_versions():
    has_models = (Path(rubric.__file__).parent / "bin" / "libtorch").exists()
    assert (rubric.versions()["torch"] != "") == has_models
    metrics = {metric.name: metric for metric in rubric.list_metrics()}
    assert metrics["lerc"].needs_model and not metrics["f1"].needs_model
    assert [setting.name for setting in metrics["bleu1"].settings] == ["strip"]
    assert rubric.versions()["rubric"] == rubric.__version__ == version("rubric")
    assert rubric.versions()["build"] in rubric.score(["a"], ["a"], metrics=["f1"])["f1"].signature


def test_a_table_or_a_set_is_no_column():
    """Iterating them gives names of columns, and values in an order that nobody chose."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"candidate": ["a", "b"], "reference": ["a", "b"]})
    for wrong in (frame, {"candidate": ["a", "b"]}, {"a", "b"}):
        with pytest.raises(rubric.InputError, match="candidates is a"):
            rubric.score(wrong, ["candidate", "reference"], metrics=["em"])
        with pytest.raises(rubric.InputError, match="references is a"):
            rubric.score(["candidate", "reference"], wrong, metrics=["em"])
    assert rubric.score({"a": 0, "b": 1}.keys(), ["a", "b"], metrics=["em"])["em"].mean == 1


def test_tables_that_change_later_do_not_change_what_was_scored():
    pandas = pytest.importorskip("pandas")
    rows = {"candidate": ["a", "b"], "reference": ["a", "c"]}
    of_dict = rubric.score(rows, metrics=["em"])
    dicts = [{"candidate": "a", "reference": "a"}, {"candidate": "b", "reference": "c"}]
    of_dicts = rubric.score(dicts, metrics=["em"])
    frame = pandas.DataFrame(rows)
    of_frame = rubric.score(frame, metrics=["em"])
    of_iterators = rubric.score({name: iter(column) for name, column in rows.items()},
                                metrics=["em"])
    expected = {"candidate": ["a", "b"], "reference": ["a", "c"], "em": [1.0, 0.0]}
    assert of_iterators.columns() == expected
    rows["candidate"].reverse()
    dicts.reverse()
    frame.iloc[0, 0] = "x"
    frame.sort_values("candidate", ascending=False, inplace=True)
    frame.drop(index=0, inplace=True)
    for scores in (of_dict, of_dicts, of_frame):
        assert scores.columns() == expected
        assert scores.to_pandas().to_dict("list") == expected


def test_lists_and_columns_that_change_later():
    rows = {"candidate": ["a", "b"], "reference": [["a"], ["c"]]}
    expected = {"candidate": ["a", "b"], "reference": [["a"], ["c"]], "em": [1.0, 0.0]}
    made = [rubric.score(rows, metrics=["em"]), rubric.score(*rows.values(), metrics=["em"])]
    tables: list[Any] = []
    for name in "pandas", "polars":
        try:
            tables.append(__import__(name).DataFrame(rows))
        except ImportError:
            continue
        made.append(rubric.score(tables[-1], metrics=["em"]))
    try:
        import datasets
    except ImportError:
        pass
    else:
        tables.append(datasets.Dataset.from_dict(rows))
        made.append(rubric.score(tables[-1], metrics=["em"]))
        tables[-1].set_format(columns=["candidate"])
    rows["reference"][1].append("b")
    for table in tables:
        if hasattr(table, "iloc"):
            table.loc[1, "reference"].append("b")
        elif hasattr(table, "drop_in_place"):
            table.drop_in_place("reference")
    for scores in made:
        scores.columns()["reference"][0].append("x")
        scores.columns()["candidate"].append("x")
        scores.columns()["em"].append(2)
        assert scores.columns() == expected


def test_a_score_that_is_not_there():
    scores = rubric.score(["a"], ["b"], metrics=["em"])
    with pytest.raises(KeyError, match="no score 'meteor'; there are em"):
        scores["meteor"]
    assert scores.get("meteor") is None and "meteor" not in scores


def test_references_of_a_table_may_be_texts_and_lists():
    polars = pytest.importorskip("polars")
    s = rubric.score({"id": [1, 2], "candidate": ["a", "b"], "reference": ["a", ["b", "c"]]},
                     metrics=["em"])
    assert s.to_polars().to_dict(as_series=False) == {
        "id": [1, 2], "candidate": ["a", "b"], "reference": [["a"], ["b", "c"]], "em": [1.0, 1.0]}
    lists = rubric.score(["a", "b"], ["a", ("b", "c")], metrics=["em"]).to_polars()
    assert lists["reference"].dtype == polars.List(polars.String)


def test_columns_of_one_name_are_refused_where_they_are_read():
    rows = {"candidate": ["a"], "reference": ["a"], 1: ["x"], "1": ["y"]}
    for table in rows, [{name: column[0] for name, column in rows.items()}]:
        s = rubric.score(table, metrics=["em"])
        assert s.columns() == {"candidate": ["a"], "reference": ["a"], "1 (1)": ["x"],
                               "1 (2)": ["y"], "em": [1.0]}
        with pytest.raises(rubric.InputError, match="several columns '1'"):
            rubric.score(table, metrics=["em"], columns={"candidate": "1"})
    scored = {"f1": [0.5, 0.25], "judge": [1, 0], 1: [1, 1], "1": [2, 2]}
    assert rubric.agreement(scored, metrics=["f1"], human="judge").find("questions").n == 2
    assert rubric.compare(scored, scored, metric="f1").find("ties").n == 2
    for human, metric in ("1", "f1"), ("judge", "1"):
        with pytest.raises(rubric.InputError, match='"1" must be .* in several columns of this name'):
            rubric.agreement(scored, metrics=[metric], human=human)


def test_warnings_are_of_the_line_that_called():
    running = rubric.Running(["f1"])
    running.update([""], ["dog"])
    for call in lambda: rubric.score([""], ["dog"]), running.compute, running.scores:
        with pytest.warns(rubric.RubricWarning) as told:
            call()
        assert [one.filename for one in told] == [__file__]


@pytest.mark.parametrize(("settings", "message"), [
    ({"metrc": ["f1"]}, "did you mean metric"),
    ({"stem": True}, "a metric that has it: rouge1, rouge2"),
    ({"strp": "."}, "did you mean strip"),
    ({"zzz": 1}, "leave it out. There are candidates, .*, threads, strip$"),
    ({"prediction": ["a"]}, "did you mean predictions"),
    ({"reference": ["a"]}, "did you mean references"),
])
def test_unknown_settings(settings, message):
    with pytest.raises(rubric.InputError, match=message):
        rubric.score(["a"], ["b"], **settings)


def test_scores_are_rows():
    scores = rubric.score(["a cow"], ["cow"], metrics=["f1"])
    assert list(rubric.score(scores, metrics=["em"]).columns()) == ["candidate", "reference", "f1", "em"]


@pytest.mark.parametrize("make", [
    lambda rows: rows,
    lambda rows: [dict(zip(rows, row)) for row in zip(*rows.values())],
    lambda rows: pytest.importorskip("pandas").DataFrame(rows),
    lambda rows: pytest.importorskip("polars").DataFrame(rows),
    lambda rows: pytest.importorskip("pyarrow").table(rows),
], ids=["dict", "dicts", "pandas", "polars", "arrow"])
def test_scoring_again_replaces_the_scores(make):
    pytest.importorskip("pandas")
    rows = {"candidate": ["dog", "cat"], "reference": ["dog", "cow"]}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        once = rubric.score(make(rows), metrics=["f1", "em"])
        again = rubric.score(make(once.columns()), metrics=["f1", "em"])
        frame = rubric.score(rubric.score(make(rows), metrics=["em"]).to_pandas(),
                             metrics=["em"]).to_pandas()
        of_scores = rubric.score(once, metrics=["em"])
    assert again.columns() == once.columns() == {**rows, "f1": [1.0, 0.0], "em": [1.0, 0.0]}
    assert of_scores.columns() == once.columns()
    assert list(frame.columns) == [*rows, "em"] and list(frame["em"]) == [1.0, 0.0]
    with pytest.warns(rubric.RubricWarning, match="the table has other values in em; ") as told:
        other = rubric.score(make({"em": [0.25, None], **rows}), metrics=["f1", "em"])
        assert list(other.to_pandas()["em"]) == other.columns()["em"] == [1.0, 0.0]
    assert len(told) == 1
    pytest.importorskip("polars")
    assert other.to_polars()["em"].to_list() == [1.0, 0.0]
    three = {name: values + values[:1] for name, values in rows.items()}
    labelled = rubric.score(make({**three, "em": [0.0, 1.0, 0.0], "label": [1, 0, 1]}), metrics=["em"])
    assert rubric.agreement(labelled, human="label").find("pearson", metric="em").value == 1


def test_documents_with_several_rows_are_warned_of():
    rows = {"id": ["1", "1", "2", "2"], "candidate": ["a", "b", "c", "d"],
            "reference": ["r", "r", "s", "t"]}  # the second id is that of two documents
    with pytest.warns(rubric.RubricWarning, match="^2 rows are of 1 document, with the same id, "
                                                  "question and references: \"1\""):
        rubric.score(rows, metrics=["em"])
    with pytest.warns(rubric.RubricWarning, match=r"^1 row is a copy of an earlier one in every "
                                                  r"field: row 1 \(the first is 0\)"):
        rubric.score({**rows, "candidate": ["a", "a", "c", "d"]}, metrics=["em"])
    with pytest.warns(rubric.RubricWarning, match="^1 row is a copy of an earlier one in every field"):
        rubric.score({"question": ["q", "q", "p"], "candidate": ["a", "a", "a"],
                      "reference": ["r", "r", "r"]}, metrics=["em"])
    with pytest.warns(rubric.RubricWarning, match="with a row for each system"):
        rubric.score({**rows, "system": ["x", "y", "x", "y"]}, metrics=["em"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rubric.score({**rows, "id": ["1", "3", "2", "2"]}, metrics=["em"])
        # Documents of several tasks, which number theirs from 0.
        rubric.score({"doc_id": [1, 1], "task": ["a", "b"], "candidate": ["a", "b"],
                      "reference": ["r", "r"]}, metrics=["em"])
