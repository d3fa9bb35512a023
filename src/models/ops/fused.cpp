#include "models/ops/fused.h"

#include <algorithm>
#include <cmath>

#include <ATen/Parallel.h>

#include "models/ops/aten_path.h"
#include "models/ops/vector_math.h"

namespace rubric::models {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

template <class PerRow>
void for_each_row(const at::Tensor& x, const PerRow& work) {
  parallel_for_rows(x.size(0), x.size(1), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) work(row);
  });
}

void require_matrix(const char* name, const at::Tensor& x) {
  TORCH_CHECK(x.dim() == 2 && x.scalar_type() == at::kFloat && x.is_contiguous(), name,
              " must be a contiguous matrix of float32");
}

void require_vector(const char* name, const at::Tensor& x, int64_t width) {
  TORCH_CHECK(
      x.dim() == 1 && x.size(0) == width && x.scalar_type() == at::kFloat && x.is_contiguous(),
      name, " must be ", width, " contiguous numbers of float32");
}

// Writes the derivative to `slope` unless it is null.
RUBRIC_FOR_AVX512_TOO
void gelu_row(const float* x, const float* bias, float* out, float* slope, int64_t width) {
  if (slope == nullptr) {
    for (int64_t j = 0; j < width; ++j) {
      const float value = x[j] + bias[j];
      out[j] = value * normal_distribution(value).cumulative;
    }
    return;
  }
  for (int64_t j = 0; j < width; ++j) {
    const float value = x[j] + bias[j];
    const NormalDistribution normal = normal_distribution(value);
    out[j] = value * normal.cumulative;
    slope[j] = normal.cumulative + value * normal.density;
  }
}

class BiasGelu : public torch::autograd::Function<BiasGelu> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& bias,
                            bool differentiable) {
    at::Tensor out = at::empty_like(x);
    at::Tensor slope = differentiable ? at::empty_like(x) : at::Tensor();
    const float* in = x.const_data_ptr<float>();
    const float* shift = bias.const_data_ptr<float>();
    float* result = out.mutable_data_ptr<float>();
    float* slopes = differentiable ? slope.mutable_data_ptr<float>() : nullptr;
    const int64_t width = x.size(1);
    for_each_row(x, [=](int64_t row) {
      const int64_t at = row * width;
      gelu_row(in + at, shift, result + at, slopes == nullptr ? nullptr : slopes + at, width);
    });
    if (differentiable) context->save_for_backward({slope});
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const at::Tensor d_x = gradients[0] * context->get_saved_variables()[0];
    return {d_x, d_x.sum(0), {}};
  }
};

RUBRIC_FOR_AVX512_TOO
void gated_gelu_row(const float* x, float* out, int64_t width) {
  for (int64_t j = 0; j < width; ++j) {
    out[j] = x[j] * normal_distribution(x[j]).cumulative * x[width + j];
  }
}

RUBRIC_FOR_AVX512_TOO
void gated_gelu_gradient_row(const float* x, const float* d_out, float* d_x, int64_t width) {
  for (int64_t j = 0; j < width; ++j) {
    const NormalDistribution normal = normal_distribution(x[j]);
    d_x[j] = d_out[j] * x[width + j] * (normal.cumulative + x[j] * normal.density);
    d_x[width + j] = d_out[j] * x[j] * normal.cumulative;
  }
}

class GatedGelu : public torch::autograd::Function<GatedGelu> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x) {
    const int64_t width = x.size(1) / 2;
    at::Tensor out = at::empty({x.size(0), width}, x.options());
    const float* const in = x.const_data_ptr<float>();
    float* const result = out.mutable_data_ptr<float>();
    for_each_row(
        x, [=](int64_t row) { gated_gelu_row(in + 2 * row * width, result + row * width, width); });
    context->save_for_backward({x});
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const at::Tensor x = context->get_saved_variables()[0], d_out = gradients[0].contiguous();
    const int64_t width = x.size(1) / 2;
    at::Tensor d_x = at::empty_like(x);
    const float *in = x.const_data_ptr<float>(), *d = d_out.const_data_ptr<float>();
    float* const result = d_x.mutable_data_ptr<float>();
    for_each_row(x, [=](int64_t row) {
      gated_gelu_gradient_row(in + 2 * row * width, d + row * width, result + 2 * row * width,
                              width);
    });
    return {d_x};
  }
};

