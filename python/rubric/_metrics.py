"""Which metrics there are, and the checks of their names and settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from . import _light
from ._errors import InputError
from ._inputs import names_of, plain, require_text


Names = str | Iterable[str]  # one, or several


@dataclass(frozen=True)
class Setting:
    """A setting of a metric: an option of `score` with hyphens for underscores."""

    name: str
    value: str  # what it takes: "N"; "" for true or false
    help: str


@dataclass(frozen=True)
class Metric:
    """What is known of a metric."""

    name: str
    aliases: tuple[str, ...]  # other names that it answers to
    summary: str
    record: str  # what it scores: "answer", "source_target" or "rationale"
    needs_model: bool
    default_model: str  # shipped, used where no model is named; "": one must be named
    settings: tuple[Setting, ...]


@cache
def _metrics() -> dict[str, Metric]:
    return {
        name: Metric(name, tuple(aliases), summary, record, needs_model, default_model,
                     tuple(Setting(setting.replace("-", "_"), value, text)
                           for setting, value, text in settings))
        for name, aliases, summary, record, needs_model, default_model, settings
        in _light.list_metrics()
    }


def list_metrics() -> list[Metric]:
    """Every metric, those that need a model too.

    Returns
    -------
    list of Metric
        In the order of `rubric list metrics`.

    Examples
    --------
    >>> import rubric
    >>> [metric.name for metric in rubric.list_metrics() if not metric.needs_model][:4]
    ['bleu1', 'bleu2', 'bleu3', 'bleu4']
    """
    return list(_metrics().values())


def name_of(name: str) -> str:
    """The name of the metric that answers to this one; any other as it is."""
    return next((metric.name for metric in _metrics().values() if name in metric.aliases), name)


def chosen(metrics: Names | None, metric: Names | None,
           default: Names | None = None) -> list[str]:
    """The names that the arguments `metrics` and `metric` give, two names of one argument. Raises
    InputError where both are given, and where none is named and there is no default."""
    if metrics is not None and metric is not None:
        raise InputError("metrics and metric are two names of one argument\n"
                         "  to do: give one of them")
    given = metrics if metric is None else metric
    names = names_of("metrics" if metric is None else "metric",
                     (default or ()) if given is None else given)
    if not names and default is None:
        raise _no_metric()
    return names


def _no_metric() -> InputError:
    return InputError("no metric is named\n  to do: name one, metrics=[\"f1\"]")


def require_metrics(names: Names) -> list[Metric]:
    """The metrics of these names. Raises InputError for none, unknown ones and one named twice."""
    known, metrics = _metrics(), []
    for given in names_of("metrics", names):
        name = _light.metric_name(given)
        if known[name] in metrics:
            raise InputError(f"the metric {name} is named twice")
        metrics.append(known[name])
    if not metrics:
        raise _no_metric()
    return metrics


def require_light(names: Names) -> list[Metric]:
    """As `require_metrics`; raises InputError also for a metric that needs a model."""
    metrics = require_metrics(names)
    for metric in metrics:
        if metric.needs_model:
            folder = "" if metric.default_model else "folder, "
            raise InputError(f"the metric {metric.name} needs a model\n"
                             f"  to do: load it, rubric.load({folder}metric={metric.name!r})")
    return metrics


def arguments_of(metrics: list[Metric], names: Mapping[str, str], *others: str) -> dict[str, str]:
    """The arguments of a call by options of `score`: the metrics' settings, and those named."""
    settings = [setting.name for metric in metrics for setting in metric.settings]
    return {**{name: name for name in (*settings, *others)}, **names}


def setting_values(metrics: list[Metric], settings: Mapping[str, object],
                   parameters: Iterable[str] = ()) -> dict[str, str]:
    """Settings as the library takes them. Raises InputError for one that no metric has.

    `parameters` are the call's others, one of which may have been meant.
    """
    parameters = list(parameters)
    known = {setting.name: setting for metric in metrics for setting in metric.settings}
    values = {}
    for name, value in settings.items():
        if name not in known:
            names = ", ".join(metric.name for metric in metrics)
            others = [metric.name for metric in list_metrics()
                      if name in (setting.name for setting in metric.settings)]
            there = [*parameters, *known]
            if others:
                what = f"leave it out, or name a metric that has it: {', '.join(others)}"
            else:
                nearest = get_close_matches(name, there, 1)
                what = f"did you mean {nearest[0]}?" if nearest else "leave it out."
                what += f" There are {', '.join(there)}" if there else ""
            raise InputError(f"{name!r} is no setting of {names}\n  to do: {what}")
        value = plain(value)
        if value is None or value is False:
            continue
        is_flag = known[name].value == ""
        if is_flag != (value is True):
            raise InputError(f"{name} is {value!r}\n  to do: give "
                             + ("True or False" if is_flag else known[name].value))
        values[name.replace("_", "-")] = "" if is_flag else require_text(name, str(value))
    return values
