"""The results of scoring."""

from __future__ import annotations

import csv
import io
import json
import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _light
from ._answers import Answers
from ._errors import InputError, warn
from ._inputs import column_names, column_of, is_missing, plain, require_path
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

    def to_dict(self, prefix: str = "") -> dict[str, float]:
        """The mean and the ends of its interval, as `Scores.to_dict` has them of all scores."""
        name = prefix + "/" + self.name if prefix else self.name
        ends = zip(("_low", "_high"), self.interval or ())
        return {name: self.mean, **{name + end: value for end, value in ends}}

    def to_pandas(self) -> pandas.DataFrame:
        """The scores as a data frame of one column; needs pandas."""
        import pandas

        return pandas.DataFrame({self.name: self.scores})

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write the scores, one a line below the name."""
        write_text(path, "\n".join(map(str, [self.name, *self.scores])) + "\n")

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
        return {name: value for score in self._scores.values()
                for name, value in score.to_dict(prefix).items()}

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

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write the rows that were scored with a column for each score; lists are JSON."""
        columns = self.columns()
        text = io.StringIO()
        table = csv.writer(text, lineterminator="\n")
        table.writerow(columns)
        table.writerows([json.dumps(plain(cell)) if isinstance(plain(cell), (list, dict)) else
                         None if is_missing(cell) else cell for cell in row]
                        for row in zip(*columns.values()))
        write_text(path, text.getvalue())

    def _printed(self, format: str) -> str:
        texts: dict[str, str] = _light.shown_scores([
            (score.name, score.mean, score.interval, score.signature, len(score), score.is_corpus)
            for score in self._scores.values()])[0]
        return texts[format]

    def _signatures(self) -> list[str]:
        return list(dict.fromkeys(score.signature for score in self._scores.values()))

    def __str__(self) -> str:
        return "\n".join([self._printed("text"), *self._signatures()])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return self._printed("html") + "".join(f"<p>{escape(text)}</p>\n"
                                               for text in self._signatures())


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a file. Raises InputError where it cannot be written."""
    name = require_path("path", path)
    try:
        Path(name).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:  # ValueError: a NUL
        what = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"{name} cannot be written: {what}\n"
                         "  to do: give a file in a folder that is there") from error


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
