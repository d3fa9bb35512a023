"""Which metric agrees best with human labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from . import _light
from ._answers import Missing, require_missing
from ._errors import InputError
from ._inputs import (
    MOST_SEED,
    MOST_THREADS,
    require_column_name,
    require_columns,
    require_whole,
)
from ._messages import keywords, names_keywords
from ._metrics import Names, chosen
from ._reports import Report, kept, option_values, report_on


@names_keywords()
def agreement(rows: Any, *, metrics: Names | None = None, metric: Names | None = None,
              human: str, dev: Any = None, group: str = "", system: str = "",
              columns: Mapping[str, str] | None = None, missing: Missing | None = None,
              test: Literal["auto", "williams", "permutation"] = "auto",
              resamples: int = 10_000, seed: int = 0, threads: int = 0) -> Report:
    """Correlations of metrics with human labels, as the command `evaluate agreement` has them.

    Parameters
    ----------
    rows : Scores, a table, or a path
        What `score` returned, whose scores are judged and no other columns; a table with a column
        for each metric; or a file of scored rows.
        Rows with the same passage and question are resampled together.
    metrics, metric : str, or list of str
        Which scores; a table in memory needs them named, else all. Two names of one argument.
    human : str
        The column of labels: numbers, or true and false.
    dev : Scores, a table, or a path, optional
        Other labelled rows, scored likewise, for labels of two values: every row, in every group,
        is measured with the threshold that is best on them. Without it each half of the questions
        is measured with the other's.
    group, system : str, optional
        Columns to report by: groups of rows, and systems by their means.
    columns : dict, optional
        What the rows call the fields of an answer: ``{"question": "query"}``.
    missing : {"drop", "error"}, optional
        What becomes of a row without a label or a score: left out, or an InputError, as with None.
    test : {"auto", "williams", "permutation"}
        Between every two metrics, with Holm's correction. Williams' test takes rows as independent;
        the permutation test permutes the rows of a question together. "auto" is the latter where
        rows share questions.
    resamples, seed : int
        Of the bootstrap intervals.
    threads : int
        At most so many; 0: one for each core.

    Returns
    -------
    Report
        Of each metric the statistics ``pearson``, ``spearman`` and ``kendall`` in [-1, 1] and
        ``pairwise_accuracy``, with 95% intervals; of two metrics their ``difference``, with p; of
        labels of two values ``roc_auc``, ``accuracy``, ``f1``, their thresholds and ``ece``.

    Raises
    ------
    InputError
        For a column that is missing, values that are not finite numbers, and wrong arguments;
        where `dev` has the rows of `rows`, other labels, or not two of them.

    Examples
    --------
    >>> import rubric
    >>> rows = {"f1": [0.1, 0.5, 0.4, 0.9], "em": [0, 0, 1, 1], "judge": [1, 2, 3, 5]}
    >>> report = rubric.agreement(rows, metrics=["f1", "em"], human="judge")
    >>> round(report.find("pearson", metric="f1").value, 4)
    0.9304

    Here 0.5 is the threshold of the dev rows, and calls two of four rows as the judge does:

    >>> rows["judge"] = [False, False, True, True]
    >>> dev = {"f1": [0.25, 0.75], "judge": [False, True]}
    >>> report = rubric.agreement(rows, metrics=["f1"], human="judge", dev=dev)
    >>> report.find("accuracy_threshold").value, report.find("accuracy").value
    (0.5, 0.5)
    """
    if test not in ("auto", "williams", "permutation"):
        raise InputError(f"there is no test {test!r}\n  to do: choose auto, williams or permutation")
    fields = dict(require_columns(columns))
    tables = {"rows": kept(rows, columns=fields),
              **({} if dev is None else {"dev": kept(dev, "dev", fields)})}
    resamples = require_whole("resamples", resamples, 1)
    seed = require_whole("seed", seed, most=MOST_SEED)
    threads = require_whole("threads", threads, most=MOST_THREADS)
    names = chosen(metrics, metric, ())
    rule = require_missing(missing)
    for name, value in ("human", human), ("group", group), ("system", system):
        require_column_name(name, value)
    return report_on(tables, lambda paths, page: _light.run("agreement", option_values(
        input=paths[0], dev=paths[1] if len(paths) > 1 else None, human=human, group=group,
        system=system, metric=names, field=fields, missing=rule, test=test, resamples=resamples,
        seed=seed), page, threads),
        {**{name: name for name in keywords(agreement)}, "human": "human",
         "metric": "metrics", "input": "rows", "field": "columns"})
