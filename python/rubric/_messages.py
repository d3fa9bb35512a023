"""Messages of the commands and the library, as they are about the caller's arguments and rows."""

from __future__ import annotations

import functools
import inspect
import json
import os
import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import ParamSpec, TypeVar

from ._errors import InputError

_P = ParamSpec("_P")
_R = TypeVar("_R")

# What a keyword that a call does not know may mean, the likeliest first.
_MEANT = {"columns": ("field",), "field": ("columns",), "fields": ("columns", "field"),
          "set": ("overrides",), "label": ("human",), "labels": ("human",), "n": ("budget",),
          "input": ("rows", "data"), "preds": ("predictions",), "refs": ("references",)}
_QUOTED = r'"(?:[^"\\\n]|\\.)*"'


def called(table: str) -> str:
    """What messages and pages call a table: "rows", an argument such as "dev", or "table 1"."""
    return "the rows" if table == "rows" else table


def of_table(table: str) -> str:
    """What of a message tells the table that a row is of."""
    return "" if table == "rows" else f" of {table}"


def by_number(rows: int) -> dict[str, int]:
    """So many rows, by the ids that they have where the caller's table has none: their numbers."""
    return {str(row): row for row in range(rows)}


def about_records(message: str, rows: Mapping[str, int]) -> str:
    """A message that names records by ids or numbers, as it is about the rows that have them."""
    def row_of(found: re.Match[str]) -> str:
        ids = ([json.loads(text) for text in re.findall(_QUOTED, found[0])]
               or re.findall(r"\d+", found[0]))
        if any(id not in rows for id in ids):
            return found[0]
        numbers = ", ".join(str(rows[id]) for id in ids)
        return f"row{'s' if len(ids) > 1 else ''} {numbers} (the first is 0)"

    return re.sub(rf"(?:\brecords?|(?<=: )id) (?:\d+|{_QUOTED}(?:, {_QUOTED})*)"
                  r"|\brow \d+(?:, row \d+)*(?! \(the first)(?!\d)", row_of, message)


def about_rows(message: str, path: str | os.PathLike[str], table: str = "rows") -> str:
    """A message about a file of rows, as it is about the caller's table.

    After a line stands the row's id, which is the line again where it has none of its own.
    """
    def row(found: re.Match[str]) -> str:
        return f"row {int(found[1]) - 1} (the first is 0){of_table(table)}"

    file = os.fspath(path)
    if file not in message:
        return message
    message = re.sub(rf"({_QUOTED})|\bthe file\b", lambda found: found[1] or "the table", message)
    message = re.sub(re.escape(file) + r":(\d+)(?:: \1$)?", row, message, flags=re.MULTILINE)
    return message.replace(file, called(table))


