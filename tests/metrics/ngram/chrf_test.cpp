#include "metrics/ngram/chrf.h"

#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "metrics/fixture_rows.h"

namespace rubric::metrics::chrf_test {

TEST(Chrf, CountsEachNgramAtMostAsOftenAsTheReference) {
  NgramTree tree;
  tree.read(std::vector<uint32_t>{1, 2, 1, 2}, 3);
  std::vector<double> counts;
  tree.count(std::vector<uint32_t>{1, 2, 3, 1, 1}, counts);
  EXPECT_EQ(counts, (std::vector<double>{5, 4, 3, 4, 3, 1, 3, 2, 0}));
  counts.clear();
  tree.count(std::vector<uint32_t>{1}, counts);  // the counts of before are forgotten
  EXPECT_EQ(counts, (std::vector<double>{1, 4, 1, 0, 3, 0, 0, 2, 0}));
  tree.read({}, 2);
  counts.clear();
  tree.count(std::vector<uint32_t>{1, 2}, counts);
  EXPECT_EQ(counts, std::vector<double>(6));
}

// One object for many rows counts each as a new one does.
TEST(Chrf, ForgetsTheRowsBefore) {
  const Json fixture = metric_fixture("sacrebleu.json");
  Chrf scorer(2, /*lowercase=*/true);
  for (const Json& row : fixture.find("pairs")->array()) {
    const std::vector<std::string> references = references_of(row);
    for (const std::string& candidate : {row.find("candidate")->string(), references.back()}) {
      EXPECT_EQ(scorer.count(references, candidate), Chrf(2, true).count(references, candidate));
    }
  }
}

TEST(Chrf, InvalidUtf8AndLongTextsAreScored) {
  std::string text = "\xFF\xE2\x80 ";
  for (int i = 0; i < 20000; ++i) text += std::to_string(i % 7919) + " ";
  const std::vector<std::string> references = {text};
  EXPECT_NEAR(chrf_score(Chrf(2, false).count(references, text)), 100, 1e-9);
  EXPECT_EQ(chrf_score(Chrf(2, false).count(references, "")), 0);
}

size_t resident_bytes() {
  size_t pages = 0;
  std::ifstream("/proc/self/statm").ignore(100, ' ') >> pages;
  return pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

TEST(Chrf, ALongTextOfFewNgramsTakesLittleMemory) {
  const std::vector<uint32_t> symbols(1'000'000, 'a');
  const size_t before = resident_bytes();
  NgramTree tree;
  tree.read(symbols, 6);
  EXPECT_LT(resident_bytes() - before, 32U << 20);  // room for 6 n-grams a symbol takes 256 MB
  std::vector<double> counts;
  tree.count(symbols, counts);
  EXPECT_EQ(counts, (std::vector<double>{1e6, 1e6, 1e6, 999999, 999999, 999999, 999998, 999998,
                                         999998, 999997, 999997, 999997, 999996, 999996, 999996,
                                         999995, 999995, 999995}));
}

}  // namespace rubric::metrics::chrf_test
