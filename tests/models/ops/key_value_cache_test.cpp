#include "models/ops/key_value_cache.h"

#include <numeric>

#include "models/fixture.h"

namespace rubric::models::key_value_cache_test {

constexpr int64_t kLayers = 2, kWidth = 8, kHeads = 2;
constexpr int64_t kBlock = 32;  // tokens, as the cache has them
const AttentionSettings kCausal{kHeads, 0, 0, 0.6, true};

Offsets one_each(int64_t rows) {
  Offsets offsets(static_cast<size_t>(rows) + 1);
  std::iota(offsets.begin(), offsets.end(), 0);
  return offsets;
}

// A cache beside all that was ever put into it.
struct Recorded {
  KeyValueCache cache;
  std::vector<std::vector<at::Tensor>> keys, values;  // [row][token]: [layers, width]

  explicit Recorded(int64_t rows)
      : cache(rows, kLayers, kHeads, kWidth),
        keys(static_cast<size_t>(rows)),
        values(static_cast<size_t>(rows)) {}

  void add_token() {
    const int64_t rows = cache.rows();
    const at::Tensor k = at::randn({kLayers, rows, kWidth}), v = at::randn({kLayers, rows, kWidth});
    cache.extend(one_each(rows));
    for (int64_t layer = 0; layer < kLayers; ++layer) {
      cache.put(layer, k[layer], v[layer], one_each(rows));
    }
    for (int64_t row = 0; row < rows; ++row) {
      keys[static_cast<size_t>(row)].push_back(k.select(1, row));
      values[static_cast<size_t>(row)].push_back(v.select(1, row));
    }
  }
  void select(const std::vector<int64_t>& rows) {
    cache.select(rows);
    const auto old_keys = keys, old_values = values;
    keys.clear();
    values.clear();
    for (const int64_t row : rows) {
      keys.push_back(old_keys[static_cast<size_t>(row)]);
      values.push_back(old_values[static_cast<size_t>(row)]);
    }
  }
  // Of every row and layer, against packed attention over what was put there.
  void expect_attention(const at::Tensor& bias = {}) const {
    const int64_t rows = cache.rows();
    const at::Tensor q = at::randn({rows, kWidth});
    for (int64_t layer = 0; layer < kLayers; ++layer) {
      const at::Tensor attended = cache.attend(layer, q, kCausal, bias);
      for (int64_t row = 0; row < rows; ++row) {
        const auto i = static_cast<size_t>(row);
        const at::Tensor k = at::stack(keys[i]).select(1, layer);
        const at::Tensor v = at::stack(values[i]).select(1, layer);
        const int64_t length = k.size(0);
        EXPECT_EQ(cache.length(row), length);
        const at::Tensor all = at::cat({at::randn({length - 1, kWidth}), q.narrow(0, row, 1)});
        const at::Tensor expected =
            packed_attention(all, k, v, {0, length}, {0, length}, kCausal, {}, bias);
        EXPECT_LT(difference(attended[row], expected[length - 1]), 1e-5) << row << " " << length;
      }
    }
  }
};

TEST(KeyValueCache, AttendsAsPackedAttentionDoesToAllItsTokens) {
  at::manual_seed(1);
  Recorded recorded(3);
  const at::Tensor bias = at::randn({kHeads, 2 * 80 + 1});
  for (int64_t token = 1; token <= 2 * kBlock + 3; ++token) {
    recorded.add_token();
    if (token % kBlock > 2 && token != 17) continue;  // around the ends of blocks
    recorded.expect_attention();
    recorded.expect_attention(bias);
  }
}

// Beams that go on from one text: whoever writes next must not write into the others.
TEST(KeyValueCache, WhatRowsShareIsNotChangedByOne) {
  at::manual_seed(2);
  for (const int64_t before : {kBlock - 1, kBlock, kBlock + 5}) {
    Recorded recorded(2);
    for (int64_t token = 0; token < before; ++token) recorded.add_token();
    recorded.select({1, 1, 0, 1});
    recorded.expect_attention();
    for (int64_t token = 0; token < 3; ++token) recorded.add_token();
    recorded.expect_attention();
    recorded.select({3, 0});
    recorded.add_token();
    recorded.expect_attention();
  }
}

// Rows whose sources were read at once, as GPT-2's are.
TEST(KeyValueCache, TakesRowsOfManyTokensAtOnce) {
  at::manual_seed(3);
  const Offsets offsets = {0, 40, 40, 43};
  KeyValueCache cache(3, 1, kHeads, kWidth);
  cache.extend(offsets);
  const at::Tensor k = at::randn({43, 2 * kWidth}).narrow(1, 3, kWidth);  // tokens lie apart
  const at::Tensor v = at::randn({43, kWidth});
  cache.put(0, k, v, offsets);
  cache.select(std::vector<int64_t>{2, 0});
  const at::Tensor q = at::randn({2, kWidth});
  const at::Tensor attended = cache.attend(0, q, kCausal);
  const at::Tensor expected = packed_attention(q, at::cat({k.narrow(0, 40, 3), k.narrow(0, 0, 40)}),
                                               at::cat({v.narrow(0, 40, 3), v.narrow(0, 0, 40)}),
                                               {0, 1, 2}, {0, 3, 43}, {kHeads, 0, 0, 0.6}, {});
  EXPECT_LT(difference(attended, expected), 1e-5);
}

// Heads of queries that share a head of keys, over all tokens and over the last few.
TEST(KeyValueCache, AttendsToWindowsByGroupsOfHeads) {
  at::manual_seed(4);
  const Offsets offsets = {0, 70, 75};
  const at::Tensor k = at::randn({75, kWidth}), v = at::randn({75, kWidth});
  const at::Tensor q = at::randn({75, 3 * kWidth});
  KeyValueCache cache(2, 1, kHeads, kWidth);
  cache.extend(offsets);
  cache.put(0, k, v, offsets);
  for (const std::optional<int64_t> window :
       {std::optional<int64_t>(), {0}, {5}, {6}, {37}, {38}, {100}}) {
    const AttentionSettings settings = {
        .heads = 3 * kHeads, .scale = 0.6, .causal = true, .window = window, .key_heads = kHeads};
    const at::Tensor all = packed_attention(q, k, v, offsets, offsets, settings, {});
    const at::Tensor last = at::tensor({69, 74});
    EXPECT_LT(
        difference(cache.attend(0, q.index_select(0, last), settings), all.index_select(0, last)),
        1e-5)
        << window.value_or(-1);
  }
}

// Memory grows with the tokens; of rows that left nothing stays.
TEST(KeyValueCache, HoldsWhatItsRowsNeedAndNoMore) {
  Recorded recorded(2);
  KeyValueCache& cache = recorded.cache;
  EXPECT_EQ(cache.held_tokens(), 0);
  for (int64_t token = 1; token <= 4 * kBlock; ++token) {
    recorded.add_token();
    EXPECT_EQ(cache.held_tokens(), 2 * ((token + kBlock - 1) / kBlock) * kBlock);
  }
  cache.select(std::vector<int64_t>{1});
  EXPECT_EQ(cache.held_tokens(), 4 * kBlock);
  cache.select(std::vector<int64_t>{0, 0, 0});
  EXPECT_EQ(cache.held_tokens(), 4 * kBlock);  // one text
  cache.extend(one_each(3));
  EXPECT_EQ(cache.held_tokens(), 7 * kBlock);  // a new block each
  cache.select(std::vector<int64_t>{1, 1});
  EXPECT_EQ(cache.held_tokens(), 5 * kBlock);
  cache.extend(one_each(2));
  EXPECT_EQ(cache.held_tokens(), 6 * kBlock);  // the last one apart
  cache.select(std::vector<int64_t>{});
  EXPECT_EQ(cache.held_tokens(), 0);
}

TEST(SourceCache, AttendsToTheSourceOfEachRowAndForgetsTheOthers) {
  at::manual_seed(4);
  const Offsets offsets = {0, 4, 5, 12};
  const AttentionSettings settings{kHeads, 0, 0};
  const at::Tensor k = at::randn({12, kWidth}), v = at::randn({12, kWidth});
  SourceCache cache(1, kHeads);
  cache.put(0, k, v, offsets);
  EXPECT_EQ(cache.held_tokens(), 12);
  cache.select(std::vector<int64_t>{2, 0, 2});
  EXPECT_EQ(cache.held_tokens(), 11);
  const at::Tensor q = at::randn({3, kWidth});
  const auto parts = [](const at::Tensor& x) {
    return at::cat({x.narrow(0, 5, 7), x.narrow(0, 0, 4), x.narrow(0, 5, 7)});
  };
  EXPECT_LT(
      difference(cache.attend(0, q, settings), packed_attention(q, parts(k), parts(v), one_each(3),
                                                                {0, 7, 11, 18}, settings, {})),
      1e-5);
  cache.select(std::vector<int64_t>{1});
  EXPECT_EQ(cache.held_tokens(), 4);
}

}  // namespace rubric::models::key_value_cache_test
