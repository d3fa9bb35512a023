// The metrics that are recipes (metrics/recipe.h): texts in, a head's outputs (head.h), a score.
#pragma once

#include <memory>

#include "metrics/neural/model_use.h"
#include "metrics/neural/recipes/kind.h"

namespace rubric::metrics {

// The metric of a shipped recipe, or `learned` with that of a user's. Throws InputError where
// recipe or model is wrong or they do not fit, and while scoring for a record without the reference
// that the recipe reads. Says once whose model it is: licence and citation.
std::unique_ptr<AnswerMetric> make_recipe_metric(const MetricKind& kind, const ModelUse& use);

}  // namespace rubric::metrics
