// The parameters of an architecture by their published names, which loading, training and saving go
// by.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "models/ops/fused.h"
#include "models/ops/linear.h"
#include "models/weights/weights.h"

namespace rubric::models {

// What a parameter begins with in a model that no training has seen.
enum class StartValue { drawn, zeros, ones };

struct ParameterSlot {
  std::string name;
  at::Tensor* tensor;
  std::vector<int64_t> shape;
  bool is_optional = false;  // zeros when a file lacks it
  bool decays = true;        // whether training applies weight decay
  StartValue start = StartValue::drawn;
  Linear* map = nullptr;  // whose weight it is, where a file's blocks may replace it
};

// Every parameter of a model, in the order of transformers' state dict.
using ParameterSlots = std::vector<ParameterSlot>;

// Biases and norms do not decay, as transformers' Trainer has it.
void add_bias(ParameterSlots& slots, const std::string& name, at::Tensor& bias, int64_t width);
void add_norm_weight(ParameterSlots& slots, const std::string& name, at::Tensor& weight,
                     int64_t width);
void add_linear(ParameterSlots& slots, const std::string& name, Linear& map, int64_t out,
                int64_t in, bool has_bias = true);
void add_norm(ParameterSlots& slots, const std::string& name, LayerNorm& norm, int64_t width,
              bool has_bias = true);

// Moves each slot's tensor out of `weights`, as float32, and leaves other names there. Throws
// InputError listing all missing and mis-shaped tensors.
void take_parameters(const ParameterSlots& slots, NamedTensors& weights, const std::string& where);

// The first part of a name: "encoder" of "encoder.layer.0.output.dense.bias".
std::string module_of(const std::string& name);
std::set<std::string> modules_of(const ParameterSlots& slots);

// Leaves out what take_parameters() left of a file: buffers that are computed from config.json
// (position_ids, masked_bias, inv_freq, …) and poolers, in silence; tensors outside the model, such
// as a classifier on top of it, with one line that names them. Throws InputError for any other
// tensor that `is_inside` the model: a part that we do not compute would change its numbers.
void leave_out_rest(const NamedTensors& rest,
                    const std::function<bool(const std::string& name)>& is_inside,
                    const std::string& where);

// Fills slots from files or with random numbers.
using ParameterLoader = std::function<void(const ParameterSlots& slots)>;

// What a model's training works on.
struct Parameter {
  std::string name;
  at::Tensor tensor;  // float32
  bool decays;        // whether weight decay applies
  double rate = 1;    // times the learning rate
};
using Parameters = std::vector<Parameter>;

// In the order of the slots.
Parameters parameters_of(const ParameterSlots& slots);
NamedTensors named_tensors(const ParameterSlots& slots);
NamedTensors named_tensors(const Parameters& parameters);

// Initial weights: of new models, and of tokens added to a vocabulary.

double reciprocal_root(int64_t value);  // 1/√value

// Fills the slots with their start values; drawn ones come from a normal distribution around 0. A
// function of the seed and the names.
void initialize_parameters(
    const ParameterSlots& slots, uint64_t seed,
    const std::function<double(const std::string& name)>& standard_deviation);

// Extends `table` [rows, width] to `size` rows. New rows are drawn around the mean of the others,
// with a billionth of their variance, as in transformers (mean_resizing) but for each number
// independently instead of with their covariance.
at::Tensor resized_embedding(const at::Tensor& table, int64_t size, uint64_t seed);

}  // namespace rubric::models
