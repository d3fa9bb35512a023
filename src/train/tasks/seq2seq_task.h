// Fine-tuning sequence-to-sequence and causal language models on source-target pairs: teacher
// forcing, cross-entropy over the target tokens.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "data/source_targets/token_pairs.h"
#include "models/opened_sequence_model.h"
#include "train/settings/train_config.h"
#include "train/tasks/trained_model.h"

namespace rubric::train {

struct PairSplit {
  data::TokenPairs pairs;
  std::vector<std::string> ids;
  int64_t truncated_sources = 0, truncated_targets = 0;
};

class Seq2SeqTask : public Task {
 public:
  // Trains `opened`, which was opened from `directory`.
  Seq2SeqTask(const TrainConfig& config, const std::filesystem::path& directory,
              models::OpenedSequenceModel opened);

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
  models::OpenedSequenceModel opened_;
  PairSplit train_, dev_;
  std::vector<int64_t> lengths_;  // source plus target of each training pair
  std::string train_sha256_;
  ModelFiles files_;  // of the initial model, with the added tokens
};

}  // namespace rubric::train
