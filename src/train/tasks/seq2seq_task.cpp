// Fine-tuning sequence-to-sequence and causal language models on source-target pairs: teacher
// forcing, cross-entropy over the target tokens.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/request.h"
#include "core/context.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/system/log.h"
#include "core/text/utf8.h"
#include "data/rows/rows.h"
#include "data/source_targets/source_target.h"
#include "data/source_targets/token_pairs.h"
#include "data/tasks/seq2seq_kind.h"
#include "distributed/collective.h"
#include "metrics/neural/opened_sequence_model.h"
#include "metrics/neural/pair_likelihoods.h"
#include "models/ops/device.h"
#include "models/ops/output_layer.h"
#include "text/tokenizer_files/token_entries.h"
#include "train/settings/train_config.h"
#include "train/tasks/trained_model.h"

namespace rubric::train {
namespace {

struct PairSplit {
  data::TokenPairs pairs;
  std::vector<std::string> ids;
  std::vector<uint64_t> questions;  // data::question_list()
  int64_t truncated_sources = 0, truncated_targets = 0;
};

void warn_of_positions(const data::PairConfig& config, int64_t positions) {
  for (const auto& [name, tokens] :
       {std::pair("max_source", config.max_source), {"max_target", config.max_target}}) {
    if (positions == 0 || tokens <= positions) continue;
    log_warning(std::string("seq2seq.") + name + " is " + std::to_string(tokens) +
                ", the model has positions for " + std::to_string(positions) +
                " tokens: longer texts count as too long");
  }
}

// Targets that their tokens change: the model learns what is left of them.
struct ChangedTargets {
  std::vector<std::string> ids;  // in quotes
  std::string before, after;     // the first one, from a little before its first change
};

void add_changed(const std::string& id, const std::string& before, const std::string& after,
                 ChangedTargets& changed) {
  changed.ids.push_back(json_quote(id));
  if (changed.ids.size() > 1) return;
  constexpr ptrdiff_t kBefore = 20, kShown = 60;  // characters
  const std::u32string texts[] = {decode_utf8(before), decode_utf8(after)};
  const auto change = std::ranges::mismatch(texts[0], texts[1]).in1 - texts[0].begin();
  const auto first = static_cast<size_t>(std::max<ptrdiff_t>(0, change - kBefore));
  const auto shown = [&](const std::u32string& text) {
    return json_quote((first > 0 ? "…" : "") + encode_utf8(text.substr(first, kShown)) +
                      (text.size() > first + kShown ? "…" : ""));
  };
  changed.before = shown(texts[0]);
  changed.after = shown(texts[1]);
}

void warn_of_changed_targets(const std::string& file, const ChangedTargets& changed, size_t rows) {
  if (changed.ids.empty()) return;
  log_warning(file + ": " + std::to_string(changed.ids.size()) + " of " + std::to_string(rows) +
              " targets do not come back from their tokens, so that the model cannot learn to "
              "write them; of record " +
              changed.ids.front() + " the target is " + changed.before + " and comes back as " +
              changed.after + "; records " + join_some(changed.ids));
}

PairSplit read_split(const std::string& file, const TrainConfig& config,
                     const metrics::OpenedSequenceModel& opened,
                     const std::filesystem::path& directory) {
  PairSplit split;
  data::PairEncoder encoder(
      *opened.tokenizer,
      data::pair_template(config.seq2seq, opened.tokens, (directory / "config.json").string()),
      file);
  const std::string format = config.data.format == "auto" ? "" : config.data.format;
  const data::FieldNames fields = config::assignments_of(config.data.fields, "--field", "source");
  ChangedTargets changed;
  std::vector<std::string> questions;  // where the rows have such a field
  const data::SourceTargetRows rows =
      data::read_source_targets_with_rows(file, data::input_format(format, file, "data.format"),
                                          data::PairTexts(config.seq2seq, fields));
  for (size_t i = 0; i < rows.records.size(); ++i) {
    end_if_stop_requested();
    encoder.encode(rows.records[i], split.pairs);
    const data::SourceTarget& record = rows.records[i];
    split.ids.push_back(record.id);
    const std::string target =
        record.given.empty() ? record.target : record.given + " " + record.target;
    if (const auto text = data::changed_target(*opened.tokenizer, target)) {
      add_changed(record.id, target, *text, changed);
    }
    const data::FieldValue question =
        data::find_field(rows.rows[i], data::field_name(fields, "question"));
    if (question != nullptr && question->is_string()) questions.push_back(question->string());
  }
  split.questions = data::question_list(questions);
  split.truncated_sources = std::ssize(encoder.truncated_sources().ids);
  split.truncated_targets = std::ssize(encoder.truncated_targets().ids);
  encoder.warn_of_truncations(split.ids.size());
  warn_of_changed_targets(file, changed, split.ids.size());
  return split;
}

std::string describe_split(const char* name, const PairSplit& split) {
  return std::string(name) + " " + std::to_string(split.pairs.rows()) + " rows, " +
         std::to_string(split.pairs.sources.ids.size()) + " source and " +
         std::to_string(split.pairs.targets.size()) + " target tokens, " +
         std::to_string(split.truncated_sources) + " sources and " +
         std::to_string(split.truncated_targets) + " targets cut";
}

// Splits the dropout keys of joined rows, source first: no two tokens of a pair share a key.
models::PairDropoutKeys split_keys(const at::Tensor& joined, const data::TokenPairs& batch) {
  std::vector<at::Tensor> source, target;
  int64_t place = 0;
  for (int64_t row = 0; row < batch.rows(); ++row) {
    const int64_t first = batch.sources.length(row), second = batch.decoder_inputs.length(row);
    source.push_back(joined.narrow(0, place, first));
    target.push_back(joined.narrow(0, place + first, second));
    place += first + second;
  }
  return {{at::cat(source)}, {at::cat(target)}};
}

// The model's files with the configuration changed to `size` embedding rows and float32 weights.
ModelFiles with_saved_shape(ModelFiles files, int64_t size) {
  for (auto& [name, bytes] : files) {
    if (name != "config.json") continue;
    Json config = Json::parse(bytes, name);
    config["vocab_size"] = size;
    for (const char* const precision : {"torch_dtype", "dtype"}) {
      if (config.find(precision) != nullptr) config[precision] = "float32";
    }
    bytes = config.dump(2) + "\n";
  }
  return files;
}

class Seq2SeqTask : public Task {
 public:
  // Trains `opened`, which was opened from `directory`.
  Seq2SeqTask(const TrainConfig& config, const std::filesystem::path& directory,
              metrics::OpenedSequenceModel opened);

