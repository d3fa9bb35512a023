// Pre-training LERC on multiple-choice questions: the model tells which of two answers is correct
// (Chen et al. 2020, section 3.2 and appendix A). Model, metrics and task.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "models/encoders/encoder.h"
#include "train/settings/choice_data.h"
#include "train/settings/train_config.h"
#include "train/tasks/trained_model.h"

namespace rubric::train {

struct ChoiceModel {
  std::unique_ptr<models::Encoder> encoder;
  models::Linear classifier;  // weight [3, hidden], bias [3]

  // The logits of the classes of ChoiceLabel for every row, [rows, 3], from its [CLS] vector.
  at::Tensor logits(const models::PackedTokens& tokens, const models::DropoutKeys& keys = {}) const;

  // Every parameter under its published name, encoder first.
  models::Parameters parameters();
  models::NamedTensors tensors() { return models::named_tensors(parameters()); }
};

// Puts a new classifier on an encoder. A head that the directory already has is ignored.
ChoiceModel start_choice_model(const std::filesystem::path& encoder_directory, uint64_t seed);

// Validation metrics.

using LogProbabilities = std::array<double, kChoiceLabels>;  // in the order of ChoiceLabel

ChoiceLabel most_probable(const LogProbabilities& p);  // on a tie the first

struct ChoiceMetrics {
  int64_t pairs = 0, questions = 0;
  double accuracy = 0;  // the share of pairs whose most probable class is the labelled one
  double majority = 0;  // the accuracy of always predicting the most frequent class
  double loss = 0;      // mean cross-entropy over the pairs
  // The share of questions in which every correct answer is preferred to every incorrect one: in
  // each such pair the class of the correct answer is the more probable of the two.
  double question_accuracy = 0;
};

// Over the pairs of `split`, or those of one `source`; entry i of `labels` and `predicted` belongs
// to pair i.
ChoiceMetrics choice_metrics(const ChoiceSplit& split, const std::vector<ChoiceLabel>& labels,
                             const std::vector<LogProbabilities>& predicted,
                             const std::string& source = "");

// {accuracy, majority, loss, pairs, question_accuracy, questions}
Json to_json(const ChoiceMetrics& metrics);

// The task.

class ChoiceTask : public Task {
 public:
  // Trains `model`, which was opened from `encoder_directory`, as was the tokenizer.
  ChoiceTask(const TrainConfig& config, const std::filesystem::path& encoder_directory,
             ChoiceModel model, std::unique_ptr<text::Tokenizer> tokenizer, ChoiceData data);

  std::span<const int64_t> lengths() const override { return data_.train.lengths; }
  double targets(std::span<const int64_t> examples) const override;
  at::Tensor loss_sum(std::span<const int64_t> examples, int64_t step) override;  // cross-entropy
  std::string describe() const override { return rubric::train::describe(data_); }
  std::string example_name(int64_t example) const override;
  Parameters parameters() override { return trained_parameters(model_.parameters()); }
  Validation validate(const distributed::Ranks& ranks) override;  // accuracy on the dev pairs
  void save(const std::filesystem::path& directory, const Validation& validation) override;

 private:
  data::AnswerTemplate input() const {
    return data::template_of(config_.task, config_.data.inputs, config_.data.max_length,
                             config_.data.cut, "data.inputs");
  }
  std::vector<LogProbabilities> predict_dev(const distributed::Ranks& ranks) const;

  TrainConfig config_;
  ChoiceData data_;
  ChoiceModel model_;
  std::unique_ptr<text::Tokenizer> tokenizer_;
  ChoiceRows dev_rows_;
  std::string train_sha256_;
  ModelFiles files_;  // of the encoder
  std::optional<data::SeenQuestions> seen_;
};

}  // namespace rubric::train
