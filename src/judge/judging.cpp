#include "judge/judging.h"

#include <algorithm>
#include <ctime>
#include <exception>
#include <functional>
#include <queue>
#include <random>
#include <utility>

#include "core/error.h"
#include "core/log.h"
#include "core/signals.h"
#include "judge/completion.h"
#include "judge/pace.h"
#include "judge/request.h"
#include "judge/token_counts.h"
#include "judge/verdicts.h"

namespace rubric {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[sizeof "2024-06-01T12:00:00Z"];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::vector<std::string> request_headers(const Endpoint& endpoint) {
  std::vector<std::string> headers = {"Content-Type: application/json", "Expect:"};
  if (!endpoint.key.empty()) headers.push_back("Authorization: Bearer " + endpoint.key);
  return headers;
}

// Some servers quote the key that they refuse.
std::string without_key(std::string message, const std::string& key) {
  for (size_t at = 0; !key.empty() && (at = message.find(key, at)) != message.npos;) {
    message.replace(at, key.size(), "(the key)");
  }
  return message;
}

// An answer on its way to a judgement.
struct Question {
  LedgerEntry entry;
  int64_t failures = 0;                  // of requests for this attempt
  int64_t reserved = 0;                  // tokens that the request in flight may use
  Clock::time_point first_failure = {};  // of these failures
};

// A question that may be asked from then on.
struct Waiting {
  Clock::time_point from;
  size_t question = 0;
  bool operator>(const Waiting& other) const {
    return std::pair(from, question) > std::pair(other.from, other.question);
  }
};

class Judging {
 public:
  Judging(std::vector<LedgerEntry> asked, const JudgingSettings& settings, LedgerWriter& ledger)
      : settings_(settings),
        ledger_(ledger),
        http_(settings.endpoint.url, request_headers(settings.endpoint), settings.timeout,
              settings.parallel),
        requests_(settings.requests_per_minute),
        tokens_(settings.tokens_per_minute) {
    if (!asked.empty()) most_reply_tokens_ = most_reply_tokens(asked.front().parameters);
    questions_.reserve(asked.size());
    for (LedgerEntry& entry : asked) questions_.push_back({std::move(entry)});
  }

  JudgingCounts run() {
    while (true) {
      if (is_stop_requested()) counts_.end = JudgingEnd::stopped;
      send_all();
      if (http_.in_flight() == 0 && (!may_send() || !has_questions())) break;
      take_all(http_.wait(time_to_wait()));
      now_and_then();
    }
    ledger_.flush();
    if (stopped_by_) std::rethrow_exception(stopped_by_);
    counts_.left =
        std::ssize(questions_) - counts_.valid - counts_.invalid - std::ssize(counts_.failed);
    return std::move(counts_);
  }

 private:
  bool may_send() const { return counts_.end == JudgingEnd::done && !stopped_by_; }
  bool has_questions() const { return fresh_ < questions_.size() || !waiting_.empty(); }

  // ---- sending ----

  void send_all() {
    while (may_send() && has_questions() && http_.in_flight() < settings_.parallel) {
      const Clock::time_point now = Clock::now();
      if (ready() > now) return;
      const bool is_due = !waiting_.empty() && waiting_.top().from <= now;
      const size_t number = is_due ? waiting_.top().question : fresh_;
      const std::vector<Message> messages =
          judge_messages(settings_.prompt, questions_[number].entry.answer);
      const int64_t tokens = estimated_tokens(messages) + most_reply_tokens_;
      if (!is_within_budget(tokens)) {
        // A request in flight may turn out cheaper than was reserved for it.
        if (http_.in_flight() == 0) counts_.end = JudgingEnd::out_of_budget;
        return;
      }
      is_due ? waiting_.pop() : void(++fresh_);
      send(number, messages, tokens, now);
    }
  }

  // When the next question may be asked.
  Clock::time_point ready() const {
    const Clock::time_point question =
        fresh_ < questions_.size() ? Clock::time_point() : waiting_.top().from;
    return std::max({question, pause_, requests_.next(), tokens_.next()});
  }

  bool is_within_budget(int64_t tokens) const {
    const int64_t used = counts_.usage.prompt + counts_.usage.completion + reserved_;
    return (settings_.budget_requests == 0 || counts_.requests < settings_.budget_requests) &&
           (settings_.budget_tokens == 0 || used + tokens <= settings_.budget_tokens);
  }

  void send(size_t number, const std::vector<Message>& messages, int64_t tokens,
            Clock::time_point now) {
    Question& question = questions_[number];
    question.reserved = tokens;
    reserved_ += tokens;
    requests_.spend(1, now);
    tokens_.spend(static_cast<double>(tokens), now);
    ++counts_.requests;
    const LedgerEntry& entry = question.entry;
    http_.post(number, completion_request(entry.judge, entry.parameters, messages));
  }

  milliseconds time_to_wait() const {
    constexpr milliseconds kMost{200};  // so that signals are noticed
    const bool can_send = may_send() && has_questions() && http_.in_flight() < settings_.parallel;
    if (!can_send) return kMost;
    return std::clamp(std::chrono::ceil<milliseconds>(ready() - Clock::now()), milliseconds(1),
                      kMost);
  }

  // ---- what comes back ----

