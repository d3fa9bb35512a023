"""The package's own program: its command line, its rows, its messages, and how it is stopped."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rubric_program import PROGRAMS, environment

from ._errors import Error, InputError, warn
from ._inputs import assignments, plain, require_path
from ._messages import about_records, about_rows, as_arguments, input_error
from ._metrics import chosen
from ._reports import Values, about_no_json, kept, rows_by_id

PathLike = str | os.PathLike[str]

_PROGRAM = PROGRAMS / "rubric"
_WRONG_INPUT, _STOPPED = 2, 75  # exit codes, docs/versioning.md
_OWNED = ("format", "help", "quiet", "version")  # options that the functions give themselves


def refuse(options: Mapping[str, Any], *owned: str) -> None:
    """Raise InputError for an option that the function itself gives, and for a dry run, whose
    answer is only printed."""
    for name in (*_OWNED, *owned):
        if name == "dry_run" and options.get(name):
            raise InputError("dry_run is of the command alone: without it this call does all the "
                             "work; judge() sends its requests then, which may cost money\n"
                             "  to do: see what `rubric … --dry-run` prints, and then call without")
        if name in options:
            raise InputError(f"{name!r} is given by the function itself\n  to do: leave it out")


def arguments(options: Mapping[str, Any]) -> list[str]:
    """Options of a command line: `max_new_tokens=5`, `sum=True`, `field={"ours": "theirs"}`."""
    words: list[str] = []
    if "metrics" in options:
        names = chosen(options["metrics"], options.get("metric"), ())
        options = {**options, "metric": names, "metrics": None}
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        value = plain(value)
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
            continue
        for item in _values(name, value):
            words += [option, item]
    return words


def _values(name: str, value: Any) -> list[str]:
    """The values of an option that may be repeated."""
    if isinstance(value, Mapping) and name != "parameters":  # a judge's parameters are one object
        return assignments((key, item) for key, items in value.items() for item in (
            _values(key, items) if name == "pairs" else [_text(name, items)]))
    if isinstance(value, (list, tuple)):
        return [_text(name, item) for item in value]
    return [_text(name, value)]


def _text(name: str, value: Any) -> str:
    """A value as a command line has it: numbers, lists and truth as JSON, texts as they are."""
    def of_json(item: Any) -> Any:
        if isinstance(item, os.PathLike):
            return os.fspath(item)
        if hasattr(item, "tolist"):
            return plain(item)
        raise InputError(f"{name} is a value of type {type(item).__name__}\n"
                         "  to do: give a text, a number, True, False, or a list or dict of these")

    return os.fspath(value) if isinstance(value, (str, os.PathLike)) else json.dumps(
        value, default=of_json)


def fields_of(field: Any) -> dict[str, str]:
    """The names of the option `field` by ours: of a dict, a text "ours=theirs", or a list of it."""
    return dict(pair.split("=", 1) for pair in _values("field", field or ()) if "=" in pair)


def place(name: str, path: PathLike) -> str:
    """The path of an argument, which is not read as an option."""
    text = require_path(name, path)
    return os.path.join(".", text) if text.startswith("-") else text


def json_lines(file: Path) -> list[Values]:
    with open(file, encoding="utf-8") as lines:
        return [json.loads(line, object_hook=Values) for line in lines]


def _row_of(found: re.Match[str]) -> str:
    """A row that a command counts from 1."""
    return f"{found[1]}row {int(found[2]) - 1} (the first is 0)"


class Files:
    """The path of a file of rows, and one for what a command makes of them."""

    def __init__(self, rows: Any, field: Any = None) -> None:
        """`field` is the command's option, which may name what the ids of the rows are called."""
        self.input = kept(rows)
        self._folder = tempfile.TemporaryDirectory(prefix="rubric-")
        self.output = Path(self._folder.name, "output.jsonl")
        self._rows = Path(self._folder.name, "rows.jsonl")
        self._lines = ""
        self._id = fields_of(field).get("id", "id")
        if isinstance(self.input, str):
            self._lines = self.input
            self._rows.write_text(self.input, encoding="utf-8")
            self.input = self._rows

    def told(self, message: str) -> str:
        """A message as it is about the caller's rows, which the first is 0 of."""
        message = about_rows(message, self._rows)
        message = re.sub(r"^( +where: )row (\d+)$", _row_of, message, flags=re.MULTILINE)
        if "record" in message or ": id " in message:
            message = about_records(message, rows_by_id(self._lines, self._id))
        message = about_no_json(message, {"rows": self._lines} if self._lines else {})
        return message.replace(self._folder.name + os.sep, "")

    def __enter__(self) -> Files:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()


