#include "metrics/ngram/rouge_l.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "metrics/fixture_rows.h"

namespace rubric::metrics::rouge_l_test {

double rouge_l(std::span<const std::string> references, std::string_view candidate) {
  return RougeL().score(references, candidate);
}

TEST(RougeL, EqualsPycocoevalcap) {
  const Json rows = metric_fixture("ngram.json");
  ASSERT_GE(rows.array().size(), 100u);
  for (const Json& row : rows.array()) {
    const std::vector<std::string> references = references_of(row);
    EXPECT_NEAR(rouge_l(references, row.find("candidate")->string()), row.find("rouge_l")->number(),
                1e-9)
        << row.dump();
  }
}

TEST(RougeL, SplitsAtEverySingleBlank) {
  const std::vector<std::string> empty = {""}, word = {"a"}, spaced = {"a  b"};
  EXPECT_EQ(rouge_l(empty, ""), 1);  // one empty word each, as str.split(" ") gives
  EXPECT_EQ(rouge_l(word, ""), 0);
  EXPECT_EQ(rouge_l(empty, "a"), 0);
  EXPECT_EQ(rouge_l(word, "a\tb"), 0);
  EXPECT_LT(rouge_l(spaced, "a b"), 1);
}

TEST(RougeL, TakesBestPrecisionAndBestRecallFromDifferentReferences) {
  const std::vector<std::string> references = {"a b c d", "x"};
  // Precision 1/2 and recall 1/4 of the first, 1/2 and 1 of the second.
  EXPECT_NEAR(rouge_l(references, "a x"), 2.44 * 0.5 / (1 + 1.44 * 0.5), 1e-12);
}

// The length of the longest common subsequence by the textbook's table.
size_t longest_by_table(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<std::vector<size_t>> length(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      length[i][j] = a[i - 1] == b[j - 1] ? length[i - 1][j - 1] + 1
                                          : std::max(length[i - 1][j], length[i][j - 1]);
    }
  }
  return length[a.size()][b.size()];
}

std::string words(const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) text += (text.empty() ? "w" : " w") + std::to_string(number);
  return text;
}

TEST(RougeL, CarriesAcrossBlocksOf64Words) {
  std::mt19937 random(7);
  for (const size_t size : {1u, 63u, 64u, 65u, 128u, 129u, 200u}) {
    for (const int vocabulary : {2, 5, 300}) {
      std::vector<int> a(size), b(size + random() % 20);
      for (int& word : a) word = static_cast<int>(random() % static_cast<unsigned>(vocabulary));
      for (int& word : b) word = static_cast<int>(random() % static_cast<unsigned>(vocabulary));
      const auto common = static_cast<double>(longest_by_table(a, b));
      const double precision = common / static_cast<double>(a.size());
      const double recall = common / static_cast<double>(b.size());
      const double expected =
          common == 0 ? 0 : 2.44 * precision * recall / (recall + 1.44 * precision);
      const std::vector<std::string> references = {words(b)};
      EXPECT_NEAR(rouge_l(references, words(a)), expected, 1e-12) << size << " " << vocabulary;
    }
  }
}

// One object for many rows scores each as a new one does.
TEST(RougeL, ForgetsTheRowsBefore) {
  const Json rows = metric_fixture("ngram.json");
  RougeL scorer;
  std::string long_text;
  for (int i = 0; i < 150; ++i) long_text += "w" + std::to_string(i % 40) + " ";
  const std::vector<std::string> long_reference = {long_text};
  for (const Json& row : rows.array()) {
    const std::vector<std::string> references = references_of(row);
    for (const std::string& candidate : {row.find("candidate")->string(), references.back()}) {
      EXPECT_EQ(scorer.score(references, candidate), rouge_l(references, candidate));
    }
    EXPECT_EQ(scorer.score(long_reference, long_text), 1);
  }
}

}  // namespace rubric::metrics::rouge_l_test
