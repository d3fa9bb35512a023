#include "metrics/ngram/google_rouge.h"

#include <vector>

#include <gtest/gtest.h>

#include "metrics/fixture_rows.h"

namespace rubric::metrics {
namespace {

TEST(GoogleRouge, EqualsThePackage) {
  const Json rows = metric_fixture("google_rouge.json");
  ASSERT_GE(rows.array().size(), 100U);
  for (const Json& row : rows.array()) {
    const std::vector<std::string> references = references_of(row);
    const std::string& candidate = row.find("candidate")->string();
    for (const bool stems : {false, true}) {
      const Json& expected = *row.find(stems ? "stem" : "plain");
      const auto near = [&](const char* name, double score) {
        EXPECT_NEAR(score, expected.find(name)->number(), 1e-9)
            << name << (stems ? " stem " : " ") << row.dump();
      };
      near("rouge1", google_rouge_n(references, candidate, 1, stems));
      near("rouge2", google_rouge_n(references, candidate, 2, stems));
      near("rougeL", google_rouge_l(references, candidate, stems));
      near("rougeLsum", google_rouge_l_sum(references, candidate, stems));
    }
  }
}

TEST(GoogleRouge, SignaturesSayWhetherWordsAreStemmed) {
  EXPECT_TRUE(
      make_google_rouge_l({})->signature().starts_with("rougeL|case:lc|tok:google|stem:no"));
  EXPECT_TRUE(make_google_rouge_1({{kStem, ""}})
                  ->signature()
                  .starts_with("rouge1|case:lc|tok:google|stem:porter"));
}

}  // namespace
}  // namespace rubric::metrics
