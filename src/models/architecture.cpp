#include "models/architecture.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>
#include <vector>

#include <ATen/Parallel.h>

#include "core/error.h"
#include "core/json/json.h"
#include "core/random.h"
#include "core/system/log.h"

namespace rubric::models {

namespace {

std::string shape_text(at::IntArrayRef shape) {
  std::vector<std::string> sizes;
  for (const int64_t size : shape) sizes.push_back(std::to_string(size));
  return "[" + join(sizes) + "]";
}

// Tensors that a file may have and no metric needs: computed from config.json, or of a pooler.
// DeBERTa's positions have no part in the encoder where its configuration says so.
constexpr std::string_view kDerivedEnds[] = {"position_ids",
                                             "token_type_ids",
                                             "masked_bias",
                                             "attn.bias",
                                             "inv_freq",
                                             "version",
                                             "position_embeddings.weight"};

bool is_derived(const std::string& name) {
  return name.starts_with("pooler.") ||
         std::ranges::any_of(kDerivedEnds, [&](std::string_view end) {
           return name.ends_with("." + std::string(end));
         });
}

// What stands before the names of all `missing` tensors in the file, such as "module."; "" where
// nothing does.
std::string wrapper_prefix(const std::vector<std::string>& missing, const NamedTensors& weights) {
  for (const auto& [name, tensor] : weights) {
    if (missing.empty() || !name.ends_with("." + missing.front())) continue;
    const std::string prefix = name.substr(0, name.size() - missing.front().size());
    const auto is_there = [&](const std::string& each) {
      return find_tensor(weights, prefix + each) != nullptr;
    };
    if (std::ranges::all_of(missing, is_there)) return prefix;
  }
  return "";
}

constexpr int64_t kGrain = 1 << 14;  // the fewest numbers worth a thread

// Standard normal numbers, a function of their positions in a stream (Box and Muller 1958).
at::Tensor normal(at::IntArrayRef shape, uint64_t seed, uint64_t stream) {
  at::Tensor drawn = at::empty(shape, at::kFloat);
  float* const values = drawn.mutable_data_ptr<float>();
  at::parallel_for(0, drawn.numel(), kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const auto place = 2 * static_cast<uint64_t>(i);
      const double u = uniform(random_bits(seed, Purpose::initialise, stream, place));
      const double v = uniform(random_bits(seed, Purpose::initialise, stream, place + 1));
      values[i] =
          static_cast<float>(std::sqrt(-2 * std::log1p(-u)) * std::cos(2 * std::numbers::pi * v));
    }
  });
  return drawn;
}

// A distinct stream for each name.
uint64_t stream_of(const std::string& name) {
  uint64_t hash = name.size();
  for (const char c : name) hash = mix(hash + static_cast<unsigned char>(c));
  return hash;
}

}  // namespace

void add_bias(ParameterSlots& slots, const std::string& name, at::Tensor& bias, int64_t width) {
  slots.push_back({.name = name,
                   .tensor = &bias,
                   .shape = {width},
                   .decays = false,
                   .start = StartValue::zeros});
}

void add_norm_weight(ParameterSlots& slots, const std::string& name, at::Tensor& weight,
                     int64_t width) {
  slots.push_back({.name = name,
                   .tensor = &weight,
                   .shape = {width},
                   .decays = false,
                   .start = StartValue::ones});
}

void add_linear(ParameterSlots& slots, const std::string& name, Linear& map, int64_t out,
                int64_t in, bool has_bias) {
  slots.push_back({name + ".weight", &map.weight, {out, in}});
  if (has_bias) add_bias(slots, name + ".bias", map.bias, out);
}

void add_norm(ParameterSlots& slots, const std::string& name, LayerNorm& norm, int64_t width,
              bool has_bias) {
  add_norm_weight(slots, name + ".weight", norm.weight, width);
  if (has_bias) add_bias(slots, name + ".bias", norm.bias, width);
}

void take_parameters(const ParameterSlots& slots, NamedTensors& weights, const std::string& where) {
  std::vector<std::string> missing, problems;
  for (const ParameterSlot& slot : slots) {
    const auto found = std::ranges::find(weights, slot.name, &NamedTensors::value_type::first);
    if (found == weights.end() && slot.is_optional) {
      *slot.tensor = at::zeros(slot.shape);
    } else if (found == weights.end()) {
      missing.push_back(slot.name);
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
  if (const std::string prefix = wrapper_prefix(missing, weights); !prefix.empty()) {
    throw InputError("the weights have names that begin with " + json_quote(prefix) +
                         ", which the model's tensors do not: " + prefix + missing.front(),
                     where,
                     "save the model that a wrapper holds, or take the prefix off the names");
  }
  throw InputError("the weights do not fit the model:\n    " + join_some(problems, "\n    "), where,
                   "use the config.json and the weights that were published together");
}

std::string module_of(const std::string& name) {
  return name.substr(0, name.find('.'));
}

std::set<std::string> modules_of(const ParameterSlots& slots) {
  std::set<std::string> modules;
  for (const ParameterSlot& slot : slots) modules.insert(module_of(slot.name));
  return modules;
}

void leave_out_rest(const NamedTensors& rest,
                    const std::function<bool(const std::string& name)>& is_inside,
                    const std::string& where) {
  std::vector<std::string> outside, unknown;
  for (const auto& [name, tensor] : rest) {
    if (is_derived(name)) continue;
    (is_inside(name) ? unknown : outside).push_back(name);
  }
  if (!unknown.empty()) {
    throw InputError(
        "the weights hold tensors that this model does not have: " + join_some(unknown), where,
        "use the config.json and the weights that were published together");
  }
  if (outside.empty()) return;
  log_info(where + ": left out are weights outside of the model: " + join_some(outside));
}

Parameters parameters_of(const ParameterSlots& slots) {
  Parameters parameters;
  for (const ParameterSlot& slot : slots) {
    parameters.push_back({slot.name, *slot.tensor, slot.decays});
  }
  return parameters;
}

NamedTensors named_tensors(const ParameterSlots& slots) {
  NamedTensors named;
  for (const ParameterSlot& slot : slots) named.emplace_back(slot.name, *slot.tensor);
  return named;
}

NamedTensors named_tensors(const Parameters& parameters) {
  NamedTensors named;
  for (const Parameter& parameter : parameters)
    named.emplace_back(parameter.name, parameter.tensor);
  return named;
}

double reciprocal_root(int64_t x) {
  return 1 / std::sqrt(static_cast<double>(x));
}

void initialize_parameters(
    const ParameterSlots& slots, uint64_t seed,
    const std::function<double(const std::string& name)>& standard_deviation) {
  for (const ParameterSlot& slot : slots) {
    switch (slot.start) {
      case StartValue::zeros:
        *slot.tensor = at::zeros(slot.shape);
        break;
      case StartValue::ones:
        *slot.tensor = at::ones(slot.shape);
        break;
      case StartValue::drawn:
        *slot.tensor =
            normal(slot.shape, seed, stream_of(slot.name)) * standard_deviation(slot.name);
        break;
    }
  }
}

at::Tensor resized_embedding(const at::Tensor& table, int64_t size, uint64_t seed) {
  constexpr double kVariance = 1e-9;
  const at::Tensor mean = table.mean(0);
  const at::Tensor standard_deviation =
      (table - mean).square().mean(0).sqrt() * std::sqrt(kVariance);
  const int64_t added = size - table.size(0);
  const at::Tensor drawn = normal({added, table.size(1)}, seed, stream_of("new tokens"));
  return at::cat({table, mean + standard_deviation * drawn});
}

}  // namespace rubric::models
