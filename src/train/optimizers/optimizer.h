// What optimisers share: saving and loading what they remember, each rank all of it or its part.
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

// What makes an update of the gradients, and what it remembers of those before. Of several shares
// (ZeRO-1, Rajbhandari et al. 2020) each remembers and updates some of the parameters, and
// all_gather_updates() makes the update whole.
class Optimizer {
 public:
  virtual ~Optimizer() = default;

  // Updates the parameters of this share that have a gradient.
  virtual void step(double learning_rate) = 0;
  void all_gather_updates(
      const distributed::Ranks& ranks);  // gives every rank what the others have updated
  void zero_gradients();

  // What this share remembers, as safetensors. load() takes from what all shares have saved, as
  // however many they were, what this one is to remember; `where` names it in messages. Throws
  // InputError when it does not fit, and then changes nothing.
  void save(const std::filesystem::path& file) const;
  void load(const models::NamedTensors& saved, const std::string& where);

  // Gives every rank rank 0's parameters, and what it is to remember of the `saved` that rank 0 has
  // loaded; nothing where that is empty. Throws InputError on all when that does not fit.
  void broadcast(const distributed::Ranks& ranks, const models::NamedTensors& saved);

  const Parameters& parameters() const { return parameters_; }
  std::vector<at::Tensor> tensors() const;  // of the parameters
  WorkShare share() const { return share_; }

 protected:
  Optimizer(Parameters parameters, WorkShare share);

  bool is_own(size_t parameter) const { return owners_[parameter] == share_.index; }
  // Where and how a parameter's state is kept: that of other shares has a shape and no memory.
  at::TensorOptions options(size_t parameter) const;

  Parameters parameters_;

 private:
  // The tensors themselves, no copies; of all shares.
  virtual models::NamedTensors state() const = 0;
  // What `saved` has of each tensor of state(), in its order. Throws as load() does.
  std::vector<at::Tensor> values_of(const models::NamedTensors& saved,
                                    const std::string& where) const;

  WorkShare share_;
  std::vector<int64_t> owners_;  // the share of each parameter
};

// The optimiser that config.name names.
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

// Adafactor (Shazeer and Stern 2018) without first moment: of a matrix's squared gradients only the
// means of rows and columns are kept, so that it remembers next to nothing.

// As transformers' Adafactor with relative_step off: the learning rate is the schedule's.
class Adafactor : public Optimizer {
 public:
  Adafactor(Parameters parameters, OptimizerConfig config, WorkShare share = {});

  void step(double learning_rate) override;

 private:
  // Running means of squared gradients. A tensor of shape [..., n, m] has those of its rows
  // [..., n] and columns [..., m]; one of fewer than two dimensions has `whole`.
  struct SecondMoment {
    at::Tensor rows, columns, whole;
    at::Tensor updates;  // how many were made
  };

  models::NamedTensors state() const override;
  void update(const Parameter& parameter, SecondMoment& moment, double learning_rate) const;

  OptimizerConfig config_;
  std::vector<SecondMoment> moments_;
};

}  // namespace rubric::train
