#include "metrics/neural/model_use.h"

#include "core/error.h"
#include "core/list_table.h"
#include "data/model_files/model_directory.h"
#include "data/model_files/shipped_models.h"
#include "metrics/list.h"
#include "metrics/neural/recipes/metric.h"

namespace rubric::metrics {
namespace {

// For each metric of the list how it is made with a model; null for one of another record or
// without a model.
using MakeAnswer = std::unique_ptr<AnswerMetric> (*)(const ModelUse&);
using MakeSourceTarget = std::unique_ptr<SourceTargetMetric> (*)(const ModelUse&,
                                                                 const data::PairConfig&);
using MakeRationale = std::unique_ptr<RationaleMetric> (*)(const ModelUse&);

struct Makers {
  MakeAnswer answer = nullptr;
  MakeSourceTarget source_target = nullptr;
  MakeRationale rationale = nullptr;
};

constexpr auto kMakers = table_of<kMetrics>([]<const MetricKind & kind>() {
  Makers makers;
  if constexpr (kind.record == RecordKind::source_target) {
    makers.source_target = make_source_target_metric<kind>;
  } else if constexpr (kind.record == RecordKind::rationale) {
    makers.rationale = make_rationale_metric<kind>;
  } else if constexpr (kind.is_recipe) {
    makers.answer = [](const ModelUse& use) { return make_recipe_metric(kind, use); };
  } else if constexpr (kind.record == RecordKind::answer && kind.make == nullptr) {
    makers.answer = make_answer_metric<kind>;
  }
  return makers;
});

template <class Function>
Function maker_of(const MetricKind& kind, Function Makers::*member) {
  const Function made = entry_of<kMetrics>(kMakers, kind).*member;
  if (made != nullptr) return made;
  throw Error("the metric " + std::string(kind.name) + " is not made with a model of this kind");
}

}  // namespace

std::filesystem::path model_directory(const MetricKind& kind, const ModelUse& use,
                                      const std::vector<std::string>& types) {
  if (use.model.empty() && kind.default_model != nullptr) {
    return data::shipped_model(*kind.default_model);
  }
  return data::find_model(use.model, types);
}

std::unique_ptr<AnswerMetric> make_answer_metric(const MetricKind& kind, const ModelUse& use) {
  return maker_of(kind, &Makers::answer)(use);
}

std::unique_ptr<SourceTargetMetric> make_source_target_metric(const MetricKind& kind,
                                                              const ModelUse& use,
                                                              const data::PairConfig& config) {
  return maker_of(kind, &Makers::source_target)(use, config);
}

std::unique_ptr<RationaleMetric> make_rationale_metric(const MetricKind& kind,
                                                       const ModelUse& use) {
  return maker_of(kind, &Makers::rationale)(use);
}

}  // namespace rubric::metrics
