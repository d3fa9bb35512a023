#include <gtest/gtest.h>

#include "eval/agreement/output.h"
#include "messages.h"

namespace rubric::eval {
namespace {

// Twelve rows, half of them at one place; one metric is constant.
data::ScoredRows example() {
  data::ScoredRows rows;
  rows.metrics = {"constant", "f1"};
  rows.rows.resize(12, Json(Json::Object()));
  rows.scores.resize(2);
  for (int i = 0; i < 12; ++i) {
    rows.ids.push_back(std::to_string(i));
    rows.human.push_back(i < 6 ? 1 : i % 5);
    rows.scores[0].push_back(2);
    rows.scores[1].push_back(i < 6 ? 0 : i - 5);
  }
  return rows;
}

TEST(AgreementPlots, ShowWhatHasACorrelation) {
  const data::ScoredRows rows = example();
  const Agreement agreement = evaluate_agreement(rows, {.bootstrap = {.resamples = 50}});
  const std::vector<Plot> plots = agreement_plots(agreement, rows);
  ASSERT_EQ(plots.size(), 2u);  // the intervals, and f1's rows
  expect_contains(plots[1].title, "f1 against human labels");
  // The six rows that lie together have the largest circle, in the middle of the first piece.
  expect_contains(plots[1].commands, "$circles << EOD\n0.1\t1\t2.4\n");
  // Equal scores stay together; the other six are a tenth (five at least) and what is left.
  expect_contains(plots[1].commands, "$means << EOD\n0\t1\t1\t1\n3\t2\t");
  expect_contains(plots[1].commands, "\n6\t1\t1\t1\nEOD");
}

}  // namespace
}  // namespace rubric::eval
