#include "train/tasks/trained_model.h"

#include "config/printer.h"
#include "core/files/files.h"
#include "core/random.h"
#include "core/system/log.h"
#include "data/model_files/model_directory.h"
#include "models/ops/device.h"
#include "models/weights/weights.h"

namespace rubric::train {

Parameters trained_parameters(Parameters parameters) {
  for (const Parameter& parameter : parameters) parameter.tensor.set_requires_grad(true);
  return parameters;
}

models::DropoutKeys dropout_keys(std::span<const int64_t> examples,
                                 std::span<const int64_t> lengths, int64_t seed, int64_t update) {
  std::vector<int64_t> keys;
  for (const int64_t example : examples) {
    const uint64_t row = random_bits(static_cast<uint64_t>(seed), Purpose::dropout,
                                     static_cast<uint64_t>(update), static_cast<uint64_t>(example));
    const int64_t length = lengths[static_cast<size_t>(example)];
    for (int64_t position = 0; position < length; ++position) {
      keys.push_back(static_cast<int64_t>(mix(row + static_cast<uint64_t>(position))));
    }
  }
  return {at::tensor(at::IntArrayRef(keys), at::kLong)};
}

at::Device device_of(const TrainConfig& config) {
  return config.device == "cuda" ? at::kCUDA : at::kCPU;
}

models::Autocast precision_of(const TrainConfig& config) {
  return {device_of(config).type(), config.precision == "bfloat16"};
}

void seed_dropout(const TrainConfig& config, std::span<const int64_t> examples, int64_t update) {
  const at::Device device = device_of(config);
  if (device.is_cpu() || examples.empty()) return;
  models::set_random_seed(
      device, random_bits(static_cast<uint64_t>(config.seed), Purpose::dropout,
                          static_cast<uint64_t>(update), static_cast<uint64_t>(examples.front())));
}

ModelFiles read_model_files(const std::filesystem::path& model_directory) {
  ModelFiles files;
  for (const std::filesystem::path& file : data::files_beside_weights(model_directory)) {
    files.emplace_back(file.filename().string(), read_file(file));
  }
  return files;
}

data::ModelCard card_of(const TrainConfig& config, const Validation& validation) {
  data::ModelCard card;
  card.task = config.task;
  card.inputs = config.data.inputs;
  card.max_length = config.data.max_length;
  card.cut = config.data.cut;
  card.encoder = config.model.name;
  card.seed = config.seed;
  card.validation = validation.name;
  card.validation_score = validation.value;
  card.threshold = validation.threshold;
  return card;
}

SeenByRun seen_questions(const TrainConfig& config, const std::filesystem::path& model_directory,
                         data::SeenQuestions questions) {
  SeenByRun seen;
  std::optional<data::SeenQuestions> before;
  const bool is_random = config.model.weights == "random";  // nothing of that model but its shape
  if (!is_random) before = data::read_seen_questions(model_directory);
  if (before) seen.start_note = data::start_note(config.model.name, *before, questions.tuned);
  if (!seen.start_note.empty()) log_warning(seen.start_note);
  if (!config.data.question_hashes) return seen;
  if (before) {
    questions.add(*before);
  } else if (!is_random && !data::read_model_card(model_directory).train.empty()) {
    log_warning("the model to start from, " + model_directory.string() +
                ", does not list the questions that it was trained on, so the trained model lists "
                "only those of this run; rubric average MODEL --trained-on FILE adds them");
  }
  seen.questions = std::move(questions);
  return seen;
}

void save_model(const std::filesystem::path& directory, const models::NamedTensors& tensors,
                const ModelFiles& files, data::ModelCard card,
                const std::optional<data::SeenQuestions>& seen) {
  models::NamedTensors detached;
  for (const auto& [name, tensor] : tensors) detached.emplace_back(name, tensor.detach());
  models::write_weights(directory, detached);
  for (const auto& [name, bytes] : files) write_file(directory / name, bytes);
  data::write_seen_questions(directory, seen, card);
  write_file(directory / "rubric.yaml", config::print_config(card));
}

}  // namespace rubric::train
