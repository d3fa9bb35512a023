// Pre-training LERC on multiple-choice questions (Chen et al. 2020, section 3.2 and appendix A).
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "train/settings/train_config.h"
#include "train/settings/choice_data_part.h"
#include "train/tasks/choice_figures.h"
#include "train/tasks/choice_task.h"
#include "train/tasks/trained_model.h"

namespace rubric {

class ChoiceTask : public Task {
 public:
  // Trains `model`, which was opened from `encoder_directory`, as was the tokenizer.
  ChoiceTask(const TrainConfig& config, const std::filesystem::path& encoder_directory,
             ChoiceModel model, std::unique_ptr<Tokenizer> tokenizer, ChoiceData data);

  std::span<const int64_t> lengths() const override { return data_.train.lengths; }
  double targets(std::span<const int64_t> examples) const override;
  at::Tensor loss_sum(std::span<const int64_t> examples, int64_t step) override;  // cross-entropy
  std::string describe() const override { return rubric::describe(data_); }
  std::string example_name(int64_t example) const override;
  Parameters parameters() override { return trained_parameters(model_.parameters()); }
  Validation validate(const Ranks& ranks) override;  // accuracy over the dev pairs
  void save(const std::filesystem::path& directory, const Validation& validation) override;

 private:
  AnswerTemplate input() const {
    return template_of(config_.task, config_.data.inputs, config_.data.max_length, config_.data.cut,
                       "data.inputs");
  }
  std::vector<LogProbabilities> predict_dev(const Ranks& ranks) const;

  TrainConfig config_;
  ChoiceData data_;
  ChoiceModel model_;
  std::unique_ptr<Tokenizer> tokenizer_;
  ChoiceRows dev_rows_;
  std::string train_sha256_;
  ModelFiles files_;  // the encoder's
};

// Opens the encoder and the data that `config` names; `encoder_directory` is where its model.name
// leads. Throws InputError as the parts do.
std::unique_ptr<Task> open_choice_task(const TrainConfig& config,
                                       const std::filesystem::path& encoder_directory);

}  // namespace rubric
