"""What callers give as tables and lists, as lists of columns, and their other arguments."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterable, KeysView, Mapping, Set
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ._errors import InputError

MOST_THREADS = 4096
MOST_SEED = 2**63 - 1
_ABSENT = object()  # in place of what a path does not lead to


class FileTable(dict[str, list[Any]]):
    """The columns of a file (_files.py), in which a text may be a list, as in a data frame."""


def is_table(value: Any) -> bool:
    """Whether it has columns with names: pandas, polars, Arrow, `datasets`, dict, list of dicts."""
    # Of the type: asking a LazyFrame itself makes polars warn.
    if isinstance(value, Mapping) or any(hasattr(type(value), name)
                                         for name in ("columns", "column_names")):
        return True
    return isinstance(value, (list, tuple)) and bool(value) and isinstance(value[0], Mapping)


def are_tables(value: Any) -> bool:
    """Whether it is a dict of tables or paths, and not one of columns."""
    return isinstance(value, Mapping) and bool(value) and all(
        isinstance(one, (str, os.PathLike)) or is_table(one) for one in value.values())


def is_by_hand(table: Any) -> bool:
    """Whether its columns are Python's own lists, in which a text is a text, whatever it holds."""
    return isinstance(table, (Mapping, list, tuple)) and not isinstance(table, FileTable)


def assignments(values: Iterable[tuple[Any, Any]]) -> list[str]:
    """"ours=theirs" of each, as options have it. Raises InputError for a name of ours with "="."""
    texts = []
    for ours, theirs in values:
        if "=" in str(ours):
            raise InputError(f"{ours!r} holds an equals sign, which no name of ours does\n"
                             "  to do: give our name first: {\"candidate\": \"prediction\"}")
        texts.append(f"{ours}={theirs}")
    return texts


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


def nested(value: Any, name: str, absent: Any = None) -> Any:
    """What a dict has under a name or, with dots, inside of that: "answers.text"; else `absent`.

    Behind a list or an array a number is one of its items, and a name that field of each item.
    """
    if isinstance(value, Mapping) and name in value:
        return value[name]
    first, _, rest = name.partition(".")
    value = plain(value)
    if isinstance(value, (list, tuple)):
        if not first.isdecimal():
            return [nested(item, name, absent) for item in value]
        value = value[int(first)] if int(first) < len(value) else absent
    else:
        value = value.get(first, absent) if isinstance(value, Mapping) else absent
    return nested(value, rest, absent) if rest else value


def find_column(table: Any, path: str) -> tuple[int, Any, str] | None:
    """The column that a path leads to, "answers.text", by place and name, and the rest of the path
    inside its cells; None where there is none. A name that is no text, 0, is found by its text.

    Raises InputError where several columns have the name.
    """
    names = column_names(table)
    texts = list(map(str, names))
    parts = path.split(".")
    for n in range(len(parts), 0, -1):
        name = ".".join(parts[:n])
        if texts.count(name) > 1:
            raise InputError(f"the table has several columns {name!r}\n  to do: rename them",
                             field=name)
        if name in texts:
            place = texts.index(name)
            return place, names[place], ".".join(parts[n:])
    return None


def column_of(table: Any, path: str) -> list[Any]:
    """The cells that a path leads to, which is found (`find_column`); None where a dict lacks it.

    Lists in it are the table's own. Raises InputError where the path leads to nothing in all rows.
    """
    found = find_column(table, path)
    assert found is not None, path
    place, name, rest = found
    column = column_at(table, place, name)
    if not rest:
        return column
    cells = [nested(cell, rest) for cell in column]
    if column and not any(_is_there(nested(cell, rest, _ABSENT)) for cell in column):
        row = next((row for row, cell in enumerate(column) if not is_missing(cell)), None)
        if row is None:
            raise InputError(f"no row has anything at {path!r}: {str(name)!r} is None in all rows\n"
                             "  to do: name another column", field=str(name))
        raise _no_path(path, str(name), rest, column[row], row)
    return cells


def _is_there(found: Any) -> bool:
    """Whether a path led somewhere, be it to None; behind lists, in some item or with no items."""
    if isinstance(found, list):
        return not found or any(map(_is_there, found))
    return found is not _ABSENT


