"""What callers give as answers: a table, or lists of columns."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise, zip_longest
from typing import Any, Literal

from . import _light
from ._errors import InputError, warn
from ._files import opened
from ._inputs import (
    are_tables,
    as_list,
    column_at,
    column_names,
    column_of,
    columns_of,
    copied,
    counted,
    distinct,
    find_column,
    is_by_hand,
    is_missing,
    is_nothing,
    is_table,
    named,
    plain,
    require_columns,
    require_file,
    require_text,
    snapshot,
    some_rows,
)
from ._messages import about_records, as_arguments, by_number, of_call

_FIELDS = ("candidate", "reference", "passage", "question")
_REQUIRED = ("candidate", "reference")
Missing = Literal["empty", "drop", "error"]
# What may be done about a missing text. Filling it in loses what pandas has read as missing.
_ADVICE = ('missing="empty" reads it as "", missing="drop" leaves the row out; where read_csv has '
           'made it of a text such as "NA" or "None": '
           'read_csv(…, keep_default_na=False, na_values={"rating": [""]})')
# The arguments of a call by the options of the command that messages name.
_ARGUMENTS = {"field": "columns", "missing": "missing",
              "reference-separator": "reference_separator",
              "reference_separator": "reference_separator"}


@dataclass
class FlatLists:
    """A column of lists, the values of all rows one after another.

    Copies of 100,000 lists would take half as long as to score them: Python's collector visits
    each.
    """

    values: list[Any] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)  # of each row's values

    def add(self, column: list[list[Any]]) -> None:
        """Rows with what their lists hold now; the caller may change these."""
        for cell in column:  # once: another thread may change a cell between two passes
            self.values += cell
            self.ends.append(len(self.values))

    def copy(self) -> FlatLists:
        return FlatLists(list(self.values), list(self.ends))

    def __len__(self) -> int:
        return len(self.ends)

    def column(self) -> list[list[Any]]:
        """A list of lists as it was given."""
        return [self.values[begin:end] for begin, end in pairwise([0, *self.ends])]


@dataclass(frozen=True)
class Answers:
    """Columns of equal length, and the table they are of."""

    candidates: list[Any]
    references: list[Any] | FlatLists
    passages: list[Any] | None
    questions: list[Any] | None
    table: Any = None  # None: they were given as lists
    has_list_cells: bool = False  # of the table
    missing: int = 0  # candidates that were None or NaN, and are read as ""
    id: str = "id"  # the table's column of ids
    reference_separator: str = ""  # of texts that are not split yet
    changed: str = ""  # what the arguments changed, for signatures, but for the separator
    names: Mapping[str, str] = field(default_factory=dict)  # the argument `columns`

    def signed(self, signature: str) -> str:
        """The signature of a score with what the arguments changed, as the command has it."""
        start, rubric, version = signature.rpartition("|rubric:")
        return (start + self.changed + _light.separator_signature(self.reference_separator)
                + rubric + version)

    def columns(self) -> dict[str, list[Any]]:
        """Copies of the table's columns by name, or of ours."""
        if self.table is not None:
            return columns_of(self.table)
        columns = {"candidate": self.candidates, "reference": self.references,
                   "passage": self.passages, "question": self.questions}
        return {name: column.column() if isinstance(column, FlatLists) else copied(column)
                for name, column in columns.items() if column is not None}

    def column_names(self) -> list[str]:
        """The names of `columns`."""
        return list(self.columns()) if self.table is None else distinct(column_names(self.table))

    def for_light(self) -> tuple[list[Any], list[Any], list[int] | None, list[Any] | None,
                                 list[Any] | None]:
        """The columns as `_light` takes them; its third are the ends of `FlatLists`."""
        references, ends = ((self.references.values, self.references.ends)
                            if isinstance(self.references, FlatLists) else (self.references, None))
        return self.candidates, references, ends, self.passages, self.questions


def _is_scores(table: Any) -> bool:
    return isinstance(getattr(table, "_answers", None), Answers)


def rows_of(table: Any) -> Any:
    """The columns of Scores; another table as it is."""
    return table.columns() if _is_scores(table) else table


def has_list_cells(given: Any) -> bool:
    """Whether a text of its references may be a list, as in the command's tables: in a data frame,
    in a column of one, and in the Scores of one."""
    if _is_scores(given):
        return bool(given._answers.has_list_cells)
    is_column = any(hasattr(given, name)  # pandas and polars, Arrow, datasets
                    for name in ("to_list", "to_pylist", "column_name"))
    return is_column or is_table(given) and not is_by_hand(given)


