#include "metrics/ngram/google_rouge.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "core/error.h"
#include "metrics/fixture_rows.h"

namespace rubric::metrics::google_rouge_test {

TEST(GoogleRouge, EqualsThePackage) {
  const Json rows = metric_fixture("google_rouge.json");
  ASSERT_GE(rows.array().size(), 100U);
  for (const Json& row : rows.array()) {
    const std::vector<std::string> references = references_of(row);
    const std::string& candidate = row.find("candidate")->string();
    for (const bool stems : {false, true}) {
      const Json& expected = *row.find(stems ? "stem" : "plain");
      const auto near = [&](const char* name, double score) {
        EXPECT_NEAR(score, expected.find(name)->number(), 1e-9)
            << name << (stems ? " stem " : " ") << row.dump();
      };
      near("rouge1", google_rouge_n(references, candidate, 1, stems));
      near("rouge2", google_rouge_n(references, candidate, 2, stems));
      near("rougeL", google_rouge_l(references, candidate, stems));
      near("rougeLsum", google_rouge_l_sum(references, candidate, stems));
    }
  }
}

std::string words(size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += i % 3 == 0 ? "a " : "b ";
  return text;
}

// The whole table of lengths would take 800 MB.
TEST(GoogleRouge, LongTextsTakeLittleMemory) {
  const auto most_kilobytes = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  const std::vector<std::string> reference = {words(10'000)};
  const long before = most_kilobytes();
  EXPECT_EQ(google_rouge_l(reference, words(10'000), false), 1);
  EXPECT_EQ(google_rouge_l_sum(reference, words(10'000), false), 1);
  EXPECT_LT(most_kilobytes() - before, 200 * 1024);
}

TEST(GoogleRouge, SentencesTooLongToTraceAreRefusedWithTheirRecord) {
  data::Answer answer;
  answer.id = "long";
  answer.candidate = words(100'000);
  answer.references = {answer.candidate};
  try {
    make_google_rouge_l_sum({})->score({&answer, 1});
    ADD_FAILURE() << "scored";
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("100000 words"), what.npos) << what;
    EXPECT_NE(what.find("record \"long\""), what.npos) << what;
  }
}

TEST(GoogleRouge, SignaturesSayWhetherWordsAreStemmed) {
  EXPECT_TRUE(
      make_google_rouge_l({})->signature().starts_with("rougeL|case:lc|tok:google|stem:no"));
  EXPECT_TRUE(make_google_rouge_1({{kStem, ""}})
                  ->signature()
                  .starts_with("rouge1|case:lc|tok:google|stem:porter"));
}

}  // namespace rubric::metrics::google_rouge_test
