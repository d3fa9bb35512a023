"""Results that are tables and values, and the scored rows that they are made from."""

from __future__ import annotations

import json
import math
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import Any, Iterator

from . import _light
from ._errors import Error, InputError, warn
from ._inputs import columns_of, is_table, nested, plain, require_path, shortened
from ._scores import Scores


FORMATS = ("text", "json", "markdown", "csv", "latex")


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

    @property
    def p_value(self) -> float:
        """Of a comparison of two systems: p of the two-sided paired permutation test.

        Raises
        ------
        InputError
            Where there are several: they are in `comparisons`, and with groups in `groups`.
        """
        comparisons = self.values.comparisons
        if len(comparisons) != 1 or "groups" in self.values:
            raise InputError("there are several p\n  to do: see comparisons and groups")
        return float(comparisons[0]["p_permutation"])

    def to_text(self, format: str = "text") -> str:
        """The tables as "text", "markdown", "latex" or "csv", or all values as "json"."""
        if format not in FORMATS:
            raise InputError(f"there is no format {format!r}\n"
                             f"  to do: choose {', '.join(FORMATS)}")
        return self._texts[format]

    def to_html(self, path: str | os.PathLike[str]) -> None:
        """Write the command's report: tables and pictures as one page."""
        if self._page is None:
            raise InputError("this result has no report as HTML\n  to do: use to_text()")
        path = require_path("path", path)
        try:
            Path(path).write_text(self._page, encoding="utf-8")
        except (OSError, ValueError) as error:  # ValueError: a NUL
            what = error.strerror if isinstance(error, OSError) else str(error)
            raise InputError(f"{path} cannot be written: {what}\n"
                             "  to do: give a file in a folder that is there") from error

    def __str__(self) -> str:
        return self.to_text().rstrip("\n")

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def _plain(value: Any) -> Any:
    """A value of a table as JSON has it: what is missing becomes null."""
    if isinstance(value, float):
        return value if not math.isnan(value) else None
    if value is None or isinstance(value, (str, bool, int, dict, list, tuple)):
        return value
    if hasattr(value, "tolist"):
        return _plain(plain(value))
    if type(value).__name__ in ("NAType", "NaTType"):  # of pandas
        return None
    if isinstance(value, (bytes, set)):
        raise TypeError(f"a value of type {type(value).__name__}")
    return _plain(float(value)) if hasattr(value, "__float__") else str(value)


def _called(table: str) -> str:
    """What messages and pages call a table: "rows", an argument such as "dev", or "table 1"."""
    return "the rows" if table == "rows" else table


def _of(table: str) -> str:
    """What of a message tells the table that a row is of."""
    return "" if table == "rows" else f" of {table}"


def _lines(rows: Any, table: str) -> str:
    """Scores, or a table with scores, as JSON lines."""
    if isinstance(rows, Scores):
        columns = rows.columns()
        names = set(rows)
    elif is_table(rows):
        columns = columns_of(rows)
        names = set()
    else:
        verb = "are" if table == "rows" else "is"
        raise InputError(f"{table} {verb} a value of type {type(rows).__name__}\n"
                         "  to do: give what score() returned, a table, or the path of a file")
    lines = []
    for cells in zip(*columns.values()):
        try:
            row = {name: _plain(cell) for name, cell in zip(columns, cells) if name not in names}
            if names:
                row["scores"] = {name: _plain(cell) for name, cell in zip(columns, cells)
                                 if name in names}
            lines.append(json.dumps(row, allow_nan=False, default=_plain))
        except (TypeError, ValueError) as error:
            raise InputError(f"row {len(lines)} (the first is 0){_of(table)} cannot be JSON: "
                             f"{error}\n"
                             "  to do: give texts, finite numbers, True, False, or lists of them",
                             row=len(lines)) from error
    return "\n".join(lines) + "\n"


