"""The commands by name: the package's own program runs, and its results become objects."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from rubric_program import PROGRAMS, environment

from ._errors import Error, InputError, RubricWarning
from ._inputs import (
    MOST_THREADS,
    Answers,
    as_list,
    column_names,
    column_of,
    is_table,
    require_texts,
    require_whole,
)
from ._metrics import require_metrics, setting_values
from ._model import load
from ._reports import Report, Values, kept
from ._scores import Score, Scores

_PathLike = str | os.PathLike[str]

_PROGRAM = PROGRAMS / "rubric"
_WRONG_INPUT, _STOPPED = 2, 75  # exit codes, docs/versioning.md


_OWNED = ("format", "help", "quiet", "version")  # options that the calls below give themselves


def _refuse(options: Mapping[str, Any], *owned: str) -> None:
    """Raise InputError for an option that the function itself gives."""
    for name in (*_OWNED, *owned):
        if name in options:
            raise InputError(f"{name!r} is given by the function itself\n  to do: leave it out")


def _arguments(options: Mapping[str, Any]) -> list[str]:
    """Options of a command line: `max_new_tokens=5`, `sum=True`, `field={"ours": "theirs"}`."""
    arguments: list[str] = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            arguments.append(option)
            continue
        for item in _values(name, value):
            arguments += [option, item]
    return arguments


def _values(name: str, value: Any) -> list[str]:
    """The values of an option that may be repeated."""
    if isinstance(value, Mapping) and name != "parameters":  # a judge's parameters are one object
        return [f"{key}={item}" for key, items in value.items()
                for item in (_values(key, items) if name == "pairs" else [_text(items)])]
    if isinstance(value, (list, tuple)):
        return [_text(item) for item in value]
    return [_text(value)]


def _text(value: Any) -> str:
    """A value as a command line has it: numbers, lists and truth as JSON, texts as they are."""
    def plain(item: Any) -> Any:
        if isinstance(item, os.PathLike):
            return os.fspath(item)
        if hasattr(item, "__index__"):  # of numpy
            return int(item)
        raise InputError(f"a value of type {type(item).__name__} is no value of an option")

    return os.fspath(value) if isinstance(value, (str, os.PathLike)) else json.dumps(
        value, default=plain)


def _place(path: _PathLike) -> str:
    """A path that is not read as an option."""
    text = os.fspath(path)
    return os.path.join(".", text) if text.startswith("-") else text


def _told(messages: str) -> tuple[list[str], str]:
    """The warnings in what a program wrote on stderr, and its error."""
    told: list[str] = []
    error = ""
    for line in messages.splitlines():
        if line.startswith("warning: "):
            told.append(line.removeprefix("warning: "))
        elif line.startswith("error: ") or error:
            error += ("\n" if error else "") + line.removeprefix("error: ")
        elif told:
            told[-1] += "\n" + line
    return told, error


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the program, which saves what it has; a second Ctrl-C does not wait for that."""
    process.send_signal(signal.SIGINT)
    try:
        process.wait()
    except BaseException:
        process.kill()
        process.wait()
        raise


def _run(words: Sequence[str], options: Mapping[str, Any],
         watch: Callable[[], None] | None = None, stacklevel: int = 3,
         cwd: str | None = None, hidden: str = "") -> tuple[str, bool]:
    """Run a command and return what it printed, and whether it was stopped with all saved.

    Its warnings become RubricWarning. Ctrl-C stops it: it saves what it has, and KeyboardInterrupt
    is raised. `watch` is called some times a second while it runs, and once more at its end.
    `hidden` is a folder that messages leave out.

    Raises
    ------
    InputError, Error
        As the command says.
    """
    if not _PROGRAM.exists():
        raise Error(f"{_PROGRAM} is missing\n  to do: install the package rubric again")
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as out, \
            tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as messages:
        # In a session of its own, so that Ctrl-C comes from here, and once.
        process = subprocess.Popen([_PROGRAM, *words, "--quiet", *_arguments(options)], cwd=cwd,
                                   stdin=subprocess.DEVNULL, stdout=out, stderr=messages,
                                   start_new_session=True, env=environment())
        try:
            while True:
                try:
                    process.wait(0.2 if watch else None)
                    break
                except subprocess.TimeoutExpired:
                    assert watch is not None
                    watch()
        except BaseException:
            _stop(process)
            raise
        if watch:
            watch()
        out.seek(0)
        messages.seek(0)
        written = messages.read()
        told, error = _told(written.replace(hidden + os.sep, "") if hidden else written)
        for message in told:
            warnings.warn(message, RubricWarning, stacklevel=stacklevel)
        if process.returncode not in (0, _STOPPED):
            message = error or (f"rubric {words[0]} has ended with exit code {process.returncode}"
                                f"; its last messages:\n{written[-2000:]}")
            raise (InputError if process.returncode == _WRONG_INPUT else Error)(message)
        return out.read(), process.returncode == _STOPPED


