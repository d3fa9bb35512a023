"""How good systems are, from scores of all answers and human labels of a few."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from . import _light
from ._answers import Missing, require_missing
from ._errors import InputError
from ._inputs import MOST_SEED, MOST_THREADS, require_column_name, require_columns, require_whole
from ._messages import keywords, names_keywords
from ._metrics import Names, chosen
from ._reports import Report, Sheet, kept, option_values, printed_on, report_on


@names_keywords()
def estimate(rows: Any = None, *, human: str, labels: Any = None, metrics: Names | None = None,
             metric: Names | None = None, system: str = "", group: str = "",
             probability: str = "", strata: str = "", columns: Mapping[str, str] | None = None,
             scale: tuple[float, float] | None = None, average: bool = False,
             ledger: Any = None, missing: Missing | None = None, resamples: int = 10_000,
             seed: int = 0, threads: int = 0) -> Report:
    """Mean human labels of systems by prediction-powered inference, as the command `estimate`.

    Parameters
    ----------
    rows : Scores, a table, or a path
        All answers with their scores: what `score` returned, a table with a column for each
        metric, or a file of scored rows.
    human : str
        The column of labels; in a ledger the aspect "C", "H", "I" or "E".
    labels : a table, or a path, optional
        Rows with `id`, or where not all rows have one `question`, and the label; usual other
        names are found, as by the command. Without it labels are in `rows`, None where there is
        none.
    metrics, metric : str, or list of str
        Which scores; a table in memory needs them named, else all. Two names of one argument.
    system, group : str, optional
        Columns to report by: systems, and groups of rows.
    probability : str, optional
        The column of the probability with which a labelled row was drawn. Without it and
        `strata` those of a sheet of `choose` are read.
    strata : str, optional
        The column of `rows` within whose values labels were drawn, alike; with `probability` it
        may be of `labels`.
    columns : dict, optional
        What the rows call the fields of an answer: ``{"question": "query"}``.
    scale : tuple of two numbers, optional
        What a label can be; others are refused.
    average : bool
        Whether several labels of one answer are averaged; else they are refused.
    ledger : path, optional
        Of a judge's replies, in place of `rows`: its verdicts are the metric.
    missing : {"drop", "error"}, optional
        What becomes of a row without a score: left out with its label, or an InputError, as with
        None.
    resamples, seed : int
        Of the bootstrap intervals.
    threads : int
        At most so many; 0: one for each core.

    Returns
    -------
    Report
        Means of systems, differences and correlations. `source` is what each is from: "labels",
        a "metric", or "both". Means and differences have two 95% intervals, `method` "t" and
        "bootstrap".

    Raises
    ------
    InputError
        For labels that belong to no row, fewer than two systems with ten labels that differ (or
        one, if it is the only system), and whatever else the command refuses.

    Examples
    --------
    Of 80 answers 40 have a label, and the metric is right about nine of ten:

    >>> import rubric
    >>> right = [i % 3 == 0 for i in range(80)]
    >>> rows = {"f1": [(r != (i % 10 == 4)) * 1.0 for i, r in enumerate(right)],
    ...         "judge": [r if i % 2 else None for i, r in enumerate(right)]}
    >>> report = rubric.estimate(rows, metrics=["f1"], human="judge")
    >>> report.find("labels").value, report.find("mean", source="labels", method="t").value
    (40, 0.325)
    >>> report.find("effective_labels", source="both").value > 40
    True
    """
    tables, request = request_of(rows, human, labels, chosen(metrics, metric, ()), ledger,
                                 {"system": system, "group": group, "probability": probability,
                                  "strata": strata}, columns, scale, average, missing)
    resamples = require_whole("resamples", resamples, 1)
    seed = require_whole("seed", seed, most=MOST_SEED)
    threads = require_whole("threads", threads, most=MOST_THREADS)
    return report_on(tables, lambda paths, page: _light.run("estimate", {
        **request.values(tables, paths), **option_values(resamples=resamples, seed=seed)}, page,
        threads), option_names(estimate))


@names_keywords()
def plan(rows: Any = None, *, human: str, difference: float | None = None,
         width: float | None = None, labels: Any = None, metrics: Names | None = None,
         metric: Names | None = None, system: str = "", probability: str = "", strata: str = "",
         columns: Mapping[str, str] | None = None, scale: tuple[float, float] | None = None,
         average: bool = False, ledger: Any = None, missing: Missing | None = None,
         population: int = 0, threads: int = 0) -> Report:
    """How many labels a difference or a narrow interval takes, as the command `plan` tells it.

    Parameters
    ----------
    rows, labels, human, metrics, metric, system, probability, strata, columns, scale, average,
    ledger, missing
        The pilot, as in `estimate`: answers with scores, some of them with a label.
    difference : float, optional
        A true difference to find with a power of 80% by a two-sided test at 5%.
    width : float, optional
        The widest half of a 95% interval: 0.03 for intervals of ± 0.03.
    population : int
        Labels will be drawn from so many questions; 0: from those in `rows`.
    threads : int
        At most so many; 0: one for each core.

    Returns
    -------
    Report
        `questions_for_difference` and `questions_for_width`, labelled questions that it takes.
        `source` is "labels" alone, or "both", with a metric.

    Raises
    ------
    InputError
        Where neither difference nor width is given, and as `estimate`.

    Examples
    --------
    Half of 400 answers have a label. Of a proportion near a half some 100 labels give ± 0.1:

    >>> import rubric
    >>> rows = {"f1": [i * 7 % 10 / 10 for i in range(400)],
    ...         "judge": [i // 2 % 2 if i % 2 else None for i in range(400)]}
    >>> report = rubric.plan(rows, metrics=["f1"], human="judge", width=0.1)
    >>> report.find("questions_for_width", source="labels").value
    80
    """
    tables, request = request_of(rows, human, labels, chosen(metrics, metric, ()), ledger,
                                 {"system": system, "probability": probability,
                                  "strata": strata}, columns, scale, average, missing)
    population = require_whole("population", population)
    threads = require_whole("threads", threads, most=MOST_THREADS)
    difference = _number("difference", difference)
    width = _number("width", width)
    return report_on(tables, lambda paths, page: _light.run("plan", {
        **request.values(tables, paths), **option_values(
            difference=difference, width=width, population=population)}, page, threads), option_names(plan))


@names_keywords()
def choose(rows: Any, budget: int, *, human: str = "verdict", labels: Any = None,
           metrics: Names | None = None, metric: Names | None = None, system: str = "",
           columns: Mapping[str, str] | None = None,
           missing: Missing | None = None,
           method: Literal["random", "score", "disagreement"] = "random", seed: int = 0) -> Sheet:
    """Draw the answers that people should label, as the command `choose` does.

    Parameters
    ----------
    rows : Scores, a table, or a path
        All answers with their scores, and an `id` or a `question` in each row, by which its label
        is joined to it.
    budget : int
        Rows of the sheet, with those of an earlier one; with `system` about so many.
    human : str
        The column that people will fill in.
    labels : a table, or a path, optional
        An earlier sheet, filled in or in part: the new one has its rows, too.
    metrics, metric : str, or list of str
        Which scores; a table in memory needs them named, else all. `random` needs none. Two names
        of one argument.
    system : str, optional
        The column of systems: all answers to a question are drawn together.
    columns : dict, optional
        What the rows call the fields of an answer: ``{"id": "qid"}``.
    missing : {"drop", "error"}, optional
        What becomes of a row without a score: not drawn from, or an InputError, as with None.
    method : {"random", "score", "disagreement"}
        Alike; from strata of scores, more where labels vary more; more where metrics disagree.
    seed : int
        Another one, other answers.

    Returns
    -------
    Sheet
        A Report whose `rows` are the sheet, a list. `to_csv` writes it to fill in; `to_html` writes
        a page to fill it in, which saves it as CSV. `estimate` and `plan` read from it how labels
        were drawn.

    Raises
    ------
    InputError
        For a budget that cannot be, rows without id and question, and an earlier sheet that does not fit.

    Examples
    --------
    >>> import rubric
    >>> rows = {"id": list(range(40)), "candidate": [f"answer {i}" for i in range(40)],
    ...         "f1": [i % 8 / 8 for i in range(40)]}
    >>> sheet = rubric.choose(rows, 10, metrics=["f1"])
    >>> len(sheet.rows), sheet.rows[0].probability, sheet.rows[0].verdict
    (10, '0.25', '')
    """
    if method not in ("random", "score", "disagreement"):
        raise InputError(f"there is no method {method!r}\n"
                         "  to do: choose random, score or disagreement")
    tables, request = request_of(rows, human, labels, chosen(metrics, metric, ()), None,
                                 {"system": system}, columns, None, False, missing)
    budget = require_whole("budget", budget, 1)
    seed = require_whole("seed", seed, most=MOST_SEED)
    return Sheet(*printed_on(tables, lambda paths, page: _light.run("choose", {
        **request.values(tables, paths, "input"), **option_values(
            method=method, budget=budget, seed=seed, output=page)}, "", 1),
        {**option_names(choose), "budget": "budget"}))


def _number(name: str, value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, (bool, str)) or not hasattr(value, "__float__"):
        raise InputError(f"{name} is {value!r}\n  to do: give a number")
    return float(value)


class Request:
    """What `estimate`, `plan` and `choose` have alike, checked."""

    def __init__(self, fields: dict[str, str], columns: dict[str, str], metrics: list[str],
                 scale: tuple[float, float] | None, average: bool, missing: str) -> None:
        self.fields = fields
        self.columns = columns
        self.metrics = metrics
        self.scale = scale
        self.average = average
        self.missing = missing

    def values(self, tables: dict[str, str | Path], paths: list[str],
               rows: str = "all") -> dict[str, list[str]]:
        """The texts of the command's options; `rows` is that of the file of rows."""
        files = {rows if table == "rows" else table: path for table, path in zip(tables, paths)}
        return option_values(**files, **self.fields, field=self.columns, metric=self.metrics,
                             scale=self.scale, average=self.average, missing=self.missing)


def request_of(rows: Any, human: str, labels: Any, metrics: list[str], ledger: Any,
               fields: dict[str, str], columns: Mapping[str, str] | None,
               scale: tuple[float, float] | None,
               average: bool,
               missing: Missing | None = None) -> tuple[dict[str, str | Path], Request]:
    """The tables by what they are called, and the checked rest."""
    if (rows is None) == (ledger is None):
        raise InputError("neither rows nor a ledger are given\n  to do: give one of them"
                         if rows is None else
                         "both rows and a ledger are given\n  to do: give one of them")
    named = dict(require_columns(columns))
    tables = ({"rows": kept(rows, columns=named)} if ledger is None else
              {"ledger": kept(ledger, "ledger")})
    if labels is not None:
        tables["labels"] = kept(labels, "labels")
    for name, value in {"human": human, **fields}.items():
        require_column_name(name, value)
    if scale is not None:
        try:
            low, high = scale
            scale = float(low), float(high)
        except (TypeError, ValueError) as error:
            raise InputError(f"scale is {scale!r}\n"
                             "  to do: give the least and the highest, such as (1, 5)") from error
    return tables, Request({"human": human, **fields}, named, metrics, scale, bool(average),
                           require_missing(missing))


def option_names(function: Any) -> dict[str, str]:
    """The arguments of a function by the options of its command."""
    return {**{name: name for name in keywords(function)}, "human": "human",
            "metric": "metrics", "all": "rows", "input": "rows", "field": "columns"}
