// What tasks have in common: which parameters are trained, dropout keys, the card and the folder of
// a model. Most train an encoder under a head.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "data/model_files/model_directory.h"
#include "models/architecture.h"
#include "models/ops/device.h"
#include "models/ops/dropout.h"
#include "train/settings/train_config.h"
#include "train/task.h"

namespace rubric::train {

// The same parameters, of which gradients are recorded from now on.
Parameters trained_parameters(Parameters parameters);

// The key of each token of the rows: a hash of (seed, update, example, position).
models::DropoutKeys dropout_keys(std::span<const int64_t> examples,
                                 std::span<const int64_t> lengths, int64_t seed, int64_t update);

// Where a run computes: the CPU, or this rank's GPU.
at::Device device_of(const TrainConfig& config);

// As long as it lives models compute in the configuration's precision.
models::Autocast precision_of(const TrainConfig& config);

// On a GPU masks are not hashes of keys: its generator starts anew for every piece of a batch, from
// (seed, update, the piece's first example), so that nothing of it need be saved.
void seed_dropout(const TrainConfig& config, std::span<const int64_t> examples, int64_t update);

// The files beside a model's weights, by name: what a model trained from it needs too.
using ModelFiles = std::vector<std::pair<std::string, std::string>>;
ModelFiles read_model_files(const std::filesystem::path& model_directory);

// Writes a model directory into an empty folder.
void save_model(const std::filesystem::path& directory, const models::NamedTensors& tensors,
                const ModelFiles& files, data::ModelCard card);

// What a card says of every run, whatever its task.
data::ModelCard card_of(const TrainConfig& config, const Validation& validation);

}  // namespace rubric::train
