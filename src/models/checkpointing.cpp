#include "models/checkpointing.h"

#include <algorithm>

#include <torch/csrc/autograd/autograd.h>

namespace rubric {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct HeldLayer : torch::CustomClassHolder {
  LayerFunction layer;
};

class Checkpoint : public torch::autograd::Function<Checkpoint> {
 public:
  static at::Tensor forward(AutogradContext* context, at::TensorList inputs,
                            const c10::intrusive_ptr<HeldLayer>& held) {
    context->save_for_backward(inputs.vec());
    context->saved_data["layer"] = c10::IValue::make_capsule(held);
    return held->layer(inputs.vec());
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto held =
        c10::static_intrusive_pointer_cast<HeldLayer>(context->saved_data["layer"].toCapsule());
    variable_list inputs;
    for (const at::Tensor& input : context->get_saved_variables()) {
      inputs.push_back(input.detach().set_requires_grad(input.requires_grad()));
    }
    const at::AutoGradMode records(true);
    torch::autograd::backward({held->layer(inputs)}, {gradients[0]});
    variable_list input_gradients;
    for (const at::Tensor& input : inputs) input_gradients.push_back(input.grad());
    input_gradients.emplace_back();  // of `held`
    return input_gradients;
  }
};

}  // namespace

at::Tensor checkpointed(const LayerFunction& layer, const std::vector<at::Tensor>& inputs) {
  if (!at::GradMode::is_enabled()) return layer(inputs);
  TORCH_CHECK(std::ranges::any_of(inputs, [](const at::Tensor& x) { return x.requires_grad(); }),
              "no input of a checkpointed layer leads to a gradient");
  auto held = c10::make_intrusive<HeldLayer>();
  held->layer = layer;
  return Checkpoint::apply(at::TensorList(inputs), held);  // a vector's tensors would not count
}

}  // namespace rubric
