#include "models/ops/linear.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include "core/error.h"
#include "models/ops/device.h"
#include "models/ops/fused.h"

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

std::vector<at::Tensor> fused_int8_linear(const at::Tensor& x,
                                          const std::vector<const Linear*>& maps) {
  std::vector<Int8Weight> weights;
  for (const Linear* map : maps) weights.push_back(map->int8);
  std::vector<at::Tensor> outputs = int8_products(x, weights);
  for (size_t i = 0; i < maps.size(); ++i) {
    if (maps[i]->bias.defined()) outputs[i].add_(maps[i]->bias);
  }
  return outputs;
}

// A vector register of 8 floats; on narrower hardware the compiler uses two registers.
using Vector [[gnu::vector_size(32)]] = float;
constexpr int64_t kWidth = 8;
// Computed at once: with 4 rows 12 sums, which leaves registers to load into.
constexpr int64_t kOutputs = 3;

Vector load(const float* from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof(vector));
  return vector;
}

float sum(Vector v) {
  return ((v[0] + v[4]) + (v[1] + v[5])) + ((v[2] + v[6]) + (v[3] + v[7]));
}

using Quad [[gnu::vector_size(16)]] = float;

// The lower half plus the upper one.
Quad halved(Vector v) {
  const Quad low = {v[0], v[1], v[2], v[3]}, high = {v[4], v[5], v[6], v[7]};
  return low + high;
}

// sum() of four at once: the same additions in the same order, with a fourth of the instructions.
Quad sums_of(Vector a, Vector b, Vector c, Vector d) {
  const Quad p = halved(a), q = halved(b), r = halved(c), s = halved(d);
  const Quad pq = __builtin_shufflevector(p, q, 0, 4, 1, 5),
             rs = __builtin_shufflevector(r, s, 0, 4, 1, 5);
  const Quad pq_last = __builtin_shufflevector(p, q, 2, 6, 3, 7),
             rs_last = __builtin_shufflevector(r, s, 2, 6, 3, 7);
  return (__builtin_shufflevector(pq, rs, 0, 1, 4, 5) +
          __builtin_shufflevector(pq, rs, 2, 3, 6, 7)) +
         (__builtin_shufflevector(pq_last, rs_last, 0, 1, 4, 5) +
          __builtin_shufflevector(pq_last, rs_last, 2, 3, 6, 7));
}

struct Product {
  const float* x;
  const float* weight;
  const float* bias;  // or null
  float* out;
  int64_t in, outputs;
};

// Computes `kRows` rows starting at `row` by `kColumns` outputs starting at `output`.
template <int kRows, int kColumns>
void multiply_tile(const Product& p, int64_t row, int64_t output) {
  Vector sums[kRows][kColumns] = {};
  const float* const x = p.x + row * p.in;
  const float* const w = p.weight + output * p.in;
  // Each group of rows prefetches one of the next outputs' weights: memory, read here for the first
  // time, is the bottleneck.
  const int64_t next = output + kColumns + row / 4 % kColumns;
  const float* const ahead = next < p.outputs ? p.weight + next * p.in : w;
  const int64_t whole = p.in - p.in % kWidth;
  for (int64_t k = 0; k < whole; k += kWidth) {
    Vector columns[kColumns];
    for (int j = 0; j < kColumns; ++j) columns[j] = load(w + j * p.in + k);
    __builtin_prefetch(ahead + k);
    for (int i = 0; i < kRows; ++i) {
      const Vector of_row = load(x + i * p.in + k);
      for (int j = 0; j < kColumns; ++j) sums[i][j] += of_row * columns[j];
    }
  }
  for (int j = 0; j < kColumns; ++j) {
    float totals[kRows];
    if constexpr (kRows == 4) {
      const Quad four = sums_of(sums[0][j], sums[1][j], sums[2][j], sums[3][j]);
      std::memcpy(totals, &four, sizeof(four));
    } else {
      for (int i = 0; i < kRows; ++i) totals[i] = sum(sums[i][j]);
    }
    for (int i = 0; i < kRows; ++i) {
      float total = totals[i];
      for (int64_t k = whole; k < p.in; ++k) total += x[i * p.in + k] * w[j * p.in + k];
      if (p.bias != nullptr) total += p.bias[output + j];
      p.out[(row + i) * p.outputs + output + j] = total;
    }
  }
}

