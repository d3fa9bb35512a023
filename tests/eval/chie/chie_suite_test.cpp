// Systems by CHIE's aspects.
#include <gtest/gtest.h>

#include "eval/chie/chie.h"
#include "judge/ledger/example_entry.h"
#include "messages.h"

namespace rubric::eval::chie_suite_test {

using Counts = std::array<int64_t, 4>;

// Four words that the strict parser does not find below numbers, and the other way about.
constexpr const char* kNoId = "Agree Agree Disagree Disagree";
constexpr const char* kSmall = "1. agree\n2. disagree\n3. agree\n4. disagree";

ChieEvaluation evaluate(const std::vector<judge::LedgerEntry>& entries,
                        const std::string& language = "") {
  return evaluate_chie(entries, language, "L");
}

TEST(Chie, CountsVerdictsBySystem) {
  const ChieEvaluation evaluation = evaluate(
      {example_entry("sea-lion", "1"), example_entry("llama", "1", kNoId),
       example_entry("sea-lion", "2", kNoId), example_entry("sea-lion", "3", "I cannot tell.")});
  ASSERT_EQ(evaluation.systems.size(), 2u);
  const ChieSystem& first = evaluation.systems[0];
  EXPECT_EQ(first.name, "sea-lion");
  EXPECT_EQ(first.agreed, (Counts{2, 1, 0, 1}));
  EXPECT_EQ(first.n(), 3);
  EXPECT_EQ(first.invalid, 1);
  EXPECT_EQ(evaluation.systems[1].agreed, (Counts{1, 1, 0, 0}));
  EXPECT_EQ(evaluation.systems[1].invalid, 0);
}

TEST(Chie, TheStrictParserReadsOtherwise) {
  std::vector<judge::LedgerEntry> entries = {example_entry("llama", "1", kNoId),
                                             example_entry("llama", "2", kSmall),
                                             example_entry("llama", "3")};
  const ChieEvaluation published = evaluate(entries);
  for (judge::LedgerEntry& entry : entries) entry.parser = VerdictParser::strict;
  const ChieEvaluation strict = evaluate(entries);
  EXPECT_EQ(published.systems[0].agreed, (Counts{2, 1, 0, 1}));
  EXPECT_EQ(strict.systems[0].agreed, (Counts{2, 0, 1, 1}));
  for (const ChieEvaluation& evaluation : {published, strict}) {
    EXPECT_EQ(evaluation.systems[0].invalid, 1);
    ASSERT_EQ(evaluation.disagreements.size(), 2u);
    EXPECT_EQ(evaluation.disagreements[0].id, "1");
    EXPECT_EQ(evaluation.disagreements[0].published, (judge::Verdicts{true, true, false, false}));
    EXPECT_EQ(evaluation.disagreements[0].strict, std::nullopt);
    EXPECT_EQ(evaluation.disagreements[1].published, std::nullopt);
  }
}

TEST(Chie, EachReplyIsReadByItsParser) {
  judge::LedgerEntry strict = example_entry("llama", "2", kSmall);
  strict.parser = VerdictParser::strict;
  const ChieEvaluation evaluation = evaluate({strict, example_entry("llama", "1", kNoId)});
  EXPECT_EQ(evaluation.systems[0].agreed, (Counts{2, 1, 1, 0}));
  EXPECT_EQ(evaluation.systems[0].invalid, 0);
  EXPECT_EQ(evaluation.parsers, (std::set<std::string>{"published", "strict"}));
}

TEST(Chie, TheLastAttemptCounts) {
  judge::LedgerEntry second = example_entry("llama", "1"),
                     third = example_entry("llama", "1", "again?");
  second.attempt = 2;
  third.attempt = 3;
  const judge::LedgerEntry first = example_entry("llama", "1", kNoId);
  EXPECT_EQ(evaluate({first, second}).systems[0].agreed, (Counts{1, 0, 0, 1}));
  EXPECT_EQ(evaluate({second, first}).systems[0].agreed, (Counts{1, 0, 0, 1}));
  const ChieEvaluation evaluation = evaluate({first, third, second});
  EXPECT_EQ(evaluation.systems[0].invalid, 1);
  EXPECT_EQ(evaluation.systems[0].n(), 1);
}

TEST(Chie, OneLanguageAtATime) {
  judge::LedgerEntry thai = example_entry("llama", "1", kNoId);
  thai.language = "th";
  const std::vector<judge::LedgerEntry> entries = {example_entry("llama", "1"), thai};
  expect_contains(input_error([&] { evaluate(entries); }), "llama has answers in en and th");
  EXPECT_EQ(evaluate(entries, "en").systems[0].agreed, (Counts{1, 0, 0, 1}));
  EXPECT_EQ(evaluate(entries, "th").systems[0].agreed, (Counts{1, 1, 0, 0}));
  expect_contains(input_error([&] { evaluate(entries, "zh"); }), "name one of en, th");
  expect_contains(input_error([&] { evaluate({}); }), "the ledger is empty");
}

}  // namespace rubric::eval::chie_suite_test
