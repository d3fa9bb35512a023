// Fine-tuning on human scores: LERC (Chen et al. 2020, section 3.1) and the similarity of two
// sentences, which differ in the input template (data/tokens/tokenized_answers.h). With features
// (head.features) the trained LERC stays as it is, and only the layers that read its score beside
// them are trained.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "metrics/neural/lerc_model.h"
#include "train/settings/lerc_data.h"
#include "train/settings/train_config.h"
#include "train/tasks/trained_model.h"

namespace rubric::train {

// The score from which on an answer counts as correct: that of the best accuracy on these rows,
// where a row is correct if its label is above the middle of the labels' range. It has three
// decimals, or more where it takes more to divide the rows so. nullopt where all rows are correct
// or all are wrong, and where no threshold is better than predicting every row incorrect.
std::optional<double> correct_threshold(std::span<const double> scores,
                                        std::span<const double> labels);

class LercTask : public Task {
 public:
  // Trains `model`, opened from `encoder_directory`; with config.head.keep a trained LERC. Throws
  // InputError unless it suits the data.
  LercTask(const TrainConfig& config, const std::filesystem::path& encoder_directory,
           metrics::LercModel model, LercData data);

  std::span<const int64_t> lengths() const override { return lengths_; }
  double targets(std::span<const int64_t> examples) const override;
  at::Tensor loss_sum(std::span<const int64_t> examples, int64_t step) override;
  std::string describe() const override;
  std::string example_name(int64_t example) const override;
  Parameters parameters() override;
  // Pearson correlation on the tuning data: pooled, or the mean over constituents (the source data
  // sets of MOCHA).
  Validation validate(const distributed::Ranks& ranks) override;
  void save(const std::filesystem::path& directory, const Validation& validation) override;
  bool starts_trained() const override { return config_.head.keep; }
  // f1, recall and, unless the run starts from it, lerc-answers as it ships.
  std::vector<Baseline> baselines() override;
  std::span<const data::Answer> dev_answers() const override { return data_.dev_answers; }
  std::vector<double> score_dev_answers(const std::filesystem::path& model) const override;
  std::vector<std::string> notes(std::span<const double> scores) const override;
  std::vector<std::string> data_notes() const override;

 private:
  // What the layers that read features read of each row. The encoder is frozen and is run once per
  // row, when it is first asked for; every rank computes all rows.
  struct CachedRows {
    at::Tensor encoder_logits;  // float32 [rows]
    at::Tensor features;        // float32 [rows, features]
  };
  const CachedRows& cached(const data::TokenBatch& rows, CachedRows& cache) const;
  // The model's logits of all rows of data_.dev, on the CPU; collective.
  at::Tensor row_logits(const distributed::Ranks& ranks);
  // The highest of each answer: that of its best reference, as `score` takes it.
  at::Tensor dev_logits(const distributed::Ranks& ranks);

  // Pearson's r of one score a dev row with the labels, as the configuration validates.
  std::optional<double> dev_pearson(const std::vector<double>& predicted, Json& parts) const;

  // The loss that head.loss names, summed over rows: `logits` of the model, human `scores`.
  at::Tensor loss_of(const at::Tensor& logits, const at::Tensor& scores) const;

  TrainConfig config_;
  LercData data_;
  std::vector<int64_t> dev_answer_of_row_;  // of data_.dev, in data_.dev_answers
  std::vector<double> dev_labels_;          // of data_.dev_answers
  metrics::LercModel model_;
  CachedRows train_, dev_;
  std::vector<int64_t> lengths_;
  std::string train_sha256_;
  ModelFiles files_;  // of the encoder
  // What the start has seen, and the dev questions; with the training questions, the trained model.
  SeenByRun start_seen_;
  data::ModelCard start_card_;
  bool is_start_shipped_ = false;
  data::TrainedBelow below_;  // with features: the LERC whose score stands beside them
};

}  // namespace rubric::train
