#include <mutex>

#include "metrics/neural/batched_inference.h"
#include "models/fixture.h"

namespace rubric::metrics::predict_rows_test {

// Row i has 1 + i % 7 tokens, whose numbers start at 10 i.
data::TokenBatch some_rows(int64_t count) {
  data::TokenBatch rows;
  for (int64_t row = 0; row < count; ++row) {
    for (int64_t i = 0; i <= row % 7; ++i) rows.ids.push_back(10 * row + i);
    rows.offsets.push_back(static_cast<int64_t>(rows.ids.size()));
  }
  rows.segments.assign(rows.ids.size(), 0);
  return rows;
}

// The first token of each row and how many there are.
at::Tensor firsts_and_lengths(const models::PackedTokens& tokens) {
  std::vector<float> values;
  for (size_t row = 0; row + 1 < tokens.offsets.size(); ++row) {
    values.push_back(tokens.ids[tokens.offsets[row]].item<float>());
    values.push_back(static_cast<float>(tokens.offsets[row + 1] - tokens.offsets[row]));
  }
  return at::tensor(at::ArrayRef<float>(values)).reshape({-1, 2});
}

void expect_row(const at::Tensor& predicted, int64_t row) {
  EXPECT_EQ(predicted[row][0].item<float>(), static_cast<float>(10 * row));
  EXPECT_EQ(predicted[row][1].item<float>(), static_cast<float>(1 + row % 7));
}

// One batch, as many as there are threads, and more.
TEST(PredictRows, GivesRowsInTheirOrder) {
  const TwoThreads threads;
  for (const int64_t max_tokens : {1000, 60, 8}) {
    std::mutex noting;
    std::vector<int64_t> sizes;
    const auto predict = [&](const models::PackedTokens& tokens) {
      const std::lock_guard lock(noting);
      sizes.push_back(tokens.ids.numel());
      return firsts_and_lengths(tokens);
    };
    int64_t told = 0;
    const at::Tensor predicted = predict_rows(some_rows(30), max_tokens, at::kCPU, predict,
                                              [&](int64_t rows) { told += rows; });
    ASSERT_EQ(predicted.sizes(), (std::vector<int64_t>{30, 2}));
    for (int64_t row = 0; row < 30; ++row) expect_row(predicted, row);
    EXPECT_EQ(told, 30);
    EXPECT_EQ(sizes.size() == 1, max_tokens == 1000);
    for (const int64_t size : sizes) EXPECT_LE(size, max_tokens);
  }
}

TEST(PredictRows, SharesAreTheWholeTogether) {
  const TwoThreads threads;
  at::Tensor sum = at::zeros({30, 2});
  for (int64_t index = 0; index < 3; ++index) {
    const at::Tensor part =
        predict_rows(some_rows(30), 20, at::kCPU, firsts_and_lengths, {}, {index, 3});
    EXPECT_GT(part.eq(0).sum().item<int64_t>(), 20);  // what the others have
    sum += part;
  }
  for (int64_t row = 0; row < 30; ++row) expect_row(sum, row);
}

TEST(PredictRows, NoRowsAreNone) {
  EXPECT_EQ(predict_rows(some_rows(0), 20, at::kCPU, firsts_and_lengths).numel(), 0);
}

}  // namespace rubric::metrics::predict_rows_test
