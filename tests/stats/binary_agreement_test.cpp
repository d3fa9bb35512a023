#include "stats/binary_agreement.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "core/json.h"

namespace rubric {
namespace {

void expect_figure(std::optional<double> ours, const Json& theirs) {
  ASSERT_EQ(ours.has_value(), theirs.is_number());
  if (ours) {
    EXPECT_NEAR(*ours, theirs.number(), 1e-12);
  }
}

// The fixture holds raters who never or always say yes, too: scikit-learn divides by zero there.
TEST(BinaryAgreement, EqualsScikitLearn) {
  const std::string where = std::string(RUBRIC_FIXTURES) + "/chie/agreement.json";
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
  }
}

TEST(BinaryAgreement, IsUndefinedOfNothing) {
  const YesNoCounts none;
  for (const auto figure : {precision, recall, f1, observed_agreement, cohen_kappa}) {
    EXPECT_FALSE(figure(none));
  }
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

}  // namespace
}  // namespace rubric
