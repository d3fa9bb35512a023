#include "judge/endpoint/judging.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <exception>
#include <random>
#include <utility>

#include "core/context.h"
#include "core/error.h"
#include "core/random.h"
#include "core/system/log.h"
#include "judge/endpoint/completions.h"
#include "judge/endpoint/pacing.h"
#include "judge/ledger/entry.h"
#include "judge/verdicts/reply.h"
#include "judge/verdicts/verdicts.h"

namespace rubric::judge {
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

// An answer that is being judged.
struct Question {
  LedgerEntry entry;
  int64_t failures = 0;         // failed requests of this attempt
  int64_t reserved = 0;         // maximum tokens of the request in flight
  Clock::time_point sent = {};  // time of sending
};

// A request that the endpoint denied.
struct Denied {
  std::string id, message;
  int status;
};

class Judging {
 public:
  Judging(std::vector<LedgerEntry> asked, const JudgingSettings& settings, LedgerWriter& ledger)
      : settings_(settings),
        ledger_(ledger),
        http_(settings.endpoint.url, request_headers(settings.endpoint),
              std::chrono::seconds(settings.timeout), settings.parallel),
        requests_(settings.requests_per_minute),
        tokens_(settings.tokens_per_minute),
        queue_(asked.size()),
        answered_before_(!ledger.before().judgements.empty()) {
    if (!asked.empty()) most_reply_tokens_ = most_reply_tokens(asked.front().parameters);
    questions_.reserve(asked.size());
    for (LedgerEntry& entry : asked) questions_.push_back({std::move(entry)});
  }

  JudgingCounts run() {
    while (true) {
      if (is_stop_requested()) {
        stop();
        break;
      }
      send_all();
      if (http_.in_flight() == 0 && (!may_send() || queue_.empty())) {
        settle_denied();
        break;
      }
      take_all(http_.wait(time_to_wait()));
      settle_denied();
      now_and_then();
    }
    ledger_.flush();
    counts_.remaining =
        std::ssize(questions_) - counts_.valid - counts_.invalid - std::ssize(counts_.failed);
    if (counts_.end == JudgingEnd::stopped && counts_.remaining == 0) {
      counts_.end = JudgingEnd::done;
    }
    return std::move(counts_);
  }

 private:
  // Takes what has arrived. The requests that are still in flight end with their connections.
  void stop() {
    take_all(http_.wait(milliseconds(0)));
    counts_.lost_tokens += reserved_;
    if (counts_.end != JudgingEnd::failed) counts_.end = JudgingEnd::stopped;
  }

  // While requests are denied and none was answered, a few more show whether any can be.
  bool may_send() const {
    constexpr int64_t kDeniedAtFirst = 4;
    return counts_.end == JudgingEnd::done &&
           (denied_.empty() || std::ssize(denied_) + http_.in_flight() < kDeniedAtFirst);
  }

  // ---- requests ----

  void send_all() {
    is_blocked_ = false;
    while (may_send() && !queue_.empty() && http_.in_flight() < settings_.parallel) {
      const Clock::time_point now = Clock::now();
      if (ready() > now) return;
      const size_t number = queue_.next(now);
      const std::vector<Message> messages =
          entry_messages(settings_.prompt, questions_[number].entry);
      const int64_t tokens = estimated_tokens(messages) + most_reply_tokens_;
      if (!is_within_budget(tokens)) {
        // A request in flight may use less than it reserved.
        is_blocked_ = http_.in_flight() > 0;
        if (!is_blocked_) counts_.end = JudgingEnd::out_of_budget;
        counts_.next_tokens = tokens;
        return;
      }
      queue_.pop(now);
      send(number, messages, tokens, now);
    }
  }

  // When the next question may be asked.
  Clock::time_point ready() const {
    return std::max({queue_.ready(), pauses_.next(), requests_.next(), tokens_.next()});
  }

  bool is_within_budget(int64_t tokens) const {
    const int64_t used =
        counts_.usage.prompt + counts_.usage.completion + counts_.lost_tokens + reserved_;
    return (settings_.budget_requests == 0 || counts_.requests < settings_.budget_requests) &&
           (settings_.budget_tokens == 0 || used + tokens <= settings_.budget_tokens);
  }

  void send(size_t number, const std::vector<Message>& messages, int64_t tokens,
            Clock::time_point now) {
    Question& question = questions_[number];
    question.reserved = tokens;
    question.sent = now;
    reserved_ += tokens;
    requests_.spend(1, now);
    tokens_.spend(static_cast<double>(tokens), now);
    ++counts_.requests;
    const LedgerEntry& entry = question.entry;
    http_.post(number, completion_request(entry.judge, entry.parameters, messages));
  }

  milliseconds time_to_wait() const {
    constexpr milliseconds kMost{200};  // so that stop requests are noticed
    const bool can_send =
        may_send() && !queue_.empty() && !is_blocked_ && http_.in_flight() < settings_.parallel;
    if (!can_send) return kMost;
    return std::clamp(std::chrono::ceil<milliseconds>(ready() - Clock::now()), milliseconds(1),
                      kMost);
  }

