// LERC: a BERT encoder and a regression layer on its [CLS] vector (Chen et al. 2020, section 3.1).
#pragma once

#include <filesystem>
#include <string>

#include "models/encoder.h"
#include "text/tokenizer.h"

namespace rubric {

struct LercModel {
  Bert encoder;
  Linear score_layer;  // weight [1, hidden], bias [1]

  // The score of every row, [rows]: ŷ = W h_[CLS] + b, neither squashed nor clipped.
  at::Tensor predict(const PackedTokens& tokens, const DropoutKeys& keys = {}) const;

  // Every parameter under its published name, encoder first.
  NamedTensors parameters() const;
};

// Throw InputError naming `directory`, the model's folder: when the tokenizer knows more entries
// than the model, when a row of `max_length` tokens has more positions than it.
void require_fit(const LercModel& model, const Tokenizer& tokenizer,
                 const std::filesystem::path& directory);
void require_positions(const LercModel& model, int64_t max_length,
                       const std::filesystem::path& directory);

// A trained model. Throws InputError when the folder has no score layer or does not fit.
LercModel load_lerc(const std::filesystem::path& directory);

// An encoder under a new score layer, uniform in ±1/sqrt(hidden) as torch.nn.Linear starts; a
// function of the seed alone. A score layer that is there already is not used.
LercModel start_lerc(const std::filesystem::path& encoder_directory, uint64_t seed);

}  // namespace rubric