def reference_column(references: Any) -> list[Any] | FlatLists:
    """A copy of references: flat where all are lists, else texts, lists and arrays."""
    if isinstance(references, FlatLists):
        return references.copy()
    if has_list_cells(references):
        references = _light.with_lists(as_list(references, "references"))
    if isinstance(references, list):
        references = list(references)  # another thread may change cells after the look at types
        if set(map(type, references)) == {list}:
            flat = FlatLists()
            flat.add(references)
            return flat
    return as_list(references, "references")


def _sample(cell: Any) -> Any:
    """A cell as far as its type tells which field of an answer it may be."""
    cell = plain(cell)
    if isinstance(cell, Mapping):
        return {str(name): _sample(value) for name, value in cell.items()}
    if isinstance(cell, (list, tuple)):
        return [_sample(value) for value in cell[:1]]
    if isinstance(cell, str):
        return ""
    return None if is_missing(cell) else isinstance(cell, bool) or 0


def _samples(column: list[Any]) -> list[Any]:
    """A cell of each type in a column; of arrays and the like where it has no others."""
    kinds = set(map(type, column))  # fast: most columns are of texts
    kinds = kinds & {str, bool, int, float, list, tuple, dict} or kinds
    cells = (next((cell for cell in column if type(cell) is kind and not is_missing(cell)), None)
             for kind in kinds)
    return sorted((sample for sample in map(_sample, cells) if sample is not None), key=json.dumps)


def _whole(cell: Any) -> Any:
    """A cell as JSON has it; None of what JSON has not."""
    cell = plain(cell)
    if isinstance(cell, Mapping):
        return {str(name): _whole(value) for name, value in cell.items()}
    if isinstance(cell, (list, tuple)):
        return [_whole(item) for item in cell]
    is_finite = isinstance(cell, float) and math.isfinite(cell)
    return cell if is_finite or isinstance(cell, (str, int)) else None


def names_of_fields(table: Any, columns: Mapping[str, str]) -> dict[str, str]:
    """What the table calls our fields: as `columns` says, in the plural, or as the command finds
    it (docs/rows.md), by the types in each column and, where these leave several, by the cells.
    Raises InputError where it may be several columns."""
    names = column_names(table)
    known = {**{field: field + "s" for field in _FIELDS
                if field not in names and field + "s" in names}, **columns}
    given = [path.partition(".")[0] for path in columns.values()]
    cells = {str(name): column_at(table, place, name) for place, name in reversed(list(enumerate(names)))
             if str(name) in given or _light.may_be_field(str(name))}

    def found(rows: Iterable[Iterable[Any]]) -> dict[str, str]:
        return _light.field_names([json.dumps(dict(zip(cells, row))) for row in rows], known)

    try:
        return found(list(zip_longest(*map(_samples, cells.values()))) or [[None] * len(cells)])
    except InputError:
        pass
    try:
        return found(zip(*(map(_whole, column) for column in cells.values())))
    except InputError as error:
        raise of_call(error, {"field": "columns"}) from None


def with_lists_in_cells(table: Any, fields: Mapping[str, str]) -> Any:
    """The table with references as the command reads those of a table, where texts may be lists.
    `fields` are its names by ours, of which the reference's may be plural.

    Raises InputError for a text that begins as a list and is none.
    """
    if not has_list_cells(table):
        return table
    columns = columns_of(rows_of(table))
    for name in (fields["reference"],) if "reference" in fields else ("reference", "references"):
        if name in columns:
            columns[name] = _light.with_lists(columns[name])
            break
    return columns


def _is_number(cell: Any) -> bool:
    """Whether it is a finite number, True or False."""
    return isinstance(cell, int) or isinstance(cell, float) and math.isfinite(cell)


def _texts(column: list[Any], name: str, is_of_pandas: bool) -> list[Any]:
    """A column of candidates or references with its numbers as texts, as the command reads those of
    JSON, 2.0 as "2.0", also in lists and in arrays of numbers; it warns of them. A pandas column of
    floats that are all whole is one of whole numbers, which pandas makes floats of beside what is
    missing; lists in its cells stay as they are."""
    texts_alone = {str, type(None)}
    if set(map(type, column)) <= texts_alone | {list}:  # fast: most columns are of these
        lists = (cell for cell in column if isinstance(cell, list))
        if set(map(type, chain.from_iterable(lists))) <= texts_alone:
            return column

    def own(cell: Any) -> Any:
        if getattr(getattr(cell, "dtype", None), "kind", "") in tuple("biuf"):  # of numpy
            return plain(cell)
        return [*map(own, cell)] if isinstance(cell, (list, tuple)) else cell

    cells = list(map(own, column))
    are_whole = is_of_pandas and all(cell.is_integer() for cell in cells
                                     if isinstance(cell, float) and math.isfinite(cell))

    def text(cell: Any, is_whole: bool) -> Any:
        if isinstance(cell, list):
            return [text(item, False) for item in cell]
        if not _is_number(cell):
            return cell
        return json.dumps(int(cell) if is_whole and isinstance(cell, float) else cell)

    texts = list(column)
    changed = []
    for row, cell in enumerate(cells):
        if isinstance(cell, list) and any(map(_is_number, cell)) or _is_number(cell):
            texts[row] = text(cell, are_whole)
            changed.append(row)
    if changed:
        warn(f"the column {name!r} has numbers, which are read as texts: {len(changed)}, the first "
             f"in row {changed[0]} (the first is 0), {texts[changed[0]]!r}")
    return texts


