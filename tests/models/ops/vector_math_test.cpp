#include "models/ops/vector_math.h"

#include <cmath>

#include <gtest/gtest.h>

namespace rubric::models::vector_math_test {

TEST(VectorMath, TheExponentialIsTheLibrarysToARelativeError) {
  for (double x = -87; x <= 88; x += 0.00937) {
    const auto rounded = static_cast<float>(x);
    const double expected = std::exp(static_cast<double>(rounded));
    EXPECT_NEAR(static_cast<double>(exponential(rounded)) / expected, 1, 2e-7) << x;
  }
  EXPECT_EQ(exponential(0), 1);
  EXPECT_LT(exponential(-1000), 1e-37f);
  EXPECT_TRUE(std::isnan(exponential(NAN)));
}

TEST(VectorMath, TheNormalDistributionIsTheLibrarysErrorFunction) {
  for (double x = -12; x <= 12; x += 0.00111) {
    const auto rounded = static_cast<float>(x);
    const auto exact = static_cast<double>(rounded);
    const NormalDistribution normal = normal_distribution(rounded);
    EXPECT_NEAR(normal.cumulative, 0.5 * std::erfc(-exact / std::sqrt(2.0)), 3e-7) << x;
    EXPECT_NEAR(normal.density, std::exp(-exact * exact / 2) / std::sqrt(2 * M_PI), 1e-7) << x;
  }
}

}  // namespace rubric::models::vector_math_test
