// `judge --input` as a user starts it, at an endpoint of the test's own.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "chat_server.h"
#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "judge/ledger/ledger.h"

namespace rubric::cli::endpoint_test {

using std::chrono::milliseconds;

constexpr const char* kReply = "1. Agree\n2. Disagree\n3. Disagree\n4. Agree";

struct JudgeEndpoint : testing::Test {
  void make_rows(int count) {
    std::string rows;
    for (int i = 0; i < count; ++i) {
      Json row;
      row["id"] = "q" + std::to_string(i);
      row["passage"] = "They gave up 308 points.";
      row["question"] = "How many?";
      row["reference"] = "308";
      row["candidate"] = "answer " + std::to_string(i) + ".";
      rows += row.dump() + "\n";
    }
    folder_.write("rows.jsonl", rows);
  }
  std::vector<std::string> command(const std::vector<std::string>& more = {}) const {
    return joined({"judge", "--input", rows_, "--ledger", ledger_, "--system-name", "llama",
                   "--judge", "gpt", "--prompt", prompt_, "--endpoint", url_},
                  more);
  }
  Outcome judge(const std::vector<std::string>& more = {}) const {
    return run(command(more), environment_);
  }
  std::set<std::string> ids() const {
    std::set<std::string> ids;
    for (const judge::LedgerEntry& entry : judge::read_ledger(ledger_).entries)
      ids.insert(entry.answer.id);
    return ids;
  }

  static ChatReply good(const ChatRequest&) {
    ChatReply reply;
    reply.body = chat_completion(kReply);
    return reply;
  }

