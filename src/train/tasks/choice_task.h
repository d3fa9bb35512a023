// LERC's pre-training model: which of two answers is correct (Chen et al. 2020, section 3.2).
#pragma once

#include <filesystem>

#include "models/encoders/bert.h"

namespace rubric {

struct ChoiceModel {
  Bert encoder;
  Linear classifier;  // weight [3, hidden], bias [3]

  // For every row the logits of the classes of ChoiceLabel, [rows, 3], from its [CLS] vector.
  at::Tensor logits(const PackedTokens& tokens, const DropoutKeys& keys = {}) const;

  // Every parameter under its published name, encoder first.
  NamedTensors parameters();
};

// An encoder under a new classifier. A head that is there already is not used.
ChoiceModel start_choice_model(const std::filesystem::path& encoder_directory, uint64_t seed);

}  // namespace rubric
