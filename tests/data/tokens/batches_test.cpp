#include "data/tokens/batches.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/random.h"

namespace rubric::data::batches_test {

using Batches = std::vector<ExampleIndices>;

// Lengths between 10 and 500, most of them short, as passages are.
std::vector<int64_t> example_lengths(size_t count) {
  std::vector<int64_t> lengths;
  for (size_t i = 0; i < count; ++i) {
    const double u = uniform(random_bits(1, Purpose::initialise, i));
    lengths.push_back(10 + static_cast<int64_t>(490 * u * u));
  }
  return lengths;
}

int64_t padded_tokens(const Batches& batches, const std::vector<int64_t>& lengths) {
  int64_t tokens = 0;
  for (const ExampleIndices& batch : batches) {
    int64_t longest = 0;
    for (const int64_t i : batch) longest = std::max(longest, lengths[static_cast<size_t>(i)]);
    tokens += longest * std::ssize(batch);
  }
  return tokens;
}

TEST(KeptRows, ComeBackAsTheyWere) {
  const TokenBatch first{{101, 7, 250'001}, {0, 0, 1}, {0, 2, 3}, {}};
  const TokenBatch second{{5, 6}, {1, 0}, {0, 2}, {}};
  KeptRows kept;
  kept.append(first);
  kept.append(second);
  EXPECT_EQ(kept.size(), 3);
  const TokenBatch all = kept.rows(0, 3);
  EXPECT_EQ(all.ids, (std::vector<int64_t>{101, 7, 250'001, 5, 6}));
  EXPECT_EQ(all.segments, (std::vector<int64_t>{0, 0, 1, 1, 0}));
  EXPECT_EQ(all.offsets, (std::vector<int64_t>{0, 2, 3, 5}));
  const TokenBatch some = kept.rows(1, 2);
  EXPECT_EQ(some.ids, std::vector<int64_t>{250'001});
  EXPECT_EQ(some.offsets, (std::vector<int64_t>{0, 1}));
  KeptRows without_segments;
  without_segments.append({{1, 2}, {}, {0, 2}, {}});
  EXPECT_TRUE(without_segments.rows(0, 1).segments.empty());
  without_segments.append({{}, {}, {0, 0}, {}});  // a row of no tokens
  EXPECT_EQ(without_segments.rows(0, 2).offsets, (std::vector<int64_t>{0, 2, 2}));
  EXPECT_THROW(without_segments.append(second), std::logic_error);
  EXPECT_THROW(without_segments.append({{1LL << 31}, {}, {0, 1}, {}}), std::logic_error);
}

TEST(EpochBatches, HoldEveryExampleOnce) {
  for (const size_t size : {1u, 7u, 8u, 24u, 103u}) {
    for (const int64_t window : {1, 3, 1000}) {
      const Batches batches = epoch_batches(example_lengths(size), 8, window, 5, 0);
      ExampleIndices all;
      int64_t smaller = 0;
      for (const ExampleIndices& batch : batches) {
        all.insert(all.end(), batch.begin(), batch.end());
        EXPECT_LE(batch.size(), 8u);
        EXPECT_FALSE(batch.empty());
        smaller += batch.size() < 8 ? 1 : 0;
      }
      EXPECT_LE(smaller, 1);
      std::sort(all.begin(), all.end());
      ASSERT_EQ(all.size(), size);
      for (size_t i = 0; i < size; ++i) EXPECT_EQ(all[i], static_cast<int64_t>(i));
    }
  }
  EXPECT_TRUE(epoch_batches({}, 8, 50, 5, 0).empty());
}

TEST(EpochBatches, DependOnTheirArgumentsAlone) {
  const std::vector<int64_t> lengths = example_lengths(100);
  const Batches batches = epoch_batches(lengths, 8, 3, 5, 1);
  EXPECT_EQ(batches, epoch_batches(lengths, 8, 3, 5, 1));
  EXPECT_NE(batches, epoch_batches(lengths, 8, 3, 5, 2));
  EXPECT_NE(batches, epoch_batches(lengths, 8, 3, 6, 1));
}

// A run that another build of this program goes on with must see the same batches.
TEST(EpochBatches, StayTheSame) {
  const std::vector<int64_t> lengths = {5, 1, 4, 2, 3, 9, 7};
  EXPECT_EQ(epoch_batches(lengths, 2, 2, 42, 1), (Batches{{3, 1}, {4}, {0, 2}, {5, 6}}));
}

TEST(EpochBatches, WindowsReducePadding) {
  const std::vector<int64_t> lengths = example_lengths(3200);
  int64_t tokens = 0;
  for (const int64_t length : lengths) tokens += length;
  const int64_t unsorted = padded_tokens(epoch_batches(lengths, 32, 1, 5, 0), lengths);
  const int64_t sorted = padded_tokens(epoch_batches(lengths, 32, 50, 5, 0), lengths);
  EXPECT_GT(unsorted, 2 * tokens);
  EXPECT_LT(sorted, tokens + tokens / 20);
}

TEST(EpochBatches, ComeInNoOrderOfLength) {
  const std::vector<int64_t> lengths = example_lengths(3200);
  const Batches batches = epoch_batches(lengths, 32, 50, 5, 0);
  int rises = 0;
  for (size_t i = 1; i < batches.size(); ++i) {
    const auto first_length = [&](size_t batch) {
      return lengths[static_cast<size_t>(batches[batch][0])];
    };
    rises += first_length(i) > first_length(i - 1) ? 1 : 0;
  }
  EXPECT_GT(rises, 25);
  EXPECT_LT(rises, 75);
}

TEST(MicroBatches, KeepOrderAndBudget) {
  const std::vector<int64_t> lengths = example_lengths(200);
  const ExampleIndices batch = permutation(200, 1, Purpose::shuffle, 0);
  const auto pieces = micro_batches(batch, lengths, 600);
  ExampleIndices all;
  for (const auto piece : pieces) {
    int64_t tokens = 0;
    for (const int64_t i : piece) tokens += lengths[static_cast<size_t>(i)];
    EXPECT_LE(tokens, 600);
    EXPECT_EQ(piece.data(), batch.data() + all.size());
    all.insert(all.end(), piece.begin(), piece.end());
  }
  EXPECT_EQ(all, batch);
}

TEST(MicroBatches, AreAsFewAsTheBudgetAllows) {
  const std::vector<int64_t> lengths = {5, 5, 5, 50, 1};
  const ExampleIndices batch = {0, 1, 2, 3, 4};
  std::vector<ExampleIndices> pieces;
  for (const auto piece : micro_batches(batch, lengths, 10)) {
    pieces.emplace_back(piece.begin(), piece.end());
  }
  EXPECT_EQ(pieces, (Batches{{0, 1}, {2}, {3}, {4}}));  // 3 is longer than the budget
  EXPECT_EQ(micro_batches(batch, lengths, 66).size(), 1u);
  EXPECT_TRUE(micro_batches({}, lengths, 10).empty());
}

TEST(ShareOf, SharesAreDealtOutInTurn) {
  const ExampleIndices examples = {9, 8, 7, 6, 5};
  EXPECT_EQ(share_of(examples, {}), examples);
  EXPECT_EQ(share_of(examples, {0, 2}), (ExampleIndices{9, 7, 5}));
  EXPECT_EQ(share_of(examples, {1, 2}), (ExampleIndices{8, 6}));
  EXPECT_TRUE(share_of(examples, {5, 6}).empty());
}

TEST(LongestFirst, SortsAndKeepsTies) {
  EXPECT_EQ(longest_first(std::vector<int64_t>{3, 9, 3, 1, 9}), (ExampleIndices{1, 4, 0, 2, 3}));
  EXPECT_TRUE(longest_first({}).empty());
}

}  // namespace rubric::data::batches_test
