// What a ledger holds is neither added nor asked again.
#include "judge/ledger/writer.h"

#include <gtest/gtest.h>

#include "judge/ledger/example_entry.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::judge::writer_test {

const LedgerJudge kWritingJudge = {"gpt", "Judge!", R"({"temperature": 0.2})"};
constexpr int64_t kAttempts = 3;

struct RecordedTest : testing::Test {
  void append(const std::vector<LedgerEntry>& entries, const LedgerJudge& judge = kWritingJudge,
              LedgerMix mix = LedgerMix::refused) {
    LedgerWriter(file_, judge, mix).append(entries);
  }
  RecordedJudgements recorded(LedgerMix mix = LedgerMix::refused) {
    return read_recorded(file_, kWritingJudge, mix);
  }

  TemporaryFolder folder_;
  std::string file_ = folder_.file("ledger.jsonl");
};

TEST_F(RecordedTest, RepliesThatAreThereAreNotAdded) {
  append({example_entry("llama", "q1"), example_entry("llama", "q2", "no verdicts")});
  const std::vector<LedgerEntry> entries = {
      example_entry("llama", "q1"), example_entry("llama", "q2", "no verdicts"),
      example_entry("llama", "q3"), example_entry("sea-lion", "q1")};
  const auto added = unrecorded(entries, recorded());
  ASSERT_EQ(added.size(), 2u);
  EXPECT_EQ(added[0].answer.id, "q3");
  EXPECT_EQ(added[1].answer.source, "sea-lion");
}

TEST_F(RecordedTest, AnotherJudgementOfAnAnswerIsRefused) {
  append({example_entry("llama", "q0"), example_entry("llama", "q1")});
  LedgerEntry other_reply = example_entry("llama", "q1", "other");
  LedgerEntry other_answer = example_entry("llama", "q1");
  other_answer.answer.candidate = "307";
  LedgerEntry other_key = example_entry("llama", "q1");
  other_key.key = "k";
  for (const LedgerEntry& entry : {other_reply, other_answer, other_key}) {
    const std::string refused = input_error([&] { unrecorded({entry}, recorded()); });
    expect_says(refused, {"another judgement of id \"q1\" of llama", file_ + ":2"});
  }
  expect_contains(input_error([&] { unjudged({other_key}, recorded(), kAttempts); }),
                  "another judgement of id \"q1\" of llama");
}

// A language that was named wrong is mended without paying again; one request of two ids is two.
TEST_F(RecordedTest, TheSameRequestUnderAnotherLanguageIsRefused) {
  append({example_entry("llama", "q1")});
  LedgerEntry thai = example_entry("llama", "q1", "");
  thai.language = "th";
  expect_contains(input_error([&] { unjudged({thai}, recorded(), kAttempts); }),
                  "the same request of id \"q1\" of llama, under the language en");
  thai.answer.id = "q2";
  EXPECT_EQ(unjudged({thai}, recorded(), kAttempts).size(), 1u);
}

// Two equal answers make one request of both orders: the second is asked, too.
TEST_F(RecordedTest, TheOtherOrderOfEqualAnswersIsNew) {
  LedgerEntry first = example_entry("C vs CH", "q1", "A");
  first.answer.references = {};
  first.other = first.answer.candidate;
  first.order = AnswerOrder::ab;
  append({first});
  LedgerEntry second = first;
  second.order = AnswerOrder::ba;
  EXPECT_EQ(unjudged({first, second}, recorded(), kAttempts).size(), 1u);
}

// The third attempt of q2 comes before its second in the file.
TEST_F(RecordedTest, AnswersAreAskedUntilAReplyHoldsVerdictsOrTheAttemptsAreMade) {
  const auto attempt = [](const std::string& id, int64_t number, const std::string& reply) {
    LedgerEntry entry = example_entry("llama", id, reply);
    entry.attempt = number;
    return entry;
  };
  append({attempt("q1", 1, "none"), attempt("q1", 2, kReply), attempt("q2", 1, "none"),
          attempt("q2", 3, "none"), attempt("q2", 2, "none"), attempt("q3", 1, "none")});
  const auto asked = unjudged({example_entry("llama", "q1"), example_entry("llama", "q2"),
                               example_entry("llama", "q3"), example_entry("llama", "q4")},
                              recorded(), kAttempts);
  ASSERT_EQ(asked.size(), 2u);
  EXPECT_EQ(asked[0].answer.id, "q3");
  EXPECT_EQ(asked[0].attempt, 2);
  EXPECT_EQ(asked[1].answer.id, "q4");
  EXPECT_EQ(asked[1].attempt, 1);
  const auto more = unjudged({example_entry("llama", "q2")}, recorded(), kAttempts + 1);
  ASSERT_EQ(more.size(), 1u);
  EXPECT_EQ(more[0].attempt, 4);
}

// Of a mix only what the same judge said counts; each prompt's text stands once.
TEST_F(RecordedTest, OtherJudgesOfAMixDoNotCount) {
  const LedgerJudge other = {"gemini", "Judge?", "{}"};
  append({example_entry("llama", "q1", kReply, other), example_entry("llama", "q2", kReply, other)},
         other);
  expect_contains(input_error([&] { append({example_entry("llama", "q1")}); }), "another judge");
  append({example_entry("llama", "q1")}, kWritingJudge, LedgerMix::allowed);
  append({example_entry("llama", "q3", kReply, other)}, other, LedgerMix::allowed);
  expect_contains(input_error([&] { read_ledger(file_); }), file_ + ":3");
  EXPECT_EQ(read_ledger(file_, LedgerMix::allowed).entries.size(), 4u);
  const auto asked = unjudged({example_entry("llama", "q1"), example_entry("llama", "q2")},
                              recorded(LedgerMix::allowed), kAttempts);
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_EQ(asked[0].answer.id, "q2");
  const std::string text = read_file(file_);
  EXPECT_EQ(text.find("Judge?"), text.rfind("Judge?"));
  EXPECT_EQ(text.find("Judge!"), text.rfind("Judge!"));
}

}  // namespace rubric::judge::writer_test
