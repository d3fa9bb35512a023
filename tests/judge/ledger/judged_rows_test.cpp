// Rows as entries of a ledger, with replies and without.
#include "judge/ledger/judged_rows.h"

#include <gtest/gtest.h>

#include "core/context.h"
#include "core/hash.h"
#include "judge/request.h"
#include "judge/verdicts/verdicts.h"
#include "messages.h"
#include "recorder.h"
#include "temporary_folder.h"

namespace rubric::judge::judged_rows_test {

struct JudgedRowsTest : testing::Test {
  std::vector<LedgerEntry> read(const std::string& table) {
    return read_judged_rows(folder_.write("replies.csv", table), data::InputFormat::kCsv,
                            settings_);
  }
  std::string refusal(const std::string& table) {
    return input_error([&] { read(table); });
  }

  // The last message.
  std::string logged(const std::string& table) {
    Recorder recorder;
    Context context;
    context.observer = &recorder;
    const ContextScope scope(context);
    read(table);
    return recorder.messages.empty() ? "" : recorder.messages.back().second;
  }

  TemporaryFolder folder_;
  JudgedRows settings_ = {"llama",
                          "en",
                          {"gpt", "Judge by the passage!", ""},
                          JudgedKind::answers,
                          {{"candidate", "predictions"}},
                          "model_gpt4"};
};

TEST_F(JudgedRowsTest, HaveThePublishedColumnsOrOurs) {
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
  EXPECT_EQ(entry.prompt_hash, sha256("Judge by the passage!"));
  EXPECT_EQ(entry.key,
            request_key("gpt", "", judge_messages("Judge by the passage!", entry.answer)));
  EXPECT_EQ(to_json(ours.at(0)).dump(), to_json(entry).dump());
}

TEST_F(JudgedRowsTest, HaveListsOfReferencesInCells) {
  const auto entries = read(
      "context,question,references,predictions,model_gpt4\n"
      "p,q,\"[\"\"a dog\"\", \"\"hound\"\"]\",a,\n"
      "p,q,\"['cat', \"\"b's\"\"]\",b,\n"
      "p,q,\"[0, 1]\",c,\n"
      "p,q,\"[\"\"308\"\", \"\"\"\", \"\" \"\"]\",d,\n");
  const auto references = [&](size_t i) { return entries.at(i).answer.references; };
  EXPECT_EQ(references(0), (std::vector<std::string>{"a dog", "hound"}));
  EXPECT_EQ(references(1), (std::vector<std::string>{"cat", "b's"}));
  EXPECT_EQ(references(2), (std::vector<std::string>{"[0, 1]"}));
  EXPECT_EQ(references(3), std::vector<std::string>{"308"});  // the blank ones are none
  EXPECT_NE(refusal("context,question,references,predictions,model_gpt4\np,q,['a' 'b'],a,\n"),
            "accepted");
}

TEST_F(JudgedRowsTest, WithoutIdsAreNumbered) {
  const auto entries = read(
      "\xEF\xBB\xBF"
      "context,question,references,predictions,model_gpt4\np,q,r,a,\np,q,r,b,x\n");
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].answer.id, "1");
  EXPECT_EQ(entries[1].answer.id, "2");
  EXPECT_EQ(entries[0].reply, "");  // a reply that holds no verdicts, as it is counted
}

TEST_F(JudgedRowsTest, NameTheirLanguagesOrTakeTheGivenOne) {
  const std::string header = "id,language,context,question,references,predictions,model_gpt4\n";
  settings_.language = "";
  const auto entries = read(header + "1,th,p,q,r,x,y\n2,,p,q,r,x,y\n");
  EXPECT_EQ(entries.at(0).language, "th");
  EXPECT_EQ(entries.at(1).language, "en");
  expect_contains(refusal(header + "1,Thai,p,q,r,x,y\n"), "\"Thai\" is not a code of two letters");
  settings_.language = "en";
  expect_contains(refusal(header + "1,th,p,q,r,x,y\n"),
                  "names the language \"th\", --language says \"en\"");
  settings_.language = "";
  settings_.fields["language"] = "lang";
  EXPECT_EQ(read("lang,context,question,references,predictions,model_gpt4\nth,p,q,r,x,y\n")
                .at(0)
                .language,
            "th");
}

// The published Chinese recordings have an answer of line ends.
TEST_F(JudgedRowsTest, AnAnswerOfBlanksThatWasJudgedIsOne) {
  const std::string table =
      "context,question,references,predictions,model_gpt4\np,q,r,\"\n\n\",The answer is blank\n";
  EXPECT_EQ(read(table).at(0).answer.candidate, "\n\n");
  settings_.reply_column = "";
  expect_contains(refusal(table), "has no answer");
}

