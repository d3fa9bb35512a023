// The models that rubric ships. No libtorch.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "core/list.h"

namespace rubric::data {

// A model directory, models/NAME of what is shipped.
struct ShippedModel {
  std::string_view name, summary;
  std::span<const std::string_view> aliases = {};
};

inline constexpr std::string_view kLercAnswersAliases[] = {"lerc-answers"};
inline constexpr ShippedModel kLercAnswersSmall = {
    .name = "lerc-answers-small",
    .summary = "a LERC of answers, with weights in 8 bits and a threshold; lerc-answers for short",
    .aliases = kLercAnswersAliases};

inline constexpr const ShippedModel* kShippedModels[] = {&kLercAnswersSmall};
static_assert(have_unique_names(kShippedModels));

// Its directory. Throws InputError where it is not there, and when the context does not say where
// rubric's own files are.
std::filesystem::path shipped_model(const ShippedModel& model);

// The shipped model whose directory this is, however it was named; null if it is none's.
const ShippedModel* find_shipped_at(const std::filesystem::path& directory);

}  // namespace rubric::data