  // ---- responses ----

  void take_all(std::vector<HttpResponse> responses) {
    for (HttpResponse& response : responses) {
      response.body = without_key(std::move(response.body), settings_.endpoint.key);
      const CompletionOutcome outcome = read_completion(response);
      reserved_ -= questions_[response.request].reserved;
      outcome.reply ? take(response.request, *outcome.reply) : fail(response, outcome);
    }
  }

  void take(size_t number, const Completion& reply) {
    Question& question = questions_[number];
    LedgerEntry entry = question.entry;
    entry.reply = reply.content;
    entry.finish_reason = reply.finish_reason;
    entry.usage = reply.usage;
    entry.time = utc_now();
    ledger_.append({&entry, 1});
    const TokenUsage used = reply.usage.value_or(
        TokenUsage{question.reserved - most_reply_tokens_, estimated_tokens(entry.reply)});
    counts_.usage.prompt += used.prompt;
    counts_.usage.completion += used.completion;
    const Clock::time_point now = Clock::now();
    tokens_.spend(static_cast<double>(used.prompt + used.completion - question.reserved), now);
    has_answered_ = true;
    denied_in_row_ = 0;
    pauses_.answer();
    question.failures = 0;
    const bool is_at_limit = is_truncated(entry), is_thinking = ends_in_thinking(entry.reply);
    if (holds_verdict(entry)) {
      ++counts_.valid;
    } else if (entry.attempt < settings_.attempts && !is_at_limit && !is_thinking) {
      ++question.entry.attempt;
      queue_.put_back(number, now);
    } else {
      ++counts_.invalid;
      if (is_at_limit) {
        ++counts_.truncated;
      } else if (is_thinking) {
        ++counts_.unfinished;
      } else if (is_refused(entry.finish_reason)) {
        ++counts_.refused;
      }
      counts_.unread_reply = reply_sample(entry);
      if (entry.order == AnswerOrder::none && strict_verdicts(entry.reply)) ++counts_.strict_only;
    }
  }

  void fail(const HttpResponse& response, const CompletionOutcome& outcome) {
    const Question& question = questions_[response.request];
    const std::string id =
        "id " + json_quote(question.entry.answer.id) + " of " + question.entry.answer.source;
    const bool may_have_replied = response.status == kOk || response.status == 0;
    if (may_have_replied && outcome.failure == CompletionFailure::transient) {
      counts_.lost_tokens += question.reserved;
    } else {
      tokens_.spend(-static_cast<double>(question.reserved), Clock::now());
    }
    switch (outcome.failure) {
      case CompletionFailure::fatal:
        return end_by(outcome.message, id, completion_advice(outcome.status, settings_.endpoint));
      case CompletionFailure::unreachable:
        // Other requests in flight show that the endpoint exists.
        if (!has_answered_ && http_.in_flight() == 0) {
          return end_by(outcome.message, id, completion_advice(outcome.status, settings_.endpoint));
        }
        break;
      case CompletionFailure::refused:
        return refuse({id, outcome.message, outcome.status});
      case CompletionFailure::denied:
        denied_.push_back({id, outcome.message, outcome.status});
        return;
      case CompletionFailure::transient:
        break;
    }
    // A complete response without content concerns only this answer.
    const bool is_outage =
        outcome.status != kOk || outcome.failure == CompletionFailure::unreachable;
    if (is_outage) pause(question.sent, id + ": " + outcome.message);
    try_again(response, id + ": " + outcome.message);
  }

  // Leaves out an answer whose request is refused. Before another was answered, in this call or in
  // the ledger, the endpoint may be at fault: many refusals, or that of every answer, end the run.
  void refuse(const Denied& refused) {
    give_up(refused.id + ": " + refused.message);
    if (has_answered_) return;
    ++refusals_;
    const bool are_all = refusals_ == std::ssize(questions_) && !answered_before_;
    if (refusals_ >= kRefusalsAtFirst || are_all) {
      end_by(refused.message, refused.id, completion_advice(refused.status, settings_.endpoint));
    }
  }

  // Decides on denied requests: they concern their answers once another was answered, and the
  // endpoint if none was.
  void settle_denied() {
    const bool is_known = has_answered_ || answered_before_;
    const bool may_be_answered = http_.in_flight() > 0 || (may_send() && !queue_.empty());
    if (denied_.empty() || (!is_known && may_be_answered)) return;
    const std::vector<Denied> denied = std::exchange(denied_, {});
    if (is_known) {
      std::ranges::for_each(denied, [&](const Denied& each) { refuse_denied(each); });
    } else {
      end_by(denied.front().message, denied.front().id,
             completion_advice(denied.front().status, settings_.endpoint));
    }
  }

