// What the training tasks share: trained parameters, dropout keys, device and precision, and saving
// a model directory with its card.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "data/model_files/model_directory.h"
#include "data/model_files/seen_questions.h"
#include "models/architecture.h"
#include "models/ops/device.h"
#include "models/ops/dropout.h"
#include "train/settings/train_config.h"
#include "train/task.h"

namespace rubric::train {

// Records gradients of the parameters from now on; returns them.
Parameters trained_parameters(Parameters parameters);

// The dropout key of each token of the rows: a hash of (seed, update, example, position).
models::DropoutKeys dropout_keys(std::span<const int64_t> examples,
                                 std::span<const int64_t> lengths, int64_t seed, int64_t update);

// The device of a run: the CPU, or this rank's GPU.
at::Device device_of(const TrainConfig& config);

// Models compute in the configuration's precision while the returned object lives.
models::Autocast precision_of(const TrainConfig& config);

// On a GPU dropout masks come from its generator, not from keys: it is seeded for every micro-batch
// from (seed, update, the micro-batch's first example), so that its state need not be saved.
void seed_dropout(const TrainConfig& config, std::span<const int64_t> examples, int64_t update);

// Name and content of each file beside a model's weights, which a model trained from it needs too.
using ModelFiles = std::vector<std::pair<std::string, std::string>>;
ModelFiles read_model_files(const std::filesystem::path& model_directory);

// What the model of a run has seen: `questions`, those of its rows, and what the model that it
// starts from has seen. Warnings say the note, and where that model was trained and lists nothing.
struct SeenByRun {
  std::optional<data::SeenQuestions> questions;  // nullopt with data.question_hashes: false
  std::string start_note;  // data::start_note() of the dev questions, `questions.tuned`
};
SeenByRun seen_questions(const TrainConfig& config, const std::filesystem::path& model_directory,
                         data::SeenQuestions questions);

// Writes a model directory into an empty directory.
void save_model(const std::filesystem::path& directory, const models::NamedTensors& tensors,
                const ModelFiles& files, data::ModelCard card,
                const std::optional<data::SeenQuestions>& seen);

// The part of a model card that is the same for every task.
data::ModelCard card_of(const TrainConfig& config, const Validation& validation);

}  // namespace rubric::train
