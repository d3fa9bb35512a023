// Pre-training LERC on multiple-choice questions (train/tasks/choice_task.h).
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "data/tasks/kind.h"

namespace rubric::data {

inline constexpr std::string_view kChoiceKeys[] = {"questions", "data.inputs", "data.max_length",
                                                   "data.cut"};

inline constexpr TaskKind kChoiceTask = {
    .name = "multiple_choice",
    .summary =
        "which of two answers is correct, LERC's pre-training (Chen et al. 2020, section 3.2)",
    .own_keys = kChoiceKeys,
    .reads_questions = true,
    .use = "rubric train --config lerc.yaml --set model.name="};

}  // namespace rubric::data

namespace rubric::train {

template <>
std::unique_ptr<Task> open_task<data::kChoiceTask>(const TrainConfig& config,
                                                   const std::filesystem::path& directory);

}  // namespace rubric::train
