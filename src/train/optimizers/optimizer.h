// The optimisers, AdamW and Adafactor: their updates, saving and loading their state, and sharding
// it over ranks (ZeRO-1).
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "data/tokens/batches.h"
#include "models/weights/weights.h"
#include "train/settings/train_config.h"
#include "train/task.h"

namespace rubric::train {

// What to do about a checkpoint that does not fit the run.
inline constexpr const char* kOfAnotherRun =
    "resume with the configuration that wrote the checkpoint, or start in another directory";

// Updates the parameters from their gradients and keeps state between updates. With several shares
// (ZeRO-1, Rajbhandari et al. 2020) each rank keeps the state of some of the parameters and updates
// those, and all_gather_updates() completes the update.
class Optimizer {
 public:
  virtual ~Optimizer() = default;

  // Updates the parameters of this share that have a gradient.
  virtual void step(double learning_rate) = 0;
  void all_gather_updates(const distributed::Ranks& ranks);  // sends every rank the parameters that
                                                             // the others have updated
  void zero_gradients();

  // save() writes this share's state as safetensors. load() takes this share's state from what all
  // shares have saved, however many they were; `where` names it in messages. Throws InputError when
  // it does not fit, and then changes nothing.
  void save(const std::filesystem::path& file) const;
  void load(const models::NamedTensors& saved, const std::string& where);

  // Sends every rank rank 0's parameters, and its share of the `saved` state that rank 0 has loaded
  // (nothing when that is empty). Throws InputError on all ranks when it does not fit.
  void broadcast(const distributed::Ranks& ranks, const models::NamedTensors& saved);

  const Parameters& parameters() const { return parameters_; }
  std::vector<at::Tensor> tensors() const;  // the parameters' tensors
  WorkShare share() const { return share_; }

 protected:
  Optimizer(Parameters parameters, WorkShare share);

  bool is_own(size_t parameter) const { return owners_[parameter] == share_.index; }
  // The device and type of a parameter's state; other shares' state is on the meta device: a shape
  // without memory.
  at::TensorOptions options(size_t parameter) const;

  Parameters parameters_;

 private:
  // The state tensors themselves, not copies, of all shares.
  virtual models::NamedTensors state() const = 0;
  // The value in `saved` of each tensor of state(), in its order. Throws as load() does.
  std::vector<at::Tensor> values_of(const models::NamedTensors& saved,
                                    const std::string& where) const;

  WorkShare share_;
  std::vector<int64_t> owners_;  // the index of each parameter's share
};

// Makes the optimiser that config.name names.
std::unique_ptr<Optimizer> make_optimizer(Parameters parameters, const OptimizerConfig& config,
                                          WorkShare share = {});

// AdamW (Loshchilov and Hutter 2019).

class AdamW : public Optimizer {
 public:
  AdamW(Parameters parameters, OptimizerConfig config, WorkShare share = {});

  void step(double learning_rate) override;

 private:
  models::NamedTensors state() const override;  // the moments and the update counts

  OptimizerConfig config_;
  std::vector<at::Tensor> first_moments_, second_moments_, updates_;
};

// Adafactor (Shazeer and Stern 2018) without first moment: of a matrix's squared gradients it keeps
// only the means over rows and columns, so that its state is tiny. Matches transformers' Adafactor
// with relative_step off: the learning rate comes from the schedule.

class Adafactor : public Optimizer {
 public:
  Adafactor(Parameters parameters, OptimizerConfig config, WorkShare share = {});

  void step(double learning_rate) override;

 private:
  // Running means of squared gradients. A tensor of shape [..., n, m] has those of its rows [...,
  // n] and columns [..., m]; one of fewer than two dimensions has `whole`, of its own shape.
  struct SecondMoment {
    at::Tensor rows, columns, whole;
    at::Tensor updates;  // the number of updates made
  };

  models::NamedTensors state() const override;
  void update(const Parameter& parameter, SecondMoment& moment, double learning_rate) const;

  OptimizerConfig config_;
  std::vector<SecondMoment> moments_;
};

}  // namespace rubric::train
