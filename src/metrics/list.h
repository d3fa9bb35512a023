// Every metric. No libtorch.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/list.h"
#include "metrics/kind.h"
#include "metrics/meteor/meteor.h"
#include "metrics/neural/bertscore_kind.h"
#include "metrics/neural/lerc_kind.h"
#include "metrics/neural/likelihood_kind.h"
#include "metrics/neural/recipes/kind.h"
#include "metrics/ngram/bleu.h"
#include "metrics/ngram/chrf.h"
#include "metrics/ngram/google_rouge.h"
#include "metrics/ngram/rouge_l.h"
#include "metrics/ngram/sacrebleu.h"
#include "metrics/ngram/squad.h"

namespace rubric::metrics {

// The metrics of models/recipes, a line each that src/CMakeLists.txt makes.
#define RUBRIC_RECIPE(name, summary, lower_is_better) \
  inline constexpr MetricKind kRecipe_##name =        \
      recipe_kind(#name, summary, lower_is_better, "score " #name " --model DIR");
#include "metrics/recipes.inc"
#undef RUBRIC_RECIPE

// A new metric is a line here, and files of its own; one that is a recipe is a file of
// models/recipes.
// clang-format off
inline constexpr const MetricKind* kMetrics[] = {
    &kBleu1,
    &kBleu2,
    &kBleu3,
    &kBleu4,
    &kSacreBleu,
    &kChrf,
    &kRougeL,
    &kGoogleRouge1,
    &kGoogleRouge2,
    &kGoogleRougeL,
    &kGoogleRougeLSum,
    &kMeteor,
    &kF1,
    &kExactMatch,
    &kRecall,
    &kContains,
    &kLerc,
    &kSimilarity,
    &kBertScore,
    &kBartScore,
    &kLikelihood,
    &kRev,
    &kLearned,
#define RUBRIC_RECIPE(name, summary, lower_is_better) &kRecipe_##name,
#include "metrics/recipes.inc"
#undef RUBRIC_RECIPE
};
// clang-format on
static_assert(have_unique_names(kMetrics));

// Throws InputError for an unknown name, with the nearest.
const MetricKind& require_metric(std::string_view name);

// Throws InputError for no metric, an unknown one, and one that is named twice.
std::vector<const MetricKind*> require_metrics(std::span<const std::string> names);

// Throws InputError when a metric is named twice, be it by two of its names.
void require_distinct_metrics(std::span<const std::string> names);

// Throws InputError for a setting that does not exist, with the nearest, or that the metrics do not
// have, and as Settings::set() does.
Settings settings_of(std::span<const MetricKind* const> metrics, const SettingValues& values);

// The other names of the metric that has this one; empty when no metric has it.
std::vector<std::string> other_names(std::string_view name);

// Those of each of the metrics, for data::RowFields.
std::map<std::string, std::vector<std::string>> other_names(std::span<const std::string> names);

// The names of the metrics without, or with, a model.
std::vector<std::string> metric_names(bool with_model);

// Whether lower scores of the metric are better; false for a name that the list does not have.
bool is_lower_better(std::string_view name);

// Names those of which lower scores are better; "" where there are none.
std::string direction_note(std::span<const std::string> names);

// The names of the metrics that have the setting; those of shipped recipes are "a recipe", once.
std::vector<std::string> metrics_with(const Setting& setting);

// Each setting once, in the order of the list.
std::vector<const Setting*> all_settings();

struct ModelOption {
  std::string metric;  // "" where none is named
  std::string model;
};

// Parses a value of `score --model`: METRIC=MODEL, or MODEL alone. The text before the first "="
// names a metric only when one is called that: a model may be called run=3. Throws InputError for a
// metric that takes no model.
ModelOption parse_model_option(const std::string& value);

}  // namespace rubric::metrics
