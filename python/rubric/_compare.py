"""Whether systems differ in one metric or several."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _light
from ._answers import Missing, require_missing
from ._errors import InputError
from ._inputs import (
    MOST_SEED,
    MOST_THREADS,
    are_tables,
    names_of,
    require_column_name,
    require_columns,
    require_whole,
)
from ._messages import keywords, names_keywords
from ._metrics import Names, chosen
from ._reports import Report, kept, option_values, report_on


@names_keywords()
def compare(*systems: Any, metric: Names | None = None, metrics: Names | None = None,
            names: Iterable[str] | None = None, group: str = "", system: str = "",
            columns: Mapping[str, str] | None = None, missing: Missing | None = None,
            resamples: int = 10_000, seed: int = 0, threads: int = 0) -> Report:
    """Paired tests of systems over the same rows, as the command `compare` has them.

    Parameters
    ----------
    *systems : Scores, tables or paths
        One for each system, or one dict of them by the systems' names. Rows are matched as the
        command matches them: by their column `id` or its usual other names, or by question, else
        by their place.
    metric, metrics : str, or list of str
        The scores to compare; Holm's correction is over all of them. Two names of one argument.
    names : list of str, optional
        Of the systems; without them "a", "b", … and for files their names.
    group : str, optional
        A column to report by.
    system : str, optional
        The column that names the system a row is of; then one table may hold several.
    columns : dict, optional
        What the rows call the fields of an answer: ``{"id": "qid"}``.
    missing : {"drop", "error"}, optional
        What becomes of a row without a score, or that one of the systems lacks: left out, or an
        InputError, as with None.
    resamples, seed : int
        Of the paired bootstrap.
    threads : int
        At most so many; 0: one for each core.

    Returns
    -------
    Report
        Means and differences with 95% intervals, and p of the paired bootstrap and the paired
        permutation test; `p_value` of two systems is the latter.

    Raises
    ------
    InputError
        For fewer than two systems, and rows that one system lacks.

    Examples
    --------
    >>> import rubric
    >>> references = ["dog", "cat", "cow", "hen"]
    >>> a = rubric.score(["dog", "cat", "cow", "hen"], references, metrics=["em"])
    >>> b = rubric.score(["dog", "a dog", "pig", "hens"], references, metrics=["em"])
    >>> comparison = rubric.compare(a, b, metric="em")
    >>> comparison.find("difference", method="permutation").value, comparison.p_value
    (0.75, 0.25)
    """
    if len(systems) == 1 and are_tables(systems[0]):
        if names is not None:
            raise InputError("names is given beside a dict, which names the systems\n"
                             "  to do: leave it out")
        names, systems = [str(name) for name in systems[0]], tuple(systems[0].values())
    fields = dict(require_columns(columns))
    tables = {f"table {i}": kept(one, f"table {i}", fields) for i, one in enumerate(systems)}
    content = list(tables.values())
    for name, value in ("group", group), ("system", system):
        require_column_name(name, value)
    if not system:
        if len(content) < 2:
            raise InputError("fewer than two systems are given\n  to do: give two, compare(a, b), or "
                             "name the column of one table that tells them apart, system=")
    if names is None:
        called = [] if system else _names(systems)
    else:
        called = names_of("names", names)
        if len(called) != len(content) or len(set(called)) != len(called) or not all(called):
            raise InputError(f"there are {len(content)} systems, and the names are {called}\n"
                             "  to do: give each system a name of its own")
    scores = chosen(metrics, metric)
    rule = require_missing(missing)
    resamples = require_whole("resamples", resamples, 1)
    seed = require_whole("seed", seed, most=MOST_SEED)
    threads = require_whole("threads", threads, most=MOST_THREADS)

    first = 0 if all(isinstance(one, str) for one in content) else 1
    return report_on(tables, lambda paths, page: _light.run("compare", option_values(
        files=paths, name=called, metric=scores, group=group, system=system, field=fields,
        missing=rule, first_number=str(first), resamples=resamples, seed=seed), page, threads),
        {**{name: name for name in keywords(compare)}, "metric": "metric",
         "name": "names", "field": "columns"})


def _names(systems: Sequence[Any]) -> list[str]:
    """Of a file its name without extension, of a table in memory "a", "b", … by its place."""
    paths = [os.fspath(one) if isinstance(one, (str, os.PathLike)) else None for one in systems]
    names = [chr(ord("a") + i % 26) + (str(i // 26) if i >= 26 else "") if path is None
             else Path(path).name.removesuffix(".gz").rpartition(".")[0] or Path(path).name
             for i, path in enumerate(paths)]
    return names if len(set(names)) == len(names) else [
        name if path is None else path for name, path in zip(names, paths)]