def _optional_texts(column: list[Any], name: str) -> list[Any]:
    """A column of passages or questions, of which a cell that is no text is read as the command
    reads it: a number as a text, a list of one as its item, others not at all, with a warning."""
    if set(map(type, column)) <= {str, type(None)}:
        return column
    texts = [cell if isinstance(cell, str) or is_missing(cell) else _only_item(cell)
             for cell in column]
    texts = [json.dumps(cell) if _is_number(cell) else cell for cell in texts]
    others = [row for row, cell in enumerate(texts)
              if not isinstance(cell, str) and not is_missing(cell)]
    if others:
        warn(f"the column {name!r} has values that are no texts, and are not read: "
             f"{some_rows(others)}, the first of type {type(texts[others[0]]).__name__}")
    for row in others:
        texts[row] = None
    return texts


def _answers_of_file(path: Any, columns: Mapping[str, str], missing: Missing | None,
                     reference_separator: str) -> Answers:
    """The answers of a file that the command `score` reads, as it reads them."""
    file = require_file("rows", path)
    try:
        candidates, references, ends, passages, questions, rows, told, changed = _light.read_answers(
            str(file), dict(columns), missing or "", reference_separator)
    except InputError as error:
        raise of_call(error, _ARGUMENTS) from None
    for message in told:
        warn(message)
    return Answers(candidates, FlatLists(references, ends), passages, questions,
                   [json.loads(row) for row in rows], changed=changed, names=columns)


def _only_item(cell: Any) -> Any:
    """The item of a list of one, as the command reads a candidate; None of an empty list."""
    cell = cell if isinstance(cell, str) else plain(cell)
    while isinstance(cell, (list, tuple)) and len(cell) < 2:
        cell = cell[0] if cell else None
    return cell


def _answers_of_table(table: Any, columns: Mapping[str, str]) -> Answers:
    unknown = [name for name in columns if name not in _FIELDS]
    if unknown:
        raise InputError(f"columns has {unknown[0]!r}, but the fields of an answer are "
                         f"{', '.join(_FIELDS)}\n"
                         "  to do: give our name first, columns={\"candidate\": \"prediction\"}",
                         field=unknown[0])
    may_hold_lists = has_list_cells(table)
    table = snapshot(rows_of(table))
    names = names_of_fields(table, columns)
    found: dict[str, list[Any] | None] = {}
    for field in _FIELDS:
        name = names.get(field, field)
        is_there = find_column(table, name) is not None
        if not is_there and (field in columns or field in _REQUIRED):
            raise InputError(
                f"there is no column {name!r}; there are {named(column_names(table))}\n"
                f"  to do: name it, columns={{{field!r}: ...}}", field=field)
        found[field] = column_of(table, name) if is_there else None
        if is_there and field not in _REQUIRED:
            found[field] = _optional_texts(column_of(table, name), name)
    is_of_pandas = hasattr(table, "iloc")
    cells = found["candidate"] or []
    candidates = cells if set(map(type, cells)) == {str} else list(map(_only_item, cells))
    has_lists = any(item is not cell for item, cell in zip(candidates, cells))
    candidates = _texts(candidates, names.get("candidate", "candidate"),
                        is_of_pandas and not has_lists)
    references = _texts(found["reference"] or [], names.get("reference", "reference"), is_of_pandas)
    # Flat as those given as lists, though the snapshot, which results show, has the lists too.
    flat = reference_column(_light.with_lists(references) if may_hold_lists else references)
    return Answers(candidates, flat, found["passage"], found["question"], table,
                   may_hold_lists, id=names.get("id", "id"), names=dict(columns))


