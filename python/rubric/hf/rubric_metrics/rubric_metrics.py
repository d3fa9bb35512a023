"""rubric in Hugging Face's `evaluate`: evaluate.load(rubric.hf_path(), "lexical"), or "lerc"."""

import datasets
import evaluate

import rubric

_INPUTS = """
predictions: list of str
references: for each prediction a text, or a list of texts; all alike
metrics: "lexical" only: names of rubric.list_metrics() that need no model; default f1, em, rouge_l
model: "lerc" only: a model directory, or a name that is on this machine, in place of the shipped
  one; nothing is downloaded
passages, questions: list of str, for metrics that read them, and for intervals
missing: what becomes of missing texts, as in rubric.score
truncation: "lerc" only: "warn", "error" or "ignore", where the model does not read all of a row
Other arguments are settings of the metrics, such as strip="?.!".
Returns means with the ends of their 95% intervals: {"f1": …, "f1_low": …, "f1_high": …}; with the
  settings verdict=True and explain=True of "lerc" also lists for each prediction, "verdicts" and
  "explanations".
"""


class RubricMetrics(evaluate.Metric):
    def _info(self):
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description="Metrics of reading comprehension, computed by rubric",
            citation="",
            inputs_description=_INPUTS,
            features=[
                datasets.Features({"predictions": text, "references": datasets.Sequence(text)}),
                datasets.Features({"predictions": text, "references": text}),
            ],
        )

    def _compute(self, predictions, references, *, metrics=None, metric=None, model=None,
                 passages=None, questions=None, missing=None, truncation="warn", **settings):
        texts = {"passages": passages, "questions": questions, "missing": missing}
        if self.config_name in ("lexical", "default"):
            scores = rubric.score(predictions, references, metrics=metrics, metric=metric, **texts,
                                  **settings)
        elif self.config_name == "lerc":
            with rubric.load(model, metric="lerc", **settings) as loaded:
                scores = loaded.score(predictions, references, truncation=truncation, **texts)
        else:
            raise rubric.InputError(f"there is no configuration {self.config_name!r}\n"
                                    "  to do: load lexical or lerc")
        lists = {name: getattr(score, name) for score in scores.values()
                 for name in ("verdicts", "explanations")}
        return {**scores.to_dict(),
                **{name: values for name, values in lists.items() if values is not None}}
