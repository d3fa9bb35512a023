"""The results of scoring."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

from ._answers import Answers
from ._errors import warn
from ._inputs import column_names, column_of, is_missing, plain
from ._metrics import name_of

if TYPE_CHECKING:
    import numpy
    import pandas
    import polars


@dataclass(frozen=True)
class Score:
    """One score of all rows.

    Attributes
    ----------
    name : str
        As the metric calls it: "f1".
    scores : list of float
        One for each row, in the order of the rows.
    mean : float
        Over the rows; of `bleu` and `chrf` the score of the corpus.
    interval : tuple of float, or None
        The 95% interval of the mean: the percentile bootstrap over questions (rows with the same
        passage and question; without questions every row), 1,000 resamples. None of one question.
    signature : str
        All that the scores depend on, in sacreBLEU's form.
    is_corpus : bool
        Whether `mean` is the score of the corpus.
    truncated : list of int
        The rows (the first is 0) of which the model did not read all, as a text is too long.
    seen : list of (str or None), or None
        For each row "trained" where the model was trained on its question, "tuned" where the
        question is of the rows that chose the model, else None. None if no row's question was
        seen, or if the model lists no questions.
    verdicts : list of str, or None
        "right" or "wrong" for each row, where they were asked for (``verdict=True``).
    explanations : list of dict, or None
        What each row's score comes from, where it was asked for (``explain=True``), as
        docs/metrics.md says.
    """

    name: str
    scores: list[float] = field(repr=False)
    mean: float
    interval: tuple[float, float] | None
    signature: str
    is_corpus: bool = False
    truncated: list[int] = field(default_factory=list, repr=False)
    seen: list[str | None] | None = field(default=None, repr=False)
    verdicts: list[str] | None = field(default=None, repr=False)
    explanations: list[dict[str, Any]] | None = field(default=None, repr=False)

    def numpy(self) -> numpy.ndarray[Any, numpy.dtype[numpy.float64]]:
        """The scores as an array of float64, one for each row."""
        import numpy

        return numpy.array(self.scores, dtype=numpy.float64)

    def __len__(self) -> int:
        return len(self.scores)


class Scores(Mapping[str, Score]):
    """The scores of a call by their names, in the order of the metrics.

    `print` shows the table of means that the command `score` prints; a notebook shows it as HTML.

    Examples
    --------
    >>> import rubric
    >>> s = rubric.score(["a dog", "cat"], ["dog", ["a cat", "cat"]], metrics=["f1", "em"])
    >>> list(s)
    ['f1', 'em']
    >>> s["em"].scores
    [1.0, 1.0]
    >>> s.to_dict("dev")
    {'dev/f1': 1.0, 'dev/f1_low': 1.0, 'dev/f1_high': 1.0, 'dev/em': 1.0, 'dev/em_low': 1.0, \
'dev/em_high': 1.0}
    """

    def __init__(self, scores: list[Score], answers: Answers) -> None:
        self._scores = {score.name: score for score in scores}
        self._answers = answers
        replaced = [name for name, column in self._of_rows().items()
                    if _differs(answers.table, name, column)]
        if replaced:
            warn(f"the table has other values in {', '.join(replaced)}; in what is made of the "
                 "result the new scores are in their place")

    def __getitem__(self, name: str) -> Score:
        try:
            return self._scores[name if name in self._scores else name_of(name)]
        except KeyError:
            raise KeyError(f"there is no score {name!r}; there are {', '.join(self)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._scores)

    def __len__(self) -> int:
        return len(self._scores)

    def to_dict(self, prefix: str = "") -> dict[str, float]:
        """Means and the ends of their intervals, flat, as loggers of experiments want them.

        Parameters
        ----------
        prefix : str
            Stands before each name, with a slash.
        """
        start = prefix + "/" if prefix else ""
        values: dict[str, float] = {}
        for name, score in self._scores.items():
            values[start + name] = score.mean
            if score.interval is not None:
                values[start + name + "_low"], values[start + name + "_high"] = score.interval
        return values

    def columns(self) -> dict[str, list[Any]]:
        """The columns that were scored and, after them, a column for each score.

        `seen.lerc` follows where the model of `lerc` has seen questions of the rows, as
        `rubric.agreement` reads it; `verdict`, where verdicts were asked for. A column of the
        table that is called so gives way, as in `to_pandas` and `to_polars`.
        """
        columns = dict(self._answers.columns())
        columns.update((name, list(column)) for name, column in self._of_rows().items())
        return columns

    def _of_rows(self) -> dict[str, list[Any]]:
        """The columns to add."""
        columns: dict[str, list[Any]] = {name: score.scores for name, score in self._scores.items()}
        names = self._answers.column_names()
        for score in self._scores.values():
            seen = f"seen.{score.name}"
            if score.seen is not None:
                columns[seen] = score.seen
            elif seen in names:  # of an earlier score
                columns[seen] = [None] * len(score)
            if score.verdicts is not None:
                columns["verdict"] = score.verdicts
        return columns

    def to_pandas(self) -> pandas.DataFrame:
        """The rows that were scored with a column for each score; needs pandas."""
        import pandas

        if isinstance(self._answers.table, pandas.DataFrame):
            return self._answers.table.assign(**self._of_rows())
        return pandas.DataFrame(self.columns())

    def to_polars(self) -> polars.DataFrame:
        """The rows that were scored with a column for each score; needs polars."""
        import polars

        if isinstance(self._answers.table, polars.DataFrame):
            return self._answers.table.with_columns(
                polars.Series(name, column) for name, column in self._of_rows().items())
        return polars.DataFrame({name: _of_one_type(column)
                                 for name, column in self.columns().items()})

    def _cells(self) -> list[tuple[str, str, str, str, str]]:
        return [("metric", "score", "95% interval", "rows", "signature")] + [
            (score.name + (" (corpus)" if score.is_corpus else ""), f"{score.mean:.4f}",
             "" if score.interval is None
             else f"[{score.interval[0]:.4f}, {score.interval[1]:.4f}]",
             str(len(score)), score.signature)
            for score in self._scores.values()
        ]

    def __str__(self) -> str:
        cells = self._cells()
        widths = [max(map(len, column)) for column in zip(*cells)]
        rows = [cells[0], tuple("-" * width for width in widths), *cells[1:]]
        lines = []
        for row in rows:
            line = "  ".join(
                cell.rjust(width) if i in (1, 3) else cell.ljust(width)
                for i, (cell, width) in enumerate(zip(row, widths)))
            lines.append(line.rstrip())
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        header, *rows = self._cells()

        def row_of(cells: tuple[str, ...], tag: str) -> str:
            return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        return ("<table><thead>" + row_of(header, "th") + "</thead><tbody>"
                + "".join(row_of(row, "td") for row in rows) + "</tbody></table>")


def _differs(table: Any, name: str, column: list[Any]) -> bool:
    """Whether the table has a column of this name with other values, but for a model's rounding."""
    times = 0 if table is None else list(map(str, column_names(table))).count(name)
    if times != 1:
        return times > 1
    for old, new in zip(column_of(table, name), column):
        is_number = isinstance(old, (int, float)) and isinstance(new, float)
        if (is_missing(old) and is_missing(new)
                or (math.isclose(old, new, rel_tol=1e-4, abs_tol=1e-4) if is_number
                    else plain(old) == new)):
            continue
        return True
    return False


def _of_one_type(column: list[Any]) -> list[Any]:
    """A column where each text is a list of one, if some are lists of texts."""
    values = [plain(value) for value in column]
    if not any(isinstance(value, (list, tuple)) for value in values):
        return values
    return [[value] if isinstance(value, str) else value for value in values]
