#include "metrics/ngram/bleu.h"

#include <gtest/gtest.h>

#include "metrics/fixture_rows.h"

namespace rubric::metrics::bleu_test {

double bleu(std::span<const std::string> references, std::string_view candidate, int order) {
  return Bleu(order).score(references, candidate);
}

TEST(Bleu, EqualsPycocoevalcap) {
  const Json rows = metric_fixture("ngram.json");
  ASSERT_GE(rows.array().size(), 100u);
  for (const Json& row : rows.array()) {
    const std::string& candidate = row.find("candidate")->string();
    for (int order = 1; order <= 4; ++order) {
      const double expected = row.find("bleu")->array()[static_cast<size_t>(order - 1)].number();
      EXPECT_NEAR(bleu(references_of(row), candidate, order), expected, 1e-9) << row.dump();
    }
  }
}

TEST(Bleu, ClipsOverAllReferences) {
  const std::vector<std::string> references = {"a a b", "a c c"};
  EXPECT_NEAR(bleu(references, "a a c c", 1), 1, 1e-9);    // two a's of one, two c's of the other
  EXPECT_NEAR(bleu(references, "a a a a", 1), 0.5, 1e-9);  // never three
  EXPECT_LT(bleu(references, "c a c a", 4), 1e-3);
}

TEST(Bleu, TakesTheShorterOfTwoEquallyCloseReferences) {
  const std::vector<std::string> references = {"a b c d e", "a b c"};
  EXPECT_NEAR(bleu(references, "a b c d", 1), 1, 1e-9);  // 5 would bring a brevity penalty
}

TEST(Bleu, IsAlmostZeroForEmptyTexts) {
  const std::vector<std::string> empty = {""}, blank = {" \t\u3000"}, word = {"a"};
  EXPECT_EQ(bleu(word, "", 1), 0);
  EXPECT_EQ(bleu(empty, "", 4), 0);
  EXPECT_EQ(bleu(word, " \n", 1), 0);
  EXPECT_LT(bleu(blank, "a", 1), 1e-12);
}

TEST(Bleu, SurvivesInvalidUtf8) {
  const std::vector<std::string> references = {"a \xE2\x80", "\xFF b \xC2"};
  EXPECT_NEAR(bleu(references, "a \xE2\x80", 2), 1, 1e-8);
}

TEST(Bleu, HandlesLongTexts) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += std::to_string(i % 7919) + " ";
  const std::vector<std::string> references = {text};
  EXPECT_NEAR(bleu(references, text, 4), 1, 1e-9);
}

// One object for many rows scores each as a new one does.
TEST(Bleu, ForgetsTheRowsBefore) {
  const Json rows = metric_fixture("ngram.json");
  for (int order = 1; order <= 4; ++order) {
    Bleu scorer(order);
    for (const Json& row : rows.array()) {
      const std::vector<std::string> references = references_of(row);
      for (const std::string& candidate : {row.find("candidate")->string(), references.back()}) {
        EXPECT_EQ(scorer.score(references, candidate), bleu(references, candidate, order));
      }
    }
  }
}

}  // namespace rubric::metrics::bleu_test
