// Judging answers at an endpoint that may fail: every reply is recorded once, and every answer is
// accounted for.
#include "judge/endpoint/judging.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

#include "chat_server.h"
#include "core/context.h"
#include "judge/endpoint/completions.h"
#include "judge/endpoint/pacing.h"
#include "judge/ledger/example_entry.h"
#include "judge/verdicts/verdicts.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::judge::judging_test {

using std::chrono::milliseconds;
using std::chrono::seconds;

const LedgerJudge kJudge = {"gpt", "Judge!", R"({"temperature": 0.2})"};

ChatReply reply_of(const std::string& body, int status = 200) {
  ChatReply reply;
  reply.status = status;
  reply.body = body;
  return reply;
}

ChatReply good_reply() {
  return reply_of(chat_completion(kReply));
}

struct JudgingTest : testing::Test {
  static std::vector<LedgerEntry> answers(int count) {
    std::vector<LedgerEntry> entries;
    for (int i = 0; i < count; ++i) {
      entries.push_back(example_entry("llama", "q" + std::to_string(i), ""));
      entries.back().answer.candidate = "answer " + std::to_string(i) + ".";
    }
    return entries;
  }

  JudgingCounts judge(int count, const ChatHandler& handler) {
    const ChatServer server(handler);
    settings_.endpoint.url = server.url() + "/chat/completions";
    settings_.prompt = kJudge.prompt;
    LedgerJudge judge = kJudge;
    judge.parser = parser_;
    LedgerWriter ledger(file_, judge);
    std::vector<LedgerEntry> asked = answers(count);
    for (LedgerEntry& entry : asked) entry.parser = parser_;
    JudgingCounts counts = judge_answers(
        unjudged(std::move(asked), ledger.before(), settings_.attempts), settings_, ledger);
    requests_ = server.requests();
    most_in_flight_ = server.most_in_flight();
    return counts;
  }
  // How it failed.
  std::string failure(int count, const ChatHandler& handler) {
    const JudgingCounts counts = judge(count, handler);
    if (!counts.failure) return "none";
    EXPECT_EQ(counts.end, JudgingEnd::failed);
    try {
      std::rethrow_exception(counts.failure);
    } catch (const InputError& error) {
      return std::string("input: ") + error.what();
    } catch (const Error& error) {
      return error.what();
    }
  }
  // Attempts recorded of each id.
  std::map<std::string, int64_t> recorded() {
    std::map<std::string, int64_t> attempts;
    for (const LedgerEntry& entry : read_ledger(file_).entries) ++attempts[entry.answer.id];
    return attempts;
  }

  TemporaryFolder folder_;
  std::string file_ = folder_.file("ledger.jsonl");
  JudgingSettings settings_;
  VerdictParser parser_ = VerdictParser::published;
  int64_t requests_ = 0, most_in_flight_ = 0;
};

TEST_F(JudgingTest, RecordsEveryReply) {
  settings_.parallel = 16;
  const JudgingCounts counts = judge(200, [](const ChatRequest& request) {
    EXPECT_EQ(request.path, "/v1/chat/completions");
    EXPECT_EQ(request.headers.at("content-type"), "application/json");
    EXPECT_FALSE(request.headers.contains("authorization"));
    const Json body = Json::parse(request.body, "request");
    EXPECT_EQ(body.require_string("model", "request"), "gpt");
    EXPECT_EQ(body.require_number("temperature", "request"), 0.2);
    // Each answer gets a reply of its own, so that a reply beside the wrong answer shows.
    const std::string asked =
        body.require_array("messages", "request").at(1).require_string("content", "message");
    const size_t at = asked.find("answer ") + 7;
    ChatReply reply = reply_of(
        chat_completion(std::string(kReply) + " " + asked.substr(at, asked.find('.', at) - at)));
    reply.delay = milliseconds(request.number % 7);
    return reply;
  });
  EXPECT_EQ(counts.valid, 200);
  EXPECT_EQ(counts.invalid + counts.remaining + std::ssize(counts.failed), 0);
  EXPECT_EQ(counts.requests, 200);
  EXPECT_EQ(counts.usage.prompt, 200 * 100);
  EXPECT_EQ(counts.usage.completion, 200 * 20);
  EXPECT_EQ(counts.end, JudgingEnd::done);
  EXPECT_EQ(requests_, 200);
  EXPECT_LE(most_in_flight_, 16);
  EXPECT_GT(most_in_flight_, 4);
  const Ledger ledger = read_ledger(file_);
  ASSERT_EQ(ledger.entries.size(), 200u);
  for (const LedgerEntry& entry : ledger.entries) {
    EXPECT_EQ(entry.reply, std::string(kReply) + " " + entry.answer.id.substr(1));
    EXPECT_EQ(entry.finish_reason, "stop");
    EXPECT_EQ(entry.usage->prompt, 100);
    EXPECT_EQ(entry.attempt, 1);
    EXPECT_EQ(entry.time.size(), 20u);
    EXPECT_TRUE(entry.time.starts_with("20") && entry.time.ends_with("Z")) << entry.time;
  }
  EXPECT_EQ(judge(200, [](const ChatRequest&) { return good_reply(); }).requests, 0);
}