struct Moments {
  float mean, reciprocal_deviation;
};

[[gnu::always_inline]] inline Moments moments_of(const float* x, int64_t width, double epsilon) {
  float sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t j = 0; j < width; ++j) sum += x[j];
  const float mean = sum / static_cast<float>(width);
#pragma omp simd reduction(+ : squares)
  for (int64_t j = 0; j < width; ++j) squares += (x[j] - mean) * (x[j] - mean);
  const double variance = static_cast<double>(squares) / static_cast<double>(width);
  return {mean, static_cast<float>(1.0 / std::sqrt(variance + epsilon))};
}

// `sum` becomes sum + residual, and `out` its layer norm.
RUBRIC_FOR_AVX512_TOO
Moments norm_sum_row(float* sum, const float* residual, const float* weight, const float* shift,
                     float* out, int64_t width, double epsilon) {
  for (int64_t j = 0; j < width; ++j) sum[j] += residual[j];
  const Moments m = moments_of(sum, width, epsilon);
  for (int64_t j = 0; j < width; ++j) {
    out[j] = (sum[j] - m.mean) * m.reciprocal_deviation * weight[j] + shift[j];
  }
  return m;
}

class AddNorm : public torch::autograd::Function<AddNorm> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& bias,
                            const at::Tensor& residual, const at::Tensor& weight,
                            const at::Tensor& shift, double epsilon,
                            const std::optional<at::Tensor>& keys, double rate, int64_t site) {
    const int64_t width = x.size(1);
    at::Tensor sum = at::empty_like(x), out = at::empty_like(x);
    at::Tensor mean = at::empty({x.size(0), 1}, x.options()), deviation = at::empty_like(mean);
    const float *in = x.const_data_ptr<float>(), *add = residual.const_data_ptr<float>();
    const float *b = bias.const_data_ptr<float>(), *w = weight.const_data_ptr<float>();
    const float* s = shift.const_data_ptr<float>();
    const int64_t* row_keys = keys ? keys->const_data_ptr<int64_t>() : nullptr;
    float *sums = sum.mutable_data_ptr<float>(), *results = out.mutable_data_ptr<float>();
    float* means = mean.mutable_data_ptr<float>();
    float* deviations = deviation.mutable_data_ptr<float>();
    for_each_row(x, [=](int64_t row) {
      const int64_t at = row * width;
      float* const total = sums + at;
      for (int64_t j = 0; j < width; ++j) total[j] = in[at + j] + b[j];
      if (row_keys != nullptr) {
        apply_mask(total, total, row_keys + row, 1, width, rate, static_cast<uint64_t>(site));
      }
      const Moments m = norm_sum_row(total, add + at, w, s, results + at, width, epsilon);
      means[row] = m.mean;
      deviations[row] = m.reciprocal_deviation;
    });
    context->save_for_backward({sum, mean, deviation, weight, shift, keys.value_or(at::Tensor())});
    context->saved_data["rate"] = rate;
    context->saved_data["site"] = site;
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &sum = saved[0], &weight = saved[3], &shift = saved[4], &keys = saved[5];
    const auto [d_sum, d_weight, d_shift] =
        at::native_layer_norm_backward(gradients[0].contiguous(), sum, weight.sizes(), saved[1],
                                       saved[2], weight, shift, {true, true, true});
    at::Tensor d_x = d_sum;
    if (keys.defined()) {
      d_x = at::empty_like(d_sum);
      apply_mask(d_sum.const_data_ptr<float>(), d_x.mutable_data_ptr<float>(),
                 keys.const_data_ptr<int64_t>(), d_x.size(0), d_x.size(1),
                 context->saved_data["rate"].toDouble(),
                 static_cast<uint64_t>(context->saved_data["site"].toInt()));
    }
    return {d_x, d_x.sum(0), d_sum, d_weight, d_shift, {}, {}, {}, {}};
  }
};

