// The interface between the training loop and what it optimises: a task knows its data, its model,
// its loss and its validation metric.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "core/json/json.h"
#include "data/records.h"
#include "distributed/ranks.h"
#include "models/architecture.h"
#include "rubric/training.h"

namespace rubric::train {

using models::Parameter;
using models::Parameters;

struct Validation {
  std::optional<double>
      value;  // the metric value, higher is better; nothing when undefined, and then never the best
  std::string name;               // "pearson"
  Json parts;                     // what the value is computed from
  std::vector<Json> predictions;  // one object an example, in file order
  // The loss that is trained, over the dev data: its mean over their targets, without dropout.
  double loss = 0;
  // Of the task lerc: the score from which on an answer counts as correct (correct_threshold()).
  std::optional<double> threshold = {};
  // Of the model that the run starts from, before the first update.
  bool is_start = false;
};

using rubric::DevValue;

// A score that is not trained, on the dev rows.
struct Baseline {
  DevValue dev;  // by the metric of validate()
  std::vector<double> scores;
};

class Task {
 public:
  virtual ~Task() = default;
  // The number of tokens of each training example; its size is the number of examples.
  virtual std::span<const int64_t> lengths() const = 0;
  // The number of targets of the examples, by which the loss of a batch is divided.
  virtual double targets(std::span<const int64_t> examples) const = 0;
  // The loss of one micro-batch, summed over its targets: a scalar with gradients recorded. `step`
  // is part of every dropout mask's key.
  virtual at::Tensor loss_sum(std::span<const int64_t> examples, int64_t step) = 0;
  virtual std::string describe() const = 0;                     // data sizes, for the log
  virtual std::string example_name(int64_t example) const = 0;  // for messages
  virtual Parameters parameters() = 0;                          // which require gradients
  // Collective: each rank computes a share of the examples, and the result is the same on all.
  // Throws Interrupted on all when a stop is requested on one.
  virtual Validation validate(const distributed::Ranks& ranks) = 0;
  virtual void save(const std::filesystem::path& directory, const Validation& validation) = 0;
  // Whether the model was trained for this task before: then it is validated before the first
  // update, too, and the best model may be the one that the run started from.
  virtual bool starts_trained() const { return false; }
  // What is asked for on rank 0 when training is over.
  // What the model is to be better than.
  virtual std::vector<Baseline> baselines() { return {}; }
  // The rows of these scores and of validate(), with their labels.
  virtual std::span<const data::Answer> dev_answers() const { return {}; }
  virtual std::vector<double> score_dev_answers(const std::filesystem::path&) const { return {}; }
  // What misleads about these scores of the dev rows: "3 of 80 dev scores are outside …".
  virtual std::vector<std::string> notes(std::span<const double>) const { return {}; }
  // What misleads about the data, as was warned of at the start.
  virtual std::vector<std::string> data_notes() const { return {}; }
};

}  // namespace rubric::train
