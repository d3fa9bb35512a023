"""Which metric agrees best with human labels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from . import _light
from ._errors import InputError
from ._inputs import MOST_SEED, MOST_THREADS, names_of, require_text, require_whole
from ._reports import Report, kept, report_on


def agreement(rows: Any, *, metrics: Iterable[str] = (), human: str, group: str = "",
              system: str = "", test: Literal["williams", "permutation"] = "williams",
              resamples: int = 10_000, seed: int = 0, threads: int = 0) -> Report:
    """Correlations of metrics with human labels, as the command `evaluate agreement` has them.

    Parameters
    ----------
    rows : Scores, a table, or a path
        What `score` returned, whose scores are judged and no other columns; a table with a column
        for each metric; or a file of scored rows.
        Rows with the same passage and question are resampled together.
    metrics : list of str
        Which scores; a table in memory needs them named, else all.
    human : str
        The column of labels: numbers, or true and false. Rows without one are left out.
    group, system : str, optional
        Columns to report by: groups of rows, and systems by their means.
    test : {"williams", "permutation"}
        Between every two metrics, with Holm's correction.
    resamples, seed : int
        Of the bootstrap intervals.
    threads : int
        At most so many; 0: one for each core.

    Returns
    -------
    Report
        Correlations (Pearson, Spearman, Kendall) in [-1, 1] with 95% intervals, and tests.

    Raises
    ------
    InputError
        For a column that is missing, values that are not finite numbers, and wrong arguments.

    Examples
    --------
    >>> import rubric
    >>> rows = {"f1": [0.1, 0.5, 0.4, 0.9], "em": [0, 0, 1, 1], "judge": [1, 2, 3, 5]}
    >>> report = rubric.agreement(rows, metrics=["f1", "em"], human="judge")
    >>> round(report.all.metrics.f1.pearson.value, 4)
    0.9304
    """
    if test not in ("williams", "permutation"):
        raise InputError(f"there is no test {test!r}\n  to do: choose williams or permutation")
    content = kept(rows)
    resamples = require_whole("resamples", resamples, 1)
    seed = require_whole("seed", seed, most=MOST_SEED)
    threads = require_whole("threads", threads, most=MOST_THREADS)
    names = names_of("metrics", metrics)
    for name, value in ("human", human), ("group", group), ("system", system):
        require_text(name, value)
    return report_on([content], lambda paths, page: _light.agreement(
        paths[0], human, group, system, names, test == "permutation", resamples, seed, page,
        threads), {**{name: name for name in agreement.__kwdefaults__ or ()}, "human": "human",
                   "metric": "metrics"})
