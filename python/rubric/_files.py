"""Files of tables that the commands do not read: parquet, feather and .xlsx."""

from __future__ import annotations

import os
import re
import zipfile
from collections.abc import Callable
from importlib import import_module
from itertools import zip_longest
from typing import Any

from ._errors import InputError, warn
from ._inputs import FileTable, distinct, is_missing, listed


def opened(rows: Any) -> Any:
    """The table of the file that `rows` is the path of, where it is parquet, feather or .xlsx; other
    rows as they are. A file is known by how it begins, not by its name.

    Raises InputError for such a file that is broken, and where the package that reads it is missing.
    """
    if not isinstance(rows, (str, os.PathLike)):
        return rows
    if os.path.isdir(rows):
        raise InputError(f"{rows} is a folder\n  to do: give a file in it; what save_to_disk has "
                         "written is a table as datasets.load_from_disk(…)")
    try:
        with open(rows, "rb") as file:
            start = file.read(8)
    except (OSError, ValueError):  # no file, which is an error later
        return rows
    for name, module, begins, read in _FORMATS:
        if not begins(start, rows):
            continue
        package = module.partition(".")[0]
        try:
            reader = import_module(module)
        except ImportError:
            raise InputError(f"{rows} is {name}, and {package} is not installed, which reads it\n"
                             f"  to do: pip install {package}") from None
        try:
            return read(reader, rows)
        except InputError:
            raise
        except Exception as error:  # of the packages each has its own
            raise InputError(f"{rows} is {name} that cannot be read: {error}\n"
                             "  to do: write it again") from error
    if start.startswith(b"\xd0\xcf\x11\xe0"):
        raise InputError(f"{rows} is an old file of Excel (.xls), or one with a password\n"
                         "  to do: save it as .xlsx or .csv without a password")
    return rows


def _is_sheet(start: bytes, path: Any) -> bool:
    return (start.startswith(b"PK") and zipfile.is_zipfile(path)
            and "xl/workbook.xml" in zipfile.ZipFile(path).namelist())


def _of_arrow(table: Any) -> FileTable:
    """The columns of an Arrow table without those that pandas keeps its numbers of rows in."""
    return FileTable((name, listed(table.column(place), name))
                     for place, name in enumerate(distinct(table.column_names))
                     if not re.fullmatch(r"__index_level_\d+__", name))


def _parquet(parquet: Any, path: Any) -> FileTable:
    return _of_arrow(parquet.read_table(path, partitioning=None))


def _feather(feather: Any, path: Any) -> FileTable:
    return _of_arrow(feather.read_table(path))


def _stream(pyarrow: Any, path: Any) -> FileTable:
    with pyarrow.OSFile(os.fspath(path)) as file:
        return _of_arrow(pyarrow.ipc.open_stream(file).read_all())


def _sheet(openpyxl: Any, path: Any) -> FileTable:
    """The first sheet; its first line has the names of the columns."""
    with open(path, "rb") as file:  # openpyxl takes no path of another name than .xlsx
        book = openpyxl.load_workbook(file, read_only=True, data_only=True)
        first, *others = book.worksheets
        first.reset_dimensions()  # which other programs may write wrongly
        lines = [line for line in first.iter_rows(values_only=True)]
        book.close()
    while lines and all(map(is_missing, lines[-1])):  # cells that are formatted alone
        lines.pop()
    if len(lines) < 2:
        raise InputError(f"the sheet {first.title!r} of {path} has no rows below a line of names\n"
                         "  to do: make the sheet with the rows the first")
    if others:
        warn(f"of {path} the sheet {first.title!r} is read; there are also "
             f"{', '.join(sheet.title for sheet in others)}")
    columns = [list(column) for column in zip_longest(*lines)]
    names = ["" if is_missing(name) else str(name).strip() for name, *_ in columns]
    unnamed = [str(number) for number, (name, *cells) in enumerate(columns, 1)
               if is_missing(name) and not all(map(is_missing, cells))]
    if unnamed:  # as pandas writes its index
        warn(f"of {path} columns without a name are not read: column {', '.join(unnamed)}")
    return FileTable((unique, column[1:])
                     for name, unique, column in zip(names, distinct(names), columns) if name)


def _starts_with(magic: bytes) -> Callable[[bytes, Any], bool]:
    return lambda start, _: start.startswith(magic)


# What a file is called, the module that reads it, whether it begins so, and how it is read.
_FORMATS: list[tuple[str, str, Callable[[bytes, Any], bool], Callable[[Any, Any], FileTable]]] = [
    ("a parquet file", "pyarrow.parquet", _starts_with(b"PAR1"), _parquet),
    ("a feather file", "pyarrow.feather", _starts_with(b"ARROW1"), _feather),
    ("a feather file", "pyarrow.feather", _starts_with(b"FEA1"), _feather),
    ("an Arrow stream", "pyarrow", _starts_with(b"\xff\xff\xff\xff"), _stream),
    ("an .xlsx file", "openpyxl", _is_sheet, _sheet),
]
