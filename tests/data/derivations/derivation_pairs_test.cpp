#include <gtest/gtest.h>

#include "data/derivations/derivations.h"
#include "messages.h"

namespace rubric::data::derivation_pairs_test {

std::vector<HotpotQuestion> questions() {
  const std::vector<Article> articles = {{"A", {"A is b.", " It is c."}}, {"D", {"D is e."}}};
  return {{"q1", "What?", "c", {{"A", 1}, {"D", 0}}, articles},
          {"q2", "Who?", "e", {{"D", 1}, {"X", 0}, {"D", 0}}, articles},
          {"q3", "Why?", "", {}, articles}};
}

const std::string kFirst = "What? ; A | 1 | It is c. ; D | 0 | D is e.";
const std::string kSecond = "Who? ; D | 0 | D is e.";

std::string text_of(const DerivationPairs& pairs) {
  std::string text;
  for (const auto& row : pairs.rows) text += row.id + ": " + row.source + " → " + row.target + "\n";
  return text;
}

TEST(DerivationPairs, SourcesAreOneForEachQuestion) {
  EXPECT_EQ(text_of(derivation_sources(questions())),
            "q1: " + kFirst + " → \nq2: " + kSecond + " → \nq3: Why? → \n");
}

TEST(DerivationPairs, FactsOfSentencesThatDoNotExistAreListed) {
  EXPECT_EQ(derivation_sources(questions()).skipped,
            (std::vector<std::string>{"q2: D 1", "q2: X 0"}));
  const std::vector<DerivationQuestion> references = {{"q2", {{{"D", 0, "D", "is", "e"}}, {}}}};
  EXPECT_EQ(derivation_pairs(questions(), references, 0).skipped.size(), 2u)
      << "once a question, not once a reference";
}

TEST(DerivationPairs, EachReferenceIsARowInTheOrderOfTheQuestions) {
  const Derivation one = {{"A", 1, "A", "is", "c"}, {"D", 0, "D", "is", "e"}};
  const Derivation other = {{"A", 1, "it", "is", "c"}};
  const std::vector<DerivationQuestion> references = {{"q2", {other}}, {"q1", {one, other}}};
  const DerivationPairs all = derivation_pairs(questions(), references, 0);
  EXPECT_EQ(text_of(all),
            "q1: " + kFirst + " → A | 1 | A | is | c ; D | 0 | D | is | e\nq1: " + kFirst +
                " → A | 1 | it | is | c\nq2: " + kSecond + " → A | 1 | it | is | c\n");
  const DerivationPairs first = derivation_pairs(questions(), references, 1);
  ASSERT_EQ(first.rows.size(), 2u);
  EXPECT_EQ(first.rows[0].target, all.rows[0].target);
  EXPECT_EQ(derivation_pairs(questions(), references, 5).rows.size(), 3u);
}

TEST(DerivationPairs, QuestionsThatAreNotThereAreNamed) {
  const Derivation one = {{"A", 1, "A", "is", "c"}};
  const std::vector<DerivationQuestion> references = {{"q9", {one}}, {"q1", {one}}, {"q8", {one}}};
  EXPECT_EQ(input_error([&] { derivation_pairs(questions(), references, 0); }),
            error_lines("the HotpotQA file lacks 2 of the questions that have references",
                        "\"q8\", \"q9\"", "give the HotpotQA file that R4C was drawn from"));
}

}  // namespace rubric::data::derivation_pairs_test
