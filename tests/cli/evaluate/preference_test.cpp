// `judge --preference` and `evaluate preference` as a user starts them, at an endpoint of the
// test's own.
#include <gtest/gtest.h>

#include "chat_server.h"
#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "measured.h"

namespace rubric::cli::preference_test {

constexpr int kPairs = 6;  // of each case

// What stands behind `label` in quotes.
std::string quoted(const std::string& text, const std::string& label) {
  const size_t begin = text.find(label + ": \"") + label.size() + 3;
  return text.substr(begin, text.find("\"\n", begin) - begin);
}

ChatReply says(const std::string& preference) {
  ChatReply reply;
  reply.body = chat_completion(preference);
  return reply;
}

ChatReply says_first(const ChatRequest&) {
  return says("A");
}

ChatReply says_longer(const ChatRequest& request) {
  const Json body = Json::parse(request.body, "request");
  const std::string user = body.find("messages")->array().at(1).find("content")->string();
  const bool is_first = quoted(user, "Answer A").size() > quoted(user, "Answer B").size();
  return says(is_first ? "**A**" : "The longer one.\n**B**");
}

struct EvaluatePreference : testing::Test {
  // B is the longer answer in C vs CH, A in CHI vs CH.
  EvaluatePreference() {
    std::string rows;
    for (const std::string name : {"C vs CH", "CHI vs CH"}) {
      for (int i = 0; i < kPairs; ++i) {
        Json row;
        row["id"] = "q" + std::to_string(i);
        row["system"] = name;
        row["passage"] = "They gave up 308 points.";
        row["question"] = "Question " + std::to_string(i) + "?";
        row["answer_a"] =
            name == "C vs CH" ? "308." : "It is 308 points, the fewest of all, in 2015.";
        row["answer_b"] = "It is 308 points, the fewest.";
        rows += row.dump() + "\n";
      }
    }
    folder_.write("pairs.jsonl", rows);
  }
  Outcome judge(const ChatServer& server, const std::vector<std::string>& more = {}) const {
    return run(joined({"judge", "--preference", "--input", pairs_, "--ledger", ledger_,
                       "--endpoint", server.url(), "--judge", "gpt"},
                      more),
               environment_);
  }
  Outcome evaluate(const std::vector<std::string>& more = {}) const {
    return run(joined({"evaluate", "preference", "--ledger", ledger_}, more), environment_);
  }
  Json results(std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--format", "json", "--resamples", "50"});
    return printed_json(evaluate(more));
  }
  // One reply with four verdicts.
  std::string verdicts() const {
    const std::string file = folder_.file("verdicts.jsonl");
    done(run({"judge", "--import",
              folder_.write("recorded.csv",
                            "id,context,question,references,candidate,reply\n"
                            "q1,p,q,r,c,Agree Agree Disagree Disagree\n"),
              "--system-name", "llama", "--judge", "gpt", "--ledger", file}));
    return file;
  }