TEST_F(JudgingTest, SendsTheKeyAndShowsItNowhere) {
  settings_.endpoint.key = "sk-secret-0123";
  for (const size_t before : {size_t{0}, size_t{290}}) {  // also where the message is cut
    const std::string refused = failure(1, [&](const ChatRequest& request) {
      EXPECT_EQ(request.headers.at("authorization"), "Bearer sk-secret-0123");
      return reply_of(chat_error("bad", std::string(before, 'x') + " key: sk-secret-0123."), 401);
    });
    expect_contains(refused, "input: HTTP 401: ");
    EXPECT_FALSE(holds(refused, "sk-")) << refused;
  }
  judge(1, [](const ChatRequest& request) {
    return reply_of(chat_completion(kReply + request.headers.at("authorization")));
  });
  EXPECT_FALSE(holds(read_file(file_), "sk-"));
  expect_contains(read_file(file_), "Bearer (the key)");
}

// "EMPTY" is what servers that want none are given.
TEST(WithoutKey, LeavesWhatIsNoSecret) {
  EXPECT_EQ(without_key("an EMPTY reply", "EMPTY"), "an EMPTY reply");
  EXPECT_EQ(without_key("reply", ""), "reply");
  EXPECT_EQ(without_key("(the key)(the key)", "(the key)(the"), "(the key) key)");
}

// Three verdicts, five, none, a filter, no choices: asked again, as often as is allowed.
TEST_F(JudgingTest, RepliesWithoutFourVerdictsAreAskedAgainAndThenInvalid) {
  const std::string three = "1. Agree\n2. Agree\n3. Agree",
                    five = std::string(kReply) + "\n5. Agree";
  const std::vector<std::string> bad = {
      chat_completion(three), chat_completion(five), chat_completion(std::string(1 << 20, 'x')),
      chat_completion(Json(), "content_filter"), R"({"choices": []})"};
  int number = 0;
  for (const std::string& body : bad) {
    file_ = folder_.file(std::to_string(number++));
    const JudgingCounts counts = judge(2, [&](const ChatRequest&) { return reply_of(body); });
    EXPECT_EQ(counts.invalid, 2);
    EXPECT_EQ(counts.valid, 0);
    EXPECT_EQ(counts.requests, 6);
    EXPECT_EQ(recorded(), (std::map<std::string, int64_t>{{"q0", 3}, {"q1", 3}}));
    EXPECT_EQ(judge(2, [&](const ChatRequest&) { return good_reply(); }).requests, 0);
  }
  file_ = folder_.file("lower");
  EXPECT_EQ(judge(1,
                  [](const ChatRequest&) {
                    return reply_of(chat_completion("1. agree\n2. agree\n3. disagree\n4. agree"));
                  })
                .strict_only,
            1);
  file_ = folder_.file("again");
  const JudgingCounts counts = judge(1, [&](const ChatRequest& request) {
    return request.number == 0 ? reply_of(chat_completion(three)) : good_reply();
  });
  EXPECT_EQ(counts.valid, 1);
  EXPECT_EQ(counts.requests, 2);
  const Ledger ledger = read_ledger(file_);
  EXPECT_EQ(ledger.entries.at(1).attempt, 2);
  EXPECT_EQ(ledger.entries[0].key, ledger.entries[1].key);
}

