"""What callers give as rows, as lists of columns."""

from __future__ import annotations

import json
import math
import os
import re
from collections import Counter
from collections.abc import Iterable, KeysView, Mapping, Set
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from . import _light
from ._errors import InputError

_FIELDS = ("candidate", "reference", "passage", "question")
_REQUIRED = ("candidate", "reference")

MOST_THREADS = 4096
MOST_SEED = 2**64 - 1


@dataclass(frozen=True)
class Lists:
    """A column of lists as it was, their values one after another.

    Copies of 100,000 lists would take half as long as to score them: Python's collector visits
    each.
    """

    values: list[Any]
    ends: list[int]  # of each row's values

    @staticmethod
    def of(column: list[list[Any]]) -> Lists:
        """What the column holds now; the caller may change it."""
        values: list[Any] = []
        ends = []
        for cell in column:  # once: another thread may change a cell between two passes
            values += cell
            ends.append(len(values))
        return Lists(values, ends)

    def __len__(self) -> int:
        return len(self.ends)

    def column(self) -> list[Any]:
        """A list of lists as it was given."""
        return [self.values[begin:end] for begin, end in pairwise([0, *self.ends])]


@dataclass(frozen=True)
class Answers:
    """Columns of equal length, and the table they are of."""

    candidates: list[Any]
    references: list[Any] | Lists
    passages: list[Any] | None
    questions: list[Any] | None
    table: Any = None  # None: they were given as lists

    def columns(self) -> dict[str, list[Any]]:
        """Copies of the table's columns by name, or of ours."""
        if self.table is not None:
            return columns_of(self.table)
        columns = {"candidate": self.candidates, "reference": self.references,
                   "passage": self.passages, "question": self.questions}
        return {name: column.column() if isinstance(column, Lists) else _copy(column)
                for name, column in columns.items() if column is not None}

    def for_light(self) -> tuple[list[Any], list[Any], list[int] | None, list[Any] | None,
                                 list[Any] | None]:
        """The columns as `_light` takes them; its third are the ends of `Lists`."""
        references, ends = ((self.references.values, self.references.ends)
                            if isinstance(self.references, Lists) else (self.references, None))
        return self.candidates, references, ends, self.passages, self.questions


def is_table(value: Any) -> bool:
    """Whether it has columns with names: pandas, polars, Arrow, `datasets`, dict, list of dicts."""
    # Of the type: asking a LazyFrame itself makes polars warn.
    if isinstance(value, Mapping) or any(hasattr(type(value), name)
                                         for name in ("columns", "column_names")):
        return True
    return isinstance(value, (list, tuple)) and bool(value) and isinstance(value[0], Mapping)


def column_names(table: Any) -> list[Any]:
    """The names of a table's columns, in its order. Raises InputError for a table not yet read."""
    if isinstance(table, Mapping):
        return list(table)
    if isinstance(table, (list, tuple)):
        _require_dicts(table)
        names: dict[Any, None] = {}
        for row in table:
            names.update(dict.fromkeys(row))
        return list(names)
    if not hasattr(type(table), "__len__"):  # polars.LazyFrame, datasets.IterableDataset
        raise InputError(f"the table, a {type(table).__name__}, does not hold its rows\n"
                         "  to do: collect() it, or give a list of its rows, list(table)")
    if hasattr(table, "column_names"):  # an Arrow table, datasets.Dataset
        return list(table.column_names)
    return list(table.columns)


def nested(value: Any, name: str) -> Any:
    """What a dict has under a name or, with dots, inside of that: "answers.text"; else None."""
    if isinstance(value, Mapping) and name in value:
        return value[name]
    for part in name.split("."):
        if isinstance(value, (list, tuple)) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _has_column(table: Any, name: str) -> bool:
    names = column_names(table)
    return name in names or "." in name and name.partition(".")[0] in names


def column_of(table: Any, name: Any) -> list[Any]:
    """One column, perhaps of the insides of dicts; None where a dict of a list lacks it."""
    names = column_names(table)
    if name not in names and isinstance(name, str) and "." in name:
        first, _, rest = name.partition(".")
        return [nested(cell, rest) for cell in column_of(table, first)]
    _require_distinct([other for other in names if other == name])
    return _column(table, name)


def _column(table: Any, name: Any) -> list[Any]:
    if isinstance(table, (list, tuple)):
        return _copy([row.get(name) for row in table])
    return as_list(table[name], str(name))


def _reference_lists(references: Any) -> list[Any] | Lists:
    if isinstance(references, list) and set(map(type, references)) == {list}:
        return Lists.of(references)
    return as_list(references, "references")


def _copy(column: list[Any]) -> list[Any]:
    """The column with lists of its own in its cells."""
    if not any(issubclass(kind, list) for kind in set(map(type, column))):
        return list(column)  # far faster: most columns are of texts
    return [list(cell) if isinstance(cell, list) else cell for cell in column]


def _require_distinct(names: list[Any]) -> list[Any]:
    """The names. Raises InputError where two are the same as texts."""
    for text, times in Counter(map(str, names)).items():
        if times > 1:
            raise InputError(f"the table has several columns {text!r}\n  to do: rename them",
                             field=text)
    return names


def columns_of(table: Any) -> dict[str, list[Any]]:
    """All columns of a table by name. Raises InputError where their lengths differ."""
    columns = {str(name): _column(table, name) for name in _require_distinct(column_names(table))}
    require_same_lengths({name: len(column) for name, column in columns.items()})
    return columns


