// Recorded replies as entries of a ledger.
#include "judge/recordings.h"

#include <gtest/gtest.h>

#include "core/hash.h"
#include "judge/request.h"
#include "judge/verdicts.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric {
namespace {

class Recordings : public testing::Test {
 protected:
  std::vector<LedgerEntry> read(const std::string& table) {
    return read_recordings(folder_.write("replies.csv", table), InputFormat::csv, settings_);
  }
  std::string refusal(const std::string& table) {
    return input_error([&] { read(table); });
  }

  TemporaryFolder folder_;
  RecordingSettings settings_ = {"llama", "en", {"gpt", "Judge!"}, "predictions", "model_gpt4"};
};

TEST_F(Recordings, HaveThePublishedColumnsOrOurs) {
  const auto published = read(
      "id,context,question,references,predictions,model_gpt4,model_q1\n"
      "q1,They gave up 308 points.,How many?,308,It is 308.,\"1. Agree\n2. Disagree\",1\n");
  const auto ours = read(
      "reference,question,passage,predictions,model_gpt4,id\n"
      "308,How many?,They gave up 308 points.,It is 308.,\"1. Agree\n2. Disagree\",q1\n");
  ASSERT_EQ(published.size(), 1u);
  const LedgerEntry& entry = published[0];
  EXPECT_EQ(entry.answer.id, "q1");
  EXPECT_EQ(entry.answer.source, "llama");
  EXPECT_EQ(entry.answer.candidate, "It is 308.");
  EXPECT_EQ(entry.answer.references, std::vector<std::string>{"308"});
  EXPECT_EQ(entry.reply, "1. Agree\n2. Disagree");
  EXPECT_EQ(entry.language, "en");
  EXPECT_EQ(entry.judge, "gpt");
  EXPECT_EQ(entry.passage_hash, sha256("They gave up 308 points."));
  EXPECT_EQ(entry.prompt_hash, sha256("Judge!"));
  EXPECT_EQ(entry.key,
            request_key("gpt", Json(Json::Object()), judge_messages("Judge!", entry.answer)));
  EXPECT_EQ(to_json(ours.at(0)).dump(), to_json(entry).dump());
}

TEST_F(Recordings, WithoutIdsAreNumbered) {
  const auto entries = read(
      "\xEF\xBB\xBF"
      "context,question,references,predictions,model_gpt4\np,q,r,a,\np,q,r,b,x\n");
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].answer.id, "1");
  EXPECT_EQ(entries[1].answer.id, "2");
  EXPECT_EQ(entries[0].reply, "");  // a reply that holds no verdicts, as it is counted
}

TEST_F(Recordings, BadRowsAreRefused) {
  const std::string header = "id,context,question,references,predictions,model_gpt4\n";
  expect_contains(refusal(header), "no rows");
  expect_contains(refusal(header + "1,p,q,r,a,x\n2,p,q,r, ,x\n"),
                  "id \"2\" has no answer in the column \"predictions\"");
  expect_contains(refusal(header + "1,p,q,r,a,x\n2,p,q, ,b,x\n"), "id \"2\" has no reference");
  expect_contains(refusal(header + "1,p,q,r,a,x\n1,p,q,r,b,x\n"), "the id \"1\" stands twice");
  expect_contains(refusal(header + "1,p,q,r,a,\"x\" y\n"), "replies.csv:2");
  expect_contains(refusal("id,context,question,references,predictions,model\n1,p,q,r,a,x\n"),
                  "no column \"model_gpt4\"");
  expect_contains(refusal("id,context,question,references,prediction,model_gpt4\n1,p,q,r,a,x\n"),
                  "--answer-column prediction;");
  expect_contains(refusal("id,question,references,predictions,model_gpt4\n1,q,r,a,x\n"),
                  "\"passage\" is missing");
  expect_contains(refusal("id,context,references,predictions,model_gpt4\n1,p,r,a,x\n"),
                  "\"question\" is missing");
}

TEST_F(Recordings, ThatAreThereAreNotNew) {
  const std::string header = "id,context,question,references,predictions,model_gpt4\n";
  Ledger ledger;
  ledger.entries = read(header + "1,p,q,r,a,x\n");
  const auto added = new_entries(read(header + "1,p,q,r,a,x\n2,p,q,r,b,y\n"), ledger, "L");
  ASSERT_EQ(added.size(), 1u);
  EXPECT_EQ(added[0].answer.id, "2");
  for (const char* other : {"1,p,q,r,a,z\n", "1,p,q,r,b,x\n", "1,P,q,r,a,x\n"}) {
    const std::string refused =
        input_error([&] { new_entries(read(header + other), ledger, "L"); });
    expect_contains(refused, "another judgement of id \"1\" of llama");
    expect_contains(refused, "L:1");
  }
  settings_.system = "sea-lion";
  EXPECT_EQ(new_entries(read(header + "1,p,q,r,a,z\n"), ledger, "L").size(), 1u);
}

}  // namespace
}  // namespace rubric
