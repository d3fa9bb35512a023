#include "models/ops/head_attention.h"

#include <algorithm>
#include <bit>
#include <exception>
#include <type_traits>

#include <ATen/native/CPUBlas.h>
#include <ATen/ops/empty.h>
#include <c10/util/BFloat16.h>

#include "models/ops/dropout.h"
#include "models/ops/vector_math.h"

namespace rubric::models {

namespace {

// Most queries of a block; keys are padded to multiples of it. Each thread compiles oneDNN's
// products for each size once, and keeps them, so sizes must be few.
constexpr int64_t kQueryBlock = 32;

int64_t padded(int64_t count) {
  return (count + kQueryBlock - 1) / kQueryBlock * kQueryBlock;
}

// To the nearest, ties to even: the bits of float32 with the lower half cleared.
[[gnu::always_inline]] inline float rounded(float x) {
  const auto bits = std::bit_cast<uint32_t>(x);
  const uint32_t nearest = bits + 0x7fff + ((bits >> 16) & 1);
  return std::bit_cast<float>((x == x ? nearest : bits | 0x400000) & 0xffff0000);  // NaN stays NaN
}

[[gnu::always_inline]] inline at::BFloat16 bfloat16(float x) {
  return {static_cast<uint16_t>(std::bit_cast<uint32_t>(rounded(x)) >> 16),
          at::BFloat16::from_bits()};
}

// brgemm() with bfloat16 leaves AMX's tiles configured, which oneDNN's other products would find.
struct TileRelease {
  ~TileRelease() { at::native::cpublas::brgemm_release(); }
};

// Whether the processor multiplies bfloat16, and libtorch lets it.
bool multiplies_bfloat16() {
#if defined(__x86_64__)
  static const bool can = [] {
    if (!__builtin_cpu_supports("avx512bf16")) return false;
    const TileRelease release;
    at::BFloat16 a[2] = {1, 1}, b[2] = {1, 1};
    float c = 0;
    try {
      at::native::cpublas::brgemm(1, 1, 2, 2, 1, 1, false, a, b, &c);
    } catch (const std::exception&) {  // libtorch's or oneDNN's
      return false;
    }
    return c == 2;
  }();
  return can;
#else
  return false;
#endif
}

// The numbers of a product: float32, float32 with the values of bfloat16, or bfloat16.
struct Plain {
  using Number = float;
  [[gnu::always_inline]] static Number of(float x) { return x; }
};
struct Rounded {
  using Number = float;
  [[gnu::always_inline]] static Number of(float x) { return rounded(x); }
};
struct Native {
  using Number = at::BFloat16;
  [[gnu::always_inline]] static Number of(float x) { return bfloat16(x); }
};

// brgemm() reads the second matrix of a product row by row, and of bfloat16 the numbers of two rows
// in turn.
template <class Kind>
constexpr int64_t kTogether = std::is_same_v<typename Kind::Number, float> ? 1 : 2;

// x^T as the second matrix, padded with zeros to `columns`.
template <class Kind>
[[gnu::always_inline]] inline void transpose(const Input& x, int64_t columns,
                                             typename Kind::Number* out) {
  constexpr int64_t k = kTogether<Kind>;
  for (int64_t row = 0; row < x.columns; row += k) {
    typename Kind::Number* const to = out + row * columns;
    for (int64_t j = 0; j < x.rows; ++j) {
      for (int64_t i = 0; i < k; ++i) to[k * j + i] = Kind::of(x.data[j * x.stride + row + i]);
    }
    std::fill(to + k * x.rows, to + k * columns, Kind::of(0));
  }
}

// x as the second matrix, padded with zeros to `rows`.
template <class Kind>
[[gnu::always_inline]] inline void pad_rows(const Input& x, int64_t rows,
                                            typename Kind::Number* out) {
  constexpr int64_t k = kTogether<Kind>;
  std::fill(out + x.rows / k * k * x.columns, out + rows * x.columns, Kind::of(0));
  for (int64_t row = 0; row < x.rows; ++row) {
    typename Kind::Number* const to = out + row / k * k * x.columns + row % k;
    const float* const from = x.data + row * x.stride;
    for (int64_t j = 0; j < x.columns; ++j) to[k * j] = Kind::of(from[j]);
  }
}

// Replaces the visible numbers by the terms of a softmax, e^(scale x + bias - the largest), the
// rest by 0; returns the sum of the terms. No bias is added where it is null.
[[gnu::always_inline]] inline float replace_by_terms(float* row, KeyRange visible, int64_t columns,
                                                     float scale, const float* bias) {
  const auto [begin, end] = visible;
  if (bias == nullptr) {
    for (int64_t j = begin; j < end; ++j) row[j] *= scale;
  } else {
    for (int64_t j = begin; j < end; ++j) row[j] = row[j] * scale + bias[j];
  }
  std::fill(row, row + begin, 0.0f);
  std::fill(row + end, row + columns, 0.0f);
  return replace_by_exponentials(row + begin, end - begin).sum;
}

// The keys that a block of queries is multiplied with: as many for each block.
int64_t keys_of_block(const HeadAttention& head, int64_t keys) {
  if (!head.window || head.dropout.keys != nullptr) return keys;  // masks begin with the first key
  const int64_t one_side = padded(*head.window);
  return std::min(keys, one_side + kQueryBlock + (head.causal ? 0 : one_side));
}

template <class Kind>
RUBRIC_FOR_AVX512_TOO void attend_as(const HeadAttention& head) {
  using Number = typename Kind::Number;
  using at::native::cpublas::brgemm;
  constexpr bool is_float = std::is_same_v<Number, float>;
  const int64_t size = head.q.columns, keys = padded(head.k.rows);
  const auto numbers_of = [](int64_t count) {
    return at::empty({count}, is_float ? at::kFloat : at::kBFloat16);
  };
  at::Tensor inputs = numbers_of(2 * size * keys + kQueryBlock * (size + keys)),
             results = at::empty({kQueryBlock * (keys + size)}, at::kFloat);
  auto* const k = inputs.mutable_data_ptr<Number>();
  Number* const v = k + size * keys;
  Number* const q = v + keys * size;
  auto* const scores = results.mutable_data_ptr<float>();
  float* const out = scores + kQueryBlock * keys;
  Number* const p = [&] {  // the probabilities replace the scores where they are float32, too
    if constexpr (is_float)
      return scores;
    else
      return q + kQueryBlock * size;
  }();
  const int64_t seen = keys_of_block(head, keys);
  transpose<Kind>(head.k, keys, k);
  pad_rows<Kind>(head.v, keys, v);
  for (int64_t first = 0; first < head.q.rows; first += kQueryBlock) {
    const int64_t queries = std::min(kQueryBlock, head.q.rows - first);
    const auto block = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(queries)));
    for (int64_t i = 0; i < queries; ++i) {
      const float* const from = head.q.data + (first + i) * head.q.stride;
      for (int64_t j = 0; j < size; ++j) q[i * size + j] = Kind::of(from[j]);
    }
    std::fill(q + queries * size, q + block * size, Kind::of(0));
    // The block's keys are those from `start` on.
    const int64_t start =
        seen == keys ? 0 : std::clamp<int64_t>(first - padded(*head.window), 0, keys - seen);
    brgemm(block, seen, size, size, keys, seen, false, q, k + kTogether<Kind> * start, scores);
    for (int64_t i = 0; i < queries; ++i) {
      float* const row = scores + i * seen;
      const int64_t query = first + i;
      const auto [begin, end] = visible_keys(query, head.k.rows, head.causal, head.window);
      const float sum =
          replace_by_terms(row, {begin - start, end - start}, seen, head.scale,
                           head.biases == nullptr ? nullptr : head.biases - query + start);
      if (head.dropout.keys != nullptr) {
        apply_mask(row, row, head.dropout.keys + query, 1, head.k.rows, head.dropout.rate,
                   head.dropout.site);
      }
      const float share = 1 / sum;
      for (int64_t j = 0; j < seen; ++j) p[i * seen + j] = Kind::of(row[j] * share);
    }
    std::fill(p + queries * seen, p + block * seen, Kind::of(0));
    brgemm(block, size, seen, seen, size, size, false, p, v + start * size, out);
    for (int64_t i = 0; i < queries; ++i) {
      std::copy_n(out + i * size, size, head.out.data + (first + i) * head.out.stride);
    }
  }
}

}  // namespace

RUBRIC_FOR_AVX512_TOO
void softmax_row(float* row, KeyRange visible, int64_t columns, float scale, const float* bias) {
  const float share = 1 / replace_by_terms(row, visible, columns, scale, bias);
  for (int64_t j = visible.begin; j < visible.end; ++j) row[j] *= share;
}

void attend(const HeadAttention& head) {
  if (!head.rounded) return attend_as<Plain>(head);
  if (!multiplies_bfloat16() || head.q.columns % 2 != 0) return attend_as<Rounded>(head);
  const TileRelease release;
  attend_as<Native>(head);
}

}  // namespace rubric::models