// y = r x * weight with r = 1 / sqrt(mean(x^2) + epsilon);
// dx = r (g - x r^2 mean(x g)) with g = dy * weight
class RmsNorm : public torch::autograd::Function<RmsNorm> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                            double epsilon) {
    const int64_t width = x.size(1);
    at::Tensor out = at::empty_like(x), scale = at::empty({x.size(0)}, x.options());
    const float *in = x.const_data_ptr<float>(), *w = weight.const_data_ptr<float>();
    float *results = out.mutable_data_ptr<float>(), *scales = scale.mutable_data_ptr<float>();
    for_each_row(x, [=](int64_t row) {
      const float* const from = in + row * width;
      float squares = 0;
#pragma omp simd reduction(+ : squares)
      for (int64_t j = 0; j < width; ++j) squares += from[j] * from[j];
      const double mean = static_cast<double>(squares) / static_cast<double>(width);
      const auto r = static_cast<float>(1 / std::sqrt(mean + epsilon));
      for (int64_t j = 0; j < width; ++j) results[row * width + j] = from[j] * r * w[j];
      scales[row] = r;
    });
    context->save_for_backward({x, weight, scale});
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &weight = saved[1], &scale = saved[2];
    const at::Tensor d_out = gradients[0].contiguous();
    const int64_t width = x.size(1);
    at::Tensor d_x = at::empty_like(x), d_weights = at::empty_like(x);
    const float *in = x.const_data_ptr<float>(), *w = weight.const_data_ptr<float>();
    const float *d = d_out.const_data_ptr<float>(), *scales = scale.const_data_ptr<float>();
    float* results = d_x.mutable_data_ptr<float>();
    float* of_weight = d_weights.mutable_data_ptr<float>();
    for_each_row(x, [=](int64_t row) {
      const float *from = in + row * width, *dy = d + row * width;
      const float r = scales[row];
      float product = 0;
#pragma omp simd reduction(+ : product)
      for (int64_t j = 0; j < width; ++j) product += from[j] * dy[j] * w[j];
      const float shift = r * r * product / static_cast<float>(width);
      for (int64_t j = 0; j < width; ++j) {
        results[row * width + j] = r * (dy[j] * w[j] - from[j] * shift);
        of_weight[row * width + j] = dy[j] * from[j] * r;
      }
    });
    return {d_x, d_weights.sum(0), {}};
  }
};

}  // namespace

at::Tensor bias_gelu(const at::Tensor& x, const at::Tensor& bias) {
  if (!x.is_cpu()) return aten_path::bias_gelu(x, bias);
  require_matrix("x", x);
  require_vector("bias", bias, x.size(1));
  return BiasGelu::apply(x, bias, at::GradMode::is_enabled());
}

at::Tensor gated_gelu(const at::Tensor& x) {
  if (!x.is_cpu()) return aten_path::gated_gelu(x);
  require_matrix("x", x);
  TORCH_CHECK(x.size(1) % 2 == 0, "x must have two halves");
  return GatedGelu::apply(x);
}

at::Tensor add_norm(const at::Tensor& x, const at::Tensor& bias, const at::Tensor& residual,
                    const LayerNorm& norm, double epsilon, const DropoutKeys& keys, double rate,
                    uint64_t site) {
  const bool drops = keys.enabled() && rate > 0;
  if (!x.is_cpu()) {
    return aten_path::add_norm(x, bias, residual, norm, epsilon, drops ? rate : 0);
  }
  require_matrix("x", x);
  require_matrix("residual", residual);
  TORCH_CHECK(residual.sizes() == x.sizes(), "residual must have the shape of x");
  require_vector("bias", bias, x.size(1));
  require_vector("norm.weight", norm.weight, x.size(1));
  require_vector("norm.bias", norm.bias, x.size(1));
  require_keys(keys, x.size(0));
  return AddNorm::apply(x, bias, residual, norm.weight, norm.bias, epsilon,
                        drops ? std::optional<at::Tensor>(keys.rows) : std::nullopt, rate,
                        static_cast<int64_t>(site));
}

at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon) {
  if (!x.is_cpu()) return aten_path::rms_norm(x, weight, epsilon);
  require_matrix("x", x);
  require_vector("weight", weight, x.size(1));
  return RmsNorm::apply(x, weight, epsilon);
}

void parallel_for_rows(int64_t rows, int64_t width,
                       c10::function_ref<void(int64_t begin, int64_t end)> work) {
  constexpr int64_t kNumbersPerThread = 1 << 14;
  const int64_t least_rows = std::max<int64_t>(1, kNumbersPerThread / std::max<int64_t>(1, width));
  at::parallel_for(0, rows, least_rows, work);
}

}  // namespace rubric::models
