"""Results that are tables and values, and the scored rows that they are made from."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterator

from . import _light
from ._errors import Error, InputError, warn
from ._files import opened
from ._inputs import (
    assignments,
    column_names,
    column_of,
    columns_of,
    find_column,
    is_missing,
    is_table,
    named,
    nested,
    plain,
    require_file,
)
from ._messages import about_rows, as_arguments, called, input_error, of_table
from ._scores import Scores, write_text


_NOT_JSON = "no value of JSON"  # what an object in the place of one has
_KEYS = ("metric", "system", "against", "group", "source", "subset", "method", "seed")
_NUMBERS = ("value", "low", "high", "confidence", "p", "p_holm", "n")
_BOOLEANS = ("p_is_bound", "p_holm_is_bound")
FORMATS = ("text", "json", "markdown", "csv", "latex", "html")


class Values(dict[str, Any]):
    """An object of JSON: ``values.metrics.f1`` is ``values["metrics"]["f1"]``."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(
                f"there is no {name!r}; there are {', '.join(self)}") from None


class Report:
    """What a command prints, and its values, all of the time when it was made.

    The fields of the command's JSON are attributes. `print` shows its tables.

    Attributes
    ----------
    values : Values
        All of the JSON.
    """

    def __init__(self, texts: Mapping[str, str], page: str | None) -> None:
        """`texts` by format, of all formats."""
        self._texts = texts
        self._page = page
        self.values: Values = json.loads(texts["json"], object_hook=Values)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "values":  # while it is made or copied
            raise AttributeError(name)
        return getattr(self.values, name)

    def find(self, statistic: str, **keys: str) -> Values:
        """The measurement of a statistic: ``report.find("mean", system="a").value``.

        `keys` are those that tell it apart: metric, system, against, group, source, subset, method,
        seed. Of several the one over all rows is taken, then the one without other keys. It has
        `value` (None: undefined), and `low` and `high` of its interval, `p`, `p_holm` and `n` where
        these apply.

        Raises
        ------
        InputError
            Where no measurement or several have these keys, there is no such key, or its value is
            no text.
        """
        for key, value in keys.items():
            if key not in _KEYS:
                raise InputError(f"a measurement has no key {key!r}\n"
                                 f"  to do: name {', '.join(_KEYS)}", field=key)
            if not isinstance(value, str):
                raise InputError(f"{key} is a value of type {type(value).__name__}\n"
                                 "  to do: give a text", field=key)
        of_statistic: list[Values] = [one for one in self.values.measurements if one.statistic == statistic]
        found = [one for one in of_statistic
                 if all(one.get(key, "") == value for key, value in keys.items())]
        for unnamed in ("group", "source", "subset"), _KEYS:  # over all rows; then with no other key
            if len(found) > 1:
                fewer = [one for one in found if all(key in keys for key in unnamed if key in one)]
                found = fewer or found
        if len(found) == 1:
            return found[0]
        if found:
            names = [key for key in _KEYS if key not in keys and any(key in one for one in found)]
            raise InputError(f"several measurements of {statistic!r} have these keys\n"
                             f"  to do: name {', '.join(names)}: see to_pandas()")
        for key, value in keys.items():
            there = dict.fromkeys(repr(one.get(key, "")) for one in of_statistic)
            if of_statistic and repr(value) not in there:
                raise InputError(f"no measurement of {statistic!r} has {key}={value!r}\n"
                                 f"  to do: choose {', '.join(list(there)[:10])}", field=key)
        raise InputError(f"no measurement of {statistic!r} has these keys\n  to do: " + (
            "see to_pandas()" if of_statistic else
            f"choose {', '.join(dict.fromkeys(one.statistic for one in self.values.measurements))}"))

    @property
    def p_value(self) -> float:
        """Of a comparison of two systems: p of the two-sided paired permutation test.

        Raises
        ------
        InputError
            Where there are several: `find` gives each.
        """
        tests = [one for one in self.values.measurements
                 if one.statistic == "difference" and one.get("method") == "permutation"]
        if len(tests) != 1:
            raise InputError("there are several p\n  to do: choose one with "
                             'find("difference", method="permutation", …).p')
        return float(tests[0].p)

    def to_dict(self) -> dict[str, Any]:
        """All of the JSON as dicts and lists."""
        content: dict[str, Any] = json.loads(self._texts["json"])
        return content

    def to_pandas(self) -> Any:
        """The measurements as a data frame, one a row. Keys are texts: a system "007" stays one."""
        return measurements_frame(self._texts["csv"])

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write the measurements as CSV, one a row."""
        write_text(path, self._texts["csv"])

    def to_text(self, format: str = "text") -> str:
        """The tables as "text", "markdown", "latex" or "html", or all values as "csv" or "json"."""
        if format not in FORMATS:
            raise InputError(f"there is no format {format!r}\n"
                             f"  to do: choose {', '.join(FORMATS)}")
        return self._texts[format]

    def to_html(self, path: str | os.PathLike[str]) -> None:
        """Write the command's report: tables and pictures as one page."""
        if self._page is None:
            raise InputError("this result has no report as HTML\n  to do: use to_text()")
        write_text(path, self._page)

    def __str__(self) -> str:
        return self.to_text().rstrip("\n")

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return self._texts["html"]


