#include <gtest/gtest.h>

#include "eval/report/table.h"

namespace rubric::eval::values_test {

TEST(Values, SayThatTheyAreUndefinedInEachForm) {
  EXPECT_EQ(cell(std::nullopt), "–");
  EXPECT_EQ(cell(std::nullopt, stats::Interval{0, 1}), "–");
  EXPECT_TRUE(or_null(std::optional<double>()).is_null());
}

TEST(Values, HaveTheDigitsOfTheirForm) {
  EXPECT_EQ(cell(0.12345, stats::Interval{-0.1, 0.25}), "0.123 [-0.100, 0.250]");
  EXPECT_EQ(cell(0.5, std::nullopt), "0.500");
  EXPECT_EQ(cell(0.12345, stats::Interval{-0.1, 0.25}, 4), "0.1235 [-0.1000, 0.2500]");
}

TEST(Values, SmallProbabilitiesAreNotZero) {
  EXPECT_EQ(p_cell(0.00099), "< 0.001");
  EXPECT_EQ(p_cell(0.0012), "0.001");
  EXPECT_EQ(p_cell(1), "1.000");
  EXPECT_EQ(p_cell(0.012, true), "≤ 0.012");
  for (const double p : {0.0002, 0.012, 0.9996, 1.0}) {
    EXPECT_EQ(shows_bound(p, true), p_cell(p, true).starts_with("≤")) << p;
    EXPECT_FALSE(shows_bound(p, false));
  }
  EXPECT_FALSE(shows_bound(std::nullopt, true));
  EXPECT_EQ(p_cell(0.9996, true), "1.000");  // at most 1 says nothing
  EXPECT_EQ(p_number(1.25e-20), "1.25e-20");
  EXPECT_EQ(p_number(1), "1");
}

}  // namespace rubric::eval::values_test