def _no_path(path: str, name: str, rest: str, cell: Any, row: int) -> InputError:
    """The error about a path of which a row has nothing, which names where it ends there."""
    place, cell = name, plain(cell)
    while isinstance(cell, Mapping):
        first, _, after = rest.partition(".")
        if first not in cell or not after:
            break
        place, rest, cell = f"{place}.{first}", after, plain(cell[first])
    there = list(map(str, cell)) if isinstance(cell, Mapping) else []
    nearest = get_close_matches(rest, there, 1) or there[:1]
    return InputError(
        f"no row has anything at {path!r}: in row {row} (the first is 0) {place!r} "
        + (f"has the keys {named(there)}" if isinstance(cell, Mapping)
           else f"is a list of {len(cell)}" if isinstance(cell, (list, tuple))
           else "is None" if is_missing(cell)
           else f"is a value of type {type(cell).__name__}") + "\n  to do: "
        + (f"name what is there, such as {place + '.' + nearest[0]!r}" if nearest
           else "name a column, or what is inside of it"), row=row, field=name)


def column_at(table: Any, place: int, name: Any) -> list[Any]:
    """The column of this name in this place, whose lists are the table's own."""
    if isinstance(table, (list, tuple)):
        return [row.get(name) for row in table]
    if hasattr(table, "iloc"):  # pandas, of which several columns may have one name
        return listed(table.iloc[:, place], str(name))
    return listed(table.column(place) if hasattr(table, "column") else table[name],  # Arrow
                  str(name))


def copied(column: list[Any]) -> list[Any]:
    """The column with lists of its own in its cells."""
    if not any(issubclass(kind, list) for kind in set(map(type, column))):
        return list(column)  # far faster: most columns are of texts
    return [list(cell) if isinstance(cell, list) else cell for cell in column]


def distinct(names: Iterable[Any]) -> list[str]:
    """The names as texts; where several are the same, with numbers: "x (1)", "x (2)"."""
    texts = list(map(str, names))
    times: Counter[str] = Counter(texts)
    numbers: Counter[str] = Counter()
    for place, text in enumerate(texts):
        if times[text] > 1:
            numbers[text] += 1
            texts[place] = f"{text} ({numbers[text]})"
    return texts


def columns_of(table: Any) -> dict[str, list[Any]]:
    """All columns of a table by name (`distinct`). Raises InputError where their lengths differ."""
    names = column_names(table)
    return dict(zip(distinct(names), _copies(table, names)))


def _copies(table: Any, names: list[Any]) -> list[list[Any]]:
    """All columns, which have these names: the caller's may change."""
    columns = [copied(column_at(table, place, name)) for place, name in enumerate(names)]
    require_same_lengths(dict(zip(distinct(names), map(len, columns))))
    return columns


def snapshot(table: Any) -> Any:
    """The table as it is now, which the caller may change: results show what was scored."""
    if is_by_hand(table):
        names = column_names(table)
        return dict(zip(names, _copies(table, names)))
    if hasattr(table, "iloc"):  # pandas, whose copies share the lists in cells
        table = table.copy()
        for place, dtype in enumerate(table.dtypes):
            column = table.iloc[:, place]
            if dtype == object and any(isinstance(cell, list) for cell in column):
                table.isetitem(place, type(column)(copied(list(column)), column.index, object))
        return table
    if hasattr(table, "with_format"):  # datasets
        return table.with_format(None)
    return table.clone() if hasattr(table, "clone") else table  # polars; Arrow's do not change


def as_list(values: Any, what: str) -> list[Any]:
    """A copy of the values of a list, tuple, array or column: the caller's may change."""
    return copied(listed(values, what))


def listed(values: Any, what: str) -> list[Any]:
    """The values of a list, tuple, array or column, perhaps the list itself."""
    if isinstance(values, list):
        return values
    if is_table(values):  # whose iteration gives names of columns
        raise InputError(f"{what} is a table, a {type(values).__name__}, not a list\n"
                         "  to do: give one of its columns, or the table alone", field=what)
    for method in ("to_pylist", "to_list", "tolist"):  # Arrow, polars and pandas, numpy
        if hasattr(values, method):
            try:
                values = getattr(values, method)()
            except ValueError:  # Arrow's times in nanoseconds, which Python's have not
                values = values.cast("string").to_pylist()
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


def is_missing(value: Any) -> bool:
    """Whether it is None, NaN, or what pandas has in their place."""
    return (value is None or isinstance(value, float) and math.isnan(value)
            or type(value).__name__ in ("NAType", "NaTType"))


def is_nothing(value: Any) -> bool:
    """Whether it is missing, or a list of what is missing alone."""
    return is_missing(value) or (isinstance(value, (list, tuple)) and bool(value)
                                 and all(map(is_missing, value)))