class Sheet(Report):
    """What `choose` drew: the sheet that people fill in, and how many answers it is of.

    Attributes
    ----------
    rows : list of Values
        The sheet, a text in each cell.
    """

    @property
    def rows(self) -> list[Values]:
        return [Values(row) for row in csv.DictReader(io.StringIO(self._texts["sheet"], newline=""))]

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write the sheet, to fill in."""
        write_text(path, self._texts["sheet"])


def measurements_frame(csv_text: str) -> Any:
    """Measurements as a data frame. Keys are texts."""
    import pandas

    types: dict[str, Any] = dict.fromkeys((*_KEYS, "statistic", "why_missing"), str)
    types |= dict.fromkeys(_BOOLEANS, "boolean")
    return pandas.read_csv(io.StringIO(csv_text), keep_default_na=False, dtype=types,
                           na_values={name: [""] for name in (*_NUMBERS, *_BOOLEANS)})


def measurements_csv(measurements: Iterable[Mapping[str, Any]]) -> str:
    """The measurements of a result's JSON as its CSV."""
    text = io.StringIO()
    columns = (*_KEYS, "statistic", "value", "low", "high", "confidence", "p", "p_holm", *_BOOLEANS,
               "n", "why_missing")
    table = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    table.writeheader()
    table.writerows({name: str(value).lower() if isinstance(value, bool) else value
                     for name, value in one.items()} for one in measurements)
    return text.getvalue()


def _plain(value: Any) -> Any:
    """A value of a table as JSON has it: what is missing becomes null."""
    if isinstance(value, (str, bool, int)):
        return value
    if is_missing(value):
        return None
    if isinstance(value, (float, dict, list, tuple)):
        return value
    if hasattr(value, "tolist"):
        return _plain(plain(value))
    if isinstance(value, Iterable):  # bytes, a set, which has no order, and the like
        raise TypeError(f"a value of type {type(value).__name__}")
    return _plain(float(value)) if hasattr(value, "__float__") else str(value)


def _json(value: Any) -> Any:
    """A value of a table as JSON has it or, where JSON has none such, an object that says so: a
    call that reads it refuses an object, to others it is nothing."""
    try:
        value = _plain(value)
        json.dumps(value, allow_nan=False, default=_plain)
        return value
    except (TypeError, ValueError, RecursionError) as error:
        return {_NOT_JSON: str(error) if isinstance(error, TypeError) else f"{value!r:.100}"}


def _length(columns: Mapping[str, list[Any]]) -> int:
    return len(next(iter(columns.values()), ()))


def _lines(rows: Any, table: str) -> str:
    """Scores, or a table with scores, as JSON lines: of Scores also with our names of the columns
    that the call named. Several columns of one name can be read under none."""
    if isinstance(rows, Scores):
        columns = rows.columns()
        # Of the table as it is: {"question": "prompt", "passage": "question"} names one column twice.
        columns |= {ours: column_of(columns, theirs)
                    for ours, theirs in rows._answers.names.items()}
        names = set(rows)
    elif is_table(rows):
        columns = columns_of(rows)
        for name in set(map(str, column_names(rows))) - set(columns):
            columns[name] = [{_NOT_JSON: "in several columns of this name"}] * _length(columns)
        names = set()
    elif isinstance(rows, (list, tuple)) and not rows:
        raise InputError("there are no rows" if table == "rows" else f"{table} has no rows")
    else:
        verb = "are" if table == "rows" else "is"
        raise InputError(f"{table} {verb} a value of type {type(rows).__name__}\n"
                         "  to do: give what score() returned, a table, or the path of a file")
    def line(cells: tuple[Any, ...], of_cell: Callable[[Any], Any]) -> str:
        row = {name: of_cell(cell) for name, cell in zip(columns, cells) if name not in names}
        if names:
            row["scores"] = {name: of_cell(cell) for name, cell in zip(columns, cells)
                             if name in names}
        return json.dumps(row, allow_nan=False, default=_plain) + "\n"

    lines = []
    for cells in zip(*columns.values()):
        try:
            lines.append(line(cells, _plain))  # far faster than cell by cell
        except (TypeError, ValueError, RecursionError):
            lines.append(line(cells, _json))
    return "".join(lines)


def kept(rows: Any, table: str = "rows", columns: Mapping[str, str] | None = None) -> str | Path:
    """What stays the same when a caller's table changes: the path of a file, or JSON lines.

    Messages call it `table`, an argument, or its number. Raises InputError where a table in memory
    lacks one of the `columns`.
    """
    rows = opened(rows)
    held = rows.columns() if isinstance(rows, Scores) else rows
    for ours, theirs in (columns or {}).items() if is_table(held) else ():
        if find_column(held, theirs) is None:
            raise InputError(f"there is no column {theirs!r}{of_table(table)}; there are "
                             f"{named(column_names(held))}\n"
                             f"  to do: name it, columns={{{ours!r}: ...}}", field=ours)
        column_of(held, theirs)  # a path leads somewhere
    return require_file(table, rows) if isinstance(rows, (str, os.PathLike)) else _lines(rows, table)