def _report(words: Sequence[str], options: Mapping[str, Any], has_page: bool = True) -> Report:
    """What a command prints in each format, which runs it again, and its report."""
    folder = os.getcwd()

    @cache
    def text_of(format: str) -> str:
        return _run(words, {**options, "format": format}, stacklevel=5, cwd=folder)[0]

    def write_html(path: str) -> None:
        _run(words, {**options, "report": os.path.abspath(path)}, stacklevel=5, cwd=folder)

    return Report(_run(words, {**options, "format": "json"}, stacklevel=4)[0], text_of,
                  write_html if has_page else None)


def evaluate_mocha(data: _PathLike, *, predictions: _PathLike | None = None,
                   scores: _PathLike | None = None, **options: Any) -> Report:
    """Agreement of metrics with MOCHA's human judgements (Chen et al. 2020, Tables 4 and 5).

    Parameters
    ----------
    data : path
        MOCHA's JSON with human scores.
    predictions, scores : path, optional
        The file of one metric, or a scored file. One of the two is needed.
    **options
        Those of ``rubric help evaluate mocha`` with underscores: ``constituent=["drop"]``.

    Returns
    -------
    Report
        Pearson's r in [-1, 1] with 95% intervals, and accuracy on minimal pairs in percent.

    Raises
    ------
    InputError
        For what is wrong in the files and the options.

    Examples
    --------
    >>> import rubric
    >>> report = rubric.evaluate_mocha("dev.json", scores="scored.json")  # doctest: +SKIP
    >>> report.to_html("mocha.html")  # doctest: +SKIP
    """
    _refuse(options)
    return _report(["evaluate", "mocha"],
                   {"data": data, "predictions": predictions, "scores": scores, **options})


def evaluate_r4c(gold: _PathLike, predictions: _PathLike, **options: Any) -> Report:
    """Derivations against R4C's reference derivations (Inoue et al. 2020, section 4).

    Parameters
    ----------
    gold, predictions : path
        R4C's JSON, and HotpotQA's predictions with derivations.
    **options
        Those of ``rubric help evaluate r4c`` with underscores.

    Returns
    -------
    Report
        Precision, recall and F1 of entities, relations and whole steps, in percent.

    Raises
    ------
    InputError
        For what is wrong in the files and the options.

    Examples
    --------
    >>> import rubric
    >>> rubric.evaluate_r4c("dev_csf.json", "core.json")  # doctest: +SKIP
    """
    _refuse(options)
    return _report(["evaluate", "r4c"], {"gold": gold, "predictions": predictions, **options})


def evaluate_rev(pairs: Mapping[str, _PathLike], **options: Any) -> Report:
    """Kinds of rationales compared by REV (Chen et al. 2023, Table 2).

    Parameters
    ----------
    pairs : dict
        A file that `rev` has scored by the kind of its rationales: ``{"gold": "gold.jsonl"}``.
    **options
        Those of ``rubric help evaluate rev`` with underscores.

    Returns
    -------
    Report
        REV, LAS and RQ of each kind with 95% intervals.

    Raises
    ------
    InputError
        For what is wrong in the files and the options.

    Examples
    --------
    >>> import rubric
    >>> rubric.evaluate_rev({"gold": "gold.jsonl", "written": "t5.jsonl"})  # doctest: +SKIP
    """
    _refuse(options)
    return _report(["evaluate", "rev"], {"pairs": pairs, **options})


def evaluate_chie(ledger: _PathLike, **options: Any) -> Report:
    """Systems by a judge's verdicts on four aspects (CHIE, Phatthiyaphaibun et al. 2024, Table 5).

    Parameters
    ----------
    ledger : path
        Of a judge's replies, as `judge` writes it.
    **options
        Those of ``rubric help evaluate chie`` with underscores: ``human_file="labels.csv"``.

    Returns
    -------
    Report
        Correctness, helpfulness, irrelevancy and extraneousness of each system, in percent.

    Raises
    ------
    InputError
        For what is wrong in the files and the options.

    Examples
    --------
    >>> import rubric
    >>> rubric.evaluate_chie("ledger.jsonl", language="th")  # doctest: +SKIP
    """
    _refuse(options)
    return _report(["evaluate", "chie"], {"ledger": ledger, **options})


