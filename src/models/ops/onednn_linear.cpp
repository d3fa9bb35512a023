#include "models/ops/onednn_linear.h"

#include <algorithm>
#include <string>
#include <thread>

#include <ATen/core/dispatch/Dispatcher.h>

namespace rubric {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

at::Tensor product(const at::Tensor& x, const at::Tensor& weight,
                   const std::optional<at::Tensor>& bias) {
  using Activations = c10::List<std::optional<at::Scalar>>;
  using Product = at::Tensor(const at::Tensor&, const at::Tensor&, const std::optional<at::Tensor>&,
                             std::string_view, Activations, std::optional<std::string_view>);
  static const c10::TypedOperatorHandle<Product> linear =
      c10::Dispatcher::singleton()
          .findSchemaOrThrow("mkldnn::_linear_pointwise", "")
          .typed<Product>();
  return linear.call(x, weight, bias, "none", Activations(), "");
}

class OneDnnLinear : public torch::autograd::Function<OneDnnLinear> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                            const std::optional<at::Tensor>& bias) {
    context->save_for_backward({x, weight});
    context->saved_data["has bias"] = bias.has_value();
    return product(x, weight, bias);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    TORCH_CHECK(!at::GradMode::is_enabled(), "onednn_linear is differentiable once");
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &weight = saved[1];
    const at::Tensor& d_out = gradients[0];
    const bool wants_x = context->needs_input_grad(0), wants_weight = context->needs_input_grad(1);
    const bool wants_bias =
        context->saved_data["has bias"].toBool() && context->needs_input_grad(2);
    return {wants_x ? product(d_out, weight.t(), std::nullopt) : at::Tensor(),
            wants_weight ? d_out.t().mm(x) : at::Tensor(),
            wants_bias ? d_out.sum(0) : at::Tensor()};
  }
};

}  // namespace

void set_up_onednn() {
  // A thread's batch needs four in each layer, as many again backward; the layers share them.
  constexpr unsigned kProductsOfThread = 16;
  const unsigned products = kProductsOfThread * std::max(2u, std::thread::hardware_concurrency());
  setenv("ONEDNN_PRIMITIVE_CACHE_CAPACITY", std::to_string(products).c_str(), /*overwrite=*/0);
  setenv("ONEDNN_DEFAULT_FPMATH_MODE", "STRICT", /*overwrite=*/1);
}

at::Tensor onednn_linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  TORCH_CHECK(x.dim() == 2 && x.scalar_type() == at::kFloat && x.is_cpu(),
              "x must be a matrix of float32 on the CPU");
  if (!at::hasMKLDNN()) return at::linear(x, weight, bias);
  return OneDnnLinear::apply(x, weight, bias.defined() ? std::optional(bias) : std::nullopt);
}

}  // namespace rubric
