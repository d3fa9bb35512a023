#include "core/text/days.h"

#include <gtest/gtest.h>

namespace rubric::days_test {

TEST(Days, AreReadFromOneWord) {
  for (const char* word : {"4", "04", "4th"}) EXPECT_EQ(parse_day(word), 4) << word;
  EXPECT_EQ(parse_day("31st"), 31);
  for (const char* word : {"32", "0", "th", "four", "4thth", "004", ""}) {
    EXPECT_FALSE(parse_day(word)) << word;
  }
}

}  // namespace rubric::days_test
