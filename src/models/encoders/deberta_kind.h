// DeBERTa as kinds of encoders (models/encoders/deberta.h has the model of both).
#pragma once

#include "models/encoders/kind.h"

namespace rubric::models {

inline constexpr ClassifierLayers kDebertaClassifier = {.activation = "gelu",
                                                        .activation_key = "pooler_hidden_act"};
inline constexpr EncoderKind kDeberta = {.name = "deberta",
                                         .aliases = {},
                                         .title = "DeBERTa",
                                         .summary = "DeBERTa (He et al. 2021)",
                                         .tokenizer = "byte-level BPE",
                                         .example = "microsoft/deberta-xlarge-mnli",
                                         .prefix = "deberta.",
                                         .classifier = kDebertaClassifier};

inline constexpr EncoderKind kDebertaV2 = {
    .name = "deberta-v2",
    .aliases = {},
    .title = "DeBERTa v2",
    .summary = "DeBERTa v2 (He et al. 2021) and v3 (He et al. 2023)",
    .tokenizer = "Unigram",
    .example = "microsoft/deberta-v3-base",
    .prefix = "deberta.",
    .classifier = kDebertaClassifier};

template <>
EncoderFactory read_encoder<kDeberta>(ConfigFields& fields);
template <>
EncoderFactory read_encoder<kDebertaV2>(ConfigFields& fields);

}  // namespace rubric::models
