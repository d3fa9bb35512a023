#include <cmath>
#include <string>
#include <utility>

#include "train/optimizers/optimizer.h"

namespace rubric::train {
namespace {

constexpr double kSquareEpsilon = 1e-30;  // epsilon_1 and epsilon_2 of the paper's algorithm 4
constexpr double kScaleEpsilon = 1e-3;

at::Tensor root_mean_square(const at::Tensor& tensor) {
  return tensor.norm() / std::sqrt(static_cast<double>(tensor.numel()));
}

void add_to_mean(at::Tensor& mean, const at::Tensor& value, double decay) {
  mean.mul_(decay).add_(value, 1 - decay);
}

}  // namespace

Adafactor::Adafactor(Parameters parameters, OptimizerConfig config, WorkShare share)
    : Optimizer(std::move(parameters), share), config_(std::move(config)) {
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const at::Tensor like = parameters_[i].tensor.detach();
    SecondMoment moment;
    // On the CPU: it is read at every update, which would synchronise a GPU.
    moment.updates = at::zeros({}, at::dtype(at::kLong).device(is_own(i) ? at::kCPU : at::kMeta));
    if (like.dim() < 2) {
      moment.whole = at::zeros_like(like, options(i));
    } else {
      moment.rows = at::zeros_like(like.select(-1, 0), options(i));
      moment.columns = at::zeros_like(like.select(-2, 0), options(i));
    }
    moments_.push_back(std::move(moment));
  }
}

void Adafactor::step(double learning_rate) {
  const at::NoGradGuard no_grad;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const bool has_update = is_own(i) && parameters_[i].tensor.grad().defined();
    if (has_update) update(parameters_[i], moments_[i], learning_rate * parameters_[i].rate);
  }
}

// Algorithms 4 and 5 of the paper.
void Adafactor::update(const Parameter& parameter, SecondMoment& moment,
                       double learning_rate) const {
  const at::Tensor& gradient = parameter.tensor.grad();
  moment.updates.add_(1);
  const double decay = 1 - std::pow(moment.updates.item<double>(), config_.decay_rate);

  // 1. The gradient divided by the root of its second moment, estimated for a matrix as the product
  // of row and column means over the mean of all.
  at::Tensor squares = gradient.square().add_(kSquareEpsilon);
  at::Tensor change;
  if (moment.whole.defined()) {
    add_to_mean(moment.whole, squares, decay);
    change = moment.whole.rsqrt();
  } else {
    add_to_mean(moment.rows, squares.mean(-1), decay);
    add_to_mean(moment.columns, squares.mean(-2), decay);
    squares.reset();
    const at::Tensor shares = moment.rows / moment.rows.mean(-1, /*keepdim=*/true);
    change = shares.rsqrt_().unsqueeze(-1) * moment.columns.rsqrt().unsqueeze(-2);
  }
  change.mul_(gradient);

  // 2. Clip the update's root mean square to the threshold; then scale the step, by the parameter's
  // own scale if configured.
  change.div_((root_mean_square(change) / config_.clip_threshold).clamp_min_(1));
  at::Tensor parameter_value = parameter.tensor;
  at::Tensor rate = at::scalar_tensor(learning_rate, change.options());
  if (config_.scale_parameter) {
    rate.mul_(root_mean_square(parameter_value).clamp_min_(kScaleEpsilon));
  }

  // 3. Weight decay and the step.
  if (parameter.decays && config_.weight_decay > 0) {
    parameter_value.sub_(parameter_value * (rate * config_.weight_decay));
  }
  parameter_value.sub_(change.mul_(rate));
}

models::NamedTensors Adafactor::state() const {
  models::NamedTensors tensors;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const std::string& name = parameters_[i].name;
    const SecondMoment& moment = moments_[i];
    if (moment.whole.defined()) {
      tensors.emplace_back(name + ".exp_avg_sq", moment.whole);
    } else {
      tensors.emplace_back(name + ".exp_avg_sq_row", moment.rows);
      tensors.emplace_back(name + ".exp_avg_sq_col", moment.columns);
    }
    tensors.emplace_back(name + ".step", moment.updates);
  }
  return tensors;
}

}  // namespace rubric::train
