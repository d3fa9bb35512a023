#include "metrics/neural/model_use.h"

#include <array>
#include <utility>

#include "core/error.h"
#include "data/model_files/model_directory.h"
#include "data/model_files/shipped_models.h"
#include "metrics/list.h"

namespace rubric::metrics {
namespace {

// For each metric of the list how it is made with a model; null for one of another record or
// without a model.
using MakeAnswer = std::unique_ptr<AnswerMetric> (*)(const ModelUse&);
using MakeSourceTarget = std::unique_ptr<SourceTargetMetric> (*)(const ModelUse&,
                                                                 const data::PairConfig&);
using MakeRationale = std::unique_ptr<RationaleMetric> (*)(const ModelUse&);

template <const MetricKind& kind>
constexpr MakeAnswer answer_maker() {
  if constexpr (kind.record == RecordKind::answer && kind.make == nullptr) {
    return make_answer_metric<kind>;
  } else {
    return nullptr;
  }
}

template <const MetricKind& kind>
constexpr MakeSourceTarget source_target_maker() {
  if constexpr (kind.record == RecordKind::source_target) {
    return make_source_target_metric<kind>;
  } else {
    return nullptr;
  }
}

template <const MetricKind& kind>
constexpr MakeRationale rationale_maker() {
  if constexpr (kind.record == RecordKind::rationale) {
    return make_rationale_metric<kind>;
  } else {
    return nullptr;
  }
}

struct Makers {
  MakeAnswer answer;
  MakeSourceTarget source_target;
  MakeRationale rationale;
};

template <size_t... kIndex>
constexpr std::array<Makers, sizeof...(kIndex)> all_makers(std::index_sequence<kIndex...>) {
  return {Makers{answer_maker<*kMetrics[kIndex]>(), source_target_maker<*kMetrics[kIndex]>(),
                 rationale_maker<*kMetrics[kIndex]>()}...};
}

// In the order of the list.
constexpr auto kMakers = all_makers(std::make_index_sequence<std::size(kMetrics)>());

template <class Function>
Function maker_of(const MetricKind& kind, Function Makers::*member) {
  for (size_t i = 0; i < kMakers.size(); ++i) {
    if (kMetrics[i] == &kind && kMakers[i].*member != nullptr) return kMakers[i].*member;
  }
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
