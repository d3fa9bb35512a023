#include "stats/correlation.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/json/json.h"
#include "paths.h"

namespace rubric::stats::correlation_test {

using Series = std::vector<double>;

Series numbers(const Json& array) {
  Series values;
  for (const Json& value : array.array()) values.push_back(value.number());
  return values;
}

void expect_equal(std::optional<double> actual, const Json& expected, const std::string& name) {
  ASSERT_EQ(actual.has_value(), expected.is_number()) << name;
  if (!actual) return;
  EXPECT_NEAR(*actual, expected.number(), 1e-9) << name;
}

TEST(Correlation, EqualsScipy) {
  const Json cases = Json::parse_file(std::string(fixtures_folder()) + "/stats/correlation.json");
  ASSERT_GE(cases.array().size(), 10u);
  for (const Json& each : cases.array()) {
    const Series x = numbers(*each.find("x")), y = numbers(*each.find("y"));
    const std::string& name = each.find("name")->string();
    expect_equal(pearson(x, y), *each.find("pearson"), name + " pearson");
    expect_equal(spearman(x, y), *each.find("spearman"), name + " spearman");
    expect_equal(kendall(x, y), *each.find("kendall"), name + " kendall");
  }
}

TEST(Correlation, KendallEqualsCountingPairs) {
  Series x, y;
  for (int i = 0; i < 97; ++i) {
    x.push_back((i * 37) % 11);
    y.push_back((i * i) % 7);
  }
  double agreement = 0, untied_x = 0, untied_y = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const double dx = x[i] - x[j], dy = y[i] - y[j];
      agreement += dx * dy > 0 ? 1 : dx * dy < 0 ? -1 : 0;
      untied_x += dx != 0 ? 1 : 0;
      untied_y += dy != 0 ? 1 : 0;
    }
  }
  EXPECT_NEAR(*kendall(x, y), agreement / std::sqrt(untied_x * untied_y), 1e-12);
}

TEST(Correlation, IsUndefinedForConstantOrTooFewValues) {
  const Series one = {1}, none = {}, constant = {0.1, 0.1, 0.1}, x = {1, 2, 3};
  for (const auto function : {pearson, spearman, kendall}) {
    EXPECT_FALSE(function(none, none));
    EXPECT_FALSE(function(one, one));
    EXPECT_FALSE(function(constant, x));
    EXPECT_FALSE(function(x, constant));
    EXPECT_FALSE(function(constant, constant));
    EXPECT_NEAR(*function(x, x), 1, 1e-15);
  }
}

TEST(Correlation, IsUndefinedForValuesThatAreNotFinite) {
  const Series x = {1, 2, 3}, nan = {1, std::nan(""), 2},
               infinite = {1, std::numeric_limits<double>::infinity(), 2};
  for (const auto function : {pearson, spearman, kendall}) {
    EXPECT_FALSE(function(x, nan));
    EXPECT_FALSE(function(infinite, x));
  }
}

TEST(Correlation, SurvivesHugeOffsetsAndScales) {
  const Series x = {1, 2, 3, 5}, y = {2, 1, 4, 3};
  const double expected = *pearson(x, y);
  for (const double offset : {1e9, 1e15, -1e15}) {
    Series shifted = x;
    for (double& value : shifted) value += offset;
    EXPECT_NEAR(*pearson(shifted, y), expected, 1e-12) << offset;
  }
  for (const double scale : {1e-200, 1e200}) {
    Series scaled = x;
    for (double& value : scaled) value *= scale;
    EXPECT_NEAR(*pearson(scaled, y), expected, 1e-12) << scale;
  }
}

// Their difference is larger than the largest double.
TEST(Correlation, SurvivesValuesNearTheLargestDouble) {
  const Series x = {1e308, -1e308, 0, 5}, small = {1, -1, 0, 0}, y = {2, 1, 4, 3};
  EXPECT_NEAR(*pearson(x, y), *pearson(small, y), 1e-12);
  const ResampledCorrelation resampled(x, y);
  EXPECT_NEAR(*resampled.pearson(std::vector<uint32_t>(4, 1)), *pearson(x, y), 1e-12);
}

TEST(Correlation, DifferentLengthsAreAnError) {
  const Series x = {1, 2, 3}, y = {1, 2};
  EXPECT_THROW(pearson(x, y), Error);
  EXPECT_THROW(kendall(x, y), Error);
}

TEST(Correlation, AverageRanks) {
  const Series values = {10, 20, 10, 5, 20, 20};
  EXPECT_EQ(average_ranks(values), (Series{2.5, 5, 2.5, 1, 5, 5}));
}

}  // namespace rubric::stats::correlation_test