def rows_by_id(lines: str, field: str) -> dict[str, int]:
    """The rows of JSON lines, the first is 0, by what a command calls them: their ids or, where
    they have none, their numbers from 1. Those are left out that several rows have."""
    rows: dict[str, int] = {}
    several = set()
    for row, line in enumerate(lines.splitlines()):
        id = nested(json.loads(line), field)
        name = str(row + 1) if id is None else id if isinstance(id, str) else json.dumps(id)
        if rows.setdefault(name, row) != row:
            several.add(name)
    return {name: row for name, row in rows.items() if name not in several}


def _about_tables(message: str, tables: Mapping[str, str | Path], paths: list[str]) -> str:
    """A message without the paths of files that were made for the call."""
    for (table, one), path in zip(tables.items(), paths):
        if isinstance(one, str):
            message = about_rows(message, path, table)
    return message


def about_no_json(message: str, tables: Mapping[str, str | Path]) -> str:
    """A message about what stands for a value that JSON has not, as it is about the value."""
    told = input_error(message)
    if told.row is None or told.field is None:
        return message
    for one in tables.values():
        row = json.loads(one.split("\n")[told.row]) if isinstance(one, str) else {}
        for cells in row, row.get("scores", {}):
            cell = cells.get(told.field)
            if isinstance(cell, dict) and _NOT_JSON in cell:
                what = f"it is {cell[_NOT_JSON]}"
                message = message.replace("it is an object", what, 1)
                message = message.replace("is an object and", f"is {cell[_NOT_JSON]} and", 1)
                return re.sub(r"(or a list of texts)(\n +where: .*\n +to do: )name .*",
                              rf"\1, {what}\2give a text or a list of texts", message)
    return message


@contextmanager
def _files_of(tables: Mapping[str, str | Path], names: Mapping[str, str]) -> Iterator[list[str]]:
    """Paths of files of the tables. Errors do not show where those made for the call lie, but which
    table they are, and have options as the arguments that `names` has."""
    with tempfile.TemporaryDirectory(prefix="rubric-") as folder:
        paths = []
        for number, one in enumerate(tables.values()):
            path = one if isinstance(one, Path) else Path(folder) / f"rows{number or ''}.jsonl"
            if isinstance(one, str):
                path.write_text(one, encoding="utf-8")
            paths.append(str(path))
        try:
            yield paths
        except Error as error:
            message = _about_tables(as_arguments(str(error), names), tables, paths)
            message = about_no_json(message, tables)
            if message == str(error):
                raise
            raise (input_error(message) if isinstance(error, InputError) else type(error)(message)
                   ) from None


def _with_arguments(texts: dict[str, str], page: str, names: Mapping[str, str]
                    ) -> tuple[dict[str, str], str]:
    """What the command prints, and its page, whose notes have options as arguments."""
    def quoted(text: str) -> str:
        return json.dumps(text, ensure_ascii=False)[1:-1]

    for note in json.loads(texts["json"]).get("notes", []):
        told = as_arguments(note, names)
        page = page.replace(_light.escape_html(note), _light.escape_html(told))
        texts = {form: text.replace(quoted(note), quoted(told)) if form == "json"
                 else text.replace(note, told) for form, text in texts.items()}
    return texts, page


def option_values(**options: Any) -> dict[str, list[str]]:
    """The texts of a command's options. What is None, empty or False is not given."""
    texts = {}
    for name, value in options.items():
        if value is None or value is False or value in ("", [], {}):
            continue
        if value is True:
            value = ""
        elif isinstance(value, Mapping):
            value = assignments(value.items())
        elif isinstance(value, tuple):
            value = ":".join(map(repr, value))
        texts[name.replace("_", "-")] = list(map(str, value if isinstance(value, list) else [value]))
    return texts


def printed_on(tables: Mapping[str, str | Path],
               work: Callable[[list[str], str], tuple[dict[str, str], list[str]]],
               names: Mapping[str, str]) -> tuple[dict[str, str], str]:
    """The texts and the page of a call of the extension, which takes files of rows and the path of
    its page: what a Report is made of.

    `tables` are what was `kept`, by what it is called; `names` the arguments of the call by the
    options of its command.
    """
    with (tempfile.TemporaryDirectory(prefix="rubric-") as folder,
          _files_of(tables, names) as paths):
        page = Path(folder, "report.html")
        texts, told = work(paths, str(page))
        html = page.read_text(encoding="utf-8")
        for (table, one), path in zip(tables.items(), paths):
            if isinstance(one, str):  # a file made for this call
                html = html.replace(_light.escape_html(path), called(table))
    for message in told:
        warn(_about_tables(as_arguments(message, names), tables, paths))
    return _with_arguments(texts, html, names)


def report_on(tables: Mapping[str, str | Path],
              work: Callable[[list[str], str], tuple[dict[str, str], list[str]]],
              names: Mapping[str, str]) -> Report:
    """What is `printed_on` tables, as a Report."""
    return Report(*printed_on(tables, work, names))
