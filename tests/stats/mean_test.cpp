#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"
#include "stats/bootstrap.h"

namespace rubric::stats::mean_test {

// The expected values are SciPy's (1.17.1):
//   from scipy import stats
//   stats.t.interval(0.95, len(x) - 1, loc=numpy.mean(x), scale=stats.sem(x))
void expect_interval(const std::vector<double>& x, const MeanInterval& expected, double tolerance) {
  const MeanInterval interval = mean_interval(x);
  EXPECT_NEAR(interval.mean, expected.mean, tolerance);
  EXPECT_NEAR(interval.low, expected.low, tolerance);
  EXPECT_NEAR(interval.high, expected.high, tolerance);
}

TEST(MeanInterval, IsStudents) {
  expect_interval({1, 2, 3, 4}, {2.5, 0.4457397432394794, 4.554260256760521}, 1e-12);
  expect_interval({0.25, 0.75}, {0.5, -2.6765511840436735, 3.6765511840436735}, 1e-12);
  std::vector<double> many;
  for (int i = 0; i < 1000; ++i) many.push_back(i * i % 97 / 97.0);
  expect_interval(many, {0.49319587628865974, 0.47376495852431166, 0.5126267940530078}, 1e-12);
}

// The squares of these numbers differ beyond the digits of a double.
TEST(MeanInterval, IsExactFarFromZero) {
  expect_interval({1e9 + 1, 1e9 + 2, 1e9 + 4},
                  {1000000002.3333334, 999999998.5387503, 1000000006.1279165}, 1e-6);
}

TEST(MeanInterval, HasNoWidthWithoutVariation) {
  expect_interval({4.5}, {4.5, 4.5, 4.5}, 0);
  expect_interval({4.5, 4.5, 4.5}, {4.5, 4.5, 4.5}, 0);
}

TEST(MeanInterval, NeedsAValue) {
  EXPECT_THROW(mean_interval(std::span<const double>()), Error);
  EXPECT_THROW(mean_interval(Moments()), Error);
}

TEST(Mean, ValuesThatPassByGiveTheSame) {
  Moments moments;
  for (const double value : {1e8 + 1, 1e8 + 2, 1e8 + 4}) moments.add(value);
  EXPECT_EQ(moments.n, 3);
  EXPECT_NEAR(moments.mean - 1e8, 7.0 / 3, 1e-7);
  EXPECT_NEAR(moments.squares, 14.0 / 3, 1e-6);  // (16 + 1 + 25) / 9
}

}  // namespace rubric::stats::mean_test
