// Finds a model directory on this machine, lists its files, and reads its card (rubric.yaml).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "config/fields.h"
#include "core/json/json.h"
#include "data/source_targets/pair_config.h"
#include "data/tasks/lerc_kind.h"

namespace rubric::data {

// The directory of the model `name`: a path, a directory under $RUBRIC_MODELS (default models/,
// where scripts/download puts it), a shipped model (shipped_models.h), or an entry of the Hugging
// Face cache ($HF_HOME/hub/models--…/snapshots/…). Downloads nothing: the InputError lists the
// places searched and the command that fetches the model (`kinds` are the types that can be used,
// if they are given), or the shipped model that may be meant; for a name that can only be a path it
// asks to correct it.
std::filesystem::path find_model(const std::string& name,
                                 const std::vector<std::string>& kinds = {});

// Where a message says that a model's configuration stands: its config.json, or the GGUF file of
// which that was made in the cache.
std::string config_place(const std::filesystem::path& directory);

// A model directory's config.json, whose "model_type" is a text. Throws InputError for another one.
Json read_model_config(const std::filesystem::path& directory);

// The configuration and tokenizer files of a model directory: a model trained from it depends on
// them and needs copies of them. Throws InputError when the existence of one cannot be determined.
std::vector<std::filesystem::path> files_beside_weights(const std::filesystem::path& directory);

// All files that a model's scores depend on, by name: files_beside_weights(), our rubric.yaml, the
// weights and their index. If weights exist in both formats, the safetensors, which are the ones
// read.
std::vector<std::filesystem::path> model_files(const std::filesystem::path& directory);

// What stands on LERC's encoder (metrics/neural/lerc_model.h).
struct LercHead {
  std::vector<std::string>
      features;          // of metrics/ngram/answer_features.h; only with bounded scores
  bool bounded = false;  // scores keep to the scale of the labels

  void visit_fields(config::FieldVisitor& visitor);
};

// What a trained LERC, whose score the layers of another one read, was trained from and on.
struct TrainedBelow {
  std::string encoder, train, train_sha256;
  std::vector<std::string> hold_out;
  int64_t seed = 0;

  void visit_fields(config::FieldVisitor& visitor);
};

// Of cards of before they named their version (metrics/ngram/answer_features.h).
inline constexpr int64_t kUnnamedFeaturesVersion = 2;

inline constexpr const char* kNoQuestionHashes = "none";

// rubric.yaml, our part of a model directory beside Hugging Face's files.
struct ModelCard {
  std::string task{kLercTask.name};
  std::vector<std::string> inputs = {"passage", "question", "reference", "candidate"};
  int64_t max_length = 512;
  std::string cut = "passage";
  // LOW:HIGH, of the labels that a model of the tasks lerc and similarity has learnt and of its
  // scores; empty in a card of before it was recorded, where bounded scores are from 1 to 5.
  std::string scale;
  LercHead head;  // of the task lerc
  // With features alone: what they mean, and the model below.
  int64_t features_version = kUnnamedFeaturesVersion;
  TrainedBelow below;
  PairConfig seq2seq;  // of a task that writes texts, instead of the four fields above
  std::string encoder, train, train_sha256;
  std::vector<std::string> hold_out;
  std::string question_hashes = kNoQuestionHashes;  // how they are normalised (seen_questions.h)
  int64_t seed = 0;
  std::string validation;
  std::optional<double> validation_score;  // nullopt: undefined
  std::optional<double>
      threshold;  // of the task lerc: from this score on an answer counts as correct

  void visit_fields(config::FieldVisitor& visitor);
};

// Reads the card of a model directory. Without a card (the published LERC has none) the paper's
// input is assumed: all four fields and 512 tokens.
ModelCard read_model_card(const std::filesystem::path& model_directory);

// The input settings of a seq2seq model's card. For models without a card the defaults, which
// truncate only what exceeds the model's positions. Throws InputError when the card is for another
// task.
PairConfig pair_config_of(const std::filesystem::path& model_directory);

}  // namespace rubric::data
