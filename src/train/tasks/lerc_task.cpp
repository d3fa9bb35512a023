#include "train/tasks/lerc_task.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>

#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/system/log.h"
#include "data/model_files/shipped_models.h"
#include "data/tasks/lerc_kind.h"
#include "distributed/collective.h"
#include "metrics/neural/batched_inference.h"
#include "metrics/neural/encoder_fit.h"
#include "metrics/neural/lerc.h"
#include "metrics/ngram/answer_features.h"
#include "metrics/ngram/squad.h"
#include "models/ops/device.h"
#include "stats/binary.h"
#include "stats/correlation.h"

namespace rubric::train {
namespace {

data::TrainedBelow training_of(const data::ModelCard& card) {
  return {card.encoder, card.train, card.train_sha256, card.hold_out, card.seed};
}

// The mean over constituents; undefined if any of them is, as in `evaluate`.
std::optional<double> mean_pearson(const std::vector<double>& predicted,
                                   std::span<const data::Answer> answers, Json& parts) {
  std::map<std::string, std::pair<std::vector<double>, std::vector<double>>> groups;
  for (size_t i = 0; i < predicted.size(); ++i) {
    groups[answers[i].constituent].first.push_back(predicted[i]);
    groups[answers[i].constituent].second.push_back(*answers[i].score);
  }
  std::optional<double> sum = 0.0;
  for (const auto& [constituent, values] : groups) {
    const std::optional<double> r = stats::pearson(values.first, values.second);
    parts["constituents"][constituent] = r ? Json(*r) : Json();
    sum = sum && r ? std::optional(*sum + *r) : std::nullopt;
  }
  return sum ? std::optional(*sum / static_cast<double>(groups.size())) : std::nullopt;
}

}  // namespace

std::optional<double> correct_threshold(std::span<const double> scores,
                                        std::span<const double> labels) {
  if (labels.empty()) return std::nullopt;
  const auto [lowest, highest] = std::ranges::minmax(labels);
  std::vector<bool> is_right;
  for (const double label : labels) is_right.push_back(label > std::midpoint(lowest, highest));
  const std::vector<stats::ScoreLevel> levels = stats::score_levels(scores, is_right);
  const double best = stats::best_threshold(levels, stats::ThresholdGoal::accuracy);
  if (!stats::has_both_labels(levels) || !std::isfinite(best)) return std::nullopt;
  const auto predicted_correct = [&](double threshold) {
    return std::ranges::count_if(scores, [&](double score) { return score >= threshold; });
  };
  double unit = 1000;
  for (int decimals = 3; decimals < std::numeric_limits<double>::digits10; ++decimals) {
    const double rounded = std::round(best * unit) / unit;
    if (predicted_correct(rounded) == predicted_correct(best)) return rounded;
    unit *= 10;
  }
  return best;
}

LercTask::LercTask(const TrainConfig& config, const std::filesystem::path& encoder_directory,
                   metrics::LercModel model, LercData data)
    : config_(config), data_(std::move(data)), model_(std::move(model)) {
  const int64_t vocabulary = model_.encoder->limits().vocabulary_size;
  for (const data::TokenBatch* tokens : {&data_.train.tokens, &data_.dev.tokens}) {
    if (tokens->ids.empty()) continue;
    const auto [least, most] = std::minmax_element(tokens->ids.begin(), tokens->ids.end());
    if (*least < 0 || *most >= vocabulary) {
      throw InputError(
          "a token id is outside the model's vocabulary of " + std::to_string(vocabulary),
          encoder_directory.string(), "use the tokenizer that belongs to the model");
    }
  }
  for (const char is_same : data_.dev.same_answer) {
    const int64_t last = dev_answer_of_row_.empty() ? -1 : dev_answer_of_row_.back();
    dev_answer_of_row_.push_back(is_same == 1 ? last : last + 1);
  }
  for (const data::Answer& answer : data_.dev_answers) dev_labels_.push_back(*answer.score);
  const int64_t dev_answers = dev_answer_of_row_.empty() ? 0 : dev_answer_of_row_.back() + 1;
  if (std::ssize(dev_answer_of_row_) != data_.dev.rows() ||
      dev_answers != std::ssize(dev_labels_)) {
    throw std::logic_error("the dev rows are of other answers");
  }
  for (int64_t row = 0; row < data_.train.rows(); ++row) {
    lengths_.push_back(data_.train.tokens.length(row));
  }
  // Hashed now: the files may change during the run.
  train_sha256_ = sha256_file(config.data.train);
  files_ = read_model_files(encoder_directory);
  start_seen_ = seen_questions(config, encoder_directory, {{}, data_.questions.tuned});
  model_.scale = data_.scale;
  model_.encoder->checkpoint_gradients(config.model.checkpoint_gradients);
  start_card_ = data::read_model_card(encoder_directory);
  if (model_.reads_features()) {
    below_ = config.head.keep ? start_card_.below : training_of(start_card_);
  }
  is_start_shipped_ = data::find_shipped_at(encoder_directory) == &data::kLercAnswersSmall;
  models::move_to(device_of(config), model_.tensors());
}

const LercTask::CachedRows& LercTask::cached(const data::TokenBatch& rows,
                                             CachedRows& cache) const {
  if (cache.encoder_logits.defined()) return cache;
  const at::Device device = device_of(config_);
  const models::Autocast precision = precision_of(config_);
  const at::Tensor logits = metrics::predict_rows(
      rows, config_.batches.max_tokens, device,
      [&](const models::PackedTokens& tokens) { return model_.encoder_logits(tokens); });
  cache = {models::on_device(logits, device),
           models::on_device(models::pack(rows).features, device)};
  return cache;
}

double LercTask::targets(std::span<const int64_t> examples) const {
  return static_cast<double>(examples.size());
}

at::Tensor LercTask::loss_sum(std::span<const int64_t> examples, int64_t step) {
  const models::Autocast precision = precision_of(config_);
  seed_dropout(config_, examples, step);
  std::vector<float> labels;
  for (const int64_t example : examples) {
    labels.push_back(static_cast<float>(data_.train.labels[static_cast<size_t>(example)]));
  }
  at::Tensor logits;
  if (model_.reads_features()) {
    const at::Tensor rows =
        models::index_tensor({examples.begin(), examples.end()}, device_of(config_));
    const CachedRows& all = cached(data_.train.tokens, train_);
    logits = model_.logits_of(all.encoder_logits.index_select(0, rows),
                              all.features.index_select(0, rows));
  } else {
    logits = model_.logits(models::pack(data::select_rows(data_.train.tokens, examples)),
                           dropout_keys(examples, lengths_, config_.seed, step));
  }
  return loss_of(logits,
                 models::on_device(at::tensor(at::ArrayRef<float>(labels)), logits.device()));
}

at::Tensor LercTask::loss_of(const at::Tensor& logits, const at::Tensor& scores) const {
  if (config_.head.loss == "cross_entropy") {
    const at::Tensor shares = (scores - data_.scale.low) / (data_.scale.high - data_.scale.low);
    return at::binary_cross_entropy_with_logits(logits, shares, {}, {}, at::Reduction::Sum);
  }
  // Bounded scores are compared as if from 1 to 5, so that a scale does not choose the rate.
  constexpr data::LabelScale kUsual;
  const double unit =
      model_.is_bounded ? (kUsual.high - kUsual.low) / (data_.scale.high - data_.scale.low) : 1;
  const at::Tensor error = (model_.scores_of(logits) - scores) * unit;
  return (error * error).sum();
}

std::string LercTask::describe() const {
  return rubric::train::describe(data_);
}

std::string LercTask::example_name(int64_t example) const {
  const auto i = static_cast<size_t>(example);
  return data_.train.constituents[i] + "/" + data_.train.ids[i];
}

Parameters LercTask::parameters() {
  Parameters trained;
  for (Parameter& parameter : model_.parameters()) {
    const bool is_new =
        parameter.name.starts_with("feature_layer.") || parameter.name.starts_with("output_layer.");
    if (model_.reads_features() && !is_new) continue;
    if (is_new || parameter.name.starts_with("score_layer.")) parameter.rate = config_.head.rate;
    trained.push_back(std::move(parameter));
  }
  return trained_parameters(std::move(trained));
}

at::Tensor LercTask::row_logits(const distributed::Ranks& ranks) {
  if (model_.reads_features()) {
    const at::NoGradGuard no_grad;
    const CachedRows& rows = cached(data_.dev.tokens, dev_);
    const at::Tensor all = model_.logits_of(rows.encoder_logits, rows.features).to(at::kCPU);
    // The first rank's, so that no bit of another's makes it stop at another update.
    return distributed::gather_shares(ranks, {data_.dev.rows()}, [&](WorkShare share) {
      return share.index == 0 ? all : at::zeros({0}, all.options());
    });
  }
  const models::Autocast precision = precision_of(config_);
  return distributed::gather_shares(ranks, {data_.dev.rows()}, [&](WorkShare share) {
    return metrics::predict_rows(
        data_.dev.tokens, config_.batches.max_tokens, device_of(config_),
        [&](const models::PackedTokens& tokens) { return model_.logits(tokens); }, {}, share);
  });
}

at::Tensor LercTask::dev_logits(const distributed::Ranks& ranks) {
  const at::Tensor rows = row_logits(ranks);
  const at::Tensor highest = at::zeros({std::ssize(dev_labels_)}, rows.options());
  return highest.scatter_reduce(0, models::index_tensor(dev_answer_of_row_), rows, "amax",
                                /*include_self=*/false);
}

std::optional<double> LercTask::dev_pearson(const std::vector<double>& predicted,
                                            Json& parts) const {
  const std::optional<double> mean = mean_pearson(predicted, data_.dev_answers, parts);
  return config_.run.pooled_validation ? stats::pearson(predicted, dev_labels_) : mean;
}

// With all references of each row. What it warns of is no matter of this run.
std::vector<double> LercTask::score_dev_answers(const std::filesystem::path& model) const {
  Context context = current_context();
  context.observer = nullptr;
  const ContextScope scope(context);
  const data::Scores scores = metrics::make_lerc(config_.task, model)->score(data_.dev_answers);
  std::vector<double> values;
  for (const std::vector<double>& row : scores.rows) values.push_back(row.front());
  return values;
}

std::vector<Baseline> LercTask::baselines() {
  // Every score is of all references of a row; the rows are those of validate(), in their order.
  std::vector<Baseline> all;
  const auto add = [&](const std::string& name, std::vector<double> scores) {
    Json parts;
    const std::optional<double> value = dev_pearson(scores, parts);
    all.push_back({{name, value}, std::move(scores)});
  };
  const bool starts_shipped = is_start_shipped_ && config_.head.keep;
  if (!starts_shipped && config_.task == data::kLercTask.name) {
    const data::ShippedModel& shipped = data::kLercAnswersSmall;
    const std::string name(shipped.aliases.front());
    try {
      add(name, score_dev_answers(data::shipped_model(shipped)));
    } catch (const InputError& error) {  // it is not installed, or a row is too long for it
      log_warning("the dev rows are not scored by " + name + ": " + one_line(error));
    }
  }
  for (const auto& [name, score] :
       {std::pair("recall", &metrics::token_recall), std::pair("f1", &metrics::squad_f1)}) {
    std::vector<double> scores;
    for (const data::Answer& answer : data_.dev_answers) {
      scores.push_back(score(answer.references, answer.candidate));
    }
    add(name, std::move(scores));
  }
  return all;
}

std::vector<std::string> LercTask::data_notes() const {
  std::vector<std::string> notes;
  if (!start_seen_.start_note.empty()) notes.push_back(start_seen_.start_note);
  if (data_.shared.count > 0) notes.push_back(data::shared_note(data_.shared));
  if (!data_.few_note.empty()) notes.push_back(data_.few_note);
  return notes;
}

std::vector<std::string> LercTask::notes(std::span<const double> scores) const {
  std::vector<std::string> notes;
  // Scores with bounds keep to the scale, but it may be wider than the labels.
  const bool is_bounded = model_.is_bounded;
  const data::LabelScale& range = is_bounded ? data_.labels : data_.scale;
  const int64_t outside = data::count_outside(range, scores);
  if (outside > 0) {
    notes.push_back(std::to_string(outside) + " of " + std::to_string(scores.size()) +
                    " dev scores are outside the " + (is_bounded ? "range" : "scale") +
                    " of the labels, " + data::scale_text(range) + ": " +
                    (is_bounded ? "the scale, data.scale, is " + data::scale_text(data_.scale)
                                : "head.bounded: true keeps them on it, where the task has a "
                                  "head"));
  }
  return notes;
}

Validation LercTask::validate(const distributed::Ranks& ranks) {
  const at::Tensor logits = dev_logits(ranks);
  const at::Tensor scores = model_.scores_of(logits);
  const float* const values = scores.const_data_ptr<float>();
  const std::vector<double> predicted(values, values + scores.numel());
  for (size_t i = 0; i < predicted.size(); ++i) {
    if (std::isfinite(predicted[i])) continue;
    throw Error("the model predicts " + std::to_string(predicted[i]),
                "dev example " + data_.dev_answers[i].constituent + "/" + data_.dev_answers[i].id,
                "lower optimizer.learning_rate or add optimizer.warmup_steps");
  }
  Validation validation{std::nullopt, "pearson", Json(Json::Object()), {}};
  const at::Tensor labels = at::tensor(at::ArrayRef<double>(dev_labels_), at::kDouble);
  validation.loss = loss_of(logits.to(at::kDouble), labels).item<double>() /
                    static_cast<double>(predicted.size());
  validation.value = dev_pearson(predicted, validation.parts);
  if (config_.task == data::kLercTask.name) {
    validation.threshold = correct_threshold(predicted, dev_labels_);
  }
  for (size_t i = 0; i < predicted.size(); ++i) {
    Json row;
    row["constituent"] = data_.dev_answers[i].constituent;
    row["id"] = data_.dev_answers[i].id;
    row["score"] = dev_labels_[i];
    row["scores"][config_.task] = predicted[i];
    validation.predictions.push_back(std::move(row));
  }
  return validation;
}

void LercTask::save(const std::filesystem::path& directory, const Validation& validation) {
  data::ModelCard card = card_of(config_, validation);
  card.train = config_.data.train;
  card.train_sha256 = train_sha256_;
  card.hold_out = config_.data.hold_out;
  card.scale = data::scale_text(data_.scale);
  card.head = config_.head.head;
  card.features_version = metrics::kFeaturesVersion;
  card.below = below_;
  std::optional<data::SeenQuestions> seen = start_seen_.questions;
  if (validation.is_start) {  // the rows of this run have chosen its threshold alone
    card.encoder = start_card_.encoder;
    card.train = start_card_.train;
    card.train_sha256 = start_card_.train_sha256;
    card.hold_out = start_card_.hold_out;
    card.seed = start_card_.seed;
  } else if (seen) {
    seen->add({data_.questions.trained, {}});
  }
  save_model(directory, model_.tensors(), files_, card, seen);
}

namespace {

// With features the model is a trained LERC.
void require_trained_lerc(const std::filesystem::path& directory) {
  const std::string task = data::read_model_card(directory).task;
  if (task == data::kLercTask.name) return;
  throw InputError(
      "head.features are read beside the score of a trained LERC, and this model was "
      "trained for " +
          task,
      "model.name " + directory.string(),
      "name a model that was trained for lerc, with head.bounded: true");
}

// And it must read what it was trained to read.
void require_inputs_of(const data::ModelCard& card, const std::filesystem::path& directory,
                       const TrainConfig& config) {
  if (!config.head.keep && !card.head.features.empty()) {
    throw InputError("the trained LERC reads features already", "model.name " + directory.string(),
                     "name the model that was trained without head.features, or set head.keep: "
                     "true and leave head.features out");
  }
  const auto require = [&](bool is_equal, const std::string& key, const std::string& value) {
    if (is_equal) return;
    throw InputError("the trained LERC has another " + key, "model.name " + directory.string(),
                     "set " + key + ": " + value);
  };
  const DataConfig& data = config.data;
  require(card.inputs == data.inputs, "data.inputs", "[" + join(card.inputs) + "]");
  require(card.max_length == data.max_length, "data.max_length", std::to_string(card.max_length));
  require(card.cut == data.cut, "data.cut", card.cut);
  require(card.head.bounded == config.head.head.bounded, "head.bounded",
          card.head.bounded ? "true" : "false");
}

// The model to train. Where a head is kept, `head` becomes what it is.
metrics::LercModel start_model(const std::filesystem::path& directory, TrainConfig& config) {
  HeadConfig& head = config.head;
  if (head.keep && !head.head.features.empty()) {
    throw InputError("a head that is kept has its own features", "head.features",
                     "leave it out, or set head.keep: false");
  }
  const bool reads_card = head.keep && is_there(directory / "rubric.yaml", "make it readable");
  const data::ModelCard card = data::read_model_card(directory);
  const bool is_other = reads_card && card.task != data::kLercTask.name;
  if (auto kept = head.keep && !is_other ? metrics::find_lerc(directory) : std::nullopt) {
    require_inputs_of(card, directory, config);
    head.head = card.head;
    return std::move(*kept);
  }
  if (head.keep) {
    log_info(config.model.name +
             " is no trained LERC, whose head could be kept: a new one is "
             "trained, and the encoder with it");
    head.keep = false;
  }
  if (!head.head.features.empty()) require_trained_lerc(directory);
  metrics::LercModel model =
      metrics::start_lerc(directory, static_cast<uint64_t>(config.seed), head.head);
  if (model.reads_features()) require_inputs_of(card, directory, config);
  return model;
}

}  // namespace

template <>
std::unique_ptr<Task> open_task<data::kLercTask>(const TrainConfig& given,
                                                 const std::filesystem::path& encoder_directory) {
  require_head(given.head);
  TrainConfig config = given;
  // The model first: its errors show before time is spent on the data.
  const auto tokenizer = text::open_tokenizer(encoder_directory);
  metrics::LercModel model = start_model(encoder_directory, config);
  metrics::require_fit(*model.encoder, *tokenizer, encoder_directory);
  metrics::require_positions(*model.encoder, config.data.max_length, encoder_directory);
  LercData data = load_lerc_data(config, *tokenizer);
  return std::make_unique<LercTask>(config, encoder_directory, std::move(model), std::move(data));
}

template <>
std::unique_ptr<Task> open_task<data::kSimilarityTask>(
    const TrainConfig& config, const std::filesystem::path& encoder_directory) {
  return open_task<data::kLercTask>(config, encoder_directory);
}

}  // namespace rubric::train