TEST_F(JudgingTest, FailedRequestsAreSentAgain) {
  const auto with_fault = [](ChatFault fault) {
    ChatReply reply = good_reply();
    reply.fault = fault;
    return reply;
  };
  const std::vector<ChatReply> bad = {reply_of(chat_error("rate_limit", "later"), 429),
                                      reply_of("", 500),
                                      reply_of("<html>", 503),
                                      reply_of(chat_completion(kReply).substr(0, 40)),
                                      with_fault(ChatFault::reset),
                                      with_fault(ChatFault::close),
                                      with_fault(ChatFault::truncate),
                                      with_fault(ChatFault::chunked_cut)};
  const JudgingCounts counts = judge(16, [&](const ChatRequest& request) {
    const auto number = static_cast<size_t>(request.number);
    return number < bad.size() ? bad[number] : good_reply();
  });
  EXPECT_EQ(counts.valid, 16);
  EXPECT_EQ(counts.requests, 16 + std::ssize(bad));
  EXPECT_EQ(requests_, counts.requests);
  EXPECT_EQ(read_ledger(file_).entries.size(), 16u);
}

TEST_F(JudgingTest, AStalledRequestIsGivenUpAndSentAgain) {
  settings_.timeout = 1;
  const JudgingCounts counts = judge(2, [&](const ChatRequest& request) {
    ChatReply reply = good_reply();
    if (request.number == 0) reply.fault = ChatFault::stall;
    return reply;
  });
  EXPECT_EQ(counts.valid, 2);
  EXPECT_EQ(counts.requests, 3);
}

// The pause that one answer asks for holds for all requests.
TEST_F(JudgingTest, RetryAfterIsHonoured) {
  settings_.parallel = 1;
  std::vector<Clock::time_point> times;
  std::mutex mutex;
  judge(3, [&](const ChatRequest& request) {
    const std::lock_guard lock(mutex);
    times.push_back(Clock::now());
    ChatReply reply = request.number == 0 ? reply_of("{}", 429) : good_reply();
    if (request.number == 0) reply.headers = {{"Retry-After", "2"}};
    return reply;
  });
  ASSERT_EQ(times.size(), 4u);
  EXPECT_GE(times[1] - times[0], milliseconds(1900));
  for (const char* long_time : {"4000", "9223372036854775807"}) {
    const std::string ended = failure(4, [&](const ChatRequest&) {
      ChatReply reply = reply_of("{}", 429);
      reply.headers = {{"Retry-After", long_time}};
      return reply;
    });
    expect_contains(ended, "asks to wait more than an hour");
  }
}

// An answer that always fails is left out and said; the others are judged, also those behind it.
TEST_F(JudgingTest, AnswersThatFailAloneAreCounted) {
  settings_.retries = 1;
  for (const int64_t parallel : {1, 4}) {
    for (const int status : {500, 400, 451, 403, 404, 201, 301, 406, 418}) {
      settings_.parallel = parallel;
      file_ = folder_.file(std::to_string(status) + std::to_string(parallel));
      JudgingCounts counts = judge(8, [&](const ChatRequest& request) {
        const bool is_bad = holds(request.body, "answer 0.") || holds(request.body, "answer 3.");
        return is_bad ? reply_of(chat_error("x", "too long"), status) : good_reply();
      });
      EXPECT_EQ(counts.valid, 6);
      EXPECT_EQ(counts.remaining, 0);
      EXPECT_EQ(counts.end, JudgingEnd::done);
      ASSERT_EQ(counts.failed.size(), 2u);
      std::ranges::sort(counts.failed);
      EXPECT_EQ(counts.failed[0],
                "id \"q0\" of llama: HTTP " + std::to_string(status) + ": too long");
      EXPECT_EQ(counts.requests, status == 500 ? 10 : 8);
      EXPECT_EQ(requests_, counts.requests);
      EXPECT_EQ(recorded().size(), 6u);
    }
  }
}

