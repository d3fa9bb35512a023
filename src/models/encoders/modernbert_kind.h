// ModernBERT as a kind of encoder (models/encoders/modernbert.h has the model).
#pragma once

#include "models/encoders/kind.h"

namespace rubric::models {

inline constexpr std::string_view kModernBertHeads[] = {"head.", "decoder."};
inline constexpr EncoderKind kModernBert = {
    .name = "modernbert",
    .aliases = {},
    .title = "ModernBERT",
    .summary = "ModernBERT (Warner et al. 2024)",
    .tokenizer = "byte-level BPE",
    .example = "answerdotai/ModernBERT-base",
    .prefix = "model.",
    .word_embeddings = "embeddings.tok_embeddings.weight",
    .pretraining_heads = kModernBertHeads,
    .classifier = {.dense = "head.dense",
                   .activation = "gelu",
                   .activation_key = "classifier_activation",
                   .norm = "head.norm"}};

template <>
EncoderFactory read_encoder<kModernBert>(ConfigFields& fields);

}  // namespace rubric::models
