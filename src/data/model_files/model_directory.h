// Where models live on this machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "config/fields.h"
#include "data/source_targets/pair_config.h"

namespace rubric::data {

// The folder of the model `name`: as a path, under $RUBRIC_MODELS (models/ when that is unset or
// empty, where scripts/download puts it), or in the Hugging Face cache
// ($HF_HOME/hub/models--…/snapshots/…). Nothing is downloaded: the InputError says where was looked
// and which command fetches it, or, for what can only be a path, that it is to be corrected.
std::filesystem::path find_model(const std::string& name);

// The configuration and the tokenizer's files that a model's folder has beside its weights: what a
// model trained from it depends on, and needs too. Throws InputError where one cannot be looked at.
std::vector<std::filesystem::path> files_beside_weights(const std::filesystem::path& directory);

// All that a model's scores depend on, by name: files_beside_weights(), our own rubric.yaml, the
// weights and their index. Of weights in both forms those as safetensors, which are the ones read.
std::vector<std::filesystem::path> model_files(const std::filesystem::path& directory);

// rubric.yaml: what a model directory of ours says about itself beside Hugging Face's files.

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
  std::optional<double> validation_score;  // nothing: undefined

  void visit_fields(config::FieldVisitor& visitor);
};

// The card of a model directory; where there is none, the paper's input is assumed: all four fields
// and 512 tokens, as the published LERC has none.
ModelCard read_model_card(const std::filesystem::path& model_directory);

// How the model's own card puts pairs together; for models without a card the defaults, cutting
// only what the model has no positions for. Throws InputError when the card is of another task.
PairConfig pair_config_of(const std::filesystem::path& model_directory);

}  // namespace rubric::data
