"""Calls of sequence models: texts that they write, and scores by what they find probable."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from functools import partial
from typing import Any

from ._answers import Answers, Missing, has_list_cells, rows_of
from ._errors import InputError, warn
from ._files import opened
from ._inputs import (
    MOST_THREADS,
    as_list,
    column_names,
    column_of,
    columns_of,
    is_table,
    require_columns,
    require_path,
    require_same_lengths,
    require_texts,
    require_whole,
    snapshot,
)
from ._messages import input_error, names_keywords
from ._metrics import require_metrics, setting_values
from ._model import Truncation, is_about_truncation, load, require_truncation, tell_truncated
from ._program import Files, PathLike, json_lines, refuse, run
from ._reports import Values
from ._scores import Score, Scores


@names_keywords("field")
def generate(rows: Any, model: PathLike, *, truncation: Truncation = "warn",
             **options: Any) -> list[str]:
    """Write a text for each source with a sequence model.

    Parameters
    ----------
    rows : list of str, a table, or a path
        Sources, or rows with the fields that the model was trained to read, those that
        ``source="{question} {passage}"`` names, or else `source`.
    model : path or str
        A model directory, or a name as in `load`.
    truncation : {"warn", "error", "ignore"}
        What to do where the model does not read all of a source, as in `Model.score`.
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
    KeyboardInterrupt
        Where Ctrl-C ends it.

    Examples
    --------
    >>> import rubric
    >>> texts = rubric.generate(["translate English to German: a dog"], "t5-small",
    ...                         max_new_tokens=8)
    >>> len(texts)
    1
    """
    refuse(options, "input", "output", "output_field")
    require_truncation(truncation)
    rows = opened(rows)
    if not isinstance(rows, (str, os.PathLike)) and not is_table(rows):
        rows = {"source": as_list(rows, "rows")}
        require_texts(rows, "source")
    with Files(rows, options.get("field")) as files:
        run(["generate"], {"model": model, "input": files.input, "output": files.output,
                           "field": None, **options}, files=files, tell=partial(_tell, truncation),
            names={"input": "rows"})
        return [str(row["generated"]) for row in json_lines(files.output)]


@names_keywords()
def likelihood(sources: Any, targets: Any = None, *, model: PathLike,
               columns: Mapping[str, str] | None = None, threads: int = 0,
               truncation: Truncation = "warn", **settings: Any) -> Scores:
    """Score targets by the mean log-probability that a sequence model gives them for their sources.

    Parameters
    ----------
    sources : list of str, or a table, or a path
        A table has columns `source` and `target`, or those that the model was trained to read or
        ``source="{question}"`` and ``target="{answer}"`` name.
    targets : list of str
        One for each source; not beside a table.
    model : path or str
        A model directory, or a name as in `load`.
    columns : dict, optional
        The rows' own names by ours: ``{"target": "answer"}``.
    threads : int
        That the model computes with; 0: one for each core.
    truncation : {"warn", "error", "ignore"}
        What to do where the model does not read all of a row, as in `Model.score`.
    **settings
        Of the metric `likelihood`: ``sum=True``; ``int8=True`` computes with weights of 8 bits.

    Returns
    -------
    Scores
        "likelihood", at most 0, in nats for each token, with `truncated`.

    Raises
    ------
    InputError
        For what is wrong in the texts and the settings.

    Examples
    --------
    >>> import rubric
    >>> s = rubric.likelihood(["What barks?"], ["a dog"], model="gpt2")
    >>> s["likelihood"].mean < 0
    True
    """
    table = sources = opened(sources)
    if targets is not None:
        table = {"source": as_list(sources, "sources"), "target": as_list(targets, "targets")}
        require_same_lengths({name: len(column) for name, column in table.items()})
        require_texts(table, "source", "target")
        if columns:
            raise InputError("columns names the columns of a table, but lists are given\n"
                             "  to do: leave it out, or give one table in place of the lists")
    elif not isinstance(sources, (str, os.PathLike)) and not is_table(sources):
        raise InputError("there are no targets\n  to do: give one for each source, or a table",
                         field="target")
    return _score("likelihood", table, {"model": model, "threads": threads}, settings,
                  truncation, columns)


@names_keywords()
def rev(rows: Any, *, model: PathLike, baseline_model: PathLike,
        columns: Mapping[str, str] | None = None, threads: int = 0, **settings: Any) -> Scores:
    """Score rationales by REV, what they add to a vacuous one about a label (Chen et al. 2023).

    Parameters
    ----------
    rows : a table, or a path
        With label, rationale and baseline, its vacuous form, as docs/rev.md has them.
    model, baseline_model : path or str
        The evaluator of rationales and baselines, and that of baselines alone. They may be the same
        model where it has no card, as the published ones.
    columns : dict, optional
        A table's own names by ours: ``{"rationale": "why"}``.
    threads : int
        That the models compute with; 0: one for each core.
    **settings
        Of the metric `rev`. With ``keep_going=True`` a row that cannot be scored has NaN.

    Returns
    -------
    Scores
        "rev", in nats, and "rev_with" and "rev_without", the log-probabilities of the label that it
        is the difference of. `truncated` is empty: a row that is too long is refused.

    Raises
    ------
    InputError
        For what is wrong in the rows and the settings.

    Examples
    --------
    The models are those of `train` with sample_rev.yaml and sample_rev_baseline.yaml:

    >>> import rubric
    >>> s = rubric.rev("samples/rev/test_informative.jsonl", model="runs/sample_rev/model",
    ...                baseline_model="runs/sample_rev_baseline/model")
    >>> list(s)
    ['rev', 'rev_with', 'rev_without']
    """
    return _score("rev", rows, {"model": model, "threads": threads},
                  {"baseline_model": require_path("baseline_model", baseline_model), **settings},
                  "ignore", columns)


@names_keywords()
def bartscore(candidates: Any = None, references: Any = None, *, model: PathLike,
              predictions: Any = None, passages: Any = None, questions: Any = None,
              columns: Mapping[str, str] | None = None, missing: Missing | None = None,
              threads: int = 0, truncation: Truncation = "warn", **settings: Any) -> Scores:
    """Score by BARTScore: how probable candidates and references are (Yuan et al. 2021).

    Loads the model for this one call; `load` keeps it.

    Parameters
    ----------
    candidates, references, predictions, passages, questions, columns, missing
        As of `score`. With passages there is also "bartscore_s", of candidates given passages.
    model : path or str
        A model directory, or a name as in `load`.
    threads : int
        That the model computes with; 0: one for each core.
    truncation : {"warn", "error", "ignore"}
        What to do where the model does not read all of a row, as in `Model.score`.
    **settings
        Of the metric `bartscore`.

    Returns
    -------
    Scores
        "bartscore" and its parts, at most 0, in nats for each token, with `truncated`.

    Raises
    ------
    InputError
        For what is wrong in the texts and the settings.

    Examples
    --------
    >>> import rubric
    >>> s = rubric.bartscore(["a dog"], ["the dog"], model="facebook/bart-large-cnn")
    >>> list(s)
    ['bartscore', 'bartscore_p', 'bartscore_r']
    """
    with load(model, metric="bartscore", threads=threads, **settings) as loaded:
        return loaded.score(candidates, references, predictions=predictions, passages=passages,
                            questions=questions, columns=columns, missing=missing,
                            truncation=truncation)


_ROWS = {"likelihood": "sources", "rev": "rows"}  # the argument of rows, by metric


def _tell(truncation: Truncation, message: str) -> None:
    """Pass a command's warning on, or what `truncation` says of one about rows that are cut."""
    if not is_about_truncation(message):
        warn(message)
    elif truncation == "error":
        raise input_error(message + "\n  to do: shorten their texts")
    elif truncation == "warn":
        warn(message)


