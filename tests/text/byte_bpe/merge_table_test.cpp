#include <gtest/gtest.h>

#include "text/byte_bpe/byte_bpe.h"

namespace rubric::text::merge_table_test {

TEST(MergeTable, FindsEveryMergeByItsParts) {
  std::vector<Merge> merges;
  for (int32_t i = 0; i < 1000; ++i) merges.push_back({i, i * 7 % 1000, 5000 + i});
  const MergeTable table(merges);
  for (int32_t i = 0; i < 1000; ++i) {
    const auto found = table.find(i, i * 7 % 1000);
    EXPECT_EQ(found.rank, i);
    EXPECT_EQ(found.merged, 5000 + i);
    EXPECT_EQ(table.find(i, 2000 + i).rank, -1);
  }
}

TEST(MergeTable, PartsHaveAnOrder) {
  const MergeTable table({{1, 2, 3}});
  EXPECT_EQ(table.find(1, 2).merged, 3);
  EXPECT_EQ(table.find(2, 1).rank, -1);
}

TEST(MergeTable, TheLaterOfTwoEqualCounts) {
  const MergeTable table({{1, 2, 3}, {0, 0, 4}, {1, 2, 5}});
  EXPECT_EQ(table.find(1, 2).rank, 2);
  EXPECT_EQ(table.find(1, 2).merged, 5);
}

TEST(MergeTable, MayBeEmpty) {
  EXPECT_EQ(MergeTable({}).find(0, 0).rank, -1);
}

}  // namespace rubric::text::merge_table_test
