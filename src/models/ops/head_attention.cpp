#include "models/ops/head_attention.h"

#include <algorithm>
#include <bit>
#include <exception>
#include <type_traits>

#include <ATen/native/CPUBlas.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
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

// What the vectors of distances add to the scores of a head. A row of `of_content` or `of_position`
// has the products of one token with the vectors of adjacent distances, its neighbour's begin one
// distance further on: the terms of a query lie along a row of the one, and across the rows of the
// other.
template <class Kind>
struct DistanceTerms {
  using Number = typename Kind::Number;
  int64_t keys, queries;  // padded
  at::Tensor memory;
  float* of_content = nullptr;   // [block of queries, keys + block]
  float* of_position = nullptr;  // [keys, queries + block]

  DistanceTerms(const HeadAttention& head, int64_t padded_keys)
      : keys(padded_keys), queries(padded(head.q.rows)) {
    const bool has_keys = head.distance_keys != nullptr;
    const bool has_queries = head.distance_queries != nullptr;
    if (!has_keys && !has_queries) return;
    const int64_t content = has_keys ? kQueryBlock * (keys + kQueryBlock) : 0;
    memory = at::empty({content + (has_queries ? keys * (queries + kQueryBlock) : 0)}, at::kFloat);
    if (has_keys) of_content = memory.mutable_data_ptr<float>();
    if (has_queries) of_position = memory.mutable_data_ptr<float>() + content;
  }

  // Of tokens from `first` on, `rows` of them, with the `columns` distances from -first - block on.
  static void multiply(const Number* tokens, int64_t rows, int64_t size, const DistanceTable& table,
                       int64_t first, int64_t columns, float* out) {
    const auto* const numbers = table.numbers.const_data_ptr<Number>();
    at::native::cpublas::brgemm(rows, columns, size, size, 2 * table.reach, columns, false, tokens,
                                numbers + kTogether<Kind> * (table.reach - first - kQueryBlock),
                                out);
  }

  // Adds the terms of query `first` + `i`, where of_content is of the queries from `first` on.
  [[gnu::always_inline]] void add(int64_t first, int64_t i, int64_t visible, float* row) const {
    if (of_content != nullptr) {
      const float* const terms = of_content + i * (keys + kQueryBlock) + kQueryBlock - i;
      for (int64_t j = 0; j < visible; ++j) row[j] += terms[j];
    }
    if (of_position == nullptr) return;
    const int64_t width = queries + kQueryBlock;
    for (int64_t block = 0; block < visible; block += kQueryBlock) {
      const float* const terms = of_position + block * width + kQueryBlock + first + i;
      const int64_t count = std::min(kQueryBlock, visible - block);
      for (int64_t j = 0; j < count; ++j) row[block + j] += terms[j * (width - 1)];
    }
  }
};

template <class Kind>
[[gnu::always_inline]] inline void copy_block(const Input& x, int64_t first, int64_t rows,
                                              int64_t block, typename Kind::Number* out) {
  for (int64_t i = 0; i < rows; ++i) {
    const float* const from = x.data + (first + i) * x.stride;
    for (int64_t j = 0; j < x.columns; ++j) out[i * x.columns + j] = Kind::of(from[j]);
  }
  std::fill(out + rows * x.columns, out + block * x.columns, Kind::of(0));
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
  const DistanceTerms<Kind> terms(head, keys);
  for (int64_t first = 0; terms.of_position != nullptr && first < head.k.rows;
       first += kQueryBlock) {
    const int64_t width = terms.queries + kQueryBlock;
    copy_block<Kind>(head.k, first, std::min(kQueryBlock, head.k.rows - first), kQueryBlock, q);
    terms.multiply(q, kQueryBlock, size, *head.distance_queries, first, width,
                   terms.of_position + first * width);
  }
  for (int64_t first = 0; first < head.q.rows; first += kQueryBlock) {
    const int64_t queries = std::min(kQueryBlock, head.q.rows - first);
    const auto block = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(queries)));
    copy_block<Kind>(head.q, first, queries, block, q);
    // The block's keys are those from `start` on.
    const int64_t start =
        seen == keys ? 0 : std::clamp<int64_t>(first - padded(*head.window), 0, keys - seen);
    brgemm(block, seen, size, size, keys, seen, false, q, k + kTogether<Kind> * start, scores);
    if (terms.of_content != nullptr) {
      terms.multiply(q, block, size, *head.distance_keys, first, keys + kQueryBlock,
                     terms.of_content);
    }
    for (int64_t i = 0; i < queries; ++i) {
      float* const row = scores + i * seen;
      const int64_t query = first + i;
      const auto [begin, end] = visible_keys(query, head.k.rows, head.causal, head.window);
      terms.add(first, i, end, row);
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

template <class Kind>
DistanceTable distance_table_as(const Input& vectors, const int64_t* vector_of, int64_t step,
                                int64_t reach) {
  using Number = typename Kind::Number;
  constexpr int64_t k = kTogether<Kind>;
  // Few sizes, as each is compiled once. Blocks read beyond the tokens.
  const auto needed = static_cast<uint64_t>(padded(reach + 1));
  const auto columns = 2 * static_cast<int64_t>(std::bit_ceil(needed));
  DistanceTable table{at::zeros({vectors.columns, columns}, k == 1 ? at::kFloat : at::kBFloat16),
                      columns / 2};
  auto* const numbers = table.numbers.mutable_data_ptr<Number>();
  for (int64_t row = 0; row < vectors.columns; ++row) {
    Number* const to = numbers + row / k * k * columns + row % k + k * table.reach;
    for (int64_t d = -reach; d <= reach; ++d) {
      to[k * d] = Kind::of(vectors.data[vector_of[step * d] * vectors.stride + row]);
    }
  }
  return table;
}

// Calls work.operator()<Kind>() with the kind in which heads of `size` numbers are multiplied.
template <class Work>
auto with_kind(bool rounded, int64_t size, const Work& work) {
  if (!rounded) return work.template operator()<Plain>();
  if (!multiplies_bfloat16() || size % 2 != 0) return work.template operator()<Rounded>();
  return work.template operator()<Native>();
}

}  // namespace

DistanceTable make_distance_table(const Input& vectors, const int64_t* vector_of, int64_t step,
                                  int64_t reach, bool rounded) {
  return with_kind(rounded, vectors.columns, [&]<class Kind>() {
    return distance_table_as<Kind>(vectors, vector_of, step, reach);
  });
}

RUBRIC_FOR_AVX512_TOO
void softmax_row(float* row, KeyRange visible, int64_t columns, float scale, const float* bias) {
  const float share = 1 / replace_by_terms(row, visible, columns, scale, bias);
  for (int64_t j = visible.begin; j < visible.end; ++j) row[j] *= share;
}

void attend(const HeadAttention& head) {
  with_kind(head.rounded, head.q.columns, [&]<class Kind>() {
    if constexpr (std::is_same_v<Kind, Native>) {
      const TileRelease release;
      attend_as<Kind>(head);
    } else {
      attend_as<Kind>(head);
    }
  });
}

}  // namespace rubric::models