def _score(metric: str, rows: Any, options: dict[str, Any], settings: Mapping[str, Any],
           truncation: Truncation, columns: Mapping[str, str] | None) -> Scores:
    """Scores of records that are no answers, by the command `score`."""
    values = setting_values(require_metrics([metric]), settings)
    columns = require_columns(columns)
    require_truncation(truncation)
    rows = opened(rows)
    options["threads"] = require_whole("threads", options["threads"], most=MOST_THREADS)
    may_hold_lists = is_table(rows) and has_list_cells(rows)
    if is_table(rows):
        rows = snapshot(rows_of(rows))
    given = rows
    if metric == "rev" and columns and is_table(rows):  # --field is for the other metrics
        given, columns_option = _renamed(rows, columns), None
    else:
        columns_option = columns
    with Files(given, columns_option) as files:
        summary = files.output.with_name("summary.json")
        run(["score", metric],
            {"input": files.input, "output": files.output, "summary": summary,
             "field": columns_option, **options,
             **{name: value or True for name, value in values.items()}},
            files=files, names={"field": "columns", "input": _ROWS[metric]},
            tell=partial(_tell, "ignore"))  # of rows that are cut it is told below
        scored = json_lines(files.output)
        over_all: dict[str, Any] = json.loads(summary.read_text(encoding="utf-8"))
    records = over_all["records"]
    signatures = {row["metric"]: row["signature"] for row in records["signatures"]}
    truncated = sorted({row["row"] for row in records.get("truncated", [])})
    tell_truncated(truncated, len(scored), truncation)
    return Scores(
        [Score(name := one["metric"],
               [row.get("scores", {}).get(name, math.nan) for row in scored], one["value"],
               (one["low"], one["high"]) if "low" in one else None, signatures[name],
               truncated=truncated)
         for one in over_all["measurements"] if one["statistic"] == "mean"],
        Answers([], [], None, None, _with_new_columns(rows, scored, columns),
                may_hold_lists))


def _renamed(table: Any, columns: Mapping[str, str]) -> dict[str, list[Any]]:
    """A table of rationales with our names in place of those that `columns` tells."""
    fields = ("id", "question", "premise", "hypothesis", "choices", "label", "gold", "rationale",
              "baseline")
    given = columns_of(table)
    for ours, theirs in columns.items():
        if ours not in fields or theirs not in given:
            raise InputError(
                f"columns has {{{ours!r}: {theirs!r}}}; the fields of a rationale are "
                f"{', '.join(fields)}, and the columns are {', '.join(given)}\n"
                "  to do: give one of each, columns={\"rationale\": \"why\"}", field=ours)
    others = {name: column for name, column in given.items() if name not in columns}
    return {**others, **{ours: given[theirs] for ours, theirs in columns.items()}}


def _with_new_columns(rows: Any, scored: list[Values], ours: Mapping[str, str]) -> Any:
    """The caller's table, and the fields that the command has added to its rows, but no scores."""
    own = [str(name) for name in column_names(rows)] if is_table(rows) else []
    new = [name for name in column_names(scored) if name not in (*own, *ours, "scores")]
    if own and not new:
        return rows
    columns = columns_of(rows) if own else {}
    return {**columns, **{name: column_of(scored, name) for name in new}}
