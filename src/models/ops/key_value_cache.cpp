#include "models/ops/key_value_cache.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <set>

#include <ATen/Parallel.h>

#include "models/ops/vector_math.h"

namespace rubric::models {
namespace {

constexpr int64_t kBlock = 32;  // tokens

// A contiguous span of a row's tokens: each head's keys are adjacent in memory, and so are its
// values.
struct BlockSpan {
  const float* keys;
  const float* values;
  int64_t tokens;
  int64_t next_head;  // distance between the starts of two heads
};

// A vector register of 8 floats; on narrower hardware the compiler uses two registers.
using Vector [[gnu::vector_size(32)]] = float;
constexpr int64_t kWidth = 8;

[[gnu::always_inline]] inline Vector load(const float* from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof(vector));
  return vector;
}

[[gnu::always_inline]] inline float dot(const float* a, const float* b, int64_t size) {
  Vector sums = {};
  int64_t i = 0;
  for (; i + kWidth <= size; i += kWidth) sums += load(a + i) * load(b + i);
  using Quad [[gnu::vector_size(16)]] = float;
  const Quad low = {sums[0], sums[1], sums[2], sums[3]},
             high = {sums[4], sums[5], sums[6], sums[7]};
  const Quad half = low + high;
  float sum = (half[0] + half[2]) + (half[1] + half[3]);
  for (; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

// sum += factors[0] x[0] + factors[1] x[1] + ..., each `size` numbers, one behind the other. Four
// at once, as reading and writing `sum` takes most of the time.
[[gnu::always_inline]] inline void add_scaled(float* __restrict sum, const float* x,
                                              const float* factors, int64_t count, int64_t size) {
  int64_t n = 0;
  for (; n + 4 <= count; n += 4, x += 4 * size) {
    for (int64_t i = 0; i < size; ++i) {
      sum[i] += (factors[n] * x[i] + factors[n + 1] * x[size + i]) +
                (factors[n + 2] * x[2 * size + i] + factors[n + 3] * x[3 * size + i]);
    }
  }
  for (; n < count; ++n, x += size) {
    for (int64_t i = 0; i < size; ++i) sum[i] += factors[n] * x[i];
  }
}

// Attention of one head of one query, `size` numbers, over the spans of its row. `bias` has a
// number for each token, or is null; `scores` is scratch memory of the same size.
RUBRIC_FOR_AVX512_TOO
void attend_head(const float* q, const std::vector<BlockSpan>& row, int64_t head, int64_t size,
                 float scale, const float* bias, std::vector<float>& scores, float* out) {
  int64_t tokens = 0;
  for (const BlockSpan& span : row) tokens += span.tokens;
  scores.resize(static_cast<size_t>(tokens));
  float* score = scores.data();
  for (const BlockSpan& span : row) {
    const float* key = span.keys + head * span.next_head;
    for (int64_t i = 0; i < span.tokens; ++i, key += size) *score++ = scale * dot(q, key, size);
  }
  if (bias != nullptr) {
    for (int64_t i = 0; i < tokens; ++i) scores[static_cast<size_t>(i)] += bias[i];
  }
  const float sum = replace_by_exponentials(scores.data(), tokens).sum;
  std::fill_n(out, size, 0.0f);
  const float* weights = scores.data();
  for (const BlockSpan& span : row) {
    add_scaled(out, span.values + head * span.next_head, weights, span.tokens, size);
    weights += span.tokens;
  }
  for (int64_t i = 0; i < size; ++i) out[i] /= sum;
}

// `first_bias(row)` is the start of the biases of the row's first token in a head's row of
// `relative_position_bias`.
template <class FirstBias>
at::Tensor attend_rows(const at::Tensor& q, const std::vector<std::vector<BlockSpan>>& rows,
                       const AttentionSettings& settings, const at::Tensor& relative_position_bias,
                       const FirstBias& first_bias) {
  const int64_t width = q.size(1), heads = settings.heads, size = width / heads;
  const int64_t together = heads / settings.heads_of_keys();  // heads of queries that read a head
  const auto scale =
      static_cast<float>(settings.scale.value_or(1 / std::sqrt(static_cast<double>(size))));
  at::Tensor out = at::empty({q.size(0), width}, q.options());
  const float* const queries = q.const_data_ptr<float>();
  const int64_t stride = q.stride(0);
  float* const results = out.mutable_data_ptr<float>();
  // Head by head: the beams of a text, which are adjacent rows, have the same keys and values.
  const int64_t count = std::ssize(rows);
  at::parallel_for(0, count * heads, 1, [&](int64_t begin, int64_t end) {
    std::vector<float> scores;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t row = i % count, head = i / count, offset = head * size;
      const float* const bias = relative_position_bias.defined()
                                    ? relative_position_bias.const_data_ptr<float>() +
                                          head * relative_position_bias.size(1) + first_bias(row)
                                    : nullptr;
      attend_head(queries + row * stride + offset, rows[static_cast<size_t>(row)], head / together,
                  size, scale, bias, scores, results + row * width + offset);
    }
  });
  return out;
}

Offsets one_each(int64_t rows) {
  Offsets offsets(static_cast<size_t>(rows) + 1);
  std::iota(offsets.begin(), offsets.end(), 0);
  return offsets;
}

int64_t blocks_for(int64_t tokens) {
  return (tokens + kBlock - 1) / kBlock;
}

}  // namespace

KeyValueCache::KeyValueCache(int64_t rows, int64_t layers, int64_t heads, int64_t width)
    : rows_(static_cast<size_t>(rows)), layers_(layers), heads_(heads), width_(width) {}

void KeyValueCache::extend(const Offsets& offsets) {
  for (size_t i = 0; i < rows_.size(); ++i) {
    Row& row = rows_[i];
    // Copy on write: a block that is written to must not be shared.
    if (row.length % kBlock != 0 && row.blocks.back().use_count() > 1) {
      row.blocks.back() = std::make_shared<at::Tensor>(row.blocks.back()->clone());
    }
    row.length += offsets[i + 1] - offsets[i];
    while (std::ssize(row.blocks) < blocks_for(row.length)) {
      row.blocks.push_back(std::make_shared<at::Tensor>(
          at::empty({layers_, 2, heads_, kBlock, width_ / heads_}, at::kFloat)));
    }
  }
}

void KeyValueCache::put(int64_t layer, const at::Tensor& keys, const at::Tensor& values,
                        const Offsets& offsets) {
  const int64_t size = width_ / heads_;
  const auto bytes = static_cast<size_t>(size) * sizeof(float);
  for (size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    int64_t place = row.length - (offsets[i + 1] - offsets[i]);
    for (int64_t token = offsets[i]; token < offsets[i + 1]; ++token, ++place) {
      float* to = row.blocks[static_cast<size_t>(place / kBlock)]->mutable_data_ptr<float>() +
                  layer * 2 * kBlock * width_ + place % kBlock * size;
      for (const at::Tensor* of_kind : {&keys, &values}) {
        const float* const from = of_kind->const_data_ptr<float>() + token * of_kind->stride(0);
        for (int64_t head = 0; head < heads_; ++head, to += kBlock * size) {
          std::memcpy(to, from + head * size, bytes);
        }
      }
    }
  }
}

void KeyValueCache::extend_by_one() {
  extend(one_each(rows()));
}

at::Tensor KeyValueCache::attend_to_new(int64_t layer, const at::Tensor& q, const at::Tensor& k,
                                        const at::Tensor& v, const AttentionSettings& settings,
                                        const at::Tensor& relative_position_bias) {
  put(layer, k, v, one_each(rows()));
  return attend(layer, q, settings, relative_position_bias);
}

at::Tensor KeyValueCache::attend(int64_t layer, const at::Tensor& q,
                                 const AttentionSettings& settings,
                                 const at::Tensor& relative_position_bias) const {
  const auto first_token = [&](const Row& row) {
    return settings.window ? std::max<int64_t>(0, row.length - 1 - *settings.window) : 0;
  };
  std::vector<std::vector<BlockSpan>> rows;
  for (const Row& row : rows_) {
    std::vector<BlockSpan>& spans = rows.emplace_back();
    for (int64_t begin = first_token(row); begin < row.length;) {
      const int64_t in_block = begin % kBlock;
      const float* const keys =
          row.blocks[static_cast<size_t>(begin / kBlock)]->const_data_ptr<float>() +
          layer * 2 * kBlock * width_ + in_block * width_ / heads_;
      const int64_t tokens = std::min(kBlock - in_block, row.length - begin);
      spans.push_back({keys, keys + kBlock * width_, tokens, kBlock * width_ / heads_});
      begin += tokens;
    }
  }
  return attend_rows(q, rows, settings, relative_position_bias, [&](int64_t row) {
    return (relative_position_bias.size(1) - 1) / 2 - (length(row) - 1) +
           first_token(rows_[static_cast<size_t>(row)]);
  });
}

int64_t KeyValueCache::held_tokens() const {
  std::set<const at::Tensor*> blocks;
  for (const Row& row : rows_) {
    for (const auto& block : row.blocks) blocks.insert(block.get());
  }
  return std::ssize(blocks) * kBlock;
}

void KeyValueCache::select(std::span<const int64_t> rows) {
  std::vector<Row> selected;
  for (const int64_t row : rows) selected.push_back(rows_[static_cast<size_t>(row)]);
  rows_ = std::move(selected);
}

void SourceCache::put(int64_t layer, const at::Tensor& keys, const at::Tensor& values,
                      const Offsets& offsets) {
  std::vector<Source>& sources = layers_[static_cast<size_t>(layer)];
  for (size_t i = 0; i + 1 < offsets.size(); ++i) {
    const int64_t length = offsets[i + 1] - offsets[i];
    // Copied, so that its memory is freed with the last of its rows.
    const auto part = [&](const at::Tensor& all) {
      return all.narrow(0, offsets[i], length)
          .view({length, heads_, -1})
          .transpose(0, 1)
          .clone(at::MemoryFormat::Contiguous);
    };
    sources.push_back({part(keys), part(values)});
  }
}

at::Tensor SourceCache::attend(int64_t layer, const at::Tensor& q,
                               const AttentionSettings& settings) const {
  std::vector<std::vector<BlockSpan>> rows;
  for (const Source& source : layers_[static_cast<size_t>(layer)]) {
    rows.push_back({{source.keys.const_data_ptr<float>(), source.values.const_data_ptr<float>(),
                     source.keys.size(1), source.keys.stride(0)}});
  }
  return attend_rows(q, rows, settings, {}, [](int64_t) { return 0; });
}

void SourceCache::select(std::span<const int64_t> rows) {
  for (std::vector<Source>& sources : layers_) {
    std::vector<Source> selected;
    for (const int64_t row : rows) selected.push_back(sources[static_cast<size_t>(row)]);
    sources = std::move(selected);
  }
}

int64_t SourceCache::held_tokens() const {
  std::map<const void*, int64_t> tokens;
  for (const std::vector<Source>& sources : layers_) {
    for (const Source& source : sources) tokens[source.keys.data_ptr()] = source.keys.size(1);
  }
  int64_t all = 0;
  for (const auto& [keys, size] : tokens) all += size;
  return all;
}

}  // namespace rubric::models