def describe(format: str, *files: _PathLike, **options: Any) -> Report:
    """The statistics of a data set (the papers' Tables 1 to 3).

    Parameters
    ----------
    format : str
        "mocha", "r4c", or one of ``rubric help describe``.
    *files : path
        Of the data set.
    **options
        Those of ``rubric help describe`` with underscores.

    Returns
    -------
    Report
        Counts and means; it has no page of HTML.

    Raises
    ------
    InputError
        For what is wrong in the files and the options.

    Examples
    --------
    >>> import rubric
    >>> rubric.describe("mocha", "train.json", "dev.json")  # doctest: +SKIP
    """
    _refuse(options)
    return _report(["describe", _place(format), *map(_place, files)], options, has_page=False)


def reproduce(experiment: _PathLike, **options: Any) -> Report:
    """Run what is missing behind a table of a paper, and compare it with the paper's values.

    Parameters
    ----------
    experiment : path
        A YAML file of the folder experiments, such as "mocha/table_4.yaml".
    **options
        Those of ``rubric help reproduce`` with underscores: ``dry_run=True``.

    Returns
    -------
    Report
        The paper's value, ours, its 95% interval and a verdict for each cell.

    Raises
    ------
    InputError
        For what is wrong in the experiment and the options.
    KeyboardInterrupt
        Where Ctrl-C stops it; the same call goes on.

    Examples
    --------
    >>> import rubric
    >>> rubric.reproduce("mocha/table_4.yaml", dry_run=True)  # doctest: +SKIP
    """
    _refuse(options)
    report = _report(["reproduce", _place(experiment)], options, has_page=False)
    report.to_text()  # now: later it might run steps again
    return report


def judge(rows: Any, ledger: _PathLike, *, recorded: bool = False,
          **options: Any) -> list[dict[str, Any]]:
    """Ask a language model about answers as CHIE does, and keep each reply in a ledger.

    Parameters
    ----------
    rows : a table, or a path
        With passage, question, reference, candidate and perhaps id, system and language.
    ledger : path
        JSON lines, to which replies are appended. What it holds is not asked again.
    recorded : bool
        The rows hold replies that were recorded before, and nothing is sent.
    **options
        Those of ``rubric help judge`` with underscores: ``endpoint="http://localhost:8000/v1"``,
        ``judge="gpt-4o"``.

    Returns
    -------
    list of dict
        The ledger's entries.

    Raises
    ------
    InputError
        For what is wrong in the rows and the options, and an endpoint that cannot be reached.
    Error
        Where a budget is spent; the ledger has the replies.
    KeyboardInterrupt
        Where Ctrl-C stops it; the same call goes on.

    Examples
    --------
    >>> import rubric
    >>> rubric.judge(rows, "ledger.jsonl", judge="gpt-4o",
    ...              endpoint="https://api.openai.com/v1")  # doctest: +SKIP
    """
    _refuse(options, "dry_run", "import", "input")
    with _Files(rows) as files:
        _run(["judge"], {"import" if recorded else "input": files.input, "ledger": ledger, **options},
             hidden=files.folder)
    return _json_lines(Path(ledger))


def generate(rows: Any, model: _PathLike, *, output_field: str = "generated",
             **options: Any) -> list[str]:
    """Write a text for each source with a sequence model.

    Parameters
    ----------
    rows : list of str, a table, or a path
        Sources, or rows with a field `source` or those that ``source="{question} {passage}"`` names.
    model : path or str
        A model directory, or a name as in `load`.
    output_field : str
        What the command calls the texts.
    **options
        Those of ``rubric help generate`` with underscores: ``beams=4``, ``max_new_tokens=64``.

    Returns
    -------
    list of str
        One for each row.

    Raises
    ------
    InputError
        For what is wrong in the rows and the options.

    Examples
    --------
    >>> import rubric
    >>> rubric.generate(["translate English to German: a dog"], "t5-small")  # doctest: +SKIP
    """
    _refuse(options, "input", "output")
    if _is_column(rows):
        rows = {"source": as_list(rows, "rows")}
        require_texts(rows, "source")
    with _Files(rows) as files:
        _run(["generate"], {"model": model, "input": files.input, "output": files.output,
                            "output_field": output_field, **options}, hidden=files.folder)
        return [str(row[output_field]) for row in _json_lines(files.output)]


