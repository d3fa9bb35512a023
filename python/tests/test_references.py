"""References: columns of lists are kept and read flat, whatever they come in."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import rubric
from rubric import _light
from rubric._answers import FlatLists, answers_from

LERC = Path(__file__).parents[2] / "tests" / "fixtures" / "lerc"
needs_models = pytest.mark.skipif(
    not (Path(rubric.__file__).parent / "bin" / "libtorch").exists(),
    reason="the wheel is without models")


def light_score(candidates: list[str], references: list[str], ends: list[int]) -> Any:
    return _light.score(candidates, references, ends, None, None, ["em"], {}, 1)


def light_rows(candidates: list[str], references: list[str], ends: list[int]) -> Any:
    return _light.checked_rows(candidates, references, ends, None, None)


@pytest.mark.parametrize("ends", [[], [3], [1, 2], [1, 4], [4, 3], [1, 3, 3], [2**63, 3]])
@pytest.mark.parametrize("call", [light_score, light_rows])
def test_ends_that_do_not_share_the_references_out_are_refused(call, ends):
    with pytest.raises(rubric.Error, match=f"^reference_ends has {len(ends)} ends, the last .*, "
                       "for 2 candidates and 3 references\n"):
        call(["a", "b"], ["a", "c", "b"], ends)


def test_ends_share_the_references_out():
    scores, _ = light_score(["a", "b"], ["x", "a", "b"], [2, 3])
    assert scores[0][4] == [1, 1]
    assert light_score(["a", "b"], ["x", "b", "a"], [2, 3])[0][0][4] == [0, 0]
    rows = light_rows(["a", "b"], ["x", "a", "b"], [2, 3])
    assert [row[:2] for row in rows] == [("a", ["x", "a"]), ("b", ["b"])]
    for call in light_score, light_rows:
        with pytest.raises(TypeError):
            call(["a", "b"], ["a", "b"], [-1, 2])
    assert light_rows(["a", "b"], ["a", "c"], [2, 2])[1][1] == [""]


def test_lists_of_references_of_other_lengths():
    references = [["a", "z"], ["z"], ["a", "b", "c"]]
    scores = rubric.score(["z", "a", "b"], references, metrics=["em"])
    assert scores["em"].scores == [1, 0, 1]  # row 1 has no reference of row 0
    references[0].append("a")
    references[2].clear()
    references.append(["x"])
    assert scores.columns()["reference"] == [["a", "z"], ["z"], ["a", "b", "c"]]
    with pytest.raises(rubric.InputError, match="reference of row 2 .* is None"):
        rubric.score(["z", "a", "b"], [["a", "b"], ["a"], [None]], metrics=["em"])


@pytest.mark.filterwarnings("ignore::rubric.RubricWarning")
def test_an_empty_list_is_no_answer():
    """As transformers.data.metrics.squad_metrics has it: "" is right there, and nothing else."""
    numpy = pytest.importorskip("numpy")
    pandas = pytest.importorskip("pandas")
    candidates, references = ["", "", "x"], [[], [""], []]
    arrays = [numpy.array(cell, dtype=object) for cell in references]
    answers = [{"text": cell, "answer_start": numpy.array([])} for cell in arrays]
    for given in ((candidates, references), (candidates, arrays), (candidates, [(), "", ()]),
                  ({"candidate": candidates, "reference": references},),
                  (pandas.DataFrame({"candidate": candidates, "reference": arrays}),),
                  (pandas.DataFrame({"prediction_text": candidates, "answers": answers}),),
                  (pandas.DataFrame({"candidate": candidates, "reference": ["[]", "", "[]"]}),)):
        s = rubric.score(*given, metrics=["em", "f1"])
        assert s["em"].scores == s["f1"].scores == [1.0, 1.0, 0.0]


def test_what_is_no_text_is_refused_before_any_row_is_scored():
    """The row before it is no Unicode, which is found where texts are read."""
    candidates = ["a"] * 4998 + ["\ud800", "a"]
    with pytest.raises(rubric.InputError, match="reference of row 4999 .* is None"):
        rubric.score(candidates, [["a"]] * 4999 + [[None]], metrics=["em"])


def many() -> tuple[list[str], list[list[str]], list[float]]:
    """Candidates, lists of one to three references, and whether they are right: every third is.

    They are read in parts of 2,048 rows.
    """
    n = 5000
    candidates = [f"c{row}" for row in range(n)]
    references = [[f"r{row}"] * (row % 2) + [f"c{row}" if row % 3 == 0 else f"c{row - 1}"]
                  + [f"s{row}"] * (row % 5 == 0) for row in range(n)]
    return candidates, references, [float(row % 3 == 0) for row in range(n)]


def tables(candidates: list[str], references: list[list[str]]) -> Iterator[Any]:
    columns = {"candidate": candidates, "reference": references}
    yield columns
    yield [dict(zip(columns, row)) for row in zip(*columns.values())]
    for name, maker in ("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "table"):
        try:
            yield getattr(__import__(name), maker)(columns)
        except ImportError:
            continue


def test_columns_of_lists_are_flat():
    candidates, references, expected = many()
    assert isinstance(answers_from(candidates, references, None, None, None).references, FlatLists)
    assert rubric.score(candidates, references, metrics=["em"])["em"].scores == expected
    for table in tables(candidates, references):
        answers = answers_from(table, None, None, None, None)
        assert isinstance(answers.references, FlatLists)
        s = rubric.score(table, metrics=["em"])
        assert s["em"].scores == expected and s.columns()["reference"] == references
    mixed = [lists[0] if len(lists) == 1 else lists for lists in references]
    assert not isinstance(answers_from(candidates, mixed, None, None, None).references, FlatLists)
    assert rubric.score(candidates, mixed, metrics=["em"])["em"].scores == expected


def test_batches_are_kept_flat():
    candidates, references, expected = many()
    running = rubric.Running(["em"])
    for begin, end in (0, 2100), (2100, 2101), (2101, 5000):
        batch = references[begin:end]
        running.update(candidates[begin:end], batch)
        batch[0].append("x")  # of the caller
    first = running.scores()
    running.update(["a", "b"], ["a", ("x", "y")])
    assert first["em"].scores == expected and len(first.columns()["reference"]) == 5000
    assert running.scores()["em"].scores == [*expected, 1, 0]
    assert isinstance(running._references, FlatLists)
    with pytest.raises(rubric.InputError, match="reference of row 1 .* is None"):
        running.update(["a", "b"], [["a"], [None]])
    with pytest.raises(rubric.InputError, match="^word_order= is x\n"):
        rubric.Running(iter(["chrf"]), word_order="x")  # before the first batch
    assert len(running.scores()["em"]) == 5002


@needs_models
@pytest.mark.filterwarnings("ignore::rubric.RubricWarning")
def test_a_model_reads_flat_lists_as_others():
    n = 2100
    candidates = [f"a {row % 7}" for row in range(n)]
    references = [["the dog"] * (row % 2) + [f"{row % 5} cats"] for row in range(n)]
    with rubric.load(LERC, threads=2) as lerc:
        flat = lerc.score(candidates, references)["lerc"].scores
        assert flat == lerc.score(candidates, list(map(tuple, references)))["lerc"].scores
        for table in tables(candidates, references):
            assert lerc.score(table)["lerc"].scores == flat
        ten = lerc.score(candidates[:10], references[:10])["lerc"].scores
    assert ten == pytest.approx(flat[:10], abs=1e-5)


@contextmanager
def changed_meanwhile(cells: list[list[str]]) -> Iterator[None]:
    """Another thread changes the first cell again and again."""
    ended = threading.Event()

    def change() -> None:
        while not ended.is_set():
            cells[0].append("x")
            cells[0].pop()

    thread = threading.Thread(target=change)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        sys.setswitchinterval(interval)


def of_running(candidates: list[str], references: list[list[str]]) -> rubric.Scores:
    running = rubric.Running(["em"])
    running.update(candidates, references)
    return running.scores()


@pytest.mark.parametrize("call", [
    lambda candidates, references: rubric.score(candidates, references, metrics=["em"]),
    lambda candidates, references: rubric.score(
        {"candidate": candidates, "reference": references}, metrics=["em"]),
    lambda candidates, references: rubric.score(
        [{"candidate": c, "reference": r} for c, r in zip(candidates, references)],
        metrics=["em"]),
    of_running,
], ids=["lists", "dict", "dicts", "batches"])
def test_lists_that_another_thread_changes_keep_the_other_rows(
        call: Callable[[list[str], list[list[str]]], rubric.Scores]):
    references = [[str(row)] for row in range(2500)]
    candidates = [cell[0] for cell in references]
    with changed_meanwhile(references):
        for _ in range(20):
            assert set(call(candidates, references)["em"].scores) == {1}


@needs_models
@pytest.mark.filterwarnings("ignore::rubric.RubricWarning")
def test_a_model_s_lists_that_another_thread_changes_keep_the_other_rows():
    candidates = [f"a {row % 7}" for row in range(300)]
    references = [[f"{row % 5} cats"] for row in range(300)]
    with rubric.load(LERC, threads=1) as lerc:
        expected = lerc.score(candidates, references)["lerc"].scores
        with changed_meanwhile(references):
            for _ in range(5):
                scores = lerc.score(candidates, references)["lerc"].scores
                assert scores[1:] == pytest.approx(expected[1:], abs=1e-5)
