// BERT, RoBERTa and MPNet as kinds of encoders (models/encoders/bert.h has the model of all).
#pragma once

#include "models/encoders/kind.h"

namespace rubric::models {

inline constexpr std::string_view kRobertaAliases[] = {"xlm-roberta"};

inline constexpr EncoderKind kBert = {.name = "bert",
                                      .aliases = {},
                                      .title = "BERT",
                                      .summary = "BERT (Devlin et al. 2019)",
                                      .tokenizer = "WordPiece",
                                      .example = "bert-base-uncased",
                                      .prefix = "bert."};

inline constexpr EncoderKind kRoberta = {
    .name = "roberta",
    .aliases = kRobertaAliases,
    .title = "RoBERTa",
    .summary = "RoBERTa (Liu et al. 2019) and XLM-RoBERTa (Conneau et al. 2020)",
    .tokenizer = "byte-level BPE; XLM-RoBERTa: Unigram",
    .example = "roberta-base",
    .prefix = "roberta."};

inline constexpr EncoderKind kMpnet = {.name = "mpnet",
                                       .aliases = {},
                                       .title = "MPNet",
                                       .summary = "MPNet (Song et al. 2020)",
                                       .tokenizer = "WordPiece",
                                       .example = "sentence-transformers/all-mpnet-base-v2",
                                       .prefix = "mpnet."};

template <>
EncoderFactory read_encoder<kBert>(ConfigFields& fields);
template <>
EncoderFactory read_encoder<kRoberta>(ConfigFields& fields);
template <>
EncoderFactory read_encoder<kMpnet>(ConfigFields& fields);

}  // namespace rubric::models
