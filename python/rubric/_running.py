"""Scores of rows that come in batches."""

from __future__ import annotations

from typing import Any

from . import _light
from ._answers import FlatLists, answers_from, candidates_of, reference_column
from ._inputs import as_list
from ._messages import names_keywords
from ._metrics import Names, chosen, require_light, setting_values
from ._scores import Scores
from ._scoring import score


class Running:
    """Collects batches and scores them together, with the calls of a metric of torchmetrics.

    What is kept are the texts: the scores of a corpus and intervals need all of them.

    Parameters
    ----------
    metrics, metric : str, or list of str
        Those of `list_metrics()` that need no model. Two names of one argument.
    **settings
        Of the metrics.

    Examples
    --------
    >>> import rubric
    >>> running = rubric.Running(["f1"])
    >>> running.update(["a dog"], ["dog"])
    >>> running.update(["cat"], [["cow", "hen"]])
    >>> running.compute()["f1"]
    0.5
    >>> running.reset()
    """

    def __init__(self, metrics: Names | None = None, *, metric: Names | None = None,
                 **settings: Any) -> None:
        kinds = require_light(chosen(metrics, metric))
        setting_values(kinds, settings)
        self._metrics = [kind.name for kind in kinds]
        self._settings = settings
        score(["dog"], ["dog"], metrics=self._metrics, **settings)  # refuses wrong values now
        self._candidates: list[Any] = []
        self._references = FlatLists()

    @names_keywords()
    def update(self, candidates: Any = None, references: Any = None, *,
               predictions: Any = None) -> None:
        """Add a batch, perhaps an empty one; `predictions` is another name of `candidates`.

        Raises InputError as `score` does for its rows.
        """
        candidates = as_list(candidates_of(candidates, predictions), "candidates")
        references = reference_column(references)
        if not candidates and not references:
            return
        answers = answers_from(candidates, references, None, None, None, is_batch=True)
        rows = _light.checked_rows(*answers.for_light())
        self._candidates += [row[0] for row in rows]
        self._references.add([row[1] for row in rows])

    def scores(self) -> Scores:
        """All rows since the last reset, scored. Raises InputError as `score` does."""
        return score(self._candidates, self._references, metrics=self._metrics, **self._settings)

    def compute(self) -> dict[str, float]:
        """The mean of each score, or the corpus score. Raises InputError as `score` does."""
        return {name: score.mean for name, score in self.scores().items()}

    def reset(self) -> None:
        """Forget all rows."""
        self._candidates, self._references = [], FlatLists()