  // Many denials with no answer between them concern the endpoint: a key that was withdrawn.
  void refuse_denied(const Denied& denied) {
    refuse(denied);
    if (++denied_in_row_ >= kRefusalsAtFirst) {
      end_by(denied.message, denied.id, completion_advice(denied.status, settings_.endpoint));
    }
  }

  void try_again(const HttpResponse& response, const std::string& why) {
    Question& question = questions_[response.request];
    const Clock::time_point now = Clock::now();
    ++question.failures;
    const milliseconds asked = response.retry_after.value_or(milliseconds(0));
    if (response.retry_after && pauses_.ask(now, asked)) {
      log_info("the endpoint asks to wait " +
               std::to_string(std::chrono::ceil<seconds>(asked).count()) + " s: " + why);
    }
    constexpr std::chrono::hours kMost{1};
    if (asked > kMost || pauses_.outages() > std::max<int64_t>(settings_.retries, kLeastOutages)) {
      const std::string asks = asked > kMost ? ", it asks to wait more than an hour" : "";
      const bool has_answered = has_answered_ || answered_before_;
      return end_by((has_answered ? "the endpoint no longer answers"
                                  : "the endpoint answers none of the requests") +
                        asks + ": " + why,
                    "", "see whether the server runs");
    }
    if (question.failures > settings_.retries) return give_up(why);
    queue_.put_back(
        response.request,
        now + asked +
            backoff(question.failures, random_bits_of(response.request, question.failures)));
  }

  uint64_t random_bits_of(size_t request, int64_t failures) const {
    return random_bits(seed_, Purpose::backoff, request, static_cast<uint64_t>(failures));
  }

  // Pauses all requests during an outage.
  void pause(Clock::time_point sent, const std::string& why) {
    const auto time =
        pauses_.fail(sent, Clock::now(), random_bits_of(questions_.size(), pauses_.outages()));
    if (!time || pauses_.outages() == 1) return;
    log_info("no answer " + std::to_string(pauses_.outages()) +
             " times in a row, the next request in " + std::to_string(time->count()) +
             " ms: " + why);
  }

  void give_up(const std::string& why) {
    constexpr size_t kSaid = 3;  // the final report lists more
    if (counts_.failed.size() < kSaid) log_warning("not judged: " + why);
    counts_.failed.push_back(why);
  }

  // Ends judging: sends nothing more.
  void end_by(const std::string& what, const std::string& id, const std::string& advice) {
    if (counts_.failure) return;
    const std::string where = settings_.endpoint.url + (id.empty() ? "" : ", " + id);
    counts_.end = JudgingEnd::failed;
    if (has_answered_) {
      counts_.failure = std::make_exception_ptr(
          Error(what, where,
                (advice.empty() ? "" : advice + "; ") +
                    "give the same command again later: what is recorded stays"));
    } else {
      counts_.failure = std::make_exception_ptr(InputError(what, where, advice));
    }
  }

  // Flushes to disk every second, and logs progress every ten seconds.
  void now_and_then() {
    const Clock::time_point now = Clock::now();
    if (now - flushed_ > seconds(1)) {
      ledger_.flush();
      flushed_ = now;
    }
    if (now - said_ < seconds(10)) return;
    said_ = now;
    log_info(std::to_string(counts_.valid + counts_.invalid) + " of " +
             counted(std::ssize(questions_), "answer") + " asked about, " +
             counted(counts_.requests, "request") + ", " +
             counted(counts_.usage.prompt + counts_.usage.completion, "token"));
  }

  static constexpr int kOk = 200;
  // With so many the endpoint is at fault, not the answers.
  static constexpr int64_t kRefusalsAtFirst = 16;
  static constexpr int64_t kLeastOutages = 3;  // even with fewer retries per answer

  const JudgingSettings& settings_;
  // Not repeatable, so that several processes do not ask again at one moment. The number of the
  // process would not do: it is 1 in every container.
  const uint64_t seed_ = std::random_device()();
  LedgerWriter& ledger_;
  HttpRequests http_;
  RateLimiter requests_, tokens_;
  OutageBackoff pauses_;
  std::vector<Question> questions_;
  RequestQueue queue_;
  const bool answered_before_;  // the ledger has replies
  int64_t most_reply_tokens_ = 0;
  int64_t reserved_ = 0;        // tokens of all requests in flight
  bool is_blocked_ = false;     // by the budget, until a request in flight ends
  int64_t refusals_ = 0;        // before the first answer
  int64_t denied_in_row_ = 0;   // since the last answer
  std::vector<Denied> denied_;  // until settle_denied()
  bool has_answered_ = false;
  Clock::time_point flushed_ = Clock::now(), said_ = Clock::now();
  JudgingCounts counts_;
};

}  // namespace

JudgingCounts judge_answers(std::vector<LedgerEntry> asked, const JudgingSettings& settings,
                            LedgerWriter& ledger) {
  return Judging(std::move(asked), settings, ledger).run();
}

}  // namespace rubric::judge
