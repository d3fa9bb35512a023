#include "models/ops/dropout.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "models/ops/fused.h"
#include "models/ops/vector_math.h"

namespace rubric::models {
namespace {

// 32 well-mixed bits of (element, a, b). The two halves of the key enter between multiplicative
// rounds: adding consecutive keys directly would give correlated masks.
[[gnu::always_inline]] inline uint32_t element_bits(uint32_t element, uint32_t a, uint32_t b) {
  uint32_t x = element * 0x9E3779B1u + a;
  x = (x ^ (x >> 16)) * 0x7FEB352Du;
  x = (x ^ (x >> 15)) + b;
  x *= 0x846CA68Bu;
  return x ^ (x >> 16);
}

// One row; `out` may be `in`.
RUBRIC_FOR_AVX512_TOO
void mask_row(const float* in, float* out, int64_t width, uint64_t key, uint32_t threshold,
              float scale) {
  const auto a = static_cast<uint32_t>(key), b = static_cast<uint32_t>(key >> 32);
#pragma omp simd
  for (int64_t j = 0; j < width; ++j) {
    const uint32_t bits = element_bits(static_cast<uint32_t>(j), a, b);
    const float kept = in[j] * scale;
    out[j] = bits >= threshold ? kept : 0.0f;
  }
}

class Dropout : public torch::autograd::Function<Dropout> {
 public:
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x,
                            const at::Tensor& keys, double rate, int64_t site) {
    context->save_for_backward({keys});
    context->saved_data["rate"] = rate;
    context->saved_data["site"] = site;
    return masked(x, keys, rate, site);
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const at::Tensor keys = context->get_saved_variables()[0];
    return {masked(gradients[0], keys, context->saved_data["rate"].toDouble(),
                   context->saved_data["site"].toInt()),
            {},
            {},
            {}};
  }

 private:
  static at::Tensor masked(const at::Tensor& x, const at::Tensor& keys, double rate, int64_t site) {
    const at::Tensor in = x.contiguous();
    at::Tensor out = at::empty_like(in);
    apply_mask(in.const_data_ptr<float>(), out.mutable_data_ptr<float>(),
               keys.const_data_ptr<int64_t>(), in.size(0), in.size(1), rate,
               static_cast<uint64_t>(site));
    return out;
  }
};

}  // namespace

DropoutKeys DropoutKeys::select(const at::Tensor& indices) const {
  return {enabled() ? rows.index_select(0, indices) : rows};
}

void require_keys(const DropoutKeys& keys, int64_t tokens) {
  TORCH_CHECK(!keys.enabled() || (keys.rows.is_cpu() && keys.rows.scalar_type() == at::kLong &&
                                  keys.rows.is_contiguous() && keys.rows.dim() == 1 &&
                                  keys.rows.size(0) == tokens),
              "there must be a dropout key for each token");
}

void apply_mask(const float* in, float* out, const int64_t* keys, int64_t rows, int64_t width,
                double rate, uint64_t site) {
  const auto threshold =
      static_cast<uint32_t>(std::min(std::llround(rate * 0x1.0p32), 0xFFFFFFFFll));
  const auto scale = static_cast<float>(1.0 / (1.0 - rate));
  parallel_for_rows(rows, width, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const uint64_t key = mix(static_cast<uint64_t>(keys[row]) + mix(site));
      mask_row(in + row * width, out + row * width, width, key, threshold, scale);
    }
  });
}

at::Tensor dropout(const at::Tensor& x, const DropoutKeys& keys, double rate, uint64_t site) {
  if (!keys.enabled() || rate == 0) return x;
  if (!x.is_cpu()) return at::dropout(x, rate, /*train=*/true);
  require_keys(keys, x.size(0));
  return Dropout::apply(x, keys.rows, rate, static_cast<int64_t>(site));
}

}  // namespace rubric::models
