// Fine-tuning LERC on human scores (train/tasks/lerc_task.h).
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include "data/tasks/kind.h"

namespace rubric::data {

inline constexpr std::string_view kLercKeys[] = {"head",
                                                 "data.train",
                                                 "data.dev",
                                                 "data.fields",
                                                 "data.missing",
                                                 "data.reference_separator",
                                                 "data.hold_out",
                                                 "data.inputs",
                                                 "data.max_length",
                                                 "data.cut",
                                                 "data.reference",
                                                 "data.scale",
                                                 "data.augment_identity",
                                                 "data.augment_swap",
                                                 "run.pooled_validation"};

inline constexpr TaskKind kLercTask = {
    .name = "lerc",
    .summary = "human scores of answers, as LERC learns them (Chen et al. 2020, section 3.1)",
    .own_keys = kLercKeys,
    .keeps_token_store = true,
    .use = "rubric score lerc --input FILE --model "};

// The similarity of two sentences: LERC with another template.

// All of LERC's but the head, whose scores are of answers.
static_assert(kLercKeys[0] == "head");
inline constexpr std::span<const std::string_view> kScoreKeys = std::span(kLercKeys).subspan(1);
inline constexpr std::string_view kSentencePair[] = {"reference", "candidate"};
inline constexpr std::string_view kSecondSentence[] = {"candidate"};

// Two fields, each a segment of its own, as BERT reads pairs.
inline constexpr TaskKind kSimilarityTask = {
    .name = "similarity",
    .summary = "human scores of pairs of sentences, as STS-B has them (Cer et al. 2017)",
    .own_keys = kScoreKeys,
    .keeps_token_store = true,
    .use = "rubric score similarity --input FILE --model ",
    .inputs = kSentencePair,
    .second_segment = kSecondSentence};

}  // namespace rubric::data

namespace rubric::train {

template <>
std::unique_ptr<Task> open_task<data::kLercTask>(const TrainConfig& config,
                                                 const std::filesystem::path& directory);

template <>
std::unique_ptr<Task> open_task<data::kSimilarityTask>(const TrainConfig& config,
                                                       const std::filesystem::path& directory);

}  // namespace rubric::train
