#include "data/vacuous_rationales/vacuous_rationales.h"

#include <gtest/gtest.h>

#include "messages.h"

namespace rubric::data::vacuous_rationales_test {

TEST(VacuousInference, ThePapersExample) {
  EXPECT_EQ(
      vacuous_inference("A dog running in the surf.", "A dog is at the beach.", "entailment", ""),
      "A dog running in the surf implies a dog is at the beach.");
}

TEST(VacuousInference, EachLabelHasItsVerb) {
  EXPECT_EQ(vacuous_inference("Two men row .", "Nobody moves .", "contradiction", ""),
            "Two men row contradicts nobody moves.");
  EXPECT_EQ(vacuous_inference("Two men row", "They race!", "neutral", ""),
            "Two men row is not related to they race.");
  const std::string message =
      input_error([] { vacuous_inference("Two men row", "They race", "Neutral", "f.jsonl:3"); });
  expect_says(message, {"\"Neutral\"", "f.jsonl:3"});
}

TEST(VacuousInference, WhatIsSurelyANameKeepsItsCapital) {
  EXPECT_EQ(vacuous_inference("A man greets Anna.", "Anna is there.", "entailment", ""),
            "A man greets Anna implies Anna is there.");
  EXPECT_EQ(vacuous_inference("A man rows.", "I'm in a boat.", "neutral", ""),
            "A man rows is not related to I'm in a boat.");
  EXPECT_EQ(vacuous_inference("A man rows.", "USA wins.", "neutral", ""),
            "A man rows is not related to USA wins.");
  EXPECT_EQ(vacuous_inference("The man rows.", "Élan is good.", "neutral", ""),
            "The man rows is not related to élan is good.");
}

TEST(VacuousInference, TextsWithoutAWordAreRefused) {
  expect_contains(input_error([] { vacuous_inference(" . ", "It is.", "neutral", "x"); }),
                  "the premise has no word");
  expect_contains(input_error([] { vacuous_inference("It is.", "", "neutral", "x"); }),
                  "the hypothesis has no word");
}

TEST(VacuousQuestion, TheAnswerFillsTheBlankOrFollows) {
  EXPECT_EQ(vacuous_question("A gardener needs ____ to dig.", "a spade").text,
            "A gardener needs a spade to dig.");
  EXPECT_EQ(vacuous_question("Rain falls from a ___", "cloud").text, "Rain falls from a cloud");
  EXPECT_EQ(vacuous_question("Who rows?", "élan").text, "Who rows? The answer is élan.");
}

}  // namespace rubric::data::vacuous_rationales_test