def likelihood(sources: Any, targets: Any = None, *, model: _PathLike, threads: int = 0,
               **settings: Any) -> Scores:
    """The mean log-probability that a sequence model gives targets for their sources.

    Parameters
    ----------
    sources : list of str, or a table with columns source and target
    targets : list of str
        One for each source.
    model : path or str
        A model directory, or a name as in `load`.
    threads : int
        That the model computes with; 0: one for each core.
    **settings
        Of the metric `likelihood`: ``sum=True``.

    Returns
    -------
    Scores
        "likelihood", at most 0, in nats for each token.

    Raises
    ------
    InputError
        For what is wrong in the texts and the settings.

    Examples
    --------
    >>> import rubric
    >>> rubric.likelihood(["What barks?"], ["a dog"], model="gpt2")  # doctest: +SKIP
    """
    table = sources if targets is None else {"source": as_list(sources, "sources"),
                                             "target": as_list(targets, "targets")}
    if is_table(table):
        require_texts(table, "source", "target")
    return _score("likelihood", table, {"model": model, "threads": threads}, settings)


def rev(rows: Any, *, model: _PathLike, baseline_model: _PathLike, threads: int = 0,
        **settings: Any) -> Scores:
    """REV: how much a rationale adds, beyond its vacuous form, to a label (Chen et al. 2023).

    Parameters
    ----------
    rows : a table, or a path
        Of rationales, as docs/rev.md has them, with their vacuous baselines.
    model, baseline_model : path or str
        The evaluator of rationales, and that of baselines.
    threads : int
        That the models compute with; 0: one for each core.
    **settings
        Of the metric `rev`. With ``keep_going=True`` a row that cannot be scored has NaN.

    Returns
    -------
    Scores
        "rev", in nats, and the two log-probabilities that it is the difference of.

    Raises
    ------
    InputError
        For what is wrong in the rows and the settings.

    Examples
    --------
    >>> import rubric
    >>> rubric.rev("gold.jsonl", model="runs/rev/model", baseline_model="runs/b/model")  # doctest: +SKIP
    """
    return _score("rev", rows, {"model": model, "threads": threads},
                  {"baseline_model": os.fspath(baseline_model), **settings})


def bartscore(candidates: Any, references: Any = None, *, model: _PathLike, threads: int = 0,
              columns: Mapping[str, str] | None = None, **settings: Any) -> Scores:
    """BARTScore (Yuan et al. 2021): how probable candidates and references make each other.

    Loads the model for this one call; `load` keeps it.

    Parameters
    ----------
    candidates, references, columns
        As of `score`.
    model : path or str
        A model directory, or a name as in `load`.
    threads : int
        That the model computes with; 0: one for each core.
    **settings
        Of the metric `bartscore`.

    Returns
    -------
    Scores
        "bartscore" and its parts, at most 0, in nats for each token.

    Raises
    ------
    InputError
        For what is wrong in the texts and the settings.

    Examples
    --------
    >>> import rubric
    >>> rubric.bartscore(["a dog"], ["the dog"], model="facebook/bart-large-cnn")  # doctest: +SKIP
    """
    with load(model, metric="bartscore", threads=threads, **settings) as loaded:
        return loaded.score(candidates, references, columns=columns)


class Run:
    """A training run.

    Attributes
    ----------
    directory : Path
        With config.yaml, log.jsonl, checkpoints, report.html.
    model : Path
        The best model, for `load`.
    is_finished : bool
        Else it was stopped with everything saved: the same call goes on.
    results : Values
        The JSON of results.json; empty until the run is finished.
    """

    def __init__(self, directory: Path, is_finished: bool) -> None:
        self.directory = directory
        self.is_finished = is_finished
        self.model = directory / ("model" if is_finished else "best")
        self.results = Values()
        if is_finished:
            text = (directory / "results.json").read_text(encoding="utf-8")
            self.results = json.loads(text, object_hook=Values)

    def __repr__(self) -> str:
        return f"<rubric.Run {self.directory}, {'finished' if self.is_finished else 'stopped'}>"