// Of a whole response without a text it is the answer's fault, however often it comes.
TEST_F(JudgingTest, ResponsesThatSayNothingAreTheAnswersFault) {
  settings_.parallel = 1;
  settings_.retries = 1;
  const JudgingCounts counts = judge(3, [&](const ChatRequest& request) {
    return holds(request.body, "answer 2.")
               ? good_reply()
               : reply_of(R"({"choices": [{"message": {"content": "\ud800"}}]})");
  });
  EXPECT_EQ(counts.valid, 1);
  EXPECT_EQ(counts.failed.size(), 2u);
  EXPECT_EQ(counts.requests, 5);
  EXPECT_GT(counts.lost_tokens, 4 * 1024);
}

TEST_F(JudgingTest, WithoutRetriesOneFailureIsOneAnswers) {
  settings_.retries = 0;
  const JudgingCounts counts = judge(20, [](const ChatRequest& request) {
    return request.number % 5 == 4 ? reply_of("{}", 500) : good_reply();
  });
  EXPECT_EQ(counts.valid, 16);
  EXPECT_EQ(counts.failed.size(), 4u);
  EXPECT_EQ(counts.requests, 20);
}

// While nothing is answered all wait: a storm does not eat answers or budgets.
TEST_F(JudgingTest, AnEndpointThatNeverAnswersEndsTheRun) {
  settings_.retries = 2;
  settings_.parallel = 4;
  const std::string down = failure(100, [](const ChatRequest&) { return reply_of("{}", 500); });
  expect_contains(down, "the endpoint answers none of the requests");
  EXPECT_LE(requests_, 4 * 4);  // four times as many as may be in flight
  EXPECT_FALSE(std::filesystem::exists(file_));
}

TEST_F(JudgingTest, AStormThatPassesIsWaitedFor) {
  settings_.parallel = 8;
  const JudgingCounts counts = judge(40, [](const ChatRequest& request) {
    return request.number < 16 ? reply_of("{}", 429) : good_reply();
  });
  EXPECT_EQ(counts.valid, 40);
  EXPECT_EQ(counts.requests, 56);
}

TEST_F(JudgingTest, WhatIsNoEndpointEndsTheRun) {
  settings_.parallel = 4;
  const std::vector<std::pair<ChatReply, std::string>> cases = {
      {reply_of("<html>Welcome</html>"), "not a chat completion: <html>Welcome"},
      {reply_of("Not Found", 404), "HTTP 404: Not Found"},
      {reply_of(chat_error("model_not_found", "no model gpt"), 404), "HTTP 404: no model gpt"},
      {reply_of(chat_error("insufficient_quota", "no money"), 429), "HTTP 429: no money"}};
  for (const auto& [reply, message] : cases) {
    const std::string refused = failure(100, [&](const ChatRequest&) { return reply; });
    expect_says(refused, {"input: ", message});
    EXPECT_LE(requests_, 4);
  }
  const std::string refused = failure(100, [&](const ChatRequest&) {
    return reply_of(chat_error("unsupported", "max_tokens is not supported"), 400);
  });
  expect_contains(refused, "input: HTTP 400: max_tokens is not supported");
  EXPECT_LE(requests_, 16 + 4);
}

TEST_F(JudgingTest, AnEndpointThatGivesUpMidwayIsNoInputError) {
  settings_.parallel = 1;
  const std::string ended = failure(10, [](const ChatRequest& request) {
    return request.number < 5 ? good_reply()
                              : reply_of(chat_error("insufficient_quota", "no money"), 429);
  });
  EXPECT_TRUE(ended.starts_with("HTTP 429: no money")) << ended;
  EXPECT_EQ(recorded().size(), 5u);
}

TEST_F(JudgingTest, OneDeniedRequestIsLeftOutOnceAnotherIsAnswered) {
  settings_.parallel = 1;
  const JudgingCounts counts = judge(6, [](const ChatRequest& request) {
    return request.number == 3 ? reply_of(chat_error("flagged", "moderation"), 403) : good_reply();
  });
  EXPECT_EQ(counts.valid, 5);
  EXPECT_EQ(counts.failed, std::vector<std::string>{"id \"q3\" of llama: HTTP 403: moderation"});
  EXPECT_EQ(counts.end, JudgingEnd::done);
}

