// What is known of `lerc` and `similarity` without libtorch.
#pragma once

#include "data/model_files/shipped_models.h"
#include "metrics/kind.h"

namespace rubric::metrics {

// Of the metrics that compute in 8 bits on request.
inline constexpr Setting kInt8 = {
    .name = "int8",
    .help = "computes with weights of 8 bits, faster and a little off; the signature says so"};
inline constexpr Setting kVerdict = {
    .name = "verdict",
    .help =
        "adds the field verdict to each row: right where the score is the threshold of the model "
        "or recipe, or better, else wrong"};
inline constexpr Setting kExplain = {
    .name = "explain",
    .help =
        "adds the field explanation to each row: the reference that gave the score, and how much "
        "the score falls when a word of the candidate is left out, for each word"};
inline constexpr const Setting* kLercSettings[] = {&kInt8, &kVerdict, &kExplain};
inline constexpr const Setting* kSimilaritySettings[] = {&kInt8};

inline constexpr MetricKind kLerc = {
    .name = "lerc",
    .summary = "LERC, a model trained on human scores of answers (Chen et al. 2020)",
    .settings = kLercSettings,
    .normalises_as_squad = true,
    .default_model = &data::kLercAnswersSmall,
    .example = "score lerc"};
inline constexpr MetricKind kSimilarity = {
    .name = "similarity",
    .summary = "similarity of candidate and reference, a model trained on STS-B (Cer et al. 2017)",
    .settings = kSimilaritySettings,
    .example = "score similarity --model runs/similarity/model"};

template <>
std::unique_ptr<AnswerMetric> make_answer_metric<kLerc>(const ModelUse& use);
template <>
std::unique_ptr<AnswerMetric> make_answer_metric<kSimilarity>(const ModelUse& use);

}  // namespace rubric::metrics
