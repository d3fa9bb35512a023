"""What callers give as rows, as lists of columns."""

from __future__ import annotations

import os
from collections.abc import Iterable, KeysView, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from ._errors import InputError

# Our fields and the names that a table may have them under, the first found counts.
_NAMES = {
    "candidate": ("candidate", "candidates"),
    "reference": ("reference", "references"),
    "passage": ("passage", "passages"),
    "question": ("question", "questions"),
}
_REQUIRED = ("candidate", "reference")

MOST_THREADS = 4096
MOST_SEED = 2**64 - 1


@dataclass(frozen=True)
class Answers:
    """Columns of equal length, and the table they are of."""

    candidates: list[Any]
    references: list[Any]
    passages: list[Any] | None
    questions: list[Any] | None
    table: Any = None  # None: they were given as lists

    def columns(self) -> dict[str, list[Any]]:
        """The table's columns by name, or ours."""
        if self.table is not None:
            return columns_of(self.table)
        columns = {"candidate": self.candidates, "reference": self.references}
        if self.passages is not None:
            columns["passage"] = self.passages
        if self.questions is not None:
            columns["question"] = self.questions
        return columns


def is_table(value: Any) -> bool:
    """Whether it has columns with names: pandas, polars, Arrow, `datasets`, dict, list of dicts."""
    if isinstance(value, Mapping) or hasattr(value, "columns") or hasattr(value, "column_names"):
        return True
    return isinstance(value, (list, tuple)) and bool(value) and isinstance(value[0], Mapping)


def column_names(table: Any) -> list[Any]:
    """The names of a table's columns, in its order."""
    if isinstance(table, Mapping):
        return list(table)
    if isinstance(table, (list, tuple)):
        _require_dicts(table)
        names: dict[Any, None] = {}
        for row in table:
            names.update(dict.fromkeys(row))
        return list(names)
    if hasattr(table, "column_names"):  # an Arrow table, datasets.Dataset
        return list(table.column_names)
    return list(table.columns)


def column_of(table: Any, name: Any) -> list[Any]:
    """One column; None where a dict of a list lacks it."""
    if isinstance(table, (list, tuple)):
        return [row.get(name) for row in table]
    _require_distinct([other for other in column_names(table) if other == name])
    try:
        column = table[name]
    except TypeError:
        raise InputError(f"the table, a {type(table).__name__}, does not give its columns\n"
                         "  to do: collect() it, or give a dict of lists") from None
    return as_list(column, str(name))


def _require_distinct(names: list[Any]) -> list[Any]:
    """The names. Raises InputError where two are the same as texts."""
    texts = [str(name) for name in names]
    for text in texts:
        if texts.count(text) > 1:
            raise InputError(f"the table has several columns {text!r}\n  to do: rename them",
                             field=text)
    return names


def columns_of(table: Any) -> dict[str, list[Any]]:
    """All columns of a table by name."""
    return {str(name): column_of(table, name) for name in _require_distinct(column_names(table))}


def renamed(table: Any, columns: Mapping[str, str]) -> dict[str, list[Any]]:
    """A table's columns, those that `columns` has the names of by ours."""
    given = columns_of(table)
    for ours, theirs in columns.items():
        if theirs not in given:
            raise InputError(f"there is no column {theirs!r}; there are {', '.join(given)}",
                             field=ours)
    return {**{name: column for name, column in given.items() if name not in columns},
            **{ours: given[theirs] for ours, theirs in columns.items()}}


def snapshot(table: Any) -> Any:
    """The table as it is now, which the caller may change: results show what was scored."""
    if isinstance(table, (Mapping, list, tuple)):
        return {name: column_of(table, name) for name in _require_distinct(column_names(table))}
    return table.copy() if hasattr(table, "iloc") else table  # pandas; the others do not change


def as_list(values: Any, what: str) -> list[Any]:
    """The values of a list, tuple, array or column."""
    if isinstance(values, list):
        return list(values)  # the caller's may change
    if is_table(values):  # whose iteration gives names of columns
        raise InputError(f"{what} is a table, a {type(values).__name__}, not a list\n"
                         "  to do: give one of its columns, or the table alone", field=what)
    for method in ("to_pylist", "to_list", "tolist"):  # Arrow, polars and pandas, numpy
        if hasattr(values, method):
            values = getattr(values, method)()
            if isinstance(values, list):
                return values
            break  # one value
    if isinstance(values, (str, bytes)):
        raise InputError(f"{what} is one text\n  to do: give a list, [{values!r}]", field=what)
    is_unordered = isinstance(values, Set) and not isinstance(values, KeysView)
    if is_unordered or not isinstance(values, Iterable):
        raise InputError(f"{what} is a value of type {type(values).__name__}, not a list",
                         field=what)
    return list(values)


def plain(value: Any) -> Any:
    """A value of numpy as Python's own, any other as it is."""
    return value.tolist() if hasattr(value, "tolist") else value


def require_text(name: str, value: Any) -> str:
    """The text of an argument. Raises InputError for another value, and what is no characters."""
    if isinstance(value, str):
        try:
            value.encode()
            return value
        except UnicodeEncodeError:
            pass  # a lone surrogate
    raise InputError(f"{name} is {value!r}\n  to do: give a text")