// What the ledger holds shows that the endpoint answers: a row that is refused again is that row's.
TEST_F(JudgingTest, OneRefusedRowIsLeftOutAgain) {
  for (const int64_t parallel : {1, 8}) {
    for (const int status : {400, 403, 404, 451}) {
      settings_.parallel = parallel;
      file_ = folder_.file("again" + std::to_string(status) + std::to_string(parallel));
      const auto handler = [&](const ChatRequest& request) {
        return holds(request.body, "answer 1.") ? reply_of(chat_error("flagged", "no"), status)
                                                : good_reply();
      };
      EXPECT_EQ(judge(2, handler).valid, 1);
      const JudgingCounts again = judge(2, handler);
      EXPECT_EQ(again.end, JudgingEnd::done) << status;
      EXPECT_EQ(again.failed, std::vector<std::string>{"id \"q1\" of llama: HTTP " +
                                                       std::to_string(status) + ": no"});
      // An endpoint that answers none of many any longer is at fault.
      const std::string refused = failure(
          100, [&](const ChatRequest&) { return reply_of(chat_error("x", "no model"), status); });
      expect_contains(refused, "input: HTTP " + std::to_string(status));
      EXPECT_LE(requests_, 16 + parallel);
    }
  }
}

// A key that is withdrawn during the run.
TEST_F(JudgingTest, ManyDeniedInARowEndTheRun) {
  settings_.endpoint.key = "secret";
  for (const int64_t parallel : {1, 8}) {
    settings_.parallel = parallel;
    file_ = folder_.file("withdrawn" + std::to_string(parallel));
    const std::string ended = failure(100, [](const ChatRequest& request) {
      return request.number < 20 ? good_reply() : reply_of(chat_error("denied", "no access"), 403);
    });
    expect_says(ended, {"HTTP 403: no access", "see whether the key is right",
                        "give the same command again later"});
    EXPECT_FALSE(holds(ended, "input: ")) << ended;
    EXPECT_EQ(recorded().size(), 20u);
    EXPECT_LE(requests_, 20 + 16 + parallel);
  }
}

TEST_F(JudgingTest, FirstRowsThatAreDeniedWaitForAnotherAnswer) {
  settings_.parallel = 1;
  const JudgingCounts counts = judge(5, [](const ChatRequest& request) {
    return request.number < 3 ? reply_of(chat_error("flagged", "moderation"), 403) : good_reply();
  });
  EXPECT_EQ(counts.valid, 2);
  EXPECT_EQ(counts.failed.size(), 3u);
  EXPECT_EQ(counts.end, JudgingEnd::done);
  file_ = folder_.file("budget");
  settings_.budget_requests = 1;
  expect_contains(failure(5, [](const ChatRequest&) { return reply_of("{}", 403); }),
                  "input: HTTP 403");
}

TEST_F(JudgingTest, AnErrorInAResponseGetsTheAdviceOfItsStatus) {
  settings_.endpoint.key = "secret";
  expect_contains(failure(3,
                          [](const ChatRequest&) {
                            return reply_of(R"({"error": {"code": 401, "message": "bad key"}})");
                          }),
                  "see whether the key is right");
}

TEST_F(JudgingTest, WhereNoKeyWasSentADenialSaysWhy) {
  const ChatHandler denies = [](const ChatRequest&) {
    return reply_of(chat_error("no_key", "missing key"), 401);
  };
  expect_contains(failure(3, denies),
                  "no key was sent: to an http address one is sent only where its variable is "
                  "named, such as --key-variable OPENAI_API_KEY");
  settings_.endpoint.key = "secret";
  expect_contains(failure(3, denies), "see whether the key is right");
  expect_contains(completion_advice(403, {.url = "https://host/v1", .key = ""}),
                  "no key was sent, as OPENAI_API_KEY is not set");
}

TEST_F(JudgingTest, AnEndpointThatRefusesEveryRowIsAtFault) {
  const std::string refused = failure(3, [](const ChatRequest&) {
    return reply_of(chat_error("unsupported", "max_tokens is not supported"), 400);
  });
  expect_contains(refused, "input: HTTP 400: max_tokens is not supported");
}