  std::span<const int64_t> lengths() const override { return lengths_; }
  double targets(std::span<const int64_t> examples) const override;               // target tokens
  at::Tensor loss_sum(std::span<const int64_t> examples, int64_t step) override;  // cross-entropy
  std::string describe() const override;
  std::string example_name(int64_t example) const override;
  Parameters parameters() override { return trained_parameters(opened_.model->parameters()); }
  // The mean log-probability of a target token of the dev data, which is minus the dev loss.
  Validation validate(const distributed::Ranks& ranks) override;
  void save(const std::filesystem::path& directory, const Validation& validation) override;

 private:
  TrainConfig config_;
  metrics::OpenedSequenceModel opened_;
  PairSplit train_, dev_;
  std::vector<int64_t> lengths_;  // source plus target of each training pair
  std::string train_sha256_;
  ModelFiles files_;  // of the initial model, with the added tokens
  std::optional<data::SeenQuestions> seen_;
};

Seq2SeqTask::Seq2SeqTask(const TrainConfig& config, const std::filesystem::path& directory,
                         metrics::OpenedSequenceModel opened)
    : config_(config),
      opened_(std::move(opened)),
      train_(read_split(config.data.train, config, opened_, directory)),
      dev_(read_split(config.data.dev, config, opened_, directory)) {
  opened_.model->checkpoint_gradients(config.model.checkpoint_gradients);
  models::move_to(device_of(config), opened_.model->tensors());
  for (int64_t row = 0; row < train_.pairs.rows(); ++row) {
    lengths_.push_back(train_.pairs.tokens(row));
  }
  // Hashed now: the files may change during the run.
  train_sha256_ = sha256_file(config.data.train);
  const auto before = text::open_generation_tokenizer(directory);
  files_ = with_saved_shape(
      text::with_added_tokens(read_model_files(directory), config.model.add_tokens, *before),
      opened_.model->vocabulary_size());
  seen_ =
      seen_questions(config, directory, {std::move(train_.questions), std::move(dev_.questions)})
          .questions;
}

double Seq2SeqTask::targets(std::span<const int64_t> examples) const {
  int64_t tokens = 0;
  for (const int64_t example : examples) tokens += train_.pairs.decoder_inputs.length(example);
  return static_cast<double>(tokens);
}

at::Tensor Seq2SeqTask::loss_sum(std::span<const int64_t> examples, int64_t step) {
  const models::Autocast precision = precision_of(config_);
  seed_dropout(config_, examples, step);
  const data::TokenPairs batch = data::select_pairs(train_.pairs, examples);
  const models::PairDropoutKeys keys =
      split_keys(dropout_keys(examples, lengths_, config_.seed, step).rows, batch);
  return models::target_cross_entropy(opened_.model->states(batch, keys), opened_.model->output(),
                                      batch.targets);
}

std::string Seq2SeqTask::describe() const {
  return describe_split("train:", train_) + "; " + describe_split("dev:", dev_);
}

std::string Seq2SeqTask::example_name(int64_t example) const {
  return train_.ids[static_cast<size_t>(example)];
}

Validation Seq2SeqTask::validate(const distributed::Ranks& ranks) {
  const models::Autocast precision = precision_of(config_);
  const at::Tensor likelihoods =
      distributed::gather_shares(ranks, {std::ssize(dev_.pairs.targets)}, [&](WorkShare share) {
        return at::tensor(metrics::pair_likelihoods(*opened_.model, dev_.pairs,
                                                    config_.batches.max_tokens, {}, share));
      });
  const std::span values(likelihoods.const_data_ptr<float>(), dev_.pairs.targets.size());
  Validation validation{std::nullopt, "log_likelihood", Json(Json::Object()), {}};
  double sum = 0;
  for (size_t i = 0; i < dev_.ids.size(); ++i) {
    const auto begin = values.begin() + dev_.pairs.decoder_inputs.offsets[i];
    const auto end = values.begin() + dev_.pairs.decoder_inputs.offsets[i + 1];
    const double of_row = std::accumulate(begin, end, 0.0);
    if (!std::isfinite(of_row)) {
      throw Error("the model gives a target the log-probability " + std::to_string(of_row),
                  "dev example " + dev_.ids[i],
                  "lower optimizer.learning_rate or add optimizer.warmup_steps");
    }
    sum += of_row;
    Json row;
    row["id"] = dev_.ids[i];
    row["scores"]["likelihood"] = of_row / static_cast<double>(end - begin);
    validation.predictions.push_back(std::move(row));
  }
  validation.value = sum / static_cast<double>(values.size());
  validation.loss = -*validation.value;
  validation.parts["perplexity"] = std::exp(validation.loss);
  return validation;
}

void Seq2SeqTask::save(const std::filesystem::path& directory, const Validation& validation) {
  data::ModelCard card = card_of(config_, validation);
  card.seq2seq = config_.seq2seq;
  card.train = config_.data.train;
  card.train_sha256 = train_sha256_;
  save_model(directory, opened_.model->tensors(), files_, card, seen_);
}

}  // namespace

template <>
std::unique_ptr<Task> open_task<data::kSeq2SeqTask>(const TrainConfig& config,
                                                    const std::filesystem::path& directory) {
  metrics::OpenedSequenceModel opened =
      metrics::open_sequence_model(directory, config.seq2seq,
                                   {config.model.weights == "random", config.model.add_tokens,
                                    static_cast<uint64_t>(config.seed)});
  warn_of_positions(config.seq2seq, opened.tokens.max_positions);
  return std::make_unique<Seq2SeqTask>(config, directory, std::move(opened));
}

}  // namespace rubric::train