template <int kColumns>
void multiply_rows(const Product& p, int64_t rows, int64_t output) {
  int64_t row = 0;
  for (; row + 4 <= rows; row += 4) multiply_tile<4, kColumns>(p, row, output);
  for (; row < rows; ++row) multiply_tile<1, kColumns>(p, row, output);
}

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
  if (!is_plain_matrix(x)) return at::linear(x, weight, bias);
  if (x.size(0) > kSkinnyGemmRows) return onednn_linear(x, weight, bias);
  const bool is_skinny = !records_gradients(x, weight) && weight.is_contiguous();
  return is_skinny ? skinny_gemm(x, weight, bias) : at::linear(x, weight, bias);
}

at::Tensor linear(const at::Tensor& x, const Linear& map) {
  if (!map.int8) return linear(x, map.weight, map.bias);
  at::Tensor product = without_bias(x, map);
  return map.bias.defined() ? product.add_(map.bias) : product;
}

at::Tensor without_bias(const at::Tensor& x, const Linear& map) {
  if (map.int8) return int8_products(x, {map.int8}).front();
  return linear(x, map.weight, at::Tensor());
}

bool is_packed(const Linear& map) {
  return map.int8 || map.weight.is_mkldnn();
}

void pack_weight(Linear& map, Packing packing) {
  if (!map.weight.defined() || is_packed(map)) return;
  if (packing == Packing::float32) {
    map.weight = packed(map.weight);
    return;
  }
  map.int8 = pack_int8(map.weight);
  map.weight.reset();
}

int64_t outputs_of(const Linear& map) {
  return (map.int8 ? std::get<0>(map.int8->unpack()) : map.weight).size(0);
}

at::Tensor float_linear(const at::Tensor& x, const Linear& map) {
  const Autocast off(x.device().type(), false);
  return at::linear(x.to(at::kFloat), map.weight, map.bias);
}

std::vector<at::Tensor> fused_linear(const at::Tensor& x, const std::vector<const Linear*>& maps) {
  if (maps.front()->int8) return fused_int8_linear(x, maps);
  std::vector<at::Tensor> outputs, weights, biases;
  const bool stay_apart = std::ranges::any_of(maps, [&](const Linear* map) {
    return is_packed(*map) || (!records_gradients(x, map->weight) && x.size(0) < kWorthJoining);
  });
  if (stay_apart) {
    for (const Linear* map : maps) outputs.push_back(linear(x, *map));
    return outputs;
  }
  for (const Linear* map : maps) {
    weights.push_back(map->weight);
    if (map->bias.defined()) biases.push_back(map->bias);
  }
  const at::Tensor bias = biases.empty() ? at::Tensor() : at::cat(biases);
  return linear(x, at::cat(weights), bias).chunk(static_cast<int64_t>(maps.size()), 1);
}

at::Tensor skinny_gemm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  at::Tensor out = at::empty({x.size(0), weight.size(0)}, x.options());
  const Product p{x.const_data_ptr<float>(),
                  weight.const_data_ptr<float>(),
                  bias.defined() ? bias.const_data_ptr<float>() : nullptr,
                  out.mutable_data_ptr<float>(),
                  x.size(1),
                  weight.size(0)};
  constexpr int64_t kGrain = 1 << 16;  // the fewest weights worth a thread
  at::parallel_for(0, p.outputs, 1 + kGrain / p.in, [&](int64_t begin, int64_t end) {
    int64_t output = begin;
    for (; output + kOutputs <= end; output += kOutputs) {
      multiply_rows<kOutputs>(p, x.size(0), output);
    }
    for (; output < end; ++output) multiply_rows<1>(p, x.size(0), output);
  });
  return out;
}