  TemporaryFolder folder_;
  std::string rows_ = folder_.file("rows.jsonl"), ledger_ = folder_.file("ledger.jsonl");
  std::string prompt_ = folder_.write("prompt.txt", "Judge!").string();
  std::string url_;
  Environment environment_ = {{"no_proxy", "*"}, {"OPENAI_API_KEY", ""}};
};

TEST_F(JudgeEndpoint, JudgesAndIsEvaluated) {
  make_rows(30);
  const ChatServer server(good);
  url_ = server.url();
  const Outcome outcome = done(judge());
  EXPECT_EQ(outcome.out, "");
  expect_contains(outcome.err, "30 of 30 answers to ask gpt about");
  expect_contains(outcome.err,
                  "30 answers judged, 0 without a verdict, 0 failed, 0 left; 30 requests, 3000 "
                  "tokens of prompts, 600 of replies");
  const Outcome evaluated =
      done(run({"evaluate", "chie", "--ledger", ledger_, "--format", "csv"}, environment_));
  for (const auto& [aspect, count] : {std::pair("C", "30"), {"H", "0"}, {"I", "0"}, {"E", "30"}}) {
    expect_contains(evaluated.out,
                    aspect + std::string(",llama,,,,,,,count,") + count + ",,,,,,,,30,\n");
  }
  const Outcome again = done(judge());
  expect_contains(again.err, "0 of 30 answers to ask");
  EXPECT_EQ(server.requests(), 30);
}

TEST_F(JudgeEndpoint, DryRunAsksAndWritesNothing) {
  make_rows(3);
  const ChatServer server(good);
  url_ = server.url();
  const Outcome outcome = done(judge({"--dry-run"}));
  expect_contains(outcome.out, "[system]\nJudge!\n[user]\nPassage: They gave up 308 points.\n");
  expect_contains(outcome.out, "Prediction Answer: \"answer 1.\"");
  EXPECT_FALSE(holds(outcome.out, "answer 2."));
  expect_contains(outcome.out, "3 requests to " + url_ + "/chat/completions");
  expect_contains(outcome.out, "at most 3072 of replies\nup to 3 times as much");
  EXPECT_FALSE(std::filesystem::exists(ledger_));
  const Outcome alone = done(run({"judge", "--input", rows_, "--system-name", "llama", "--judge",
                                  "gpt", "--prompt", prompt_, "--dry-run"},
                                 environment_));
  expect_contains(alone.out, "3 requests, about");
  expect_message(run({"judge", "--input", rows_, "--system-name", "llama", "--judge", "gpt",
                      "--prompt", prompt_, "--endpoint", url_},
                     environment_),
                 2, {"--ledger is missing"});
  judge();
  make_rows(5);
  expect_contains(judge({"--dry-run"}).out, "2 requests to ");
  EXPECT_EQ(server.requests(), 3);
}

// Killed at any moment: nothing recorded is lost or asked again, and no more is asked twice than
// was in flight.
TEST_F(JudgeEndpoint, KilledAgainAndAgainGoesOn) {
  constexpr int kAnswers = 1000, kKills = 20, kParallel = 8;
  make_rows(kAnswers);
  std::map<std::string, int> asked;  // how often, by the request's hash
  std::mutex mutex;
  const ChatServer server([&](const ChatRequest& request) {
    const std::lock_guard lock(mutex);
    ++asked[sha256(request.body)];
    ChatReply reply = good(request);
    reply.delay = milliseconds(20);
    return reply;
  });
  url_ = server.url();
  const std::vector<std::string> more = {"--parallel", std::to_string(kParallel)};
  std::set<std::string> before;
  int killed = 0;
  for (int i = 0; i < kKills; ++i) {
    Process process(command(more), environment_);
    // Before it asks, between requests, and while replies come.
    const int64_t wanted = server.requests() + i % 5 * 4;
    while (server.requests() < wanted && !process.ended()) {
      std::this_thread::sleep_for(milliseconds(1));
    }
    std::this_thread::sleep_for(milliseconds(3 + i * 2));
    killed += process.ended() ? 0 : 1;
    process.send(SIGKILL);
    process.wait();
    if (!std::filesystem::exists(ledger_)) continue;
    const std::set<std::string> now = ids();
    EXPECT_TRUE(std::ranges::includes(now, before)) << "a recorded reply is gone";
    before = now;
  }
  EXPECT_EQ(killed, kKills);
  EXPECT_GT(before.size(), 0u);
  EXPECT_EQ(judge(more).code, 0);
  EXPECT_EQ(ids().size(), static_cast<size_t>(kAnswers));
  EXPECT_EQ(judge::read_ledger(ledger_).entries.size(), static_cast<size_t>(kAnswers));
  EXPECT_EQ(asked.size(), static_cast<size_t>(kAnswers));
  EXPECT_LE(server.requests(), kAnswers + kKills * kParallel);
}

// Requests that are never answered are given up, and asked again by the next call.
TEST_F(JudgeEndpoint, AStopGivesUpTheRequestsInFlight) {
  constexpr int64_t kAnswered = 5, kParallel = 4;
  make_rows(20);
  const ChatServer server([](const ChatRequest& request) {
    ChatReply reply = good(request);
    if (request.number >= kAnswered) reply.fault = ChatFault::stall;
    return reply;
  });
  url_ = server.url();
  Process process(command({"--parallel", std::to_string(kParallel), "--timeout", "86400"}),
                  environment_);
  while (server.requests() < kAnswered + kParallel) std::this_thread::sleep_for(milliseconds(5));
  process.send(SIGTERM);
  const Outcome outcome = process.wait();
  expect_message(outcome, 75,
                 {"stopped on request\n  to do: start the same command again to resume"});
  expect_contains(outcome.err, "5 answers judged, 0 without a verdict, 0 failed, 15 left");
  expect_contains(outcome.err, "tokens of replies cut off or given up");
  EXPECT_EQ(std::ssize(judge::read_ledger(ledger_).entries), kAnswered);
  const ChatServer other(good);
  url_ = other.url();
  EXPECT_EQ(judge().code, 0);
  EXPECT_EQ(other.requests(), 20 - kAnswered);
  EXPECT_EQ(ids().size(), 20u);
  EXPECT_EQ(judge::read_ledger(ledger_).entries.size(), 20u);
}

TEST_F(JudgeEndpoint, SaysWhatIsWrong) {
  make_rows(2);
  url_ = "http://127.0.0.1:1/v1";
  expect_message(judge(), 2, {"Couldn't connect", url_, "whether --endpoint is right"});
  EXPECT_FALSE(std::filesystem::exists(ledger_));
  url_ = "localhost:8000";
  expect_message(judge(), 2, {"not a URL of http or https"});
  const ChatServer server(good);
  url_ = server.url();
  expect_message(judge({"--key-variable", "RUBRIC_NO_SUCH_KEY"}), 2, {"RUBRIC_NO_SUCH_KEY"});
  expect_message(judge({"--parameters", "[]"}), 2, {"--parameters", "an array"});
  expect_message(judge({"--parameters", "{\"stream\": true}"}), 2, {"\"stream\""});
  expect_message(judge({"--parameters", "{\"max_tokens\": -1}"}), 2, {"max_tokens"});
  expect_message(judge({"--field", "reply=gpt4"}), 2, {"reply", "candidate"});
  expect_message(
      run({"judge", "--import", rows_, "--ledger", ledger_, "--judge", "gpt", "--preference"}), 2,
      {"--preference is only valid with --input"});
  expect_message(judge({"--parallel", "0"}), 2, {"--parallel"});
  expect_message(judge({"--import", rows_}), 2, {"--input", "--import"});
  folder_.write("rows.jsonl",
                R"({"id": "a", "question": "q", "reference": "r", "candidate": "c"})");
  expect_message(run({"judge", "--input", rows_, "--ledger", ledger_, "--system-name", "llama",
                      "--judge", "gpt", "--endpoint", url_},
                     environment_),
                 2, {"\"passage\" is missing", "--field passage="});
  folder_.write("rows.jsonl",
                R"({"passage": "p", "question": "q", "reference": "r", "candidate": ""})");
  expect_message(judge(), 2, {"has no answer", ":1"});
  EXPECT_EQ(server.requests(), 0);
}

TEST_F(JudgeEndpoint, AnotherJudgePromptOrParametersAreRefusedUnlessAskedFor) {
  make_rows(2);
  const ChatServer server(good);
  url_ = server.url();
  EXPECT_EQ(judge().code, 0);
  // The same parameters in another order are no others.
  EXPECT_EQ(judge({"--parameters", R"({"temperature": 0.2, "max_tokens": 1024})"}).code, 0);
  const std::string before = read_file(ledger_);
  const std::string other = folder_.write("other.txt", "Judge?").string();
  expect_message(judge({"--parameters", R"({"temperature": 0})"}), 2,
                 {"with other parameters", ledger_, "--mixed"});
  prompt_ = other;
  expect_message(judge(), 2, {"with another prompt", ledger_, "--mixed"});
  EXPECT_EQ(read_file(ledger_), before);
  EXPECT_EQ(server.requests(), 2);
  EXPECT_EQ(judge({"--mixed"}).code, 0);
  EXPECT_EQ(server.requests(), 4);
  EXPECT_TRUE(read_file(ledger_).starts_with(before));
  expect_message(judge(), 2, {"--mixed"});
  const auto evaluate = [&](const std::vector<std::string>& more) {
    return run(joined({"evaluate", "chie", "--ledger", ledger_}, more), environment_);
  };
  expect_message(evaluate({}), 2, {ledger_ + ":3"});
  expect_message(evaluate({"--judge", "gpt"}), 2, {"still of several judges", "--prompt-hash"});
  const Outcome evaluated =
      done(evaluate({"--prompt-hash", sha256("Judge?").substr(0, 12), "--format", "csv"}));
  expect_contains(evaluated.out, "\nC,llama,,,,,,,count,2,,,,,,,,2,\n");
}

TEST_F(JudgeEndpoint, UnansweredAnswersAndUsedUpBudgetsAreNoSuccess) {
  make_rows(6);
  const ChatServer server([](const ChatRequest& request) {
    ChatReply reply = good(request);
    if (holds(request.body, "answer 5.")) reply.status = 400;
    return reply;
  });
  url_ = server.url();
  expect_message(judge({"--budget-tokens", "500"}), 2,
                 {"the first request may use 1", "more than the budget of 500"});
  expect_message(judge({"--budget-requests", "3"}), 1,
                 {"the budget of this call is used up: 3 answers are left", ledger_});
  expect_message(judge(), 1, {"1 answer was not judged: id \"q5\" of llama: HTTP 400"});
  EXPECT_EQ(ids().size(), 5u);
}

TEST_F(JudgeEndpoint, ARunWithoutOneReadableReplyFailsAndShowsAReply) {
  make_rows(2);
  std::string content = "I would rather not say.";
  const ChatServer server([&](const ChatRequest&) {
    ChatReply reply;
    reply.body = chat_completion(content);
    return reply;
  });
  url_ = server.url();
  for (int call = 0; call < 2; ++call) {  // the second call asks nothing
    expect_message(judge(), 1, {"in 2 replies", "I would rather not say.", ledger_, "--parser"});
    EXPECT_EQ(server.requests(), 6);
  }
  content = kReply;
  make_rows(3);
  EXPECT_EQ(judge().code, 0);  // two answers without a verdict are counted
  content = "No.";
  make_rows(4);  // an older verdict does not hide that this call got none
  expect_message(judge(), 1, {"in 1 reply", "No.", ledger_});
  EXPECT_EQ(judge().code, 0);  // it asks nothing, and the ledger has a verdict
}

TEST_F(JudgeEndpoint, RepliesAtTheLimitOfTokensNameTheOption) {
  make_rows(2);
  const ChatServer server([](const ChatRequest& request) {
    ChatReply reply;
    reply.body = request.number == 0 ? chat_completion("<think>Agree or", "length")
                                     : chat_completion(kReply);
    return reply;
  });
  url_ = server.url();
  const Outcome outcome = done(judge({"--parallel", "1"}));
  expect_contains(outcome.err, "1 without a verdict (1 ended at the limit of tokens)");
  expect_contains(outcome.err, "raise max_tokens");
  EXPECT_EQ(server.requests(), 2);
}

// The advice is that of the cause.
TEST_F(JudgeEndpoint, WithoutAnyVerdictTheCauseIsNamed) {
  make_rows(2);
  std::string reason;
  const ChatServer server([&](const ChatRequest&) {
    ChatReply reply;
    reply.body = chat_completion("<think>Agree or", reason);
    return reply;
  });
  url_ = server.url();
  for (const auto& [finish_reason, advice] : std::vector<std::pair<std::string, std::string>>{
           {"length", "raise max_tokens"}, {"stop", "turn thinking off"}}) {
    reason = finish_reason;
    std::filesystem::remove(ledger_);
    expect_message(judge({"--parameters", "{\"temperature\": 0}"}), 1, {"<think>Agree", advice});
  }
}

TEST_F(JudgeEndpoint, RefusalsAreCountedAndShown) {
  make_rows(2);
  const ChatServer server([](const ChatRequest&) {
    ChatReply reply;
    reply.body = R"({"choices": [{"finish_reason": "stop", "message": {"content": null, )"
                 R"("refusal": "I can't help."}}]})";
    return reply;
  });
  url_ = server.url();
  const Outcome outcome = judge({"--attempts", "1"});
  expect_message(outcome, 1,
                 {"\"I can't help.\" (finish_reason \"refusal\")", "refused each", "--prompt"});
  expect_contains(outcome.err, "2 without a verdict (2 refused)");
}

TEST_F(JudgeEndpoint, RepliesThatEndWhileThinkingAreCountedApart) {
  make_rows(2);
  const ChatServer server([](const ChatRequest& request) {
    ChatReply reply;
    reply.body = chat_completion(request.number == 0 ? "<think>Agree or" : kReply);
    return reply;
  });
  url_ = server.url();
  const Outcome outcome = done(judge({"--parallel", "1"}));
  expect_contains(outcome.err, "1 without a verdict (1 ended inside their thinking)");
  EXPECT_FALSE(holds(outcome.err, "max_tokens")) << outcome.err;
  EXPECT_EQ(server.requests(), 2);
}

TEST_F(JudgeEndpoint, TheStrictParserDecidesWhatIsAskedAgain) {
  make_rows(1);
  const ChatServer server([](const ChatRequest&) {
    ChatReply reply;
    reply.body = chat_completion("1. agree\n2. disagree\n3. disagree\n4. agree");
    return reply;
  });
  url_ = server.url();
  done(judge({"--parser", "strict"}));
  EXPECT_EQ(server.requests(), 1);
  expect_contains(read_file(ledger_), "\"parser\": \"strict\", \"verdicts\": {\"C\": true");
  expect_contains(
      run({"evaluate", "chie", "--ledger", ledger_, "--format", "csv"}, environment_).out,
      "\nC,llama,,,,,,,count,1,");
  expect_message(judge({"--parser", "lenient"}), 2, {"lenient", "strict"});
}

}  // namespace rubric::cli::endpoint_test