def plain(value: Any) -> Any:
    """A value of numpy, pandas or polars as Python's own, any other as it is."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return value.to_list() if hasattr(value, "to_list") else value


def require_text(name: str, value: Any, what: str = "a text") -> str:
    """The text of an argument. Raises InputError for another value, and what is no characters."""
    if isinstance(value, str):
        try:
            value.encode()
            return value
        except UnicodeEncodeError:
            pass  # a lone surrogate
    shown = repr(value)
    if "\n" in shown or len(shown) > 100:  # a column of a data frame
        shown = f"a value of type {type(value).__name__}"
    raise InputError(f"{name} is {shown}\n  to do: give {what}")


def require_column_name(name: str, value: Any) -> str:
    """The name of a column that an argument gives, "" for none, but of labels there must be one.
    Raises InputError as above."""
    if name == "human" and isinstance(value, str) and not value:
        raise InputError("human is empty\n  to do: name the column of labels", field="human")
    return require_text(name, value, "the name of a column")


def require_path(name: str, value: Any) -> str:
    """The path of an argument. Raises InputError for a value that is none."""
    path = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(path, str) or not path:
        raise InputError(f"{name} is {value!r}\n  to do: give a path")
    return path


def require_file(name: str, value: Any) -> Path:
    """The path of a file. Raises InputError where there is none."""
    path = Path(require_path(name, value))
    if not os.path.exists(path):  # also of a text that no path is as long as
        raise InputError(f"there is no file {shortened(str(path))!r}\n"
                         "  to do: give the path of a file, texts as a list, or a table")
    return path


def shortened(text: str) -> str:
    """A text for a message, of which only the beginning is in it where it is long."""
    return text if len(text) <= 100 else text[:99] + "…"


def names_of(what: str, values: Any) -> list[str]:
    """The names of an argument, which may be one. Raises InputError for other values, and for names
    in one text, as a command takes them."""
    if isinstance(values, str):
        if "," in values:
            listed = ", ".join(f'"{name.strip()}"' for name in values.split(",") if name.strip())
            raise InputError(f"{what} is one text, {values!r}\n"
                             f"  to do: give a list, {what}=[{listed}]", field=what)
        return [values]
    return [require_text(f"one of {what}", value) for value in as_list(values, what)]


def counted(n: int, singular: str, plural: str) -> str:
    return f"{n} {singular if n == 1 else plural}"


def some_rows(rows: list[int]) -> str:
    """Rows for a message, of which the first ten are in it."""
    return (("row " if len(rows) == 1 else "rows ") + ", ".join(map(str, rows[:10]))
            + (", …" if len(rows) > 10 else "") + " (the first is 0)")


def require_same_lengths(lengths: Mapping[str, int]) -> None:
    """Raise InputError unless all columns have as many values as the first."""
    first, n = next(iter(lengths.items()), ("", 0))
    for name, length in lengths.items():
        if length != n:
            raise InputError(
                f"{counted(n, 'value', 'values')} in column {first!r}, {length} in {name!r}\n"
                "  to do: give columns of the same length", field=name)


def require_whole(name: str, value: Any, least: int = 0, most: int = 2**63 - 1) -> int:
    """The whole number of an argument. Raises InputError for others, and out of range."""
    is_whole = hasattr(value, "__index__") and not isinstance(value, bool)
    if not is_whole or not least <= int(value) <= most:
        raise InputError(f"{name} is {value!r}\n  to do: give a whole number, {least} to {most}")
    return int(value)


def require_columns(columns: Any) -> Mapping[str, str]:
    """The argument `columns`, empty for None. Raises InputError unless it has texts by texts."""
    columns = {} if columns is None else columns
    if isinstance(columns, Mapping) and all(isinstance(name, str)
                                            for pair in columns.items() for name in pair):
        return columns
    raise InputError(f"columns is {columns!r}\n  to do: give the table's own names by ours, "
                     "columns={\"candidate\": \"prediction\"}")


def named(names: Iterable[Any]) -> str:
    """Names of columns for a message."""
    return ", ".join(map(str, names)) or "none"


def require_texts(table: Any, *fields: str) -> None:
    """Raise InputError unless the table has these columns, of texts alone."""
    names = column_names(table)
    for field in fields:
        if field not in names:
            raise InputError(f"there is no column {field!r}; there are {named(names)}", field=field)
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
