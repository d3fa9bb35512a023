#include "models/ops/linear.h"

#include <algorithm>
#include <string_view>

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include "models/ops/device.h"

namespace rubric::models {

namespace {

bool is_plain_matrix(const at::Tensor& x) {
  return x.dim() == 2 && x.is_contiguous() && x.scalar_type() == at::kFloat && x.is_cpu() &&
         !is_autocast(at::kCPU);
}

// Whether gradients are recorded.
bool records_gradients(const at::Tensor& x, const at::Tensor& weight) {
  return at::GradMode::is_enabled() && (x.requires_grad() || weight.requires_grad());
}

// From this many rows on one product is worth concatenating the weights.
constexpr int64_t kWorthJoining = 512;

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

at::Tensor onednn_product(const at::Tensor& x, const at::Tensor& weight,
                          const std::optional<at::Tensor>& bias) {
  using Activations = c10::List<std::optional<at::Scalar>>;
  using LinearOperator =
      at::Tensor(const at::Tensor&, const at::Tensor&, const std::optional<at::Tensor>&,
                 std::string_view, Activations, std::optional<std::string_view>);
  static const c10::TypedOperatorHandle<LinearOperator> linear =
      c10::Dispatcher::singleton()
          .findSchemaOrThrow("mkldnn::_linear_pointwise", "")
          .typed<LinearOperator>();
  return linear.call(x, weight, bias, "none", Activations(), "");
}

// In the weight's own order, or autograd would copy it to that.
at::Tensor weight_gradient(const at::Tensor& d_out, const at::Tensor& x, const at::Tensor& weight) {
  return weight.is_contiguous() ? d_out.t().mm(x) : x.t().mm(d_out).t();
}

class OneDnnLinear : public torch::autograd::Function<OneDnnLinear> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                            const std::optional<at::Tensor>& bias) {
    context->save_for_backward({x, weight});
    context->saved_data["has bias"] = bias.has_value();
    return onednn_product(x, weight, bias);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    TORCH_CHECK(!at::GradMode::is_enabled(), "onednn_linear is differentiable once");
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &weight = saved[1];
    const at::Tensor& d_out = gradients[0];
    const bool wants_x = context->needs_input_grad(0), wants_weight = context->needs_input_grad(1);
    const bool wants_bias =
        context->saved_data["has bias"].toBool() && context->needs_input_grad(2);
    return {wants_x ? onednn_product(d_out, weight.t(), std::nullopt) : at::Tensor(),
            wants_weight ? weight_gradient(d_out, x, weight) : at::Tensor(),
            wants_bias ? d_out.sum(0) : at::Tensor()};
  }
};

}  // namespace

at::Tensor packed(const at::Tensor& weight) {
  if (!at::hasMKLDNN() || weight.is_mkldnn() || !weight.is_cpu() ||
      weight.scalar_type() != at::kFloat) {
    return weight;
  }
  using Reorder = at::Tensor(const at::Tensor&, std::optional<int64_t>);
  static const c10::TypedOperatorHandle<Reorder> reorder =
      c10::Dispatcher::singleton()
          .findSchemaOrThrow("mkldnn::_reorder_linear_weight", "")
          .typed<Reorder>();
  // The number of rows for which oneDNN chooses the layout. With that for 128, products of 1 to 128
  // rows took at most 1.25 times as long as with the best of the others; with those for 16 to 64,
  // some of 16 to 64 rows took two to four times as long (T5-small's and MiniLM's shapes, AMD
  // EPYC).
  constexpr int64_t kRows = 128;
  const at::NoGradGuard no_grad;
  return reorder.call(weight.detach().contiguous(), kRows);
}

at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  if (weight.is_mkldnn()) {
    TORCH_CHECK(x.scalar_type() == at::kFloat && !records_gradients(x, weight),
                "with a packed weight x must be float32 and record no gradients");
    return onednn_product(x.contiguous(), weight,
                          bias.defined() ? std::optional(bias) : std::nullopt);
  }
  return is_plain_matrix(x) && x.size(0) > kFewRows ? onednn_linear(x, weight, bias)
                                                    : at::linear(x, weight, bias);
}

at::Tensor linear(const at::Tensor& x, const Linear& map) {
  if (map.int8) return int8_products(x, {{map.int8, map.bias}}).front();
  if (map.blocks) return block_products(x, {{map.blocks, map.bias}}).front();
  return linear(x, map.weight, map.bias);
}

at::Tensor without_bias(const at::Tensor& x, const Linear& map) {
  return linear(x, Linear{map.weight, {}, map.int8, map.blocks});
}

bool is_packed(const Linear& map) {
  return map.int8 || map.blocks || map.weight.is_mkldnn();
}

void pack_weight(Linear& map, Packing packing) {
  if (!map.weight.defined() || is_packed(map)) return;
  if (packing != Packing::int8 && packing != Packing::int8_with_rests) {
    map.weight = packed(map.weight);
    return;
  }
  map.int8 = pack_int8(map.weight, fastest_int8_engine(),
                       packing == Packing::int8 ? Int8Inputs::once : Int8Inputs::twice);
  map.weight.reset();
}

int64_t outputs_of(const Linear& map) {
  if (map.blocks) return outputs_of(*map.blocks);
  return map.int8 ? outputs_of(*map.int8) : map.weight.size(0);
}

at::Device device_of(const Linear& map) {
  return map.int8 || map.blocks ? at::kCPU : map.weight.device();
}

at::Tensor float_linear(const at::Tensor& x, const Linear& map) {
  const Autocast off(x.device().type(), false);
  return at::linear(x.to(at::kFloat), map.weight, map.bias);
}

std::vector<at::Tensor> fused_linear(const at::Tensor& x, const std::vector<const Linear*>& maps) {
  if (maps.front()->int8) {
    std::vector<Int8Map> rounded;
    for (const Linear* map : maps) rounded.push_back({map->int8, map->bias});
    return int8_products(x, rounded);
  }
  if (std::ranges::all_of(maps, [](const Linear* map) { return map->blocks != nullptr; })) {
    std::vector<BlockMap> stored;
    for (const Linear* map : maps) stored.push_back({map->blocks, map->bias});
    return block_products(x, stored);
  }
  std::vector<at::Tensor> outputs, weights, biases;
  std::vector<int64_t> widths;
  const bool stay_apart = std::ranges::any_of(maps, [&](const Linear* map) {
    return is_packed(*map) || (!records_gradients(x, map->weight) && x.size(0) < kWorthJoining);
  });
  if (stay_apart) {
    for (const Linear* map : maps) outputs.push_back(linear(x, *map));
    return outputs;
  }
  for (const Linear* map : maps) {
    weights.push_back(map->weight);
    widths.push_back(map->weight.size(0));
    if (map->bias.defined()) biases.push_back(map->bias);
  }
  const at::Tensor bias = biases.empty() ? at::Tensor() : at::cat(biases);
  return linear(x, at::cat(weights), bias).split_with_sizes(widths, 1);
}

at::Tensor onednn_linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  TORCH_CHECK(x.dim() == 2 && x.scalar_type() == at::kFloat && x.is_cpu(),
              "x must be a matrix of float32 on the CPU");
  if (!at::hasMKLDNN()) return at::linear(x, weight, bias);
  return OneDnnLinear::apply(x, weight, bias.defined() ? std::optional(bias) : std::nullopt);
}

}  // namespace rubric::models
