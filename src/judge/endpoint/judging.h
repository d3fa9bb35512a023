// Asks a judge about many answers in parallel and writes every reply to a ledger.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "judge/endpoint/completions.h"
#include "judge/ledger/writer.h"

namespace rubric::judge {

struct JudgingSettings {
  Endpoint endpoint;
  std::string prompt;  // the criteria
  int64_t parallel = 8, attempts = 3, retries = 8;
  int64_t timeout = 300;                                   // of a request, in seconds
  int64_t requests_per_minute = 0, tokens_per_minute = 0;  // 0: no limit
  int64_t budget_requests = 0, budget_tokens = 0;          // for this call; 0: no limit

  void visit_fields(auto& field) {
    constexpr int64_t kMany = 1'000'000'000, kMostParallel = 1024, kDay = 86'400;
    const auto number = [&](const char* name, int64_t& value, int64_t least, int64_t most,
                            const char* help) {
      field(name, value, help).range(least, most).only_with("input");
    };
    number("parallel", parallel, 1, kMostParallel, "requests in flight at a time");
    number("attempts", attempts, 1, kMany,
           "the most replies to ask for until one holds four verdicts (or a preference)");
    number("retries", retries, 0, kMany,
           "retries of a request that fails (limits, server errors, connections)");
    number("timeout", timeout, 1, kDay, "the most seconds of a request");
    number("requests-per-minute", requests_per_minute, 0, kMany, "the most; 0: no limit");
    number("tokens-per-minute", tokens_per_minute, 0, kMany, "the most; 0: no limit");
    number("budget-requests", budget_requests, 0, kMany,
           "the most requests of this call; 0: no limit");
    number("budget-tokens", budget_tokens, 0, kMany,
           "the most tokens of this call, roughly; 0: no limit");
  }
};

enum class JudgingEnd { done, stopped, out_of_budget, failed };

struct JudgingCounts {
  int64_t valid = 0, invalid = 0;   // answers whose last reply holds a verdict, or none
  std::vector<std::string> failed;  // answers without reply: id and reason
  int64_t remaining = 0;            // answers without a last reply; `end` says why
  int64_t requests = 0;             // sent
  TokenUsage usage;                 // of the replies; estimated if the endpoint does not report it
  int64_t truncated = 0;     // invalid answers whose last reply ended at the limit of its tokens
  int64_t unfinished = 0;    // other invalid answers whose last reply ended inside its thinking
  int64_t refused = 0;       // other invalid answers whose last reply is a refusal
  std::string unread_reply;  // reply_sample() of an invalid answer
  int64_t strict_only = 0;   // invalid answers whose last reply holds verdicts by strict_verdicts()
  int64_t next_tokens = 0;   // if out of budget: the maximum tokens of the next request
  int64_t lost_tokens = 0;   // upper bound of the tokens of replies cut off or given up
  JudgingEnd end = JudgingEnd::done;
  std::exception_ptr failure;  // why it failed: InputError if nothing was ever answered, else Error
};

// Judges `asked`, entries without replies. Writes each reply to the ledger before it reads the
// next. Retries a failed request with growing delays; during an outage all requests wait, and
// judging ends if the outage lasts. A reply that ended at the limit of its tokens or inside its
// thinking is the last one about its answer. Judging fails when the endpoint refuses 16 requests
// before it answers one, or all of them where the ledger has no reply either. After SIGINT or
// SIGTERM it records what has arrived, and gives up the requests in flight.
JudgingCounts judge_answers(std::vector<LedgerEntry> asked, const JudgingSettings& settings,
                            LedgerWriter& ledger);

}  // namespace rubric::judge
