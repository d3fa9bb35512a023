// Fine-tuning on human scores: LERC (Chen et al. 2020, section 3.1), and the similarity of two
// sentences, which differs in what is read and how it is put together (data/answer_template.h).
#pragma once

#include <filesystem>
#include <memory>

#include "metrics/neural/lerc.h"
#include "train/settings/lerc_data.h"
#include "train/settings/train_config.h"
#include "train/tasks/trained_model.h"

namespace rubric::train {

class LercTask : public Task {
 public:
  // Trains `model`, which was opened from `encoder_directory` and must suit the data: InputError.
  LercTask(const TrainConfig& config, const std::filesystem::path& encoder_directory,
           metrics::LercModel model, LercData data);

  std::span<const int64_t> lengths() const override { return lengths_; }
  double targets(std::span<const int64_t> examples) const override;
  at::Tensor loss_sum(std::span<const int64_t> examples, int64_t step) override;  // squared error
  std::string describe() const override { return rubric::train::describe(data_); }
  std::string example_name(int64_t example) const override;
  Parameters parameters() override;
  // Pearson on the tuning data: the mean over constituents, or pooled.
  Validation validate(const distributed::Ranks& ranks) override;
  void save(const std::filesystem::path& directory, const Validation& validation) override;

 private:
  TrainConfig config_;
  LercData data_;
  metrics::LercModel model_;
  std::vector<int64_t> lengths_;
  std::string train_sha256_;
  ModelFiles files_;  // the encoder's
};

// Opens the encoder and the data that `config` names; `encoder_directory` is where its model.name
// leads. Throws InputError as the parts do.
std::unique_ptr<Task> open_lerc_task(const TrainConfig& config,
                                     const std::filesystem::path& encoder_directory);

}  // namespace rubric::train