TEST_F(JudgedRowsTest, BadRowsAreRefused) {
  settings_.judge.prompt = "";  // CHIE's, which needs the passage
  const std::string header = "id,context,question,references,predictions,model_gpt4\n";
  expect_contains(refusal(header), "no rows");
  expect_contains(refusal(header + "1,p,q,r,a,x\n2,p,q,r,,x\n"),
                  "id \"2\" has no answer in the field \"predictions\"");
  expect_contains(refusal(header + "1,p,q,r,a,x\n2,p,q, ,b,x\n"), "id \"2\" has no reference");
  expect_contains(refusal(header + "1,,q,r,a,x\n"), "id \"1\" has no passage");
  expect_contains(refusal(header + "1,p,,r,a,x\n"), "id \"1\" has no question");
  expect_contains(refusal(header + "1,p,q,r,a,x\n1,p,q,r,b,x\n"),
                  "the id \"1\" occurs twice for llama");
  expect_contains(refusal(header + "1,p,q,r,a,\"x\" y\n"), "replies.csv:2");
  expect_contains(refusal("id,context,question,references,predictions,model\n1,p,q,r,a,x\n"),
                  "no column \"model_gpt4\"");
  expect_contains(refusal("id,context,question,references,prediction,model_gpt4\n1,p,q,r,a,x\n"),
                  "--field candidate=prediction;");
  expect_contains(refusal("id,question,references,predictions,model_gpt4\n1,q,r,a,x\n"),
                  "\"passage\" is missing");
  expect_contains(refusal("id,context,references,predictions,model_gpt4\n1,p,r,a,x\n"),
                  "\"question\" is missing");
}

// The first rows tell the names together: one whose answer is correct does not.
TEST_F(JudgedRowsTest, MayBeginWithACorrectAnswer) {
  settings_.fields.clear();
  for (const char* const last : {"p,q,London,Rome,x\n", "p,q,Rome,Rome,x\n"}) {
    const auto entries = read(std::string("passage,question,response,answer,model_gpt4\n") +
                              "p,q,Paris,Paris,x\n" + last);
    ASSERT_EQ(entries.size(), 2u);
    EXPECT_EQ(entries[1].answer.references, std::vector<std::string>{"Rome"}) << last;
  }
  const auto entries = read(
      "passage,question,prediction,response,gold,model_gpt4\np,q,7,7,7,x\np,q,0.5,Rome,Rome,x\n");
  EXPECT_EQ(entries.at(1).answer.candidate, "Rome");
}

TEST_F(JudgedRowsTest, HaveTheUsualNames) {
  settings_.fields.clear();
  const LedgerEntry entry =
      read("qid,article,user_input,gold,model_output,model_gpt4\n7,p,q,r,a,x\n").at(0);
  EXPECT_EQ(entry.answer.id, "7");
  EXPECT_EQ(entry.answer.passage, "p");
  EXPECT_EQ(entry.answer.question, "q");
  EXPECT_EQ(entry.answer.references, std::vector<std::string>{"r"});
  EXPECT_EQ(entry.answer.candidate, "a");
}

// What the judge does not see is said once.
TEST_F(JudgedRowsTest, WarnOfWhatIsNotSent) {
  settings_.reply_column = "";
  const std::string table =
      "context,question,references,predictions\n,q,r,a\np,q,\"[\"\"r\"\", \"\"s\"\"]\",b\n";
  expect_contains(logged(table), "1 request has no passage (column \"context\"), of 2");
  settings_.judge.prompt = read_judge_prompt(default_judge_prompt());
  expect_contains(
      logged("context,question,references,predictions\np,q,\"[\"\"r\"\", \"\"s\"\"]\",b\n"),
      "1 row has several references");
  const std::string joined = "context,question,references,predictions\np,q,308|309,a\np,q,x|y,b\n";
  expect_contains(logged(joined), "2 of 2 references hold \"|\"");
  settings_.reference_separator = "|";
  expect_contains(logged(joined), "2 rows have several references");
}

TEST_F(JudgedRowsTest, NeedNoPassageUnderAnotherPrompt) {
  const std::string header = "id,question,references,predictions,model_gpt4";
  settings_.judge.prompt = "Judge!";
  EXPECT_EQ(read(header + "\n1,q,r,a,x\n").at(0).answer.passage, "");
  const LedgerEntry entry = read(header + ",context\n1,q,\"[\"\"r\"\", \"\"s\"\"]\",a,x,\n").at(0);
  EXPECT_EQ(entry.answer.references.size(), 2u);
  EXPECT_EQ(entry.key, request_key("gpt", "", judge_messages("Judge!", entry.answer)));
  settings_.kind = JudgedKind::pairs;
  settings_.fields.clear();
  settings_.reply_column = "";
  EXPECT_EQ(read("question,answer_a,answer_b\nq,a,b\n").size(), 2u);
}

