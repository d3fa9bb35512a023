#include "models/ops/stored_blocks.h"

#include <algorithm>
#include <bit>
#include <cstring>

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <c10/util/Half.h>

#include "models/ops/vector_math.h"

namespace rubric::models {
namespace {

constexpr int64_t kPanel = 16;   // rows that lie side by side
constexpr int64_t kTokens = 64;  // that are multiplied with a panel while it is in the cache
constexpr int kHalfGroup = 16;   // numbers of 4 bits: two of a row share a byte

}  // namespace

// A panel is its groups, one behind the other; a group is the scales of the rows, their minima
// where there are some, and then column by column the rows' numbers, less `least`. Of numbers of 4
// bits a byte has those of columns i and i + 16.
struct PackedBlocks {
  int64_t outputs, columns;
  int64_t group;  // columns
  bool has_nibbles, has_minimum, has_halves;
  float least;
  int64_t group_bytes, panel_bytes;
  std::vector<uint8_t> panels;
};

namespace {

int64_t bytes_of_scale(const PackedBlocks& w) {
  return w.has_halves ? 2 : 4;
}

void put_scale(float scale, bool as_half, uint8_t* to) {
  const uint16_t half = as_half ? c10::Half(scale).x : 0;
  as_half ? std::memcpy(to, &half, sizeof(half)) : std::memcpy(to, &scale, sizeof(scale));
}

void put_group(const BlockGroup& group, const PackedBlocks& w, int64_t row, uint8_t* to) {
  const int64_t size = bytes_of_scale(w);
  put_scale(group.scale, w.has_halves, to + row * size);
  to += kPanel * size;
  if (w.has_minimum) {
    put_scale(group.minimum, w.has_halves, to + row * size);
    to += kPanel * size;
  }
  const auto number = [&](int64_t i) {
    return static_cast<uint8_t>(group.numbers[i] - static_cast<int>(w.least));
  };
  for (int64_t i = 0; i < (w.has_nibbles ? kHalfGroup : w.group); ++i) {
    to[i * kPanel + row] =
        w.has_nibbles ? static_cast<uint8_t>(number(i) | number(i + kHalfGroup) << 4) : number(i);
  }
}

[[gnu::always_inline]] inline void load_scales(const uint8_t* from, bool are_halves, float* to) {
  if (!are_halves) {
    std::memcpy(to, from, kPanel * sizeof(float));
    return;
  }
#ifdef __F16C__
  for (int64_t i = 0; i < kPanel; i += 8) {
    const auto halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + 2 * i));
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(halves));
  }
#else
  for (int64_t i = 0; i < kPanel; ++i) {
    uint16_t bits = 0;
    std::memcpy(&bits, from + 2 * i, sizeof(bits));
    to[i] = static_cast<float>(c10::Half(bits, c10::Half::from_bits()));
  }
#endif
}

// Registers of kLanes rows.
template <int kLanes>
struct Lanes {
  using Floats [[gnu::vector_size(4 * kLanes)]] = float;
  using Integers [[gnu::vector_size(4 * kLanes)]] = int32_t;
  using Bytes [[gnu::vector_size(kLanes)]] = uint8_t;
};

// kLanes bytes as integers. GCC 12 widens 8 bytes, and those that come from memory, one by one.
template <int kLanes>
[[gnu::always_inline]] inline void widen(const uint8_t* from,
                                         typename Lanes<kLanes>::Integers& to) {
#ifdef __AVX2__
  if constexpr (kLanes == 8) {
    int64_t bits = 0;
    std::memcpy(&bits, from, sizeof(bits));
    const __m256i wide = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(bits));
    std::memcpy(&to, &wide, sizeof(to));
  } else {
    typename Lanes<kLanes>::Bytes bytes;
    std::memcpy(&bytes, from, sizeof(bytes));
    asm("" : "+x"(bytes));
    to = __builtin_convertvector(bytes, typename Lanes<kLanes>::Integers);
  }
#else
  for (int i = 0; i < kLanes; ++i) to[i] = from[i];
#endif
}

