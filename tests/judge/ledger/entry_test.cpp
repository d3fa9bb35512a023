// What an entry asks, and what its reply says.
#include "judge/ledger/entry.h"

#include <iterator>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "judge/ledger/example_entry.h"
#include "messages.h"

namespace rubric::judge::entry_test {

const std::optional<Preference> kA = Preference::a, kB = Preference::b, kTie = Preference::tie;

LedgerEntry pair(AnswerOrder order, const std::string& reply) {
  return example_pair("C vs CH", "q1", order, reply);
}

TEST(LedgerEntry, HasAnAnswersFieldsAndThoseOfAJudgement) {
  const std::set<std::string> of_judgement(std::begin(kJudgementFields),
                                           std::end(kJudgementFields));
  const std::set<std::string> of_answer = {"id",        "system",    "language", "question",
                                           "reference", "candidate", "other"};
  for (const LedgerEntry& entry :
       {example_entry("C", "q1"), example_entry("C", "q1", "Sorry."), pair(AnswerOrder::ab, "A")}) {
    for (const auto& [name, value] : to_json(entry).object()) {
      EXPECT_EQ(of_judgement.contains(name), !of_answer.contains(name)) << name;
    }
  }
}

TEST(EntryMessages, ShowAPairInItsOrder) {
  const auto shown = [](AnswerOrder order) {
    LedgerEntry entry = pair(order, "");
    entry.answer.passage = "They gave up 308 points.";
    const std::vector<Message> messages = entry_messages("Choose!", entry);
    EXPECT_EQ(messages.at(0).content, "Choose!");
    return messages.at(1).content;
  };
  const std::string begin = "Passage: They gave up 308 points.\nQuestion: How many?\n";
  EXPECT_EQ(shown(AnswerOrder::ab),
            begin + "Answer A: \"308.\"\nAnswer B: \"It is 308 points, the fewest.\"\n");
  EXPECT_EQ(shown(AnswerOrder::ba),
            begin + "Answer A: \"It is 308 points, the fewest.\"\nAnswer B: \"308.\"\n");
}

TEST(EntryMessages, OfOneAnswerAreChies) {
  LedgerEntry entry = example_entry("llama", "q1");
  entry.answer.passage = "They gave up 308 points.";
  EXPECT_EQ(to_json(entry_messages("Judge!", entry)).dump(),
            to_json(judge_messages("Judge!", entry.answer)).dump());
}

// A is the candidate, whichever was shown first.
TEST(EntryPreference, IsOfThePairsOwnAnswers) {
  EXPECT_EQ(entry_preference(pair(AnswerOrder::ab, "A")), kA);
  EXPECT_EQ(entry_preference(pair(AnswerOrder::ab, "B")), kB);
  EXPECT_EQ(entry_preference(pair(AnswerOrder::ba, "A")), kB);
  EXPECT_EQ(entry_preference(pair(AnswerOrder::ba, "B")), kA);
  for (const AnswerOrder order : {AnswerOrder::ab, AnswerOrder::ba}) {
    EXPECT_EQ(entry_preference(pair(order, "Tie")), kTie);
    EXPECT_EQ(entry_preference(pair(order, "Both")), std::nullopt);
  }
}

TEST(HoldsVerdict, WhereTheReplyHoldsWhatWasAsked) {
  EXPECT_TRUE(holds_verdict(example_entry("llama", "q1")));
  EXPECT_FALSE(holds_verdict(example_entry("llama", "q1", "A")));
  for (const AnswerOrder order : {AnswerOrder::ab, AnswerOrder::ba}) {
    EXPECT_TRUE(holds_verdict(pair(order, "Tie")));
    EXPECT_FALSE(holds_verdict(pair(order, kReply)));
  }
}

}  // namespace rubric::judge::entry_test