def _warn_of_repeated(answers: Answers) -> None:
    """Of documents with several rows and of copied rows, as the command does."""
    there = list(map(str, column_names(answers.table))) if answers.table is not None else []
    name = next((name for name in (answers.id, "doc_id")
                 if 1 in (there.count(name), there.count(name.partition(".")[0]))), None)
    ids = column_of(answers.table, name) if name else []
    if not ids and answers.table is not None and answers.questions is not None:
        ids = list(zip(answers.questions, answers.candidates))  # the rows of which may be equal
        name = ""
    if len(set(map(str, ids))) == len(ids) or len(ids) != len(answers.candidates):
        return
    columns = columns_of(answers.table)
    references = answers.references
    texts = {"passage": answers.passages, "question": answers.questions, "reference":
             references.column() if isinstance(references, FlatLists) else references}
    rows = []
    for row in range(len(ids)):
        known = {column: str(cells[row]) if isinstance(cells[row], (str, int, float))
                 and not is_missing(cells[row]) else "" for column, cells in columns.items()}
        if name not in ("", "doc_id"):
            known["id"] = str(ids[row])
        known.update((ours, str(cells[row])) for ours, cells in texts.items() if cells is not None)
        rows.append(json.dumps({**known, "candidate": str(answers.candidates[row])}))
    for message in _light.repeated_documents(rows):
        warn(as_arguments(about_records(message, {str(row + 1): row for row in range(len(rows))}),
                          _ARGUMENTS))


def _require_equal_lengths(answers: Answers) -> None:
    n = len(answers.candidates)
    for name, column in (("references", answers.references), ("passages", answers.passages),
                         ("questions", answers.questions)):
        if column is not None and len(column) != n:
            raise InputError(
                f"{counted(n, 'candidate', 'candidates')}, "
                f"{counted(len(column), 'entry', 'entries')} in {name}\n"
                f"  to do: give one entry for each candidate", field=name[:-1])
    if n == 0:
        raise InputError("there are no candidates\n  to do: give at least one row")


def _kept(answers: Answers, rows: list[int]) -> Answers:
    """These rows alone."""
    def those(column: Any) -> Any:
        return None if column is None else [column[row] for row in rows]

    table, references = answers.table, answers.references
    if table is not None:
        table = (table.iloc[rows] if hasattr(table, "iloc")
                 else {name: those(column) for name, column in columns_of(table).items()})
    if isinstance(references, FlatLists):
        references = references.column()
    return replace(answers, candidates=those(answers.candidates),
                   references=reference_column(those(references)),
                   passages=those(answers.passages), questions=those(answers.questions),
                   table=table)


def _with_missing(answers: Answers, missing: Missing | None, is_batch: bool) -> Answers:
    """The rows with what the rule makes of missing candidates and references. Raises InputError
    where it makes them an error and, but in a batch, where no rule is named and all candidates are
    missing: the answers are elsewhere."""
    lacking = {"candidate": _lacking(answers.candidates), "reference": _lacking(answers.references)}
    if missing == "drop" and any(lacking.values()):
        without = {row for rows in lacking.values() for row in rows}
        told = ", ".join(f"{len(rows)} without a {name}, {some_rows(rows)}"
                         for name, rows in lacking.items() if rows)
        warn(f"{counted(len(without), 'row is', 'rows are')} left out: {told}")
        answers = _kept(answers, [row for row in range(len(answers.candidates))
                                  if row not in without])
        if not answers.candidates:
            raise InputError("no row has a candidate and a reference\n  to do: give at least one")
        return replace(answers, changed="|missing:drop")
    if missing is None and not is_batch and len(lacking["candidate"]) == len(answers.candidates):
        raise InputError("no row has a candidate: all are None or NaN, the first in row 0 "
                         "(the first is 0)\n  to do: name the column of the answers, "
                         "columns={\"candidate\": ...}, or read them as empty answers: "
                         "missing=\"empty\"", row=0, field="candidate")
    for name, rows in lacking.items():
        column = getattr(answers, name + "s")
        if rows and (missing == "error" or missing is None and name == "reference"):
            cell = None if isinstance(column, FlatLists) else column[rows[0]]
            what = ("NaN" if isinstance(cell, float) else "NA" if type(cell).__name__ == "NAType"
                    else "None")
            raise InputError(f"{name} of row {rows[0]} (the first is 0) is {what}, not a text\n"
                             f"  to do: {_ADVICE}", row=rows[0], field=name)
        if rows:
            cells: list[Any] = column.column() if isinstance(column, FlatLists) else list(column)
            for row in rows:
                cells[row] = ""
            filled: dict[str, Any] = {name + "s": cells}
            answers = replace(answers, **filled)
    return replace(answers, missing=len(lacking["candidate"]),
                   changed=answers.changed or ("|missing:empty" if lacking["reference"] else ""))


