#include "train/tasks/choice_task.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/hash.h"
#include "data/tasks/choice_kind.h"
#include "distributed/collective.h"
#include "metrics/neural/batched_inference.h"
#include "metrics/neural/encoder_fit.h"
#include "metrics/neural/lerc_model.h"
#include "models/ops/device.h"
#include "models/ops/linear.h"
#include "train/settings/choice_data.h"
#include "train/settings/train_config.h"

namespace rubric::train {

namespace {

constexpr const char* kLabelNames[kChoiceLabels] = {"first", "second", "both"};

// One SHA-256 over all training files.
std::string train_sha256(const TrainConfig& config) {
  const Json hashes = data_hashes(config);
  std::string all;
  for (const auto& [key, hash] : hashes.object()) {
    if (key.ends_with(".train")) all += hash.string();
  }
  return sha256(all);
}

std::vector<std::string> train_paths(const TrainConfig& config) {
  std::vector<std::string> paths;
  for (const DataSource& source : data_sources(config)) {
    if (source.key.ends_with(".train")) paths.push_back(source.path.string());
  }
  return paths;
}

std::vector<uint64_t> questions_of(const ChoiceSplit& split) {
  std::vector<std::string> questions;
  for (const data::ChoiceQuestion& question : split.questions) {
    questions.push_back(question.question);
  }
  return data::question_list(questions);
}

Json prediction(const data::ChoiceQuestion& question, const data::Answer& row, ChoiceLabel label,
                const LogProbabilities& predicted) {
  Json json;
  json["source"] = question.source;
  json["id"] = question.id;
  json["first"] = row.references[0];
  json["second"] = row.candidate;
  json["label"] = kLabelNames[static_cast<size_t>(label)];
  for (size_t i = 0; i < predicted.size(); ++i) {
    json["probabilities"][kLabelNames[i]] = std::exp(predicted[i]);
  }
  return json;
}

}  // namespace

ChoiceTask::ChoiceTask(const TrainConfig& config, const std::filesystem::path& encoder_directory,
                       ChoiceModel model, std::unique_ptr<text::Tokenizer> tokenizer,
                       ChoiceData data)
    : config_(config),
      data_(std::move(data)),
      model_(std::move(model)),
      tokenizer_(std::move(tokenizer)),
      dev_rows_(dev_rows(data_.dev, *tokenizer_, input())),
      train_sha256_(train_sha256(config)),  // hashed now: the files may change during the run
      files_(read_model_files(encoder_directory)),
      seen_(seen_questions(config, encoder_directory,
                           {questions_of(data_.train), questions_of(data_.dev)})
                .questions) {
  models::move_to(device_of(config), model_.tensors());
}

double ChoiceTask::targets(std::span<const int64_t> examples) const {
  return static_cast<double>(examples.size());
}

at::Tensor ChoiceTask::loss_sum(std::span<const int64_t> examples, int64_t step) {
  const models::Autocast precision = precision_of(config_);
  seed_dropout(config_, examples, step);
  const ChoiceRows rows = choice_rows(data_.train, examples, static_cast<uint64_t>(config_.seed),
                                      step, *tokenizer_, input());
  std::vector<int64_t> labels;
  for (const ChoiceLabel label : rows.labels) labels.push_back(static_cast<int64_t>(label));
  const at::Tensor logits = model_.logits(
      models::pack(rows.tokens), dropout_keys(examples, data_.train.lengths, config_.seed, step));
  return at::cross_entropy_loss(logits, models::index_tensor(labels, logits.device()), {},
                                at::Reduction::Sum);
}

std::string ChoiceTask::example_name(int64_t example) const {
  const data::ChoiceQuestion& question = data_.train.question_of(example);
  return question.source + "/" + question.id;
}

std::vector<LogProbabilities> ChoiceTask::predict_dev(const distributed::Ranks& ranks) const {
  const at::Device device = device_of(config_);
  const models::Autocast precision = precision_of(config_);
  const std::vector<int64_t> shape = {dev_rows_.tokens.rows(), kChoiceLabels};
  const at::Tensor logits = distributed::gather_shares(ranks, shape, [&](WorkShare share) {
    return metrics::predict_rows(
        dev_rows_.tokens, config_.batches.max_tokens, device,
        [&](const models::PackedTokens& tokens) { return model_.logits(tokens); }, {}, share);
  });
  const at::Tensor log_probabilities = at::log_softmax(logits.to(at::kDouble), 1);
  const double* values = log_probabilities.const_data_ptr<double>();
  std::vector<LogProbabilities> rows(dev_rows_.labels.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    for (double& value : rows[i]) {
      value = *values++;
      if (std::isfinite(value)) continue;
      const data::ChoiceQuestion& question = data_.dev.question_of(static_cast<int64_t>(i));
      throw Error("the model predicts " + std::to_string(value),
                  "dev question " + question.source + "/" + question.id,
                  "lower optimizer.learning_rate or add optimizer.warmup_steps");
    }
  }
  return rows;
}

Validation ChoiceTask::validate(const distributed::Ranks& ranks) {
  const std::vector<LogProbabilities> predicted = predict_dev(ranks);
  const ChoiceMetrics all = choice_metrics(data_.dev, dev_rows_.labels, predicted);
  Validation validation{all.accuracy, "accuracy", to_json(all), {}};
  validation.loss = all.loss;
  std::set<std::string> sources;
  for (const data::ChoiceQuestion& question : data_.dev.questions) sources.insert(question.source);
  for (const std::string& source : sources) {
    validation.parts["sources"][source] =
        to_json(choice_metrics(data_.dev, dev_rows_.labels, predicted, source));
  }
  for (size_t i = 0; i < predicted.size(); ++i) {
    const data::ChoiceQuestion& question = data_.dev.question_of(static_cast<int64_t>(i));
    const bool swapped = dev_rows_.labels[i] == ChoiceLabel::second;
    const data::Answer row = as_answer(question, data_.dev.pairs[i], swapped);
    validation.predictions.push_back(prediction(question, row, dev_rows_.labels[i], predicted[i]));
  }
  return validation;
}

void ChoiceTask::save(const std::filesystem::path& directory, const Validation& validation) {
  data::ModelCard card = card_of(config_, validation);
  card.train = join(train_paths(config_));
  card.train_sha256 = train_sha256_;
  save_model(directory, model_.tensors(), files_, card, seen_);
}

template <>
std::unique_ptr<Task> open_task<data::kChoiceTask>(const TrainConfig& config,
                                                   const std::filesystem::path& encoder_directory) {
  // The model first: its errors show before time is spent on the data.
  std::unique_ptr<text::Tokenizer> tokenizer = text::open_tokenizer(encoder_directory);
  ChoiceModel model = start_choice_model(encoder_directory, static_cast<uint64_t>(config.seed));
  model.encoder->checkpoint_gradients(config.model.checkpoint_gradients);
  metrics::require_fit(*model.encoder, *tokenizer, encoder_directory);
  metrics::require_positions(*model.encoder, config.data.max_length, encoder_directory);
  ChoiceData data = load_choice_data(config, *tokenizer);
  return std::make_unique<ChoiceTask>(config, encoder_directory, std::move(model),
                                      std::move(tokenizer), std::move(data));
}

at::Tensor ChoiceModel::logits(const models::PackedTokens& tokens,
                               const models::DropoutKeys& keys) const {
  return models::float_linear(encoder->cls_states(tokens, keys), classifier);
}

models::Parameters ChoiceModel::parameters() {
  models::Parameters all = encoder->parameters();
  all.push_back({"classifier.weight", classifier.weight, /*decays=*/true});
  all.push_back({"classifier.bias", classifier.bias, /*decays=*/false});
  return all;
}

ChoiceModel start_choice_model(const std::filesystem::path& encoder_directory, uint64_t seed) {
  models::LoadedEncoder loaded = metrics::open_answer_encoder(encoder_directory);
  const int64_t hidden = loaded.encoder->limits().width;
  return {std::move(loaded.encoder), metrics::start_head(kChoiceLabels, hidden, seed)};
}

ChoiceLabel most_probable(const LogProbabilities& p) {
  return static_cast<ChoiceLabel>(std::max_element(p.begin(), p.end()) - p.begin());
}

ChoiceMetrics choice_metrics(const ChoiceSplit& split, const std::vector<ChoiceLabel>& labels,
                             const std::vector<LogProbabilities>& predicted,
                             const std::string& source) {
  int64_t right = 0;
  double loss = 0;
  std::array<int64_t, kChoiceLabels> frequency{};
  std::map<int64_t, bool> ranks_right;  // by question: whether all its pairs are ranked correctly
  for (size_t i = 0; i < labels.size(); ++i) {
    if (!source.empty() && split.question_of(static_cast<int64_t>(i)).source != source) continue;
    const auto label = static_cast<size_t>(labels[i]);
    const LogProbabilities& p = predicted[i];
    right += most_probable(p) == labels[i] ? 1 : 0;
    loss -= p[label];
    ++frequency[label];
    bool& ranks = ranks_right.emplace(split.pairs[i].question, true).first->second;
    if (labels[i] != ChoiceLabel::both) ranks = ranks && p[label] > p[1 - label];
  }
  ChoiceMetrics metrics;
  for (const int64_t count : frequency) metrics.pairs += count;
  metrics.questions = std::ssize(ranks_right);
  const auto pairs = static_cast<double>(metrics.pairs);
  metrics.accuracy = static_cast<double>(right) / pairs;
  metrics.majority =
      static_cast<double>(*std::max_element(frequency.begin(), frequency.end())) / pairs;
  metrics.loss = loss / pairs;
  const auto ranked = std::ranges::count_if(ranks_right, [](const auto& q) { return q.second; });
  metrics.question_accuracy = static_cast<double>(ranked) / static_cast<double>(metrics.questions);
  return metrics;
}

Json to_json(const ChoiceMetrics& metrics) {
  Json json;
  json["accuracy"] = metrics.accuracy;
  json["majority"] = metrics.majority;
  json["loss"] = metrics.loss;
  json["pairs"] = metrics.pairs;
  json["question_accuracy"] = metrics.question_accuracy;
  json["questions"] = metrics.questions;
  return json;
}

}  // namespace rubric::train