// Rows of a panel times kCount tokens. Two sums for few, as each waits for its last addition.
template <int kLanes, int kCount>
[[gnu::always_inline]] inline void multiply_panel(const uint8_t* panel, const PackedBlocks& w,
                                                  const float* x, float* out) {
  using Floats = typename Lanes<kLanes>::Floats;
  constexpr int kSums = kCount > 4 ? 1 : 2;
  for (int64_t lane = 0; lane < kPanel; lane += kLanes) {
    Floats sums[kSums][kCount] = {};
    const uint8_t* group = panel;
    for (const float* of_group = x; of_group < x + w.columns; of_group += w.group) {
      float scales[kPanel], minima[kPanel] = {};
      const uint8_t* numbers = group + lane;
      for (float* const to : {scales, minima}) {
        if (to == minima && !w.has_minimum) continue;
        load_scales(numbers - lane, w.has_halves, to);
        numbers += kPanel * (w.has_halves ? 2 : 4);
      }
      Floats scale, minimum;
      std::memcpy(&scale, scales + lane, sizeof(scale));
      std::memcpy(&minimum, minima + lane, sizeof(minimum));
      minimum += w.least * scale;
      const auto add = [&](Floats(&sum)[kCount], const auto& integers, int64_t column)
          __attribute__((always_inline)) {
        const Floats weights = scale * __builtin_convertvector(integers, Floats) + minimum;
        for (int t = 0; t < kCount; ++t) sum[t] += weights * of_group[t * w.columns + column];
      };
      typename Lanes<kLanes>::Integers integers;
      if (w.has_nibbles) {
        for (int64_t i = 0; i < kHalfGroup; ++i) {
          widen<kLanes>(numbers + i * kPanel, integers);
          add(sums[0], integers & 15, i);
          add(sums[kSums - 1], integers >> 4, i + kHalfGroup);
        }
      } else {
        for (int64_t i = 0; i < w.group; i += 2) {
          widen<kLanes>(numbers + i * kPanel, integers);
          add(sums[0], integers, i);
          widen<kLanes>(numbers + (i + 1) * kPanel, integers);
          add(sums[kSums - 1], integers, i + 1);
        }
      }
      group += w.group_bytes;
    }
    for (int t = 0; t < kCount; ++t) {
      if (kSums > 1) sums[0][t] += sums[1][t];
      std::memcpy(out + t * kPanel + lane, &sums[0][t], sizeof(Floats));
    }
  }
}

// out [tokens, kPanel]
template <int kLanes>
[[gnu::always_inline]] inline void multiply(const uint8_t* panel, const PackedBlocks& w,
                                            const float* x, int64_t tokens, float* out) {
  const auto step = [&]<int kCount>() __attribute__((always_inline)) {
    for (; tokens >= kCount; tokens -= kCount) {
      multiply_panel<kLanes, kCount>(panel, w, x, out);
      x += kCount * w.columns;
      out += kCount * kPanel;
    }
  };
  step.template operator()<8>();
  step.template operator()<4>();
  step.template operator()<2>();
  step.template operator()<1>();
}

using Multiply = void (*)(const uint8_t*, const PackedBlocks&, const float*, int64_t, float*);

void multiply_by_eights(const uint8_t* panel, const PackedBlocks& w, const float* x, int64_t tokens,
                        float* out) {
  multiply<8>(panel, w, x, tokens, out);
}

#ifdef RUBRIC_TWO_ARCHITECTURES
[[gnu::target("arch=x86-64-v4")]] void multiply_by_sixteens(const uint8_t* panel,
                                                            const PackedBlocks& w, const float* x,
                                                            int64_t tokens, float* out) {
  multiply<16>(panel, w, x, tokens, out);
}
#endif

Multiply fastest_multiply() {
#ifdef RUBRIC_TWO_ARCHITECTURES
  if (__builtin_cpu_supports("x86-64-v4")) return multiply_by_sixteens;
#endif
  return multiply_by_eights;
}

}  // namespace

int64_t outputs_of(const PackedBlocks& weight) {
  return weight.outputs;
}

