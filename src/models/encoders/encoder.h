// A model directory in Hugging Face's layout, opened as an encoder.
#pragma once

#include <filesystem>
#include <string>

#include "models/encoders/bert.h"
#include "text/tokenizer.h"

namespace rubric::models {

struct LoadedEncoder {
  Bert model;
  NamedTensors rest;  // tensors of the file that are not the encoder's, such as score_layer.weight
};

// Reads config.json and the weights. LoadedEncoder names may carry the prefix "bert." or "roberta."
// and the LayerNorm names of the first releases (gamma, beta). Heads that published checkpoints
// carry (the pooler, those of pre-training and of classifiers) are dropped; any other tensor that
// is neither the encoder's nor named in `heads` is an InputError that lists them.
LoadedEncoder load_encoder(const std::filesystem::path& directory,
                           const std::vector<std::string>& heads);

// Throws InputError naming `directory`, the model's folder, when the tokenizer knows more entries
// than the model or has no tokens to put around a row.
void require_fit(const Bert& model, const text::Tokenizer& tokenizer,
                 const std::filesystem::path& directory);

}  // namespace rubric::models
