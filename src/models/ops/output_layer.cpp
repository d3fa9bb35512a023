#include "models/ops/output_layer.h"

#include <algorithm>
#include <cmath>

#include "models/ops/aten_path.h"
#include "models/ops/device.h"
#include "models/ops/fused.h"
#include "models/ops/vector_math.h"

namespace rubric::models {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// The logits that training holds at once: each chunk adds to a gradient as large as the embedding.
constexpr int64_t kLogitsOfTraining = 1 << 23;
// Those that each thread holds without gradients: twice as many were not faster.
constexpr int64_t kLogitsOfThread = 1 << 22;

// log p(target) of one row of logits, which is overwritten: with `gradient` by the derivative of
// -log p, the probabilities, less 1 at the target.
RUBRIC_FOR_AVX512_TOO
float log_probability(float* row, int64_t size, int64_t target, bool gradient) {
  const float of_target = row[target];
  const auto [most, sum] = replace_by_exponentials(row, size);
  if (gradient) {
    const float scale = 1 / sum;
    for (int64_t j = 0; j < size; ++j) row[j] *= scale;
    row[target] -= 1;
  }
  return of_target - most - std::log(sum);
}

// log_probability() for each row of logits [tokens, vocabulary].
void log_probabilities(at::Tensor& rows, const int64_t* targets, bool gradient, float* out) {
  const int64_t size = rows.size(1);
  float* const values = rows.mutable_data_ptr<float>();
  parallel_for_rows(rows.size(0), size, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      out[row] = log_probability(values + row * size, size, targets[row], gradient);
    }
  });
}

// The numbers of a row are read and written at its target.
void require_targets(const at::Tensor& states, int64_t vocabulary,
                     std::span<const int64_t> targets) {
  TORCH_CHECK(std::ssize(targets) == states.size(0), "each token must have a target");
  TORCH_CHECK(std::ranges::all_of(targets, [&](int64_t id) { return id >= 0 && id < vocabulary; }),
              "targets must be of the vocabulary");
}

template <class Work>
void for_chunks(int64_t tokens, int64_t vocabulary, int64_t most_logits, const Work& work) {
  const int64_t chunk = std::max<int64_t>(1, most_logits / vocabulary);
  for (int64_t begin = 0; begin < tokens; begin += chunk) {
    work(begin, std::min(chunk, tokens - begin));
  }
}

// Computes the gradients in forward, while the logits are held, and scales them in backward.
class TargetCrossEntropy : public torch::autograd::Function<TargetCrossEntropy> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& states,
                            const at::Tensor& weight, const std::optional<at::Tensor>& bias,
                            const at::Tensor& targets) {
    const Linear output{weight, bias.value_or(at::Tensor())};
    std::vector<float> values(static_cast<size_t>(states.size(0)));
    at::Tensor d_states = at::empty_like(states), d_weight = at::zeros_like(weight);
    const bool trains_bias = bias && bias->requires_grad();
    at::Tensor d_bias = trains_bias ? at::zeros_like(*bias) : at::Tensor();
    const auto add_chunk = [&](int64_t begin, int64_t size) {
      const at::Tensor chunk = states.narrow(0, begin, size);
      at::Tensor d_logits = logits(chunk, output);
      log_probabilities(d_logits, targets.const_data_ptr<int64_t>() + begin, true,
                        values.data() + begin);
      at::Tensor d_chunk = d_states.narrow(0, begin, size);
      at::mm_out(d_chunk, d_logits, weight);
      d_weight.addmm_(d_logits.t(), chunk);
      if (trains_bias) d_bias.add_(d_logits.sum(0));
    };
    for_chunks(states.size(0), weight.size(0), kLogitsOfTraining, add_chunk);
    context->save_for_backward({d_states, d_weight, d_bias});
    double sum = 0;
    for (const float value : values) sum -= static_cast<double>(value);
    return at::scalar_tensor(sum, states.options());
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    variable_list scaled;
    // In place: the output layer's gradient is as large as the embedding, and is used once.
    for (const at::Tensor& gradient : context->get_saved_variables()) {
      scaled.push_back(gradient.defined() ? gradient.mul_(gradients[0]) : gradient);
    }
    scaled.emplace_back();  // of the targets
    return scaled;
  }
};

}  // namespace

at::Tensor logits(const at::Tensor& states, const Linear& output) {
  return linear(states.contiguous(), output);
}

std::vector<float> target_log_probabilities(const at::Tensor& states, const Linear& output,
                                            std::span<const int64_t> targets) {
  require_targets(states, outputs_of(output), targets);
  if (!states.is_cpu()) return aten_path::target_log_probabilities(states, output, targets);
  const at::NoGradGuard no_grad;
  std::vector<float> values(targets.size());
  const auto score_chunk = [&](int64_t begin, int64_t size) {
    at::Tensor chunk = logits(states.narrow(0, begin, size), output);
    log_probabilities(chunk, targets.data() + begin, false, values.data() + begin);
  };
  for_chunks(states.size(0), outputs_of(output), kLogitsOfThread, score_chunk);
  return values;
}

at::Tensor target_cross_entropy(const at::Tensor& states, const Linear& output,
                                std::span<const int64_t> targets) {
  TORCH_CHECK(!is_packed(output), "packed weights have no gradients");
  require_targets(states, outputs_of(output), targets);
  if (!states.is_cpu()) return aten_path::target_cross_entropy(states, output, targets);
  return TargetCrossEntropy::apply(
      states.contiguous(), output.weight,
      output.bias.defined() ? std::optional<at::Tensor>(output.bias) : std::nullopt,
      index_tensor({targets.begin(), targets.end()}));
}

}  // namespace rubric::models
