// BERT, RoBERTa, MPNet, ELECTRA, DistilBERT, RemBERT and BLEURT as kinds of encoders
// (models/encoders/bert.h has the model of all).
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
    .prefix = "roberta.",
    .classifier = kOutProjection};

inline constexpr EncoderKind kMpnet = {.name = "mpnet",
                                       .aliases = {},
                                       .title = "MPNet",
                                       .summary = "MPNet (Song et al. 2020)",
                                       .tokenizer = "WordPiece",
                                       .example = "sentence-transformers/all-mpnet-base-v2",
                                       .prefix = "mpnet.",
                                       .classifier = kOutProjection};

inline constexpr std::string_view kElectraHeads[] = {
    "discriminator_predictions.", "generator_predictions.", "generator_lm_head."};
inline constexpr EncoderKind kElectra = {
    .name = "electra",
    .aliases = {},
    .title = "ELECTRA",
    .summary = "ELECTRA (Clark et al. 2020)",
    .tokenizer = "WordPiece",
    .example = "google/electra-base-discriminator",
    .prefix = "electra.",
    .pretraining_heads = kElectraHeads,
    .classifier = {
        .dense = "classifier.dense", .activation = "gelu", .output = "classifier.out_proj"}};

inline constexpr std::string_view kDistilBertHeads[] = {"vocab_transform.", "vocab_layer_norm.",
                                                        "vocab_projector."};
inline constexpr EncoderKind kDistilBert = {
    .name = "distilbert",
    .aliases = {},
    .title = "DistilBERT",
    .summary = "DistilBERT (Sanh et al. 2019)",
    .tokenizer = "WordPiece",
    .example = "distilbert-base-uncased",
    .prefix = "distilbert.",
    .pretraining_heads = kDistilBertHeads,
    .classifier = {.dense = "pre_classifier", .activation = "relu"}};

inline constexpr EncoderKind kRemBert = {.name = "rembert",
                                         .aliases = {},
                                         .title = "RemBERT",
                                         .summary = "RemBERT (Chung et al. 2021)",
                                         .tokenizer = "Unigram",
                                         .example = "google/rembert",
                                         .prefix = "rembert."};

inline constexpr EncoderKind kBleurt = {
    .name = "bleurt",
    .aliases = {},
    .title = "BLEURT",
    .summary = "BLEURT (Sellam et al. 2020, Pu et al. 2021), as bleurt-pytorch converts it",
    .tokenizer = "WordPiece; BLEURT-20: Unigram",
    .example = "lucadiliello/BLEURT-20-D12",
    .prefix = "bleurt."};

template <>
EncoderFactory read_encoder<kBert>(ConfigFields& fields);
template <>
EncoderFactory read_encoder<kRoberta>(ConfigFields& fields);
template <>
EncoderFactory read_encoder<kMpnet>(ConfigFields& fields);
template <>
EncoderFactory read_encoder<kElectra>(ConfigFields& fields);
template <>
EncoderFactory read_encoder<kDistilBert>(ConfigFields& fields);
template <>
EncoderFactory read_encoder<kRemBert>(ConfigFields& fields);
template <>
EncoderFactory read_encoder<kBleurt>(ConfigFields& fields);

}  // namespace rubric::models