def as_arguments(message: str, names: Mapping[str, str], takes_all: bool = False) -> str:
    """A command's message with its options as arguments of the call: `--human` becomes `human=`.

    `names` has the call's arguments by options. An option that it lacks is an argument of its own
    name where the call `takes_all`, as those that run a command do; else it is marked as the
    command's. That the message is about a command line is left out.
    """
    def argument(found: re.Match[str]) -> str:
        if found[1] is None:  # of a script, in a call of a command, or in a caller's text
            return found[0]
        name = found[1].replace("-", "_")
        if name in names or takes_all:
            return names.get(name, name) + "="
        return f"--{found[1]} (of the command)" + (found[2] or "")

    def pair(found: re.Match[str]) -> str:
        name = names.get(found[1], found[1] if takes_all else "")
        key, value = found[2] or found[4], found[3] or found[5]
        return f'{name}={{"{key}": "{value}"}}' if name else found[0]

    def value(found: re.Match[str]) -> str:
        name = names.get(found[1].replace("-", "_"), found[1] if takes_all else "")
        word = json.dumps(found[2].strip("'"))
        return f'{name.replace("-", "_")}={word}' if name else found[0]

    def metric_list(found: re.Match[str]) -> str:
        return names.get("metric", "metric") + "=" + json.dumps(found[1].split(","))

    def test(found: re.Match[str]) -> str:
        return f'{names.get("test", "test")}="{found[1]}"'

    message = re.sub(r"\n +where: command line$", "", message, flags=re.MULTILINE)
    message = re.sub(r"--(field|set) (?:'([\w.]+)=([^'\n]+)'|([\w.]+)=([^\s,;]+))", pair, message)
    pairs = re.compile(r"(\w+)=\{([^{}]*)\} \1=\{")
    while pairs.search(message):  # one argument has all pairs
        message = pairs.sub(r"\1={\2, ", message)
    message = re.sub(r"--missing (empty|drop|error)", r'missing="\1"', message)
    message = re.sub(r"--metric (\w+(?:,\w+)+)", metric_list, message)
    message = re.sub(r"--test ([a-z]+)", test, message)
    # One word, and the clause ends: "--system llm; …", but "leave --dev out".
    message = re.sub(r"(?<!where: )--([a-z][a-z0-9-]*) (?!out\b|[A-Z]{3})([\w.]+|'[^'\n]*')"
                     r"(?=[;,)?]|$)", value, message, flags=re.MULTILINE)
    message = re.sub(r"(did you mean |is now |error: )--([a-z0-9-]+)",  # of any option
                     lambda found: found[1] + found[2].replace("-", "_") + "=", message)
    message = re.sub(rf"scripts/\w+(?: --[a-z]+)+|`[^`\n]*`|{_QUOTED}|"
                     r"(?<![\w/-])--([a-z][a-z0-9-]*)( (?=[A-Z]{3}|\"))?", argument, message)
    return re.sub(r"(\n +where: \w+=) (?!and )", r"\1", message)


def input_error(message: str) -> InputError:
    """The error with the row and the field that its message names."""
    row = re.search(r"\brows? (\d+)(?:, [\d, …]+)? \(the first is 0\)", message)
    field = re.search(r'\b(?:fields?|label|score) "([^"]+)"', message)
    return InputError(message, None if row is None else int(row[1]),
                      None if field is None else field[1])


def of_call(error: InputError, names: Mapping[str, str]) -> InputError:
    """The error with options as the arguments that `names` has."""
    message = as_arguments(str(error), names)
    return InputError(message, error.row, error.field)


def keywords(function: Callable[..., object]) -> list[str]:
    """The arguments of a call that it takes by name alone, and need not be given."""
    return [name for name, one in inspect.signature(function).parameters.items()
            if one.kind is one.KEYWORD_ONLY and one.default is not one.empty]


def names_keywords(*options: str) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """A decorator of the package's calls, which raise InputError for a keyword that they do not
    know, and name the one that is meant.

    Where a call takes further ones, options of a command or settings of a metric, the command or
    the metric refuses what it does not know; `options` are those that other calls name otherwise.
    """
    def decorate(function: Callable[_P, _R]) -> Callable[_P, _R]:
        parameters = inspect.signature(function).parameters.values()
        there = [*(one.name for one in parameters if one.name != "self"
                   and one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)), *options]
        takes_others = any(one.kind is one.VAR_KEYWORD for one in parameters)

        def meant(name: str) -> list[str]:
            return [other for other in _MEANT.get(name, ()) if other in there]

        def unknown(name: str) -> InputError:
            nearest = (*meant(name), *get_close_matches(name, there, 1), "")[0]
            return InputError(f"{function.__name__}() has no argument {name}=\n  to do: "
                              + (f"did you mean {nearest}=?" if nearest else "leave it out.")
                              + f" It takes {', '.join(there)}")

        @functools.wraps(function)
        def call(*values: _P.args, **given: _P.kwargs) -> _R:
            for name in given:
                if name not in there and (not takes_others or meant(name)):
                    raise unknown(name)
            try:
                return function(*values, **given)
            except InputError as error:  # of a command, which knows its options alone
                option = re.match(r"there is no option (\w+)=\n +to do: `", str(error))
                if option and get_close_matches(option[1], there, 1):
                    raise unknown(option[1]) from None
                raise

        return call

    return decorate
