#include "stats/agreement.h"

#include <array>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "paths.h"

namespace rubric::stats::agreement_test {

void expect_figure(std::optional<double> ours, const Json& theirs) {
  ASSERT_EQ(ours.has_value(), theirs.is_number());
  if (ours) {
    EXPECT_NEAR(*ours, theirs.number(), 1e-12);
  }
}

// The fixture holds raters who never or always say yes, too: scikit-learn divides by zero there.
TEST(BinaryAgreement, EqualsScikitLearn) {
  const std::string where = std::string(fixtures_folder()) + "/chie/agreement.json";
  const Json all = Json::parse_file(where);
  const Json::Array& raters = all.require_array("raters", where);
  EXPECT_EQ(raters.size(), 10u);
  for (const Json& pair : raters) {
    const Json::Array &first = pair.require_array("first", where),
                      &second = pair.require_array("second", where);
    YesNoCounts counts;
    for (size_t i = 0; i < first.size(); ++i) {
      counts.add(first[i].number() == 1, second[i].number() == 1);
    }
    EXPECT_EQ(counts.n(), std::ssize(first));
    expect_figure(precision(counts), *pair.find("precision"));
    expect_figure(recall(counts), *pair.find("recall"));
    expect_figure(f1(counts), *pair.find("f1"));
    expect_figure(observed_agreement(counts), *pair.find("agreement"));
    expect_figure(cohen_kappa(counts), *pair.find("kappa"));
    expect_figure(stratified_kappa(std::array{counts, YesNoCounts()}), *pair.find("kappa"));
  }
}

TEST(BinaryAgreement, IsUndefinedOfNothing) {
  const YesNoCounts none;
  for (const auto figure : {precision, recall, f1, observed_agreement, cohen_kappa}) {
    EXPECT_FALSE(figure(none));
  }
}

// Two strata of 10 units: each rater says yes of 9 in one and of 1 in the other, and they agree on
// 8 in both. Chance gives 10 (0.9 · 0.9 + 0.1 · 0.1) = 8.2 in each, so kappa is (16 - 16.4) / (20
// - 16.4) = -1/9. Of all 20 in one, half of them yes, it would be (16 - 10) / (20 - 10) = 0.6.
TEST(BinaryAgreement, ChanceIsTakenByStratum) {
  const YesNoCounts often = {8, 1, 1, 0}, seldom = {0, 1, 1, 8}, always = {5, 0, 0, 0};
  YesNoCounts pooled = often;
  pooled += seldom;
  EXPECT_DOUBLE_EQ(cohen_kappa(pooled).value(), 0.6);
  EXPECT_NEAR(stratified_kappa(std::array{often, seldom}).value(), -1. / 9, 1e-12);
  // Where chance alone agrees there are as many more observed as expected.
  EXPECT_NEAR(stratified_kappa(std::array{often, seldom, always}).value(), -1. / 9, 1e-12);
  EXPECT_FALSE(stratified_kappa(std::array{always, always}));
  EXPECT_FALSE(stratified_kappa({}));
}

TEST(BinaryAgreement, CountsAddUp) {
  YesNoCounts counts, others;
  counts.add(true, false, 3);
  counts.add(false, true);
  others.add(true, true, 2);
  others.add(false, false, 4);
  counts += others;
  EXPECT_EQ(counts.both, 2);
  EXPECT_EQ(counts.first_only, 3);
  EXPECT_EQ(counts.second_only, 1);
  EXPECT_EQ(counts.neither, 4);
}

}  // namespace rubric::stats::agreement_test