def train(config: _PathLike, *, overrides: Mapping[str, Any] | None = None,
          output: _PathLike | None = None,
          on_event: Callable[[dict[str, Any]], object] | None = None, **options: Any) -> Run:
    """Train a metric as a configuration says. The same call resumes what was interrupted.

    Parameters
    ----------
    config : path
        As given, else one of those that the package ships: "lerc_ood_narrativeqa.yaml".
    overrides : dict, optional
        Keys of docs/configuration.md: ``{"run.epochs": 3}``.
    output : path, optional
        The run directory; else runs/ and the configuration's name.
    on_event : function, optional
        Called with each line of log.jsonl as a dict, while the run goes on.
    **options
        Those of ``rubric help train`` with underscores: ``extend=True``, ``resume="never"``,
        ``field={"candidate": "answer"}``.

    Returns
    -------
    Run

    Raises
    ------
    InputError
        For what is wrong in the configuration and the data.
    KeyboardInterrupt
        Where Ctrl-C stops it, after everything was saved.

    Examples
    --------
    >>> import rubric
    >>> run = rubric.train("own.yaml", overrides={"run.epochs": 3}, on_event=print)  # doctest: +SKIP
    >>> rubric.load(run.model)  # doctest: +SKIP
    """
    _refuse(options, "config_reference", "dry_run", "set")
    resume = options.get("resume", "auto")
    is_named = resume not in ("auto", "never")  # a run directory itself
    directory = Path(resume if is_named else output or Path("runs", Path(config).stem))
    _, is_stopped = _run(
        ["train"], {"config": config, "output": output if is_named else directory,
                    "set": dict(overrides or {}), **options},
        None if on_event is None else partial(_tell_new, _Log(directory / "log.jsonl"), on_event))
    return Run(directory, not is_stopped)


class _Log:
    """The lines that are added to a file of JSON lines from now on.

    A run that resumes takes the lines back that it had not saved, and writes others in their place.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._seen = file.read_bytes() if file.exists() else b""
        self._state: tuple[int, int] | None = None

    def new_lines(self) -> list[dict[str, Any]]:
        if not self._file.exists():
            return []
        status = self._file.stat()
        state = status.st_size, status.st_mtime_ns
        if state == self._state:
            return []
        self._state = state
        text = self._file.read_bytes()
        same = _common_length(self._seen, text)
        start = text.rfind(b"\n", 0, same) + 1
        self._seen = text[:text.rfind(b"\n") + 1]
        return [json.loads(line) for line in self._seen[start:].splitlines()]


def _common_length(first: bytes, second: bytes) -> int:
    """How many bytes at the start are the same."""
    low, high = 0, min(len(first), len(second))
    if first[:high] == second[:high]:
        return high
    while low < high:
        middle = (low + high + 1) // 2
        if first[:middle] == second[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _tell_new(log: _Log, on_event: Callable[[dict[str, Any]], object]) -> None:
    for event in log.new_lines():
        on_event(event)


class _Files:
    """The path of a file of rows, and one for what a command makes of them."""

    def __init__(self, rows: Any) -> None:
        self.input = kept(rows)
        self._folder = tempfile.TemporaryDirectory(prefix="rubric-")
        self.folder = self._folder.name
        self.output = Path(self.folder, "output.jsonl")
        if isinstance(self.input, str):
            lines, self.input = self.input, Path(self.folder, "rows.jsonl")
            self.input.write_text(lines, encoding="utf-8")

    def __enter__(self) -> _Files:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()


def _is_column(rows: Any) -> bool:
    return not isinstance(rows, (str, os.PathLike)) and not is_table(rows)


def _json_lines(file: Path) -> list[dict[str, Any]]:
    with open(file, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _score(metric: str, rows: Any, options: dict[str, Any], settings: Mapping[str, Any]) -> Scores:
    """Scores of records that are no answers, by the command `score`."""
    values = setting_values(require_metrics([metric]), settings)
    options["threads"] = require_whole("threads", options["threads"], most=MOST_THREADS)
    with _Files(rows) as files:
        summary = files.output.with_name("summary.json")
        _run(["score", metric],
             {"input": files.input, "output": files.output, "summary": summary, **options,
              **{name: value or True for name, value in values.items()}}, stacklevel=4,
             hidden=files.folder)
        scored = _json_lines(files.output)
        over_all: dict[str, dict[str, Any]] = json.loads(summary.read_text(encoding="utf-8"))
    table = rows if is_table(rows) else scored
    columns = {str(name): column_of(table, name) for name in column_names(table) if name != "scores"}
    return Scores(
        [Score(name, [row.get("scores", {}).get(name, math.nan) for row in scored], values["mean"],
               tuple(values["ci95"]) if values["ci95"] else None, values["signature"])
         for name, values in over_all.items()],
        Answers([], [], None, None, columns))
