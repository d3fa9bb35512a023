// What is known of a training task without libtorch. It lies in data because the card of a model
// and the template of its input name the task, too.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace rubric::data {

struct TaskKind {
  std::string_view name;     // `task` of a configuration and of a model's card
  std::string_view summary;  // one line, with the source
  // The keys and groups of a configuration that this task reads and not every task does. Keys that
  // only other tasks name are refused.
  std::span<const std::string_view> own_keys = {};
  bool reads_questions = false;    // its files are those of `questions`, not data.train and .dev
  bool keeps_token_store = false;  // so that `prepare` can write it
  bool writes_texts = false;       // it trains a sequence model, whose card has `seq2seq`
  std::string_view use;            // the command that uses its model, whose directory follows
  // The only fields that the template of its input takes (empty: any), and those in the second
  // segment (empty: reference and candidate).
  std::span<const std::string_view> inputs = {}, second_segment = {};
};

}  // namespace rubric::data

namespace rubric::train {

class Task;          // train/task.h
struct TrainConfig;  // train/settings/train_config.h

// The neural half of a task: opens the model and the data that `config` names; `directory` is its
// resolved model.name. Throws InputError as the parts do. Each task declares its own beside its
// descriptor and defines it in train/tasks; where one is missing, linking fails.
template <const data::TaskKind& kind>
std::unique_ptr<Task> open_task(const TrainConfig& config, const std::filesystem::path& directory);

}  // namespace rubric::train