  TemporaryFolder folder_;
  std::string pairs_ = folder_.file("pairs.jsonl"), ledger_ = folder_.file("ledger.jsonl");
  Environment environment_ = {{"no_proxy", "*"}, {"OPENAI_API_KEY", ""}};
};

// Of the position bias over all cases: the measurement without keys.
// Of pairs, and of the replies: of one case, or of all cases.
Keys preferred(const std::string& system, const std::string& answer) {
  return {.metric = "preference", .system = system, .subset = answer};
}

Keys shown(const std::string& system, const std::string& place) {
  return {.metric = "position", .system = system, .subset = place};
}

TEST_F(EvaluatePreference, AJudgeOfTheFirstAnswerHasNoPreferenceButAPosition) {
  const ChatServer server(says_first);
  done(judge(server));
  EXPECT_EQ(server.requests(), 4 * kPairs);
  const Json json = results();
  for (const char* name : {"C vs CH", "CHI vs CH"}) {
    EXPECT_EQ(value_of(json, "count", preferred(name, "tie")), kPairs);
    EXPECT_EQ(measured(json, "share", preferred(name, "tie")).find("n")->number(), kPairs);
    EXPECT_EQ(value_of(json, "twice", shown(name, "first")), kPairs);
  }
  EXPECT_EQ(value_of(json, "count", shown("", "first")), 4 * kPairs);
  EXPECT_DOUBLE_EQ(value_of(json, "share", shown("", "first")), 1);
  const Json& difference = measured(json, "difference", shown("", ""));
  EXPECT_DOUBLE_EQ(difference.find("value")->number(), 1);
  EXPECT_EQ(difference.find("low")->number(), 1);
  EXPECT_EQ(difference.find("high")->number(), 1);
}

TEST_F(EvaluatePreference, AJudgeOfTheLongerAnswerHasNoPosition) {
  const ChatServer server(says_longer);
  EXPECT_EQ(judge(server).code, 0);
  const Json json = results();
  EXPECT_EQ(value_of(json, "count", preferred("C vs CH", "b")), kPairs);
  EXPECT_EQ(value_of(json, "count", preferred("CHI vs CH", "a")), kPairs);
  for (const char* const system : {"C vs CH", ""}) {
    EXPECT_DOUBLE_EQ(value_of(json, "difference", shown(system, "")), 0);
    EXPECT_EQ(value_of(json, "twice", shown(system, "first")), 0);
    EXPECT_EQ(value_of(json, "twice", shown(system, "second")), 0);
    EXPECT_EQ(value_of(json, "once", shown(system, "tie")), 0);
  }
  expect_contains(json.find("signature")->string(), "preference|ledger:");
  expect_contains(json.find("signature")->string(), "|judge:gpt|prompt:");
  expect_contains(json.find("signature")->string(), "|orders:both|resamples:50|seed:0|rubric:");
}

// The paper's way; the other orders can be asked later.
TEST_F(EvaluatePreference, OneOrderIsCompletedWhenBothAreAskedFor) {
  const ChatServer server(says_first);
  EXPECT_EQ(judge(server, {"--one-order"}).code, 0);
  EXPECT_EQ(server.requests(), 2 * kPairs);
  const Json one = results();
  EXPECT_EQ(value_of(one, "count", preferred("C vs CH", "a")), kPairs);
  EXPECT_FALSE(holds(one.dump(), "position"));
  expect_contains(one.find("notes")->dump(), "it is unknown whether the order matters");
  expect_contains(one.find("signature")->string(), "|orders:one|");

  EXPECT_EQ(judge(server, {"--budget-requests", "1"}).code, 1);
  const Json begun = results();
  EXPECT_EQ(measured(begun, "share", preferred("C vs CH", "a")).find("n")->number(), 1);
  EXPECT_EQ(value_of(begun, "incomplete", {.system = "C vs CH"}), kPairs - 1);
  EXPECT_EQ(value_of(begun, "incomplete", {.system = "CHI vs CH"}), kPairs);

  EXPECT_EQ(judge(server).code, 0);
  EXPECT_EQ(server.requests(), 4 * kPairs);
  const Json both = results();
  EXPECT_EQ(value_of(both, "count", preferred("C vs CH", "tie")), kPairs);
  EXPECT_EQ(value_of(both, "incomplete", {.system = "C vs CH"}), 0);
}

TEST_F(EvaluatePreference, RepliesWithoutAPreferenceAreAskedForAgainAndCounted) {
  const ChatServer server([](const ChatRequest& request) {
    return says(holds(request.body, "Question 3?") ? "Both are good." : "Tie");
  });
  done(judge(server, {"--attempts", "2"}));
  EXPECT_EQ(server.requests(), 4 * kPairs + 4);
  const Json json = results();
  EXPECT_EQ(value_of(json, "invalid", {.system = "C vs CH"}), 1);
  const Json& tie = measured(json, "share", preferred("C vs CH", "tie"));
  EXPECT_EQ(tie.find("n")->number(), kPairs - 1);
}

TEST_F(EvaluatePreference, WritesEveryForm) {
  const ChatServer server(says_longer);
  EXPECT_EQ(judge(server).code, 0);
  const std::string summary = folder_.file("summary.json"), report = folder_.file("report.html");
  const Outcome text = done(evaluate({"--summary", summary, "--report", report}));
  expect_contains(text.out, "Position bias");
  EXPECT_EQ(value_of(Json::parse_file(summary), "count", preferred("C vs CH", "b")), kPairs);
  expect_says(read_file(report), {"rubric evaluate preference --ledger", "Data: " + ledger_});
  const Outcome list = evaluate({"--format", "csv"});
  expect_contains(list.out, "\npreference,C vs CH,,,,a,,,count,0,");
  expect_contains(list.out, "\npreference,C vs CH,,,,b,,,count,6,");
  expect_contains(list.out, "\npreference,C vs CH,,,,b,,,share,1,1,1,0.95,");
  expect_contains(list.err, "in both orders; Tie: neither");
}

TEST_F(EvaluatePreference, EachLedgerGoesToItsOwnSuite) {
  const ChatServer server(says_first);
  EXPECT_EQ(judge(server, {"--one-order"}).code, 0);
  const std::string of_answers = verdicts();
  expect_message(run({"evaluate", "preference", "--ledger", of_answers}), 2,
                 {"verdicts on single answers", of_answers, "rubric evaluate chie"});
  expect_message(run({"evaluate", "chie", "--ledger", ledger_}), 2,
                 {"preferences between two answers", ledger_, "rubric evaluate preference"});
  expect_message(run({"evaluate", "chie", "--ledger", of_answers, "--other-ledger", ledger_}), 2,
                 {"preferences between two answers", ledger_, "rubric evaluate preference"});
}

TEST_F(EvaluatePreference, SaysWhatIsWrong) {
  expect_message(evaluate(), 2, {ledger_});
  expect_message(run({"evaluate", "preference"}), 2, {"--ledger"});
  folder_.write("ledger.jsonl", "");
  expect_message(evaluate(), 2, {"the ledger is empty", ledger_});
  const ChatServer server(says_first);
  EXPECT_EQ(judge(server).code, 0);
  expect_message(evaluate({"--language", "th"}), 2, {"\"th\"", "name one of en"});
  expect_message(evaluate({"--summary", ledger_}), 2, {"--summary", ledger_});
  expect_message(evaluate({"--report", ledger_}), 2, {"--report", ledger_});
  const std::string whole = read_file(ledger_);
  folder_.write("ledger.jsonl", whole.substr(0, whole.size() - 20));
  const Outcome torn = done(evaluate());
  expect_contains(torn.err, "the last line is torn and left out");
}

}  // namespace rubric::cli::preference_test
