// BART as a kind of sequence model.
#pragma once

#include <filesystem>
#include <string_view>

#include "data/model_files/sequence_kind.h"

namespace rubric::data {

inline constexpr SequenceKind kBart = {.name = "bart",
                                       .summary = "BART (Lewis et al. 2020)",
                                       .positions = "max_position_embeddings",
                                       .starts_with_bos = true};

}  // namespace rubric::data

namespace rubric::models {

template <>
SequenceModelFactory read_sequence_model<data::kBart>(ConfigFields& fields);

}  // namespace rubric::models
