// What optimisers share: saving and loading what they remember.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "config/train_config.h"
#include "models/safetensors.h"
#include "train/task.h"

namespace rubric {

// What makes an update of the gradients, and what it remembers of those before.
class Optimizer {
 public:
  virtual ~Optimizer() = default;

  virtual void step(double learning_rate) = 0;  // passes over parameters without gradient
  void zero_gradients();

  // What is remembered, as safetensors; load() takes what was saved in `file`, throws InputError
  // when it does not fit, and then changes nothing.
  void save(const std::filesystem::path& file) const;
  void load(const NamedTensors& saved, const std::string& file);

  // Gives every rank rank 0's parameters and what its optimiser remembers.
  void broadcast(const Ranks& ranks);

  const Parameters& parameters() const { return parameters_; }
  std::vector<at::Tensor> tensors() const;  // of the parameters

 protected:
  explicit Optimizer(Parameters parameters) : parameters_(std::move(parameters)) {}

  Parameters parameters_;

 private:
  virtual NamedTensors state() const = 0;  // the tensors themselves, no copies
};

// The optimiser that config.name names.
std::unique_ptr<Optimizer> make_optimizer(Parameters parameters, const OptimizerConfig& config);

}  // namespace rubric
