// T5 as a kind of sequence model.
#pragma once

#include <filesystem>
#include <string_view>

#include "data/model_files/sequence_kind.h"

namespace rubric::data {

inline constexpr std::string_view kT5Aliases[] = {"mt5"};

inline constexpr SequenceKind kT5 = {
    .name = "t5",
    .aliases = kT5Aliases,
    .summary = "T5 (Raffel et al. 2020) and mT5 (Xue et al. 2021)"};

}  // namespace rubric::data

namespace rubric::models {

template <>
SequenceModelFactory read_sequence_model<data::kT5>(ConfigFields& fields);

}  // namespace rubric::models