// The same request would end at the same limit again.
TEST_F(JudgingTest, ATruncatedReplyIsNotAskedForAgain) {
  const std::string thinking = "<think>Agree or Disagree? Agree, Agree, Agree";
  for (const auto& [reply, reason] :
       {std::pair<std::string, std::string>{"1. Agree\n2. Disa", "length"},
        {"", "max_tokens"},
        {thinking, "length"},
        {thinking, "stop"}}) {
    file_ = folder_.file(reason + std::to_string(reply.size()));
    const JudgingCounts counts =
        judge(2, [&](const ChatRequest&) { return reply_of(chat_completion(reply, reason)); });
    EXPECT_EQ(counts.requests, 2) << reply;
    EXPECT_EQ(counts.invalid, 2);
    EXPECT_EQ(counts.truncated, reason == "stop" ? 0 : 2);
    EXPECT_EQ(counts.unfinished, reason == "stop" ? 2 : 0);  // it ended by itself, while thinking
    EXPECT_EQ(counts.unread_reply,
              json_quote(reply) + " (finish_reason " + json_quote(reason) + ")");
    EXPECT_EQ(judge(2, [](const ChatRequest&) { return good_reply(); }).requests, 0);
  }
}

TEST_F(JudgingTest, ThinkingIsNoReply) {
  const JudgingCounts counts = judge(2, [&](const ChatRequest&) {
    return reply_of(chat_completion("Agree? Disagree? Agree.\n</think>\n\n" + std::string(kReply)));
  });
  EXPECT_EQ(counts.valid, 2);
  EXPECT_EQ(counts.requests, 2);
}

TEST_F(JudgingTest, TheParserSaysWhichRepliesHoldVerdicts) {
  const std::string lower = "1. agree\n2. disagree\n3. disagree\n4. agree";
  const auto reply = [&](const ChatRequest&) { return reply_of(chat_completion(lower)); };
  parser_ = VerdictParser::strict;
  EXPECT_EQ(judge(1, reply).valid, 1);
  file_ = folder_.file("published");
  parser_ = VerdictParser::published;
  const JudgingCounts counts = judge(1, reply);
  EXPECT_EQ(counts.invalid, 1);
  EXPECT_EQ(counts.requests, 3);
}

// Replies that are on their way when the run is ended by another's failure are paid for.
TEST_F(JudgingTest, RepliesInFlightAreKeptWhenTheRunEnds) {
  settings_.parallel = 4;
  const std::string refused = failure(100, [](const ChatRequest& request) {
    ChatReply reply = request.number == 0 ? reply_of("{}", 401) : good_reply();
    if (request.number > 0) reply.delay = milliseconds(300);
    return reply;
  });
  expect_contains(refused, "HTTP 401");
  EXPECT_EQ(requests_, 4);
  EXPECT_EQ(recorded().size(), 3u);
}

// Requests a stop when it is told that the first answer is not judged, and all replies to the
// others have arrived, but are not taken.
struct StopsAtTheFirstFailure : Observer {
  void log(LogLevel, const std::string& message) override {
    if (!message.starts_with("not judged")) return;
    while (server->in_flight() > 0) std::this_thread::sleep_for(milliseconds(1));
    source.cancel();
  }
  const ChatServer* server = nullptr;
  CancellationSource source;
};

struct StoppedJudging : JudgingTest {
  JudgingCounts judge_until_failure(int count) {
    const ChatServer server([](const ChatRequest& request) {
      ChatReply reply = request.number == 0 ? reply_of("{}", 500) : good_reply();
      if (request.number > 0) reply.delay = milliseconds(300);  // behind the first
      return reply;
    });
    StopsAtTheFirstFailure observer;
    observer.server = &server;
    Context context;
    context.observer = &observer;
    context.cancellation = observer.source.token();
    const ContextScope scope(context);
    settings_.endpoint.url = server.url() + "/chat/completions";
    settings_.parallel = 4;
    settings_.retries = 0;
    LedgerWriter ledger(file_, kJudge);
    return judge_answers(answers(count), settings_, ledger);
  }
};

TEST_F(StoppedJudging, KeepsTheRepliesThatHaveArrived) {
  const JudgingCounts counts = judge_until_failure(8);
  EXPECT_EQ(counts.end, JudgingEnd::stopped);
  EXPECT_EQ(counts.valid, 3);
  EXPECT_EQ(counts.remaining, 4);
  EXPECT_EQ(recorded().size(), 3u);
}

