// Fine-tuning on the similarity of two sentences: LERC with another template.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "data/tasks/kind.h"
#include "data/tasks/lerc_kind.h"

namespace rubric::data {

inline constexpr std::string_view kSentencePair[] = {"reference", "candidate"};
inline constexpr std::string_view kSecondSentence[] = {"candidate"};

// Two fields, each a segment of its own, as BERT reads pairs.
inline constexpr TaskKind kSimilarityTask = {
    .name = "similarity",
    .summary = "human scores of pairs of sentences, as STS-B has them (Cer et al. 2017)",
    .own_keys = kScoreKeys,
    .keeps_token_store = true,
    .inputs = kSentencePair,
    .second_segment = kSecondSentence};

}  // namespace rubric::data

namespace rubric::train {

template <>
std::unique_ptr<Task> open_task<data::kSimilarityTask>(const TrainConfig& config,
                                                       const std::filesystem::path& directory);

}  // namespace rubric::train
