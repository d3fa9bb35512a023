// The entries of a ledger that count.
#include <gtest/gtest.h>

#include "judge/ledger/example_entry.h"
#include "judge/ledger/ledger.h"
#include "messages.h"

namespace rubric::judge::last_attempts_test {

std::vector<std::string> replies(const std::vector<LedgerEntry>& entries,
                                 Judgements counted = Judgements::preferences,
                                 const std::string& language = "") {
  std::vector<std::string> replies;
  for (const LedgerEntry* entry : last_attempts(entries, counted, language, "L")) {
    replies.push_back(entry->reply);
  }
  return replies;
}

LedgerEntry attempt(AnswerOrder order, int64_t number, const std::string& reply) {
  LedgerEntry entry = example_pair("C vs CH", "1", order, reply);
  entry.attempt = number;
  return entry;
}

TEST(LastAttempts, AreOfEachOrder) {
  EXPECT_EQ(replies({attempt(AnswerOrder::ab, 1, "first"), attempt(AnswerOrder::ba, 2, "second"),
                     attempt(AnswerOrder::ab, 2, "third"), attempt(AnswerOrder::ba, 1, "fourth")}),
            (std::vector<std::string>{"third", "second"}));
}

TEST(LastAttempts, AreOfOneLanguage) {
  LedgerEntry thai = attempt(AnswerOrder::ab, 1, "thai");
  thai.language = "th";
  const std::vector<LedgerEntry> entries = {attempt(AnswerOrder::ab, 1, "english"), thai};
  EXPECT_EQ(replies(entries, Judgements::preferences, "th"), std::vector<std::string>{"thai"});
  expect_contains(input_error([&] { replies(entries); }), "C vs CH has answers in en and th");
  expect_contains(input_error([&] { replies(entries, Judgements::preferences, "zh"); }),
                  "name one of en, th");
  expect_contains(input_error([&] { replies({}); }), "the ledger is empty");
}

TEST(LastAttempts, AreOfOneKindOfJudgement) {
  const LedgerEntry verdicts = example_entry("llama", "7"), pair = attempt(AnswerOrder::ba, 1, "A");
  EXPECT_EQ(input_error([&] { replies({verdicts}, Judgements::preferences); }),
            error_lines("the ledger holds verdicts on single answers (id \"7\" of llama)", "L",
                        "rubric evaluate chie counts them"));
  EXPECT_EQ(input_error([&] { replies({pair}, Judgements::verdicts); }),
            error_lines("the ledger holds preferences between two answers (id \"1\" of C vs CH)",
                        "L", "rubric evaluate preference counts them"));
  expect_contains(input_error([&] {
                    replies({verdicts, pair}, Judgements::verdicts);
                  }),
                  "evaluate preference");
  expect_contains(input_error([&] {
                    replies({pair, verdicts}, Judgements::preferences);
                  }),
                  "evaluate chie");
  EXPECT_EQ(replies({verdicts}, Judgements::verdicts), std::vector<std::string>{kReply});
}

}  // namespace rubric::judge::last_attempts_test