TEST_F(StoppedJudging, IsDoneWhereNothingIsLeft) {
  const JudgingCounts counts = judge_until_failure(4);
  EXPECT_EQ(counts.end, JudgingEnd::done);
  EXPECT_EQ(counts.remaining, 0);
  EXPECT_EQ(recorded().size(), 3u);
}

TEST_F(StoppedJudging, IsStoppedAlsoWhereABudgetIsUsedUp) {
  settings_.budget_requests = 4;
  const JudgingCounts counts = judge_until_failure(8);
  EXPECT_EQ(counts.end, JudgingEnd::stopped);
  EXPECT_EQ(counts.remaining, 4);
}

TEST_F(JudgingTest, StopsWithinItsBudgets) {
  settings_.parallel = 8;
  settings_.budget_requests = 10;
  JudgingCounts counts = judge(30, [](const ChatRequest&) { return good_reply(); });
  EXPECT_EQ(counts.end, JudgingEnd::out_of_budget);
  EXPECT_EQ(counts.requests, 10);
  EXPECT_EQ(requests_, 10);
  EXPECT_EQ(counts.valid, 10);
  EXPECT_EQ(counts.remaining, 20);
  counts = judge(30, [](const ChatRequest&) { return good_reply(); });
  EXPECT_EQ(counts.remaining, 10);
  EXPECT_EQ(recorded().size(), 20u);
  // 120 tokens a judgement are used, some 1,100 reserved for each one in flight.
  file_ = folder_.file("tokens");
  settings_.budget_requests = 0;
  settings_.budget_tokens = 3'000;
  counts = judge(30, [](const ChatRequest&) { return good_reply(); });
  EXPECT_EQ(counts.end, JudgingEnd::out_of_budget);
  EXPECT_GT(counts.next_tokens, 1024);
  EXPECT_LE(counts.usage.prompt + counts.usage.completion, 3'000);
  EXPECT_GE(counts.valid, 15);
  EXPECT_LE(counts.valid, 25);
}

// What was written and did not arrive was paid for; what libcurl would send again is counted.
TEST_F(JudgingTest, BudgetsCountWhatFailed) {
  settings_.parallel = 4;
  settings_.budget_tokens = 20'000;
  const JudgingCounts cut =
      judge(30, [](const ChatRequest&) { return reply_of(chat_completion(kReply).substr(0, 40)); });
  EXPECT_EQ(cut.end, JudgingEnd::out_of_budget);
  EXPECT_LE(cut.lost_tokens, 20'000);
  EXPECT_GT(cut.lost_tokens, 18'000);
  settings_.budget_tokens = 0;
  settings_.budget_requests = 60;
  const JudgingCounts closed = judge(60, [](const ChatRequest& request) {
    ChatReply reply = good_reply();
    if (request.number % 3 == 2) reply.fault = ChatFault::close;
    return reply;
  });
  EXPECT_EQ(closed.end, JudgingEnd::out_of_budget);
  EXPECT_EQ(closed.requests, 60);
  EXPECT_EQ(requests_, 60);
}

TEST_F(JudgingTest, KeepsToTheRateOfRequests) {
  settings_.requests_per_minute = 600;  // ten a second
  const Clock::time_point begin = Clock::now();
  const JudgingCounts counts = judge(12, [](const ChatRequest&) { return good_reply(); });
  EXPECT_EQ(counts.valid, 12);
  EXPECT_GE(Clock::now() - begin, milliseconds(900));  // eleven pauses, but for what is caught up
}

TEST_F(JudgingTest, CountsTokensThatTheEndpointDoesNot) {
  const JudgingCounts counts = judge(1, [](const ChatRequest&) {
    return reply_of(R"({"choices": [{"message": {"content": "Agree Agree Agree Agree"}}]})");
  });
  EXPECT_EQ(counts.usage.completion, 6);  // 23 characters
  EXPECT_GT(counts.usage.prompt, 20);
  EXPECT_FALSE(read_ledger(file_).entries.at(0).usage);
}

}  // namespace rubric::judge::judging_test
