// rubric.yaml: what a model directory of ours says about itself beside Hugging Face's files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "config/fields.h"
#include "data/source_targets/pair_config.h"

namespace rubric {

struct ModelCard {
  std::string task = "lerc";
  std::vector<std::string> inputs = {"passage", "question", "reference", "candidate"};
  int64_t max_length = 512;
  std::string cut = "passage";
  PairConfig seq2seq;  // of that task, in the place of the three before
  std::string encoder, train, train_sha256;
  std::vector<std::string> hold_out;
  int64_t seed = 0;
  std::string validation;
  std::optional<double> validation_figure;  // nothing: undefined

  void visit_fields(FieldVisitor& visitor);
};

// The card of a model directory; where there is none, the paper's input is assumed: all four fields
// and 512 tokens, as the published LERC has none.
ModelCard read_model_card(const std::filesystem::path& model_directory);

// How the model's own card puts pairs together; for models without a card the defaults, cutting
// only what the model has no positions for. Throws InputError when the card is of another task.
PairConfig pair_config_of(const std::filesystem::path& model_directory);

}  // namespace rubric
