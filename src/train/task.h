// What `train` optimises; the loop knows nothing else.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "core/json.h"

namespace rubric {

struct Parameter {
  std::string name;
  at::Tensor tensor;  // float32, requires a gradient
  bool decays;        // whether weight decay applies
};
using Parameters = std::vector<Parameter>;

// The sum of the loss over targets, and how many they are: micro-batches and ranks combine exactly.
struct Loss {
  at::Tensor sum;  // scalar
  double targets;
};

struct Validation {
  double figure;                  // higher is better
  std::string name;               // "pearson"
  Json parts;                     // what the figure is made of
  std::vector<Json> predictions;  // one object an example, in file order
};

class Task {
 public:
  virtual ~Task() = default;
  // How many tokens each training example has; its size is the number of examples.
  virtual std::span<const int64_t> lengths() const = 0;
  // One micro-batch, gradients recorded. `step` is part of every dropout mask's key.
  virtual Loss loss(std::span<const int64_t> examples, int64_t step) = 0;
  virtual std::string example_name(int64_t example) const = 0;  // for messages
  virtual Parameters parameters() = 0;
  virtual Validation validate() = 0;
  virtual void save(const std::filesystem::path& directory, const Validation& validation) = 0;
};

}  // namespace rubric
