#include "models/parameter_slots.h"

#include <algorithm>

#include "core/error.h"

namespace rubric {
namespace {

std::string shape_text(at::IntArrayRef shape) {
  std::vector<std::string> sizes;
  for (const int64_t size : shape) sizes.push_back(std::to_string(size));
  return "[" + join(sizes) + "]";
}

}  // namespace

void add_linear(ParameterSlots& slots, const std::string& name, Linear& map, int64_t out,
                int64_t in) {
  slots.push_back({name + ".weight", &map.weight, {out, in}});
  slots.push_back({name + ".bias", &map.bias, {out}});
}

void add_norm(ParameterSlots& slots, const std::string& name, LayerNorm& norm, int64_t width) {
  slots.push_back({name + ".weight", &norm.weight, {width}});
  slots.push_back({name + ".bias", &norm.bias, {width}});
}

void take_parameters(const ParameterSlots& slots, NamedTensors& weights, const std::string& where) {
  std::vector<std::string> problems;
  for (const ParameterSlot& slot : slots) {
    const auto found = std::ranges::find(weights, slot.name, &NamedTensors::value_type::first);
    if (found == weights.end() && slot.may_lack) {
      *slot.tensor = at::zeros(slot.shape);
    } else if (found == weights.end()) {
      problems.push_back(slot.name + " is missing");
    } else if (found->second.sizes() != at::IntArrayRef(slot.shape)) {
      problems.push_back(slot.name + " is " + shape_text(found->second.sizes()) +
                         ", config.json asks for " + shape_text(slot.shape));
    } else {
      *slot.tensor = found->second.to(at::kFloat).contiguous();
      weights.erase(found);
    }
  }
  if (problems.empty()) return;
  throw InputError("the weights do not fit the model:\n    " + join_some(problems, "\n    "), where,
                   "use the config.json and the weights that were published together");
}

NamedTensors named_tensors(const ParameterSlots& slots) {
  NamedTensors named;
  for (const ParameterSlot& slot : slots) named.emplace_back(slot.name, *slot.tensor);
  return named;
}

}  // namespace rubric