def _lacking(column: list[Any] | FlatLists) -> list[int]:
    """The rows of which the cell is missing, or a list of what is missing alone."""
    if isinstance(column, FlatLists):
        if set(map(type, column.values)) <= {str}:  # as most columns are
            return []
        column = column.column()
    if set(map(type, column)) == {str}:
        return []
    return [row for row, cell in enumerate(column) if is_nothing(cell)]


def warn_of(answers: Answers, messages: Iterable[str]) -> None:
    """Pass on the warnings of a call about these rows, that of empty candidates with what may be
    done where some of them were missing."""
    for message in messages:
        message = about_records(message, by_number(len(answers.candidates)))
        if answers.missing and "empty candidate" in message:
            message += f"; {answers.missing} of them None or NaN\n  to do: {_ADVICE}"
        warn(message)


def candidates_of(candidates: Any, predictions: Any) -> Any:
    """The argument of the two names. Raises InputError where both are given, or none."""
    if (candidates is None) == (predictions is None):
        raise InputError("candidates and predictions are two names of one argument\n"
                         "  to do: give one of them" if predictions is not None else
                         "there are no candidates\n  to do: give a list of them, or a table",
                         field="candidate")
    return predictions if candidates is None else candidates


def _joined_by_id(candidates: Any, references: Any) -> list[dict[str, Any]]:
    """One table of two lists of dicts with an id, as `evaluate`'s squad takes them: {"id",
    "prediction_text"} and {"id", "answers"}. Raises InputError where ids are not the same."""
    tables = [candidates, references]
    ids = [[row.get("id") if isinstance(row, Mapping) else None for row in table] for table in tables]
    if (not all(isinstance(one, (str, int)) for one in chain(*ids))
            or len(set(ids[0])) != len(ids[0]) or sorted(map(str, ids[0])) != sorted(map(str, ids[1]))):
        raise InputError("candidates and references are two tables, whose ids differ or are there "
                         "twice\n  to do: give each row of both its id, or one table", field="id")
    by_id = {str(row["id"]): row for row in references}
    return [{**by_id[str(row["id"])], **row} for row in candidates]


def require_missing(missing: str | None) -> str:
    """The rule as the library takes it. Raises InputError where there is none of this name."""
    if missing not in (None, "empty", "drop", "error"):
        raise InputError(f"missing is {missing!r}\n  to do: choose \"empty\", \"drop\" or \"error\"")
    return missing or ""


def answers_from(candidates: Any, references: Any, passages: Any, questions: Any,
                 columns: Mapping[str, str] | None, missing: Missing | None = None,
                 reference_separator: str = "", is_batch: bool = False) -> Answers:
    """The columns of a call, or of a batch of its rows: of a table in `candidates`, or the lists
    themselves.

    Raises
    ------
    InputError
        For columns that are missing or of different lengths, one text where a list belongs, and
        no rows.
    """
    columns = require_columns(columns)
    require_missing(missing)
    require_text("reference_separator", reference_separator)
    if references is None and isinstance(candidates, Iterator):  # of rows
        candidates = list(candidates)
    if all(isinstance(rows, (list, tuple)) and is_table(rows) for rows in (candidates, references)):
        candidates, references = _joined_by_id(candidates, references), None
    is_path = references is None and isinstance(candidates, (str, os.PathLike))
    table = opened(candidates) if is_path else candidates
    if references is None and (is_path or is_table(table)):
        if passages is not None or questions is not None:
            raise InputError("passages and questions are given beside a table\n"
                             "  to do: make them columns of the table")
        if are_tables(table) and not isinstance(next(iter(table.values())), str):
            raise InputError("a dict of several tables is given\n  to do: give one of them, such as "
                             f"tables[{next(iter(table))!r}]")
        answers = (_answers_of_table(table, columns) if is_table(table)
                   else _answers_of_file(table, columns, missing, reference_separator))
    else:
        if columns:
            raise InputError("columns names the columns of a table, but lists are given\n"
                             "  to do: leave it out, or give one table in place of the lists")
        if references is None:
            raise InputError("there are no references\n  to do: give a list of them, or a table",
                             field="reference")
        answers = Answers(
            as_list(candidates, "candidates"), reference_column(references),
            None if passages is None else as_list(passages, "passages"),
            None if questions is None else as_list(questions, "questions"))
    _require_equal_lengths(answers)
    _warn_of_repeated(answers)
    if not isinstance(table, (str, os.PathLike)):
        answers = replace(answers, reference_separator=reference_separator)
    return _with_missing(answers, missing, is_batch)
