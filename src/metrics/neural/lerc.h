// LERC: an encoder, BERT or RoBERTa, and a regression layer on its first vector, that of [CLS] or
// <s> (Chen et al. 2020, section 3.1).
#pragma once

#include <filesystem>
#include <string>

#include "models/encoders/encoder.h"

namespace rubric {

struct LercModel {
  Bert encoder;
  Linear score_layer;  // weight [1, hidden], bias [1]

  // The score of every row, [rows]: ŷ = W h_[CLS] + b, neither squashed nor clipped.
  at::Tensor predict(const PackedTokens& tokens, const DropoutKeys& keys = {}) const;

  // Every parameter under its published name, encoder first.
  NamedTensors parameters();
};

// Throws InputError naming `directory`, the model's folder, when a row of `max_length` tokens has
// more positions than it.
void require_positions(const Bert& encoder, int64_t max_length,
                       const std::filesystem::path& directory);

// The encoder of a model directory. The heads that this project trained on it are in `rest`.
Encoder open_answer_encoder(const std::filesystem::path& directory);

// A new linear layer, uniform in ±1/sqrt(hidden) as torch.nn.Linear starts; a function of the seed.
Linear start_head(int64_t outputs, int64_t hidden, uint64_t seed);

// A trained model. Throws InputError when the folder has no score layer or does not fit.
LercModel load_lerc(const std::filesystem::path& directory);

// An encoder under a new score layer. A head that is there already is not used.
LercModel start_lerc(const std::filesystem::path& encoder_directory, uint64_t seed);

}  // namespace rubric
