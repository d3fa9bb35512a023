// The decoders that follow Llama as kinds of sequence model.
#pragma once

#include "data/model_files/sequence_kind.h"

namespace rubric::data {

inline constexpr const char* kPositionsOfLlama = "max_position_embeddings";

inline constexpr SequenceKind kLlama = {.name = "llama",
                                        .summary = "Llama 2 and 3 (Touvron et al. 2023), SmolLM2",
                                        .positions = kPositionsOfLlama,
                                        .is_causal = true};

inline constexpr SequenceKind kMistral = {.name = "mistral",
                                          .summary = "Mistral (Jiang et al. 2023)",
                                          .positions = kPositionsOfLlama,
                                          .is_causal = true};

inline constexpr SequenceKind kQwen2 = {.name = "qwen2",
                                        .summary = "Qwen2 and Qwen2.5 (Yang et al. 2024)",
                                        .positions = kPositionsOfLlama,
                                        .is_causal = true};

inline constexpr SequenceKind kQwen3 = {.name = "qwen3",
                                        .summary = "Qwen3 (Yang et al. 2025)",
                                        .positions = kPositionsOfLlama,
                                        .is_causal = true};

inline constexpr SequenceKind kPhi3 = {.name = "phi3",
                                       .summary = "Phi-3 (Abdin et al. 2024)",
                                       .positions = kPositionsOfLlama,
                                       .is_causal = true};

inline constexpr SequenceKind kGemma3 = {.name = "gemma3_text",
                                         .summary = "Gemma 3's text model (Kamath et al. 2025)",
                                         .positions = kPositionsOfLlama,
                                         .is_causal = true};

}  // namespace rubric::data

namespace rubric::models {

template <>
SequenceModelFactory read_sequence_model<data::kLlama>(ConfigFields& fields);
template <>
SequenceModelFactory read_sequence_model<data::kMistral>(ConfigFields& fields);
template <>
SequenceModelFactory read_sequence_model<data::kQwen2>(ConfigFields& fields);
template <>
SequenceModelFactory read_sequence_model<data::kQwen3>(ConfigFields& fields);
template <>
SequenceModelFactory read_sequence_model<data::kPhi3>(ConfigFields& fields);
template <>
SequenceModelFactory read_sequence_model<data::kGemma3>(ConfigFields& fields);

}  // namespace rubric::models
