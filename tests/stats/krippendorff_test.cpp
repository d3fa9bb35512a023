#include <gtest/gtest.h>

#include "core/json/json.h"
#include "paths.h"
#include "stats/agreement.h"

namespace rubric::stats::krippendorff_test {

TEST(Krippendorff, EqualsThePackage) {
  const Json all = Json::parse_file(std::string(fixtures_folder()) + "/stats/significance.json");
  for (const Json& row : all.find("alpha")->array()) {
    std::vector<std::vector<double>> units;
    for (const Json& unit : row.find("units")->array()) {
      units.emplace_back();
      for (const Json& rating : unit.array()) units.back().push_back(rating.number());
    }
    const auto alpha = krippendorff_alpha(units);
    ASSERT_TRUE(alpha);
    EXPECT_NEAR(*alpha, row.require_number("alpha", "significance.json"), 1e-9);
  }
}

TEST(Krippendorff, IsUndefinedWithoutPairsOrDifferences) {
  EXPECT_FALSE(krippendorff_alpha(std::vector<std::vector<double>>{{1}, {2}}));
  EXPECT_FALSE(krippendorff_alpha(std::vector<std::vector<double>>{{3, 3}, {3, 3}}));
  EXPECT_FALSE(krippendorff_alpha({}));
}

}  // namespace rubric::stats::krippendorff_test
