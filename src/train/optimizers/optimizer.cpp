#include "train/optimizers/optimizer.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include <ATen/ATen.h>

#include "core/error.h"
#include "distributed/collective.h"

namespace rubric::train {
namespace {

// Assigns each parameter to a share: from the largest on, each goes to the share with the fewest
// elements so far.
std::vector<int64_t> assign_shares(const Parameters& parameters, int64_t shares) {
  std::vector<size_t> order(parameters.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater(),
                           [&](size_t i) { return parameters[i].tensor.numel(); });
  std::vector<int64_t> owners(parameters.size()), elements(static_cast<size_t>(shares));
  for (const size_t i : order) {
    const auto least = std::ranges::min_element(elements);
    *least += parameters[i].tensor.numel();
    owners[i] = least - elements.begin();
  }
  return owners;
}

}  // namespace

Optimizer::Optimizer(Parameters parameters, WorkShare share)
    : parameters_(std::move(parameters)),
      share_(share),
      owners_(assign_shares(parameters_, share.count)) {}

at::TensorOptions Optimizer::options(size_t parameter) const {
  const at::TensorOptions own = parameters_[parameter].tensor.options();
  return is_own(parameter) ? own : own.device(at::kMeta);
}

void Optimizer::all_gather_updates(const distributed::Ranks& ranks) {
  const at::NoGradGuard no_grad;
  for (int64_t owner = 0; share_.count > 1 && owner < share_.count; ++owner) {
    std::vector<at::Tensor> flat;  // the owner's parameters as one tensor
    for (size_t i = 0; i < parameters_.size(); ++i) {
      if (owners_[i] == owner) flat.push_back(parameters_[i].tensor.reshape(-1));
    }
    if (flat.empty()) continue;
    const at::Tensor all = at::cat(flat);
    ranks.broadcast(all, static_cast<int>(owner));
    if (owner == share_.index) continue;
    int64_t place = 0;
    for (size_t i = 0; i < parameters_.size(); ++i) {
      if (owners_[i] != owner) continue;
      at::Tensor& tensor = parameters_[i].tensor;
      tensor.copy_(all.narrow(0, place, tensor.numel()).view(tensor.sizes()));
      place += tensor.numel();
    }
  }
}

void Optimizer::zero_gradients() {
  for (Parameter& parameter : parameters_) parameter.tensor.mutable_grad().reset();
}

std::vector<at::Tensor> Optimizer::tensors() const {
  std::vector<at::Tensor> tensors;
  for (const Parameter& parameter : parameters_) tensors.push_back(parameter.tensor);
  return tensors;
}

void Optimizer::save(const std::filesystem::path& file) const {
  models::NamedTensors own = state();
  std::erase_if(own, [](const auto& named) { return named.second.is_meta(); });
  models::write_safetensors(file, own);
}

std::vector<at::Tensor> Optimizer::values_of(const models::NamedTensors& saved,
                                             const std::string& where) const {
  const models::NamedTensors all = state();
  if (saved.size() != all.size()) {
    throw InputError("the optimiser's state belongs to another model or optimiser", where,
                     kOfAnotherRun);
  }
  std::vector<at::Tensor> values;
  for (const auto& [name, tensor] : all) {
    const at::Tensor* found = models::find_tensor(saved, name);
    if (found == nullptr || found->sizes() != tensor.sizes() ||
        found->scalar_type() != tensor.scalar_type()) {
      throw InputError(name + " is missing or has another shape", where, kOfAnotherRun);
    }
    values.push_back(*found);
  }
  return values;
}

void Optimizer::load(const models::NamedTensors& saved, const std::string& where) {
  const std::vector<at::Tensor> values = values_of(saved, where);
  const models::NamedTensors all = state();
  for (size_t i = 0; i < all.size(); ++i) {
    if (!all[i].second.is_meta()) all[i].second.copy_(values[i]);
  }
}

void Optimizer::broadcast(const distributed::Ranks& ranks, const models::NamedTensors& saved) {
  for (const Parameter& parameter : parameters_) ranks.broadcast(parameter.tensor.detach());
  if (!ranks.any(!saved.empty())) return;
  const std::vector<at::Tensor> values = distributed::run_on_all_ranks(ranks, [&] {
    return ranks.is_main() ? values_of(saved, "rank 0") : std::vector<at::Tensor>();
  });
  // Every rank receives all shares, a tensor at a time. For T5-3B with AdamW that is 23 GB once per
  // start, 18 s at 10 Gbit/s; rank 0 has read as much from disk before.
  models::NamedTensors all = state();
  for (size_t i = 0; i < all.size(); ++i) {
    at::Tensor& kept = all[i].second;
    const at::Tensor value =
        ranks.is_main() ? values[i] : at::empty(kept.sizes(), kept.scalar_type());
    ranks.broadcast(value);
    if (!kept.is_meta()) kept.copy_(value);
  }
}

std::unique_ptr<Optimizer> make_optimizer(Parameters parameters, const OptimizerConfig& config,
                                          WorkShare share) {
  if (config.name == "adafactor") {
    return std::make_unique<Adafactor>(std::move(parameters), config, share);
  }
  return std::make_unique<AdamW>(std::move(parameters), config, share);
}

}  // namespace rubric::train