def _told(messages: str) -> tuple[list[str], str]:
    """The warnings in what a program wrote on stderr, and its error."""
    told: list[str] = []
    error = ""
    for line in messages.split("\n"):  # a text may hold other ends of lines
        if line.startswith("warning: "):
            told.append(line.removeprefix("warning: "))
        elif line.startswith("error: ") or error:
            error += "\n" + line if error else line.removeprefix("error: ")
        elif told:
            told[-1] += "\n" + line
    return [message.rstrip("\n") for message in told], error.rstrip("\n")


def _start(command: list[str], **streams: Any) -> subprocess.Popen[bytes]:
    """Start the program, which stops as on SIGTERM when this process ends, be it by SIGKILL.

    It is told whose end to wait for; src/core/system/process.h says how it does that.
    """
    if not _PROGRAM.exists():
        raise Error(f"{_PROGRAM} is missing\n  to do: install the package rubric again")
    try:
        # In a session of its own, so that Ctrl-C comes from here, and once.
        return subprocess.Popen([os.fspath(_PROGRAM), *command], stdin=subprocess.DEVNULL,
                                start_new_session=True,
                                env={**environment(), "RUBRIC_PARENT": str(os.getpid())}, **streams)
    except OSError as error:
        if error.errno != errno.E2BIG:
            raise
        raise InputError("the options are longer than a command line may be\n"
                         "  to do: put long values into a file") from error
    except ValueError as error:  # a NUL or a lone surrogate
        raise InputError(f"an option holds a character that no command line has: {error}"
                         "\n  to do: take it out") from error


def _wait(process: subprocess.Popen[bytes], watch: Callable[[], None] | None = None) -> None:
    """Wait for the program's end.

    In turns: a Ctrl-C that comes just before a call of the system would be answered at its end.
    """
    while True:
        try:
            process.wait(0.2)
            return
        except subprocess.TimeoutExpired:
            if watch:
                watch()


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the program, after it has saved what the same call goes on with, if it does go on.

    A second Ctrl-C does not wait for that.
    """
    process.send_signal(signal.SIGTERM)
    try:
        _wait(process)
    except BaseException:
        process.kill()
        process.wait()
        raise


def run(words: Sequence[str], options: Mapping[str, Any], *, files: Files | None = None,
        watch: Callable[[], None] | None = None, tell: Callable[[str], object] = warn,
        may_stop: bool = False, names: Mapping[str, str] = {}) -> tuple[str, bool]:
    """Run a command and return what it printed, and whether it was stopped with all saved.

    `tell` is called with each warning. Ctrl-C stops it and raises KeyboardInterrupt. `watch` is
    called some times a second while it runs, and once more at its end. `files` are those of rows in memory: messages tell of the rows. Where
    somebody else stops the program it is an Error, unless it `may_stop`. `names` are the caller's
    arguments by options, where they are called otherwise.

    Raises
    ------
    InputError, Error
        As the command says.
    """
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as out, \
            tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as messages:
        process = _start([*words, "--quiet", *arguments(options)], stdout=out, stderr=messages)
        try:
            _wait(process, watch)
        except BaseException:
            _stop(process)
            raise
        if watch:
            watch()
        out.seek(0)
        messages.seek(0)
        written = messages.read() if files is None else files.told(messages.read())
        command = " ".join(words[:2 if words[0] == "evaluate" else 1])
        written = re.sub("--help(?= (?:shows|lists|says) )", f"`rubric help {command}`", written)
        told, error = _told(as_arguments(written, names, takes_all=True))
        for message in told:
            tell(message)
        if process.returncode == _WRONG_INPUT and error:
            raise input_error(error)
        if process.returncode != 0 and not (may_stop and process.returncode == _STOPPED):
            raise Error(error or f"rubric {words[0]} has ended with exit code {process.returncode}"
                                 f"; its last messages:\n{written[-2000:]}")
        return out.read(), process.returncode == _STOPPED
