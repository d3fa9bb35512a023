#include <gtest/gtest.h>

#include "eval/r4c/r4c.h"
#include "messages.h"

namespace rubric::eval::r4c_result_test {

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
  expect_contains(plot.drawing, ">[Anna] was born in [a small</text>");
  expect_contains(plot.drawing, ">town near the river]</text>");
}

TEST(AlignmentPlot, JoinsAlignedStepsByTheirSimilarity) {
  const Plot plot = alignment_plot(example(), 2);
  expect_contains(plot.title, "q, er (Full), reference 1 of 1");
  // Boxes of 2 and 1 lines: 0.4 above and below, 0.6 between; the second's middle is at 4.9. A line
  // is 14 pixels high.
  expect_says(plot.drawing, {"<line x1=\"176\" y1=\"68.6\" x2=\"244\" y2=\"21\"", ">0.750</text>",
                             "<title>step 2 and step 1 of the reference: similarity 0.750<"});
}

TEST(AlignmentPlot, EscapesTheSteps) {
  R4cQuestion question = example();
  question.candidate[0].head = "</svg>";
  const Plot plot = alignment_plot(question, 0);
  expect_says(plot.drawing, {"[it&#39;s] `id` [Bergen]", "[&lt;/svg&gt;]"});
}

TEST(AlignmentPlot, BreaksLongWords) {
  R4cQuestion question = example();
  question.candidate[0].head = std::string(40, 'x');
  expect_contains(alignment_plot(question, 0).drawing, ">[" + std::string(26, 'x') + "</text>");
}

TEST(AlignmentPlot, HasNoLinesForAnEmptyDerivation) {
  R4cQuestion question{"q", {}, example().references, {}, {}};
  EXPECT_FALSE(holds(alignment_plot(question, 0).drawing, "<line"));
}

}  // namespace rubric::eval::r4c_result_test
