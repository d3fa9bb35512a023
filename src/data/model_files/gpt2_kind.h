// GPT-2 as a kind of sequence model.
#pragma once

#include <filesystem>
#include <string_view>

#include "data/model_files/sequence_kind.h"

namespace rubric::data {

inline constexpr SequenceKind kGpt2 = {.name = "gpt2",
                                       .summary = "GPT-2 (Radford et al. 2019)",
                                       .positions = "n_positions",
                                       .is_causal = true};

}  // namespace rubric::data

namespace rubric::models {

template <>
SequenceModelFactory read_sequence_model<data::kGpt2>(ConfigFields& fields);

}  // namespace rubric::models