def snapshot(table: Any) -> Any:
    """The table as it is now, which the caller may change: results show what was scored."""
    if isinstance(table, (Mapping, list, tuple)):
        return columns_of(table)
    if hasattr(table, "iloc"):  # pandas, whose copies share the lists in cells
        table = table.copy()
        for place, dtype in enumerate(table.dtypes):
            column = table.iloc[:, place]
            if dtype == object and any(isinstance(cell, list) for cell in column):
                table.isetitem(place, type(column)(_copy(list(column)), column.index, object))
        return table
    if hasattr(table, "with_format"):  # datasets
        return table.with_format(None)
    return table.clone() if hasattr(table, "clone") else table  # polars; Arrow's do not change


def as_list(values: Any, what: str) -> list[Any]:
    """The values of a list, tuple, array or column."""
    if isinstance(values, list):
        return _copy(values)  # the caller's may change
    if is_table(values):  # whose iteration gives names of columns
        raise InputError(f"{what} is a table, a {type(values).__name__}, not a list\n"
                         "  to do: give one of its columns, or the table alone", field=what)
    for method in ("to_pylist", "to_list", "tolist"):  # Arrow, polars and pandas, numpy
        if hasattr(values, method):
            values = getattr(values, method)()
            if isinstance(values, list):
                return _copy(values)  # of pandas they are the caller's
            break  # one value
    if isinstance(values, (str, bytes)):
        raise InputError(f"{what} is one text\n  to do: give a list, [{values!r}]", field=what)
    is_unordered = isinstance(values, Set) and not isinstance(values, KeysView)
    if is_unordered or not isinstance(values, Iterable):
        raise InputError(f"{what} is a value of type {type(values).__name__}, not a list",
                         field=what)
    return list(values)


def plain(value: Any) -> Any:
    """A value of numpy, pandas or polars as Python's own, any other as it is."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return value.to_list() if hasattr(value, "to_list") else value


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
    if not isinstance(path, str) or not path:
        raise InputError(f"{name} is {value!r}\n  to do: give a path")
    return path


def shortened(text: str) -> str:
    """A text for a message, of which only the beginning is in it where it is long."""
    return text if len(text) <= 100 else text[:99] + "…"


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
                raise InputError(f"{field} of row {row} (the first is 0) is {what}, not a text\n"
                                 "  to do: give a text, or leave the row out", row=row, field=field)


def _require_dicts(table: Any) -> None:
    """Raise InputError unless each item of a list of dicts is one."""
    for row, item in enumerate(table):
        if not isinstance(item, Mapping):
            raise InputError(
                f"row {row} (the first is 0) is a value of type {type(item).__name__}, not a dict",
                row=row)


def _sample(cell: Any) -> Any:
    """A cell of the first row, as far as it tells which field of an answer it may be."""
    cell = plain(cell)
    if isinstance(cell, Mapping):
        return {str(name): _sample(value) for name, value in cell.items()}
    if isinstance(cell, (list, tuple)):
        return [_sample(value) for value in cell[:1]]
    if isinstance(cell, str):
        return ""
    is_missing = cell is None or isinstance(cell, float) and math.isnan(cell)
    return None if is_missing or type(cell).__name__ == "NAType" else 0


def _names_of_fields(table: Any, columns: Mapping[str, str]) -> dict[str, str]:
    """What the table calls our fields: as `columns` says, in the plural, or as the command finds
    it in a first row (docs/rows.md). Raises InputError where it may be several columns."""
    names = column_names(table)
    known = {**{field: field + "s" for field in _FIELDS
                if field not in names and field + "s" in names}, **columns}
    first = {str(name): _sample(column[0]) if column else None
             for name, column in columns_of(
                 {name: column[:1] for name, column in table.items()}
                 if isinstance(table, Mapping) else table[:1]).items()}
    try:
        return _light.field_names(json.dumps(first), known)
    except InputError as error:
        raise InputError(re.sub(r"--field (\w+)=(.*)", r'columns={"\1": "\2"}', str(error))
                         ) from None


def _answers_of_table(table: Any, columns: Mapping[str, str]) -> Answers:
    unknown = [name for name in columns if name not in _FIELDS]
    if unknown:
        raise InputError(f"columns has {unknown[0]!r}, but the fields of an answer are "
                         f"{', '.join(_FIELDS)}\n"
                         "  to do: give our name first, columns={\"candidate\": \"prediction\"}",
                         field=unknown[0])
    is_by_hand = isinstance(table, (Mapping, list, tuple))
    table = snapshot(table)
    names = _names_of_fields(table, columns)
    found: dict[str, list[Any] | None] = {}
    for field in _FIELDS:
        name = names.get(field, field)
        is_there = _has_column(table, name)
        if not is_there and (field in columns or field in _REQUIRED):
            there = ", ".join(map(str, column_names(table)))
            raise InputError(
                f"there is no column {name!r}; there are {there}\n"
                f"  to do: name it, columns={{{field!r}: ...}}", field=field)
        found[field] = column_of(table, name) if is_there else None
    references = found["reference"] or []
    return Answers(found["candidate"] or [],
                   references if is_by_hand else _light.with_lists(references),
                   found["passage"], found["question"], table)


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
        raise InputError("there are no candidates\n  to do: give at least one row")


def answers_from(candidates: Any, references: Any, passages: Any, questions: Any,
                 columns: Mapping[str, str] | None) -> Answers:
    """The columns of a call: of a table in `candidates`, or the lists themselves.

    Raises
    ------
    InputError
        For columns that are missing or of different lengths, one text where a list belongs, and
        no rows.
    """
    if isinstance(candidates, Mapping) and hasattr(candidates, "columns"):
        candidates = candidates.columns()  # Scores
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
            as_list(candidates, "candidates"), _reference_lists(references),
            None if passages is None else as_list(passages, "passages"),
            None if questions is None else as_list(questions, "questions"))
    _require_equal_lengths(answers)
    return answers
