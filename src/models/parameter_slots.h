// The parameters of a model by their published names: what loading, training and saving go by.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/ops/fused.h"
#include "models/ops/int8.h"
#include "models/weights/weights.h"

namespace rubric {

struct Linear {
  at::Tensor weight, bias;  // [out, in], [out]
  Int8Weight int8 = {};     // in the place of weight, which is undefined then
};

struct ParameterSlot {
  std::string name;
  at::Tensor* tensor;
  std::vector<int64_t> shape;
  bool may_lack = false;  // counts as zeros where a file lacks it
};

// Every parameter of a model, in the order of transformers' state dict.
using ParameterSlots = std::vector<ParameterSlot>;

void add_linear(ParameterSlots& slots, const std::string& name, Linear& map, int64_t out,
                int64_t in);
void add_norm(ParameterSlots& slots, const std::string& name, LayerNorm& norm, int64_t width);

// Moves each slot's tensor out of `weights`, as float32. A missing or mis-shaped tensor is an
// InputError listing them all; other names are left there.
void take_parameters(const ParameterSlots& slots, NamedTensors& weights, const std::string& where);

// Fills slots, from files or with random numbers.
using ParameterLoader = std::function<void(const ParameterSlots& slots)>;

NamedTensors named_tensors(const ParameterSlots& slots);

}  // namespace rubric
