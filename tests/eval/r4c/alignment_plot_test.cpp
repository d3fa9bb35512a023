#include <gtest/gtest.h>

#include "eval/r4c/output.h"
#include "messages.h"

namespace rubric::eval {
namespace {

// Two steps against one, which is aligned with the second of them.
R4cQuestion example() {
  const data::Derivation candidate = {
      {"T", 0, "Anna", "was born in", "a small town near the river"},
      {"T", 1, "it's", "`id`", "Bergen"}};
  const data::Derivation reference = {{"T", 1, "its", "id", "Bergen"}};
  R4cQuestion question{"q", candidate, {reference}, {}, {}};
  for (metrics::DerivationScore& score : question.scores)
    score = {0.75, 0.375, 0.75, 0.5, 0, {{1, 0, 0.75}}};
  return question;
}

TEST(AlignmentPlot, WrapsStepsAtBlanks) {
  const Plot plot = alignment_plot(example(), 0);
  expect_contains(plot.commands, "\t[Anna] was born in [a small\n");
  expect_contains(plot.commands, "\ttown near the river]\n");
}

TEST(AlignmentPlot, JoinsAlignedStepsByTheirSimilarity) {
  const Plot plot = alignment_plot(example(), 2);
  expect_contains(plot.title, "q, er (Full), reference 1 of 1");
  // Boxes of 2 and 1 lines: 0.4 above and below, 0.6 between; the second's middle is at 4.9.
  expect_contains(plot.commands, "set arrow from 0.41,4.9 to 0.59,1.5 nohead");
  expect_contains(plot.commands, "\t0.750\n");
}

TEST(AlignmentPlot, SaysNothingToGnuplot) {
  const Plot plot = alignment_plot(example(), 0);
  expect_contains(plot.commands, "[it’s] ’id’ [Bergen]");
  EXPECT_FALSE(holds(plot.commands, "`"));
}

TEST(AlignmentPlot, BreaksLongWords) {
  R4cQuestion question = example();
  question.candidate[0].head = std::string(40, 'x');
  expect_contains(alignment_plot(question, 0).commands, "\t[" + std::string(28, 'x') + "\n");
}

TEST(AlignmentPlot, HasNoLinesForAnEmptyDerivation) {
  R4cQuestion question{"q", {}, example().references, {}, {}};
  EXPECT_FALSE(holds(alignment_plot(question, 0).commands, "set arrow"));
}

}  // namespace
}  // namespace rubric::eval
