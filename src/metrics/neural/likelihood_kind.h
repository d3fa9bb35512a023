// What is known of `likelihood`, `bartscore` and `rev` without libtorch.
#pragma once

#include "metrics/neural/lerc_kind.h"

namespace rubric::metrics {

inline constexpr MetricKind kBartScore = {
    .name = "bartscore",
    .summary = "BARTScore (Yuan et al. 2021): how probable reference and candidate make each other",
    .example = "score bartscore --model facebook/bart-large-cnn"};

template <>
std::unique_ptr<AnswerMetric> make_answer_metric<kBartScore>(const ModelUse& use);

// How rows become sources and targets, for every metric that scores these; the default is what the
// model's card says.
inline constexpr Setting kSource = {
    .name = "source",
    .type = Setting::Type::text,
    .value_name = "TEMPLATE",
    .help =
        "what a source is made of, such as '{question} {passage}'; else as the model was "
        "trained, or {source}"};
inline constexpr Setting kTarget = {.name = "target",
                                    .type = Setting::Type::text,
                                    .value_name = "TEMPLATE",
                                    .help = "the same for a target"};
inline constexpr Setting kDecoderStart = {
    .name = "decoder-start",
    .type = Setting::Type::text,
    .value_name = "HOW",
    .help = "model, or last-input for the source's last token; else as the model was trained"};
inline constexpr Setting kNoEos = {.name = "no-eos",
                                   .help = "targets without the end-of-sequence token"};
inline constexpr Setting kNoSourceEos = {.name = "no-source-eos", .help = "sources without it"};

inline constexpr Setting kSum = {.name = "sum",
                                 .help = "also the sum over the tokens, likelihood_sum"};
inline constexpr Setting kPerToken = {
    .name = "per-token", .help = "also each token's, as likelihood_tokens beside the scores"};
inline constexpr const Setting* kLikelihoodSettings[] = {
    &kInt8, &kSource, &kTarget, &kDecoderStart, &kNoEos, &kNoSourceEos, &kSum, &kPerToken};

inline constexpr MetricKind kLikelihood = {
    .name = "likelihood",
    .summary = "mean log-probability of a target's tokens given its source",
    .record = RecordKind::source_target,
    .settings = kLikelihoodSettings,
    .example = "score likelihood --model t5-small"};

template <>
std::unique_ptr<SourceTargetMetric> make_source_target_metric<kLikelihood>(
    const ModelUse& use, const data::PairConfig& config);

// Every metric of rationales has these.
inline constexpr Setting kKeepGoing = {
    .name = "keep-going",
    .help = "rows that cannot be scored are left without scores, and counted"};

inline constexpr Setting kBaselineModel = {
    .name = "baseline-model",
    .type = Setting::Type::model,
    .value_name = "MODEL",
    .help = "the evaluator of the vacuous rationales, where it is another than --model"};
inline constexpr const Setting* kRevSettings[] = {&kBaselineModel, &kKeepGoing};

inline constexpr MetricKind kRev = {
    .name = "rev",
    .summary = "REV (Chen et al. 2022): what a rationale adds about its label to a vacuous one",
    .record = RecordKind::rationale,
    .settings = kRevSettings,
    .resumes = true,
    .example = "score rev --model runs/rev/model"};

template <>
std::unique_ptr<RationaleMetric> make_rationale_metric<kRev>(const ModelUse& use);

}  // namespace rubric::metrics
