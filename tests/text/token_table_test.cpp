#include <gtest/gtest.h>

#include "text/vocabulary.h"

namespace rubric::text::token_table_test {

TEST(TokenTable, KnowsTokensByIdAndText) {
  Vocabulary vocabulary;
  vocabulary.add("b", 4);
  vocabulary.add("a", 0);
  std::vector<AddedToken> added(2);
  added[0].content = "a";
  added[0].id = 0;
  added[0].special = true;
  added[1].content = "<new>";
  added[1].id = 6;
  const TokenTable table(vocabulary, added);
  EXPECT_EQ(table.find("b"), 4);
  EXPECT_EQ(table.find("<new>"), 6);
  EXPECT_EQ(table.find("c"), -1);
  EXPECT_EQ(table.entry(4).text, "b");
  EXPECT_FALSE(table.entry(4).is_added);
  EXPECT_TRUE(table.entry(0).is_added && table.entry(0).is_special);
  EXPECT_TRUE(table.entry(6).is_added && !table.entry(6).is_special);
  for (const int64_t none : {int64_t{-1}, int64_t{5}, int64_t{7}, INT64_MIN, INT64_MAX}) {
    EXPECT_EQ(table.entry(none).text, "");
  }
}

}  // namespace rubric::text::token_table_test
