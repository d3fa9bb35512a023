#include "models/ops/gradient_checkpointing.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <utility>

#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/functions/accumulate_grad.h>

#include "models/ops/device.h"

namespace rubric::models {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct HeldLayer : torch::CustomClassHolder {
  LayerFunction layer;
  size_t inputs;     // the number of inputs; the parameters follow them
  at::Tensor first;  // its result in forward
  at::Device device = at::kCPU;
  at::Tensor random_state;   // before it was called
  bool is_autocast = false;  // when it was called
};

// Restores the generator to the layer's first call during its lifetime.
class ReplayedGeneratorState {
 public:
  explicit ReplayedGeneratorState(const HeldLayer& held)
      : device_(held.device), now_(random_state(device_)) {
    set_random_state(device_, held.random_state);
  }
  ~ReplayedGeneratorState() { set_random_state(device_, now_); }
  ReplayedGeneratorState(const ReplayedGeneratorState&) = delete;
  ReplayedGeneratorState& operator=(const ReplayedGeneratorState&) = delete;

 private:
  at::Device device_;
  at::Tensor now_;
};

// The same tensors as leaves of a new graph.
variable_list cut_off(at::TensorList tensors) {
  variable_list leaves;
  for (const at::Tensor& tensor : tensors) {
    leaves.push_back(tensor.detach().set_requires_grad(tensor.requires_grad()));
  }
  return leaves;
}

// The leaves other than `inputs` from which `result` was computed: a layer's parameters.
variable_list parameters_behind(const at::Tensor& result, const variable_list& inputs) {
  variable_list parameters;
  std::unordered_set<torch::autograd::Node*> seen;
  std::vector<torch::autograd::Node*> open = {result.grad_fn().get()};
  while (!open.empty()) {
    torch::autograd::Node* const node = open.back();
    open.pop_back();
    if (node == nullptr || !seen.insert(node).second) continue;
    if (const auto* leaf = dynamic_cast<torch::autograd::AccumulateGrad*>(node)) {
      const auto is_it = [&](const at::Tensor& input) { return input.is_same(leaf->variable); };
      if (std::ranges::none_of(inputs, is_it)) parameters.push_back(leaf->variable);
    }
    for (const auto& edge : node->next_edges()) open.push_back(edge.function.get());
  }
  return parameters;
}

class Checkpoint : public torch::autograd::Function<Checkpoint> {
 public:
  static at::Tensor forward(AutogradContext* context, at::TensorList tensors,
                            const c10::intrusive_ptr<HeldLayer>& held) {
    context->save_for_backward(tensors.vec());
    context->saved_data["layer"] = c10::IValue::make_capsule(held);
    return std::move(held->first);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto held =
        c10::static_intrusive_pointer_cast<HeldLayer>(context->saved_data["layer"].toCapsule());
    variable_list tensors = context->get_saved_variables();
    const variable_list inputs = cut_off(at::TensorList(tensors).slice(0, held->inputs));
    std::ranges::copy(inputs, tensors.begin());
    variable_list wanted;
    std::ranges::copy_if(tensors, std::back_inserter(wanted),
                         [](const at::Tensor& tensor) { return tensor.requires_grad(); });
    const at::AutoGradMode records(true);
    const variable_list found = torch::autograd::grad(
        {again(*held, inputs)}, wanted, {gradients[0]}, /*retain_graph=*/std::nullopt,
        /*create_graph=*/false, /*allow_unused=*/true);
    variable_list tensor_gradients;
    auto next = found.begin();
    for (const at::Tensor& tensor : tensors) {
      tensor_gradients.push_back(tensor.requires_grad() ? *next++ : at::Tensor());
    }
    tensor_gradients.emplace_back();  // of `held`
    return tensor_gradients;
  }

 private:
  static at::Tensor again(const HeldLayer& held, const variable_list& inputs) {
    const ReplayedGeneratorState rewound(held);
    const Autocast autocast(held.device.type(), held.is_autocast);
    return held.layer(inputs);
  }
};

}  // namespace

at::Tensor checkpointed(const LayerFunction& layer, const std::vector<at::Tensor>& inputs) {
  if (!at::GradMode::is_enabled()) return layer(inputs);
  auto held = c10::make_intrusive<HeldLayer>();
  held->layer = layer;
  held->inputs = inputs.size();
  held->device = inputs[0].device();
  held->random_state = random_state(held->device);
  held->is_autocast = is_autocast(held->device.type());
  const variable_list leaves = cut_off(inputs);
  const at::Tensor first = layer(leaves);
  if (!first.requires_grad()) return first;  // a frozen model's
  // The parameters are inputs too, so that c10d's Reducer, which walks the graph, finds those that
  // will have a gradient.
  variable_list tensors = inputs;
  std::ranges::copy(parameters_behind(first, leaves), std::back_inserter(tensors));
  held->first = first.detach();
  // Autograd ignores tensors in a std::vector.
  return Checkpoint::apply(at::TensorList(tensors), held);
}

}  // namespace rubric::models
