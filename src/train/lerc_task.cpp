#include "train/lerc_task.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "config/model_card.h"
#include "config/printer.h"
#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/random.h"
#include "data/model_directory.h"
#include "models/weights.h"
#include "neural_metrics/lerc.h"
#include "stats/correlation.h"

namespace rubric {
namespace {

bool decays(const std::string& name) {
  return !name.ends_with("bias") && name.find("LayerNorm") == std::string::npos;
}

// The mean over constituents; undefined when it is for one of them, as `evaluate` has it.
std::optional<double> mean_pearson(const std::vector<double>& predicted,
                                   const TokenizedAnswers& answers, Json& parts) {
  std::map<std::string, std::pair<std::vector<double>, std::vector<double>>> groups;
  for (size_t i = 0; i < predicted.size(); ++i) {
    groups[answers.constituents[i]].first.push_back(predicted[i]);
    groups[answers.constituents[i]].second.push_back(answers.labels[i]);
  }
  std::optional<double> sum = 0.0;
  for (const auto& [constituent, values] : groups) {
    const std::optional<double> r = pearson(values.first, values.second);
    parts[constituent] = r ? Json(*r) : Json();
    sum = sum && r ? std::optional(*sum + *r) : std::nullopt;
  }
  return sum ? std::optional(*sum / static_cast<double>(groups.size())) : std::nullopt;
}

}  // namespace

LercTask::LercTask(const TrainConfig& config, const std::filesystem::path& encoder_directory,
                   LercModel model, LercData data)
    : config_(config), data_(std::move(data)), model_(std::move(model)) {
  const BertConfig& bert = model_.encoder.config();
  for (const TokenBatch* tokens : {&data_.train.tokens, &data_.dev.tokens}) {
    const auto [least, most] = std::minmax_element(tokens->ids.begin(), tokens->ids.end());
    if (*least < 0 || *most >= bert.vocab_size) {
      throw InputError(
          "a token id is outside the model's vocabulary of " + std::to_string(bert.vocab_size),
          encoder_directory.string(), "use the tokenizer that belongs to the model");
    }
  }
  for (int64_t row = 0; row < data_.train.rows(); ++row) {
    lengths_.push_back(data_.train.tokens.length(row));
  }
  for (auto& [name, tensor] : model_.parameters()) tensor.set_requires_grad(true);
  // Read now: they may change while the run goes on.
  train_sha256_ = sha256_file(config.data.train);
  for (const std::filesystem::path& file : files_beside_weights(encoder_directory)) {
    copied_.emplace_back(file.filename().string(), read_file(file));
  }
}

double LercTask::targets(std::span<const int64_t> examples) const {
  return static_cast<double>(examples.size());
}

at::Tensor LercTask::loss_sum(std::span<const int64_t> examples, int64_t step) {
  std::vector<float> labels;
  for (const int64_t example : examples) {
    labels.push_back(static_cast<float>(data_.train.labels[static_cast<size_t>(example)]));
  }
  const at::Tensor predicted =
      model_.predict(pack(select_rows(data_.train.tokens, examples)), dropout_keys(examples, step));
  const at::Tensor error = predicted - at::tensor(at::ArrayRef<float>(labels));
  return (error * error).sum();
}

DropoutKeys LercTask::dropout_keys(std::span<const int64_t> examples, int64_t step) const {
  std::vector<int64_t> keys;
  for (const int64_t example : examples) {
    const uint64_t row = random_bits(static_cast<uint64_t>(config_.seed), Purpose::dropout,
                                     static_cast<uint64_t>(step), static_cast<uint64_t>(example));
    const int64_t length = lengths_[static_cast<size_t>(example)];
    for (int64_t position = 0; position < length; ++position) {
      keys.push_back(static_cast<int64_t>(mix(row + static_cast<uint64_t>(position))));
    }
  }
  return {at::tensor(at::IntArrayRef(keys), at::kLong)};
}

std::string LercTask::example_name(int64_t example) const {
  const auto i = static_cast<size_t>(example);
  return data_.train.constituents[i] + "/" + data_.train.ids[i];
}

Parameters LercTask::parameters() {
  Parameters parameters;
  for (const auto& [name, tensor] : model_.parameters()) {
    parameters.push_back({name, tensor, decays(name)});
  }
  return parameters;
}

Validation LercTask::validate() {
  const std::vector<double> predicted =
      predict_scores(model_, data_.dev.tokens, config_.batches.max_tokens);
  for (size_t i = 0; i < predicted.size(); ++i) {
    if (std::isfinite(predicted[i])) continue;
    throw Error("the model predicts " + std::to_string(predicted[i]),
                "dev example " + data_.dev.constituents[i] + "/" + data_.dev.ids[i],
                "lower optimizer.learning_rate or add optimizer.warmup_steps");
  }
  Validation validation{std::nullopt, "pearson", Json(Json::Object()), {}};
  validation.figure = mean_pearson(predicted, data_.dev, validation.parts);
  if (config_.run.pooled_validation) validation.figure = pearson(predicted, data_.dev.labels);
  for (size_t i = 0; i < predicted.size(); ++i) {
    Json row;
    row["constituent"] = data_.dev.constituents[i];
    row["id"] = data_.dev.ids[i];
    row["score"] = data_.dev.labels[i];
    row["scores"]["lerc"] = predicted[i];
    validation.predictions.push_back(std::move(row));
  }
  return validation;
}

void LercTask::save(const std::filesystem::path& directory, const Validation& validation) {
  NamedTensors tensors;
  for (const auto& [name, tensor] : model_.parameters()) {
    tensors.emplace_back(name, tensor.detach());
  }
  write_weights(directory, tensors);
  for (const auto& [name, bytes] : copied_) write_file(directory / name, bytes);
  ModelCard card;
  card.inputs = config_.data.inputs;
  card.max_length = config_.data.max_length;
  card.encoder = config_.model.name;
  card.train = config_.data.train;
  card.train_sha256 = train_sha256_;
  card.hold_out = config_.data.hold_out;
  card.seed = config_.seed;
  card.validation = validation.name;
  card.validation_figure = validation.figure;
  write_file(directory / "rubric.yaml", print_config(card));
}

std::unique_ptr<Task> open_lerc_task(const TrainConfig& config,
                                     const std::filesystem::path& encoder_directory) {
  // The model first: what is wrong with it shows before time goes into the data.
  const auto tokenizer = open_tokenizer(encoder_directory);
  LercModel model = start_lerc(encoder_directory, static_cast<uint64_t>(config.seed));
  require_fit(model, *tokenizer, encoder_directory);
  require_positions(model, config.data.max_length, encoder_directory);
  LercData data = load_lerc_data(config, *tokenizer);
  return std::make_unique<LercTask>(config, encoder_directory, std::move(model), std::move(data));
}

}  // namespace rubric