  void take_all(const std::vector<HttpResponse>& responses) {
    std::vector<LedgerEntry> replies;
    for (const HttpResponse& response : responses) {
      Question& question = questions_[response.request];
      reserved_ -= question.reserved;
      CompletionOutcome answer = read_completion(response);
      if (answer.reply) {
        replies.push_back(take(response.request, std::move(*answer.reply)));
      } else {
        tokens_.spend(-static_cast<double>(question.reserved), Clock::now());
        answer.message = without_key(std::move(answer.message), settings_.endpoint.key);
        fail(response, answer);
      }
    }
    ledger_.append(replies);
  }

  LedgerEntry take(size_t number, Completion reply) {
    Question& question = questions_[number];
    LedgerEntry entry = question.entry;
    entry.reply = std::move(reply.content);
    entry.finish_reason = std::move(reply.finish_reason);
    entry.usage = reply.usage;
    entry.time = utc_now();
    const TokenUsage used = reply.usage.value_or(
        TokenUsage{question.reserved - most_reply_tokens_, estimated_tokens(entry.reply)});
    counts_.usage.prompt += used.prompt;
    counts_.usage.completion += used.completion;
    answered_ = Clock::now();
    tokens_.spend(static_cast<double>(used.prompt + used.completion - question.reserved),
                  answered_);
    question.failures = 0;
    if (published_verdicts(entry.reply)) {
      ++counts_.valid;
    } else if (entry.attempt < settings_.attempts) {
      ++question.entry.attempt;
      waiting_.push({answered_, number});
    } else {
      ++counts_.invalid;
    }
    return entry;
  }

  void fail(const HttpResponse& response, const CompletionOutcome& answer) {
    const bool is_first = answered_ == Clock::time_point();  // nothing has been answered before
    const Answer& asked = questions_[response.request].entry.answer;
    const std::string id = "id " + json_quote(asked.id) + " of " + asked.source;
    const bool is_refused = answer.failure == CompletionFailure::refused;
    const bool is_unreachable = answer.failure == CompletionFailure::unreachable;
    if (answer.failure == CompletionFailure::fatal ||
        (is_first && (is_refused || is_unreachable))) {
      stop(InputError(answer.message, settings_.endpoint.url + ", " + id,
                      "mend --endpoint, --judge, --parameters or the key, and give the same "
                      "command again: what is recorded stays"));
    } else if (is_refused) {
      counts_.failed.push_back(id + ": " + answer.message);
    } else {
      try_again(response, id + ": " + answer.message);
    }
  }

  void try_again(const HttpResponse& response, const std::string& why) {
    Question& question = questions_[response.request];
    const Clock::time_point now = Clock::now();
    if (question.failures++ == 0) question.first_failure = now;
    constexpr std::chrono::hours kMost{1};
    const bool is_too_long = response.retry_after && *response.retry_after > kMost;
    const bool is_given_up = question.failures > settings_.retries;
    // Where others were answered meanwhile it is this question's fault, else the endpoint's.
    if (is_too_long || (is_given_up && answered_ < question.first_failure)) {
      stop(Error(
          "the endpoint no longer answers, after " + std::to_string(question.failures) +
              " requests for " + why + (is_too_long ? "; it asks to wait more than an hour" : ""),
          settings_.endpoint.url, "give the same command again later: what is recorded stays"));
    } else if (is_given_up) {
      counts_.failed.push_back(why);
    } else {
      milliseconds time = backoff(question.failures, random_());
      if (response.retry_after) {
        time = std::max(time, *response.retry_after);
        pause_ = std::max(pause_, now + *response.retry_after);  // it holds for all requests
      }
      waiting_.push({now + time, response.request});
    }
  }

  template <class Failure>
  void stop(const Failure& failure) {
    if (!stopped_by_) stopped_by_ = std::make_exception_ptr(failure);
  }

  // To disk every second, and a line on how far it is every half a minute.
  void now_and_then() {
    const Clock::time_point now = Clock::now();
    if (now - flushed_ > seconds(1)) {
      ledger_.flush();
      flushed_ = now;
    }
    if (now - said_ < seconds(30)) return;
    said_ = now;
    log_info(std::to_string(counts_.valid + counts_.invalid) + " of " +
             std::to_string(questions_.size()) + " answers judged, " +
             std::to_string(http_.in_flight()) + " requests in flight, " +
             std::to_string(waiting_.size()) + " answers to be asked again");
  }

  const JudgingSettings& settings_;
  LedgerWriter& ledger_;
  HttpRequests http_;
  Pace requests_, tokens_;
  Clock::time_point pause_{};  // nothing is sent before
  std::vector<Question> questions_;
  size_t fresh_ = 0;  // the first question that was never asked
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting_;
  int64_t most_reply_tokens_ = 0;
  int64_t reserved_ = 0;          // tokens, of all requests in flight
  Clock::time_point answered_{};  // when the last reply came
  Clock::time_point flushed_ = Clock::now(), said_ = Clock::now();
  std::mt19937_64 random_{std::random_device{}()};
  std::exception_ptr stopped_by_;
  JudgingCounts counts_;
};

}  // namespace

JudgingCounts judge_answers(std::vector<LedgerEntry> asked, const JudgingSettings& settings,
                            LedgerWriter& ledger) {
  return Judging(std::move(asked), settings, ledger).run();
}

}  // namespace rubric
