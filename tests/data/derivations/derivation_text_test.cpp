#include <cstdlib>

#include <gtest/gtest.h>

#include "data/derivations/derivations.h"
#include "data/derivations/readers.h"

namespace rubric::data::derivation_text_test {

std::string json(const std::optional<Derivation>& derivation) {
  return derivation ? to_json(*derivation).dump() : "malformed";
}

TEST(DerivationText, StepsAreSeparatedBySemicolons) {
  const Derivation derivation = {{"Anna Berg", 0, "Anna Berg", "is", "a painter"},
                                 {"Blue School", 12, "Blue School", "was founded by", "Anna Berg"}};
  EXPECT_EQ(derivation_text(derivation),
            "Anna Berg | 0 | Anna Berg | is | a painter ; "
            "Blue School | 12 | Blue School | was founded by | Anna Berg");
  EXPECT_EQ(derivation_text({}), "");
}

TEST(DerivationText, RoundTrips) {
  for (const Derivation& derivation :
       std::vector<Derivation>{{},
                               {{"a|b;c", 3, "||", ";;", "x ; y | z"}},
                               {{"", 0, "", "", ""}, {"T", 1, "é", "|", ";"}},
                               {{"D&amp;G", 0, "a  b", "\n", "[O.S."}}}) {
    EXPECT_EQ(json(parse_derivation(derivation_text(derivation))), json(derivation));
  }
}

TEST(DerivationText, BlanksAroundPartsDoNotCount) {
  EXPECT_EQ(json(parse_derivation("  T|1 | h  |r| t ")), R"([["T", 1, ["h", "r", "t"]]])");
  EXPECT_EQ(json(parse_derivation("   ")), "[]");
}

TEST(DerivationText, WhatIsMalformedIsNoDerivation) {
  for (const char* const text :
       {"T | 1 | h | r", "T | 1 | h | r | t | u", "T | x | h | r | t", "T | -1 | h | r | t",
        "T | | h | r | t", "T | 1 | h | r | t ;", "T | 1 | h | r | t ; junk", "junk",
        "T | 99999999999999999999 | h | r | t"}) {
    EXPECT_EQ(json(parse_derivation(text)), "malformed") << text;
  }
}

TEST(DerivationText, RoundTripsOnAllOfTheCorpus) {
  const char* const data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  int64_t derivations = 0;
  for (const char* const file : {"train.json", "dev_csf.json"}) {
    for (const DerivationQuestion& question : read_r4c(std::string(data) + "/r4c/" + file)) {
      for (const Derivation& derivation : question.references) {
        ASSERT_EQ(json(parse_derivation(derivation_text(derivation))), json(derivation));
        ++derivations;
      }
    }
  }
  EXPECT_EQ(derivations, 13764);
}

TEST(DerivationText, TheQuestionAndItsSentencesHaveTheSameForm) {
  EXPECT_EQ(evidence_text("Who? ", {{{"A (film)", 0}, "A is a film."}, {{"B|C", 12}, " x; y "}}),
            "Who? ; A (film) | 0 | A is a film. ; B||C | 12 | x;; y");
  EXPECT_EQ(evidence_text("a;b|", {}), "a;;b||");
}

}  // namespace rubric::data::derivation_text_test
