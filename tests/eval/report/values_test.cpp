#include <gtest/gtest.h>

#include "eval/report/table.h"

namespace rubric::eval {
namespace {

TEST(Values, SayThatTheyAreUndefinedInEachForm) {
  EXPECT_EQ(cell(std::nullopt), "–");
  EXPECT_EQ(cell(std::nullopt, stats::Interval{0, 1}), "–");
  EXPECT_EQ(number(std::nullopt), "");
  EXPECT_TRUE(or_null(std::optional<double>()).is_null());
}

TEST(Values, HaveTheDigitsOfTheirForm) {
  EXPECT_EQ(cell(0.12345, stats::Interval{-0.1, 0.25}), "0.123 [-0.100, 0.250]");
  EXPECT_EQ(cell(0.5, std::nullopt), "0.500");
  EXPECT_EQ(number(1.0 / 3), "0.333333");
}

TEST(Values, AnIntervalIsReadBackFromItsCell) {
  const auto found = interval_in(cell(-0.12345, stats::Interval{-1.5, 0.25}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->value, -0.123);
  EXPECT_EQ(found->interval.low, -1.5);
  EXPECT_EQ(found->interval.high, 0.25);
  EXPECT_EQ(interval_in("12.3 [10.0, 15]")->interval.high, 15);
  EXPECT_FALSE(interval_in("[3, 5]")->value);
  EXPECT_EQ(interval_in("[3, 5]")->interval.low, 3);
}

TEST(Values, OtherTextIsNoInterval) {
  for (const char* text :
       {"", "0.5", "–", "[", "]", "[]", "[, ]", "[1, ]", "[a, b]", "x [1, 2]", "1[1, 2]", "1 [1, 2",
        "1 [1, 2] x", "1 [1,2]", "1 [nan, 2]", "1 [1, inf]", " [1, 2]", "[Anna] is in [a, b]"}) {
    EXPECT_FALSE(interval_in(text)) << text;
  }
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

}  // namespace
}  // namespace rubric::eval
