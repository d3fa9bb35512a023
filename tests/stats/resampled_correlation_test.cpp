#include <string>

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/json/json.h"
#include "paths.h"
#include "stats/binary.h"
#include "stats/correlation.h"

namespace rubric::stats::resampled_correlation_test {

std::vector<double> numbers_of(const Json& array) {
  std::vector<double> values;
  for (const Json& value : array.array()) values.push_back(value.number());
  return values;
}

void expect_same(const std::optional<double>& a, const std::optional<double>& b,
                 const std::string& what) {
  ASSERT_EQ(a.has_value(), b.has_value()) << what;
  if (a) {
    EXPECT_NEAR(*a, *b, 1e-9) << what;
  }
}

// By its definition.
std::optional<double> concordance(const std::vector<double>& x, const std::vector<double>& y) {
  double won = 0, pairs = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    for (size_t j = 0; j < x.size(); ++j) {
      if (x[i] <= x[j]) continue;
      won += y[i] > y[j] ? 1 : y[i] == y[j] ? 0.5 : 0;
      ++pairs;
    }
  }
  return pairs == 0 ? std::nullopt : std::optional(won / pairs);
}

// Every value is that of the drawn series, for all series of scipy's fixture.
TEST(ResampledCorrelation, IsTheCorrelationOfTheDrawnSeries) {
  const Json all = Json::parse_file(std::string(fixtures_folder()) + "/stats/correlation.json");
  int undefined = 0;
  for (const Json& row : all.array()) {
    const std::vector<double> x = numbers_of(*row.find("x")), y = numbers_of(*row.find("y"));
    const ResampledCorrelation resampled(x, y);
    std::vector<std::vector<uint32_t>> samples = {std::vector<uint32_t>(x.size(), 1),
                                                  std::vector<uint32_t>(x.size(), 0)};
    samples.back().front() = static_cast<uint32_t>(x.size());  // constant
    samples.resize(22, samples.front());
    visit_resamples(x.size(), {.resamples = 20}, 0, [&](size_t resample, Counts counts) {
      samples[2 + resample].assign(counts.begin(), counts.end());
    });
    for (const auto& counts : samples) {
      std::vector<double> drawn_x, drawn_y;
      for (size_t i = 0; i < counts.size(); ++i) {
        drawn_x.insert(drawn_x.end(), counts[i], x[i]);
        drawn_y.insert(drawn_y.end(), counts[i], y[i]);
      }
      const std::string& name = row.find("name")->string();
      const ResampledCorrelations values = resampled.all(counts);
      expect_same(resampled.pearson(counts), values.pearson, name);
      expect_same(values.pearson, pearson(drawn_x, drawn_y), name + " Pearson");
      expect_same(values.spearman, spearman(drawn_x, drawn_y), name + " Spearman");
      expect_same(values.kendall, kendall(drawn_x, drawn_y), name + " Kendall");
      expect_same(values.concordance, concordance(drawn_x, drawn_y), name + " concordance");
      undefined += pearson(drawn_x, drawn_y) ? 0 : 1;
    }
  }
  EXPECT_GT(undefined, 13);
}

TEST(ResampledCorrelation, ConcordanceIsTheAreaUnderTheRocCurve) {
  const std::vector<double> scores = {0.1, 0.5, 0.5, 0.9, 0.3}, labels = {1, 5, 1, 5, 5};
  const std::vector<bool> is_positive = {false, true, false, true, true};
  const std::vector<uint32_t> once(5, 1);
  EXPECT_NEAR(*ResampledCorrelation(labels, scores).all(once).concordance,
              *roc_auc(score_levels(scores, is_positive)), 1e-12);
}

// All but one value lie close together: in a resample without that one nothing may be lost.
TEST(ResampledCorrelation, KeepsSmallDifferencesBesideALargeValue) {
  const std::vector<double> x = {1e9, 1, 2, 3, 4}, y = {-1e9, 1, 2, 4, 3};
  const std::vector<uint32_t> counts = {0, 2, 1, 1, 1};
  EXPECT_NEAR(*ResampledCorrelation(x, y).pearson(counts),
              *pearson(std::vector<double>{1, 1, 2, 3, 4}, std::vector<double>{1, 1, 2, 4, 3}),
              1e-12);
}

TEST(ResampledCorrelation, IsUndefinedForValuesThatAreNotFinite) {
  const std::vector<double> x = {1, 2, 1 / 0.0}, y = {1, 2, 3};
  const std::vector<uint32_t> counts = {1, 1, 1};
  const ResampledCorrelation resampled(x, y);
  const ResampledCorrelations values = resampled.all(counts);
  EXPECT_FALSE(values.pearson || values.spearman || values.kendall || values.concordance);
  EXPECT_THROW(ResampledCorrelation(x, std::vector<double>{1}), Error);
}

}  // namespace rubric::stats::resampled_correlation_test
