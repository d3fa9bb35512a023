#include <gtest/gtest.h>

#include "data/tokens/batches.h"

namespace rubric::data::tokens_test {

TEST(SelectRows, GivesTheNamedRowsInThatOrder) {
  const TokenBatch source{
      {1, 2, 3, 4, 5, 6}, {0, 0, 1, 0, 1, 1}, {0, 3, 3, 5, 6}, {1, 2, 3, 4, 5, 6, 7, 8}};
  EXPECT_EQ(source.rows(), 4);
  EXPECT_EQ(source.length(1), 0);
  EXPECT_EQ(source.length(2), 2);
  const TokenBatch batch = select_rows(source, std::vector<int64_t>{3, 1, 0, 3});
  EXPECT_EQ(batch.ids, (std::vector<int64_t>{6, 1, 2, 3, 6}));
  EXPECT_EQ(batch.segments, (std::vector<int64_t>{1, 0, 0, 1, 1}));
  EXPECT_EQ(batch.offsets, (std::vector<int64_t>{0, 1, 1, 4, 5}));
  EXPECT_EQ(batch.features, (std::vector<float>{7, 8, 3, 4, 1, 2, 7, 8}));  // two of each row
}

TEST(SelectRows, OfNothingIsAnEmptyBatch) {
  EXPECT_EQ(TokenBatch().rows(), 0);
  EXPECT_EQ(select_rows({{1}, {0}, {0, 1}, {}}, {}).rows(), 0);
}

}  // namespace rubric::data::tokens_test
