// What `train` optimises; the loop knows nothing else.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "core/json/json.h"
#include "distributed/ranks.h"
#include "models/architecture.h"

namespace rubric::train {

using models::Parameter;
using models::Parameters;

struct Validation {
  std::optional<double> figure;   // higher is better; nothing: undefined, and never the best
  std::string name;               // "pearson"
  Json parts;                     // what the figure is made of
  std::vector<Json> predictions;  // one object an example, in file order
};

class Task {
 public:
  virtual ~Task() = default;
  // How many tokens each training example has; its size is the number of examples.
  virtual std::span<const int64_t> lengths() const = 0;
  // How many targets the examples have: what the loss of a batch is divided by.
  virtual double targets(std::span<const int64_t> examples) const = 0;
  // The loss of one micro-batch, summed over its targets: a scalar with gradients recorded. `step`
  // is part of every dropout mask's key.
  virtual at::Tensor loss_sum(std::span<const int64_t> examples, int64_t step) = 0;
  virtual std::string describe() const = 0;  // the sizes of its data, for the log
  virtual std::string example_name(int64_t example) const = 0;  // for messages
  virtual Parameters parameters() = 0;                          // which require gradients
  // The same on all ranks, each of which computes a share of the examples. Throws Interrupted on
  // all when a stop is requested on one.
  virtual Validation validate(const distributed::Ranks& ranks) = 0;
  virtual void save(const std::filesystem::path& directory, const Validation& validation) = 0;
};

}  // namespace rubric::train