def kept(rows: Any, table: str = "rows") -> str | Path:
    """What stays the same when a caller's table changes: the path of a file, or JSON lines.

    Messages call it `table`, an argument, or its number.
    """
    if not isinstance(rows, (str, os.PathLike)):
        return _lines(rows, table)
    path = Path(require_path(table, rows))
    if not os.path.exists(path):  # also of a text that no path is as long as
        raise InputError(f"there is no file {shortened(str(path))!r}\n"
                         "  to do: give the path of a file, texts as a list, or a table")
    return path


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


_QUOTED = r'"(?:[^"\\\n]|\\.)*"'


def about_records(message: str, rows: Mapping[str, int]) -> str:
    """A message that names records by ids, as it is about the rows that have them."""
    def row_of(found: re.Match[str]) -> str:
        ids = [json.loads(text) for text in re.findall(_QUOTED, found[2])] or [found[2]]
        if any(id not in rows for id in ids):
            return found[0]
        return f"row{found[1]} {', '.join(str(rows[id]) for id in ids)} (the first is 0)"

    return re.sub(rf"\brecord(s?) (\d+|{_QUOTED}(?:, {_QUOTED})*)", row_of, message)


def about_rows(message: str, path: str | os.PathLike[str], table: str = "rows") -> str:
    """A message about a file of rows, as it is about the caller's table.

    After a line stands the row's id, which is the line again where it has none of its own.
    """
    def row(found: re.Match[str]) -> str:
        return f"row {int(found[1]) - 1} (the first is 0){_of(table)}"

    file = os.fspath(path)
    message = re.sub(re.escape(file) + r":(\d+)(?:: \1$)?", row, message, flags=re.MULTILINE)
    return message.replace(file, _called(table))


def as_arguments(message: str, names: Mapping[str, str]) -> str:
    """A command's message with its options as the arguments that `names` has: `--human` becomes
    `human=`. That it is about a command line is left out."""
    def argument(found: re.Match[str]) -> str:
        name = found[1].replace("-", "_")
        return names[name] + "=" if name in names else found[0]

    message = re.sub(r"\n +where: command line$", "", message, flags=re.MULTILINE)
    if "field" in names:
        message = re.sub(r"--field (\w+)=([^\s,;]+)",
                         lambda found: f'{names["field"]}={{"{found[1]}": "{found[2]}"}}', message)
    message = re.sub(r"(did you mean |is now |error: )--([a-z0-9-]+)",  # of any option
                     lambda found: found[1] + found[2].replace("-", "_") + "=", message)
    message = re.sub(r"--help(?= (shows|lists) )", "`rubric help` of the command", message)
    message = re.sub(r"(?<![\w-])--([a-z][a-z0-9-]*)(?: (?=[A-Z]{3}))?", argument, message)
    return re.sub(r"(\n +where: \w+=) ", r"\1", message)


def input_error(message: str) -> InputError:
    """The error with the row and the field that its message names."""
    row = re.search(r"\brows? (\d+)(?:, [\d, …]+)? \(the first is 0\)", message)
    field = re.search(r'\b(?:field|label|score) "([^"]+)"', message)
    return InputError(message, None if row is None else int(row[1]),
                      None if field is None else field[1])


def of_call(error: InputError, arguments: Iterable[str]) -> InputError:
    """The error with options as those arguments of the call."""
    message = as_arguments(str(error), {name: name for name in arguments})
    return InputError(message, error.row, error.field)


def _about_tables(message: str, tables: Mapping[str, str | Path], paths: list[str]) -> str:
    """A message without the paths of files that were made for the call."""
    for (table, one), path in zip(tables.items(), paths):
        if isinstance(one, str):
            message = about_rows(message, path, table)
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
            if message == str(error):
                raise
            raise (input_error(message) if isinstance(error, InputError) else type(error)(message)
                   ) from None


def report_on(tables: Mapping[str, str | Path],
              work: Callable[[list[str], str], tuple[dict[str, str], list[str]]],
              names: Mapping[str, str]) -> Report:
    """The report of a call of the extension, which takes files of rows and the path of its page.

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
                html = html.replace(_light.escape_html(path), _called(table))
    for message in told:
        warn(_about_tables(as_arguments(message, names), tables, paths))
    return Report(texts, html)