TEST_F(JudgedRowsTest, NameTheirSystemsOrTakeTheGivenOne) {
  const std::string header = "id,system,context,question,references,predictions,model_gpt4\n";
  settings_.system = "";
  const auto entries = read(header + "1,a,p,q,r,x,y\n1,b,p,q,r,x,y\n");
  ASSERT_EQ(entries.size(), 2u);  // one id of two systems
  EXPECT_EQ(entries[0].answer.source, "a");
  EXPECT_EQ(entries[1].answer.source, "b");
  expect_contains(refusal(header + "1,,p,q,r,x,y\n"), "which system gave the answer");
  settings_.system = "b";
  expect_contains(refusal(header + "1,a,p,q,r,x,y\n"),
                  "names the system \"a\", --system-name says \"b\"");
  settings_.fields["system"] = "model";
  EXPECT_EQ(read("model,context,question,references,predictions,model_gpt4\nb,p,q,r,x,y\n")
                .at(0)
                .answer.source,
            "b");
}

TEST_F(JudgedRowsTest, YetToBeJudgedHaveNoReply) {
  settings_.reply_column = "";
  settings_.judge.parameters = R"({"temperature": 0.2})";
  const auto entries = read("context,question,references,predictions\np,q,r,x\n");
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].reply, "");
  EXPECT_EQ(entries[0].answer.passage, "p");
  EXPECT_EQ(entries[0].parameters, settings_.judge.parameters);
  EXPECT_EQ(entries[0].key,
            request_key("gpt", settings_.judge.parameters,
                        judge_messages("Judge by the passage!", entries[0].answer)));
}

// Rows of two answers.
struct JudgedPairsTest : JudgedRowsTest {
  JudgedPairsTest() {
    settings_.system = "C vs CH";
    settings_.judge.parameters = R"({"temperature": 0.2})";
    settings_.kind = JudgedKind::pairs;
    settings_.fields = {};
    settings_.reply_column = "";
  }
};

TEST_F(JudgedPairsTest, AreAskedInBothOrders) {
  const auto entries =
      read("id,passage,question,answer_a,answer_b\nq1,p,q,short,long\nq2,p,q,x,y\n");
  ASSERT_EQ(entries.size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    const LedgerEntry& entry = entries[i];
    EXPECT_EQ(entry.order, i % 2 == 0 ? AnswerOrder::ab : AnswerOrder::ba);
    EXPECT_EQ(entry.answer.id, i < 2 ? "q1" : "q2");
    EXPECT_EQ(entry.answer.source, "C vs CH");
    EXPECT_EQ(entry.answer.candidate, i < 2 ? "short" : "x");
    EXPECT_EQ(entry.other, i < 2 ? "long" : "y");
    EXPECT_TRUE(entry.answer.references.empty());
    EXPECT_EQ(entry.passage_hash, sha256("p"));
  }
  EXPECT_EQ(entries[0].key, request_key("gpt", settings_.judge.parameters,
                                        preference_messages("Judge by the passage!",
                                                            entries[0].answer, "short", "long")));
  EXPECT_EQ(entries[1].key, request_key("gpt", settings_.judge.parameters,
                                        preference_messages("Judge by the passage!",
                                                            entries[1].answer, "long", "short")));
  EXPECT_NE(entries[0].key, entries[1].key);
}

TEST_F(JudgedPairsTest, OrInTheFirstAlone) {
  const std::string rows = "passage,question,answer_a,answer_b\np,q,short,long\n";
  const auto both = read(rows);
  settings_.kind = JudgedKind::pairs_in_one_order;
  const auto one = read(rows);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(to_json(one[0]).dump(), to_json(both.at(0)).dump());
}

TEST_F(JudgedPairsTest, MayHaveColumnsOfOtherNames) {
  settings_.fields = {{"answer_a", "short"}, {"answer_b", "long"}, {"system", "case"}};
  settings_.system = "";
  const auto entries =
      read("id,case,context,question,short,long\nq1,C vs CI,p,q,308,it is\nq1,C vs CH,p,q,3,4\n");
  ASSERT_EQ(entries.size(), 4u);
  EXPECT_EQ(entries[0].answer.candidate, "308");
  EXPECT_EQ(entries[0].other, "it is");
  EXPECT_EQ(entries[0].answer.source, "C vs CI");
  EXPECT_EQ(entries[2].answer.source, "C vs CH");
}

TEST_F(JudgedPairsTest, BadRowsAreRefused) {
  settings_.judge.prompt = read_judge_prompt(default_preference_prompt());
  const std::string header = "id,passage,question,answer_a,answer_b\n";
  expect_contains(refusal(header), "no rows");
  expect_contains(refusal(header + "1,p,q, ,b\n"),
                  "id \"1\" has no answer in the field \"answer_a\"");
  expect_contains(refusal(header + "1,p,q,a,b\n2,p,q,a,\n"),
                  "id \"2\" has no answer in the field \"answer_b\"");
  expect_contains(refusal(header + "1,p,,a,b\n"), "id \"1\" has no question");
  expect_contains(refusal(header + "1,p,q,a,b\n1,p,q,a,c\n"),
                  "the id \"1\" occurs twice for C vs CH");
  expect_contains(refusal("id,passage,question,answer_a\n1,p,q,a\n"), "\"answer_b\" is missing");
  expect_contains(refusal("id,question,answer_a,answer_b\n1,q,a,b\n"), "\"passage\" is missing");
}

}  // namespace rubric::judge::judged_rows_test
