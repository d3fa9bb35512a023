// What is known of `bertscore` without libtorch.
#pragma once

#include "metrics/neural/lerc_kind.h"

namespace rubric::metrics {

inline constexpr Setting kLayer = {
    .name = "layer",
    .type = Setting::Type::integer,
    .value_name = "N",
    .help = "the layer whose output counts; else the usual one of the model's name",
    .low = 0,
    .high = 1000};
inline constexpr Setting kIdf = {
    .name = "idf", .help = "weighs tokens by their rarity in the references of the file"};
inline constexpr Setting kBaseline = {.name = "baseline",
                                      .type = Setting::Type::file,
                                      .value_name = "FILE",
                                      .help = "rescales with this file of bert-score's baselines"};
inline constexpr const Setting* kBertScoreSettings[] = {&kInt8, &kLayer, &kIdf, &kBaseline};

inline constexpr MetricKind kBertScore = {
    .name = "bertscore",
    .summary = "BERTScore (Zhang et al. 2020), as bert-score 0.3.13 computes it",
    .settings = kBertScoreSettings,
    .example = "score bertscore --model roberta-large"};

template <>
std::unique_ptr<AnswerMetric> make_answer_metric<kBertScore>(const ModelUse& use);

}  // namespace rubric::metrics
