#include "models/checkpointing.h"

#include <algorithm>

#include <torch/csrc/autograd/autograd.h>

#include "models/autocast.h"
#include "models/device.h"

namespace rubric {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct HeldLayer : torch::CustomClassHolder {
  LayerFunction layer;
  at::Device device = at::kCPU;
  at::Tensor random_state;   // before it was called
  bool is_autocast = false;  // when it was called
};

// As long as it lives the generator has drawn what it had drawn when the layer was called first.
class Rewound {
 public:
  explicit Rewound(const HeldLayer& held) : device_(held.device), now_(random_state(device_)) {
    set_random_state(device_, held.random_state);
  }
  ~Rewound() { set_random_state(device_, now_); }
  Rewound(const Rewound&) = delete;
  Rewound& operator=(const Rewound&) = delete;

 private:
  at::Device device_;
  at::Tensor now_;
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
    const at::Tensor out = again(*held, inputs);
    torch::autograd::backward({out}, {gradients[0]});
    variable_list input_gradients;
    for (const at::Tensor& input : inputs) input_gradients.push_back(input.grad());
    input_gradients.emplace_back();  // of `held`
    return input_gradients;
  }

 private:
  static at::Tensor again(const HeldLayer& held, const variable_list& inputs) {
    const Rewound rewound(held);
    const Autocast autocast(held.device.type(), held.is_autocast);
    return held.layer(inputs);
  }
};

}  // namespace

at::Tensor checkpointed(const LayerFunction& layer, const std::vector<at::Tensor>& inputs) {
  if (!at::GradMode::is_enabled()) return layer(inputs);
  TORCH_CHECK(std::ranges::any_of(inputs, [](const at::Tensor& x) { return x.requires_grad(); }),
              "no input of a checkpointed layer leads to a gradient");
  auto held = c10::make_intrusive<HeldLayer>();
  held->layer = layer;
  held->device = inputs[0].device();
  held->random_state = random_state(held->device);
  held->is_autocast = is_autocast(held->device.type());
  return Checkpoint::apply(at::TensorList(inputs), held);  // a vector's tensors would not count
}

}  // namespace rubric
