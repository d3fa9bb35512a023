#include <gtest/gtest.h>

#include "eval/mocha/mocha.h"
#include "eval/mocha/mocha_example.h"

namespace rubric::eval::mocha_notes_test {

using Notes = std::vector<std::string>;

TEST(MochaNotes, AreNoneWhenAllIsWell) {
  EXPECT_EQ(Example().result().notes, Notes{});
}

TEST(MochaNotes, SayWhatIsMissingAndUnused) {
  Example example;
  example.lerc.answers.erase({"drop", "3"});
  example.lerc.answers[{"drop", "unknown"}] = 1;
  example.lerc.pairs = predictions_of_pairs();
  EXPECT_EQ(evaluate_mocha(example.answers, four_pairs(), example.lerc, {}).notes,
            (Notes{"1 of 8 predictions missing, counted as 0 (drop 1)",
                   "1 of 5 minimal pairs missing, counted as incorrect (drop 1)",
                   "1 scores belong to no instance: id drop/unknown"}));
}

TEST(MochaNotes, AnUnusedPairIsNamedOnce) {
  Example example;
  example.lerc.pairs = predictions_of_pairs();
  for (data::Predictions* each : {&example.lerc.pairs->better, &example.lerc.pairs->worse}) {
    (*each)[{"drop", "m"}] = 1;
  }
  EXPECT_EQ(evaluate_mocha(example.answers, four_pairs(), example.lerc, {}).notes.back(),
            "1 scores belong to no instance: id drop/m");
}

TEST(MochaNotes, SayWhichMetricDidNotScoreThePairs) {
  const Example example;
  EXPECT_EQ(evaluate_mocha(example.answers, four_pairs(), example.lerc, {}).notes,
            Notes{"the minimal pairs are not scored"});
}

TEST(MochaNotes, SayWhereTheCorrelationIsUndefined) {
  Example example;
  for (const char* id : {"0", "1", "2", "3"}) example.lerc.answers[{"drop", id}] = 3;
  EXPECT_EQ(
      example.result().notes,
      Notes{"no average, the correlation is undefined (constant or fewer than two values) for "
            "drop"});
}

}  // namespace rubric::eval::mocha_notes_test
