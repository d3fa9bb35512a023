// Fine-tuning sequence models on sources and targets (train/tasks/seq2seq_task.cpp).
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "data/tasks/kind.h"

namespace rubric::data {

inline constexpr std::string_view kPairKeys[] = {"data.train",    "data.dev",         "data.fields",
                                                 "model.weights", "model.add_tokens", "seq2seq"};

inline constexpr TaskKind kSeq2SeqTask = {
    .name = "seq2seq",
    .summary = "texts for sources, with T5 (Raffel et al. 2020), BART or GPT-2",
    .own_keys = kPairKeys,
    .writes_texts = true,
    .use = "rubric generate --input FILE --output FILE --model "};

}  // namespace rubric::data

namespace rubric::train {

template <>
std::unique_ptr<Task> open_task<data::kSeq2SeqTask>(const TrainConfig& config,
                                                    const std::filesystem::path& directory);

}  // namespace rubric::train
