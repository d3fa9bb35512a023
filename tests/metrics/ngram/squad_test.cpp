#include "metrics/ngram/squad.h"

#include <vector>

#include <gtest/gtest.h>

#include "metrics/fixture_rows.h"

namespace rubric::metrics::squad_test {

TEST(Squad, EqualsTheScripts) {
  const Json rows = metric_fixture("squad.json");
  ASSERT_GE(rows.array().size(), 100u);
  for (const Json& row : rows.array()) {
    const std::vector<std::string> references = references_of(row);
    const std::string& candidate = row.find("candidate")->string();
    EXPECT_NEAR(squad_f1(references, candidate), row.find("f1")->number(), 1e-12) << row.dump();
    EXPECT_EQ(squad_exact_match(references, candidate), row.find("em")->number()) << row.dump();
    EXPECT_NEAR(token_recall(references, candidate), row.find("recall")->number(), 1e-12);
    EXPECT_EQ(contains_answer(references, candidate), row.find("contains")->number()) << row.dump();
  }
}

TEST(Squad, Normalizes) {
  EXPECT_EQ(normalize_answer("The  U.S.A., an\tAnswer!"), "usa answer");
  EXPECT_EQ(normalize_answer("t.he end"), "end");  // punctuation goes first
  EXPECT_EQ(normalize_answer("theatre another"), "theatre another");
  EXPECT_EQ(normalize_answer("ÀÉ\u3000a b"), "àé b");
  EXPECT_EQ(normalize_answer("ΟΔΟΣ"), "οδος");  // final sigma
  EXPECT_EQ(normalize_answer(" a the "), "");
}

TEST(Squad, TakesTheBestReference) {
  const std::vector<std::string> references = {"a dog", "black cat"};
  EXPECT_EQ(squad_exact_match(references, "The dog."), 1);
  EXPECT_NEAR(squad_f1(references, "the black dog cat"), 0.8, 1e-12);
}

TEST(Squad, ContainsWantsTheWordsInOrderAndTogether) {
  const std::vector<std::string> references = {"Black cat"};
  EXPECT_EQ(contains_answer(references, "It was the black, the cat: gone."),
            1);  // "the" is no word
  EXPECT_EQ(contains_answer(references, "a black old cat"), 0);
  EXPECT_EQ(contains_answer(references, "cat black"), 0);
  EXPECT_EQ(contains_answer(references, "blackcat black cats"), 0);
  EXPECT_EQ(token_recall(references, "a cat, black"), 1);
  EXPECT_EQ(token_recall(references, "the dog is black"), 0.5);
}

TEST(Squad, EmptyTexts) {
  const std::vector<std::string> empty = {""}, article = {"the"}, word = {"x"};
  EXPECT_EQ(squad_exact_match(empty, "A"), 1);
  EXPECT_EQ(squad_f1(article, "a"), 0);  // v1.1, unlike v2.0
  EXPECT_EQ(squad_f1(empty, "A"), 1);    // no answer, as v2.0 has it
  EXPECT_EQ(squad_f1(empty, "x"), 0);
  EXPECT_EQ(squad_f1(word, ""), 0);
  EXPECT_EQ(squad_exact_match(word, " "), 0);
  // "No answer", answered so.
  EXPECT_EQ(token_recall(empty, ""), 1);
  EXPECT_EQ(token_recall(empty, "x"), 0);
  EXPECT_EQ(contains_answer(empty, "the"), 1);
  EXPECT_EQ(contains_answer(empty, "x"), 0);
}

// Normalisation drops the whole reference, so that it is compared before.
TEST(Squad, RecallAndContainsCompareReferencesOfArticlesAndPunctuationAlone) {
  struct Case {
    std::vector<std::string> references;
    std::string candidate;
    double recall, contains;
  };
  for (const auto& [references, candidate, recall, contains] :
       {Case{{"A"}, "A", 1, 1}, Case{{"A"}, "(a).", 1, 1}, Case{{"A"}, "The answer is A.", 1, 1},
        Case{{"A"}, "B", 0, 0}, Case{{"A"}, "The", 0, 0}, Case{{"A"}, "", 0, 0},
        Case{{"The The"}, "the the", 1, 1}, Case{{"The The"}, "by The The, in 1986", 1, 1},
        Case{{"The The"}, "The", 0.5, 0}, Case{{"="}, "=", 1, 1}, Case{{"="}, "\"=\".", 1, 1},
        Case{{"="}, "!=", 0, 0}, Case{{"..."}, "...", 1, 1}, Case{{"B", "A"}, "a", 1, 1},
        Case{{"an", "B"}, "B", 1, 1}, Case{{" "}, " ", 0, 0},
        // An article of a sentence is no choice.
        Case{{"A"}, "B, since a dog barks", 0, 0}, Case{{"A"}, "a, the", 1, 1},
        Case{{"(A)"}, "It is a dog.", 0, 0}, Case{{"(A)"}, "A: it is a dog.", 1, 1},
        Case{{"a"}, "It is (a), a dog.", 1, 1}, Case{{"The The"}, "the band the the", 1, 1}}) {
    EXPECT_EQ(token_recall(references, candidate), recall) << references[0] << ": " << candidate;
    EXPECT_EQ(contains_answer(references, candidate), contains)
        << references[0] << ": " << candidate;
  }
  const std::vector<std::string> choice = {"A"};  // f1 and em stay the script's
  EXPECT_EQ(squad_f1(choice, "A"), 0);
  EXPECT_EQ(squad_exact_match(choice, "The"), 1);
}

TEST(Squad, SurvivesInvalidUtf8) {
  const std::vector<std::string> references = {"\xFF\xC3 x"};
  EXPECT_EQ(squad_exact_match(references, "\xFF\xC3 X"), 1);
  EXPECT_GT(squad_f1(references, "x \xE2\x80"), 0);
}

}  // namespace rubric::metrics::squad_test