def require_path(name: str, value: Any) -> str:
    """The path of an argument. Raises InputError for a value that is none."""
    path = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(path, str):
        raise InputError(f"{name} is {value!r}\n  to do: give a path")
    return path


def names_of(what: str, values: Any) -> list[str]:
    """The names of an argument, which may be one. Raises InputError for other values."""
    if isinstance(values, str):
        return [values]
    return [require_text(f"one of {what}", value) for value in as_list(values, what)]


def require_same_lengths(lengths: Mapping[str, int]) -> None:
    """Raise InputError unless all columns have as many values as the first."""
    first, n = next(iter(lengths.items()), ("", 0))
    for name, length in lengths.items():
        if length != n:
            raise InputError(
                f"{_count(n, 'value', 'values')} in column {first!r}, {length} in {name!r}\n"
                "  to do: give columns of the same length", field=name)


def require_whole(name: str, value: Any, least: int = 0, most: int = 2**63 - 1) -> int:
    """The whole number of an argument. Raises InputError for others, and out of range."""
    is_whole = hasattr(value, "__index__") and not isinstance(value, bool)
    if not is_whole or not least <= int(value) <= most:
        raise InputError(f"{name} is {value!r}\n  to do: give a whole number, {least} to {most}")
    return int(value)


def require_texts(table: Any, *fields: str) -> None:
    """Raise InputError unless the table has these columns, of texts alone."""
    names = column_names(table)
    for field in fields:
        if field not in names:
            there = ", ".join(map(str, names))
            raise InputError(f"there is no column {field!r}; there are {there}", field=field)
        for row, value in enumerate(column_of(table, field)):
            if not isinstance(value, str):
                what = "None" if value is None else f"a value of type {type(value).__name__}"
                raise InputError(f"{field} of row {row} (the first is 0) is {what}, not a text",
                                 row=row, field=field)


def _require_dicts(table: Any) -> None:
    """Raise InputError unless each item of a list of dicts is one."""
    for row, item in enumerate(table):
        if not isinstance(item, Mapping):
            raise InputError(
                f"row {row} (the first is 0) is a value of type {type(item).__name__}, not a dict",
                row=row)


def _answers_of_table(table: Any, columns: Mapping[str, str]) -> Answers:
    unknown = [name for name in columns if name not in _NAMES]
    if unknown:
        raise InputError(f"columns has {unknown[0]!r}, but the fields of an answer are "
                         f"{', '.join(_NAMES)}\n"
                         "  to do: give our name first, columns={\"candidate\": \"prediction\"}",
                         field=unknown[0])
    table = snapshot(table)
    names = column_names(table)
    found: dict[str, list[Any] | None] = {}
    for field, usual in _NAMES.items():
        wanted: Sequence[str] = (columns[field],) if field in columns else usual
        name = next((name for name in wanted if name in names), None)
        if name is None and (field in columns or field in _REQUIRED):
            raise InputError(
                f"there is no column {wanted[0]!r}; there are {', '.join(map(str, names))}\n"
                f"  to do: name it, columns={{{field!r}: ...}}", field=field)
        found[field] = None if name is None else column_of(table, name)
    return Answers(found["candidate"] or [], found["reference"] or [], found["passage"],
                   found["question"], table)


def _count(n: int, singular: str, plural: str) -> str:
    return f"{n} {singular if n == 1 else plural}"


def _require_equal_lengths(answers: Answers) -> None:
    n = len(answers.candidates)
    for name, column in (("references", answers.references), ("passages", answers.passages),
                         ("questions", answers.questions)):
        if column is not None and len(column) != n:
            raise InputError(
                f"{_count(n, 'candidate', 'candidates')}, "
                f"{_count(len(column), 'entry', 'entries')} in {name}\n"
                f"  to do: give one entry for each candidate", field=name[:-1])
    if n == 0:
        raise InputError("there are no candidates")


def answers_from(candidates: Any, references: Any, passages: Any, questions: Any,
                 columns: Mapping[str, str] | None) -> Answers:
    """The columns of a call: of a table in `candidates`, or the lists themselves.

    Raises
    ------
    InputError
        For columns that are missing or of different lengths, one text where a list belongs, and
        no rows.
    """
    if references is None and is_table(candidates):
        if passages is not None or questions is not None:
            raise InputError("passages and questions are given beside a table\n"
                             "  to do: make them columns of the table")
        answers = _answers_of_table(candidates, columns or {})
    else:
        if columns:
            raise InputError("columns names the columns of a table, but lists are given\n"
                             "  to do: leave it out, or give one table in place of the lists")
        if references is None and isinstance(candidates, (str, os.PathLike)):
            raise InputError(f"rows are given as a path or a text, {str(candidates)!r}\n  to do: "
                             "give lists or a table; files are for the command `rubric score`")
        if references is None:
            raise InputError("there are no references\n  to do: give a list of them, or a table",
                             field="reference")
        answers = Answers(
            as_list(candidates, "candidates"), as_list(references, "references"),
            None if passages is None else as_list(passages, "passages"),
            None if questions is None else as_list(questions, "questions"))
    _require_equal_lengths(answers)
    return answers