at::Tensor onednn_linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  TORCH_CHECK(x.dim() == 2 && x.scalar_type() == at::kFloat && x.is_cpu(),
              "x must be a matrix of float32 on the CPU");
  if (!at::hasMKLDNN()) return at::linear(x, weight, bias);
  return OneDnnLinear::apply(x, weight, bias.defined() ? std::optional(bias) : std::nullopt);
}

namespace {

constexpr float kMostOfWeight = 127, kMostOfInput = 63;
constexpr int64_t kZeroOfInput = 64;  // FBGEMM's inputs are unsigned

// Returns NaN for a row with a number that is not finite.
float largest_magnitude(const float* row, int64_t width) {
  float most = 0, nothing = 0;
#pragma omp simd reduction(max : most) reduction(+ : nothing)
  for (int64_t j = 0; j < width; ++j) {
    most = std::max(most, std::abs(row[j]));
    nothing += 0 * row[j];
  }
  return most + nothing;
}

at::Tensor int8_product(const at::Tensor& x, const Int8Weight& weight) {
  return weight->apply_with_input_q_dq_qweight_dq_output_fp32(x, 1.0 / kMostOfInput, kZeroOfInput);
}

}  // namespace

Int8Weight pack_int8(const at::Tensor& weight) {
  static const auto prepack = c10::Dispatcher::singleton()
                                  .findSchemaOrThrow("quantized::linear_prepack", "")
                                  .typed<Int8Weight(at::Tensor, std::optional<at::Tensor>)>();
  const at::Tensor largest = weight.abs().amax(1).to(at::kDouble);
  if (!largest.isfinite().all().item<bool>()) {
    throw InputError("the model has a weight that is not finite", "", "use other weights");
  }
  // A row of zeros is exact with any scale.
  const at::Tensor scales = at::where(largest > 0, largest / kMostOfWeight, 1.0);
  const at::Tensor zeros = at::zeros({weight.size(0)}, at::kLong);
  try {
    Int8Weight packed =
        prepack.call(at::quantize_per_channel(weight, scales, zeros, 0, at::kQInt8), std::nullopt);
    int8_product(at::zeros({1, weight.size(1)}), packed);  // FBGEMM checks the CPU here
    return packed;
  } catch (const c10::Error&) {
    throw InputError("weights of 8 bits need an x86-64 CPU with AVX2", "", "leave --int8 out");
  }
}

std::vector<at::Tensor> int8_products(const at::Tensor& x, const std::vector<Int8Weight>& weights) {
  TORCH_CHECK(x.dim() == 2 && x.scalar_type() == at::kFloat && x.is_contiguous() && x.is_cpu(),
              "x must be a contiguous matrix of float32 on the CPU");
  // FBGEMM has one scale for the whole matrix: with each token between -1 and 1 it is one for each
  // token, and a token's products do not depend on its neighbours.
  at::Tensor scaled = at::empty_like(x);
  std::vector<float> scales(static_cast<size_t>(x.size(0)));
  const float* const from = x.const_data_ptr<float>();
  float* const to = scaled.mutable_data_ptr<float>();
  const int64_t width = x.size(1);
  parallel_for_rows(x.size(0), width, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const float most = largest_magnitude(from + row * width, width);
      const float factor = most < std::numeric_limits<float>::min() ? 0 : 1 / most;
      for (int64_t j = row * width; j < (row + 1) * width; ++j) to[j] = from[j] * factor;
      scales[static_cast<size_t>(row)] = most;
    }
  });
  std::vector<at::Tensor> products;
  for (const Int8Weight& weight : weights) {
    at::Tensor out = int8_product(scaled, weight);
    const int64_t outputs = out.size(1);
    float* const values = out.mutable_data_ptr<float>();
    parallel_for_rows(x.size(0), outputs, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const float scale = scales[static_cast<size_t>(row)];
        for (int64_t j = row * outputs; j < (row + 1) * outputs; ++j) values[j] *= scale;
      }
    });
    products.push_back(std::move(out));
  }
  return products;
}

}  // namespace rubric::models
