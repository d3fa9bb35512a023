// Descriptors of the metrics that are recipes (metrics/recipe.h). No libtorch.
#pragma once

#include "metrics/neural/lerc_kind.h"

namespace rubric::metrics {

inline constexpr Setting kRecipeFile = {
    .name = "recipe",
    .type = Setting::Type::file,
    .value_name = "FILE",
    .help = "how texts become the model's input and its outputs a score: YAML, as models/recipes"};
inline constexpr const Setting* kRecipeSettings[] = {&kInt8, &kVerdict};
inline constexpr const Setting* kLearnedSettings[] = {&kInt8, &kVerdict, &kRecipeFile};

constexpr MetricKind recipe_kind(std::string_view name, std::string_view summary,
                                 int lower_is_better, std::string_view example) {
  MetricKind kind{.name = name, .summary = summary, .example = example};
  kind.settings = kRecipeSettings;
  kind.is_recipe = true;
  kind.lower_is_better = lower_is_better != 0;
  return kind;
}

inline constexpr MetricKind kLearned = {
    .name = "learned",
    .summary = "a model with a head, read as a recipe file says",
    .settings = kLearnedSettings,
    .is_recipe = true,
    .example = "score learned --recipe FILE --model DIR"};

}  // namespace rubric::metrics