BlockWeight pack_blocks(const BlockMatrix& matrix) {
  const data::GgufType& type = *matrix.type;
  const BlockForm& form = form_of(type);
  PackedBlocks w{};
  w.outputs = matrix.bytes.size(0);
  w.columns = matrix.columns;
  w.group = form.group;
  w.has_nibbles = form.type.starts_with("Q4");
  w.has_minimum = form.has_minimum;
  w.has_halves = form.has_halves;
  w.least = static_cast<float>(form.least);
  w.group_bytes = kPanel * ((w.has_minimum ? 2 : 1) * bytes_of_scale(w) +
                            (w.has_nibbles ? kHalfGroup : w.group));
  w.panel_bytes = w.columns / w.group * w.group_bytes;
  // The rows that fill up the last panel have scales of 0.
  w.panels.resize(static_cast<size_t>((w.outputs + kPanel - 1) / kPanel * w.panel_bytes));
  const auto* const bytes = matrix.bytes.const_data_ptr<uint8_t>();
  at::parallel_for(0, (w.outputs + kPanel - 1) / kPanel, 1, [&](int64_t begin, int64_t end) {
    std::vector<BlockGroup> groups(static_cast<size_t>(type.block / w.group));
    for (int64_t row = begin * kPanel; row < std::min(end * kPanel, w.outputs); ++row) {
      uint8_t* to = w.panels.data() + row / kPanel * w.panel_bytes;
      const uint8_t* block = bytes + row * matrix.bytes.size(1);
      for (int64_t i = 0; i < w.columns; i += type.block, block += type.bytes) {
        form.unpack(block, groups.data());
        for (const BlockGroup& group : groups) {
          put_group(group, w, row % kPanel, to);
          to += w.group_bytes;
        }
      }
    }
  });
  return std::make_shared<const PackedBlocks>(std::move(w));
}

std::vector<at::Tensor> block_products(const at::Tensor& x, const std::vector<BlockMap>& maps) {
  TORCH_CHECK(x.dim() == 2 && x.scalar_type() == at::kFloat && x.is_contiguous() && x.is_cpu(),
              "x must be a contiguous matrix of float32 on the CPU");
  static const Multiply multiply_rows = fastest_multiply();
  std::vector<at::Tensor> products;
  std::vector<int64_t> firsts = {0};  // of each map's panels, in a count of all
  for (const BlockMap& map : maps) {
    TORCH_CHECK(map.weight->columns == x.size(1), "x must have the weight's columns");
    products.push_back(at::empty({x.size(0), map.weight->outputs}, x.options()));
    firsts.push_back(firsts.back() + (map.weight->outputs + kPanel - 1) / kPanel);
  }
  const float* const rows = x.const_data_ptr<float>();
  const auto multiply_one = [&](size_t m, int64_t panel, int64_t first, int64_t count) {
    const PackedBlocks& w = *maps[m].weight;
    const int64_t row = panel * kPanel, width = std::min(kPanel, w.outputs - row);
    float values[kTokens * kPanel];
    multiply_rows(w.panels.data() + panel * w.panel_bytes, w, rows + first * w.columns, count,
                  values);
    const float* const bias =
        maps[m].bias.defined() ? maps[m].bias.const_data_ptr<float>() + row : nullptr;
    float* const out = products[m].mutable_data_ptr<float>() + row;
    for (int64_t t = 0; t < count; ++t) {
      for (int64_t i = 0; i < width; ++i) {
        out[(first + t) * w.outputs + i] = values[t * kPanel + i] + (bias != nullptr ? bias[i] : 0);
      }
    }
  };
  for (int64_t first = 0; first < x.size(0); first += kTokens) {
    const int64_t count = std::min(kTokens, x.size(0) - first);
    at::parallel_for(0, firsts.back(), 1, [&](int64_t begin, int64_t end) {
      for (size_t m = 0; m < maps.size(); ++m) {
        const int64_t last = std::min(end, firsts[m + 1]);
        for (int64_t i = std::max(begin, firsts[m]); i < last; ++i) {
          multiply_one(m, i - firsts[m], first, count);
        }
      }
    });
  }
  return products;
}

}  // namespace rubric::models
