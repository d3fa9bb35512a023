// Asks a judge about answers, many at a time, and keeps every reply in a ledger.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "judge/endpoint/completions.h"
#include "judge/ledger/writer.h"

namespace rubric::judge {

struct JudgingSettings {
  Endpoint endpoint;
  std::string prompt;                 // the criteria
  int64_t parallel = 8;               // requests in flight at a time
  int64_t attempts = 3;               // replies to ask for while none holds a verdict
  int64_t retries = 8;                // of a request that fails
  std::chrono::seconds timeout{300};  // of a request
  int64_t requests_per_minute = 0, tokens_per_minute = 0;  // 0: no limit
  int64_t budget_requests = 0, budget_tokens = 0;          // of this call; 0: no limit
};

enum class JudgingEnd { done, stopped, out_of_budget, failed };

struct JudgingCounts {
  int64_t valid = 0, invalid = 0;   // answers whose last reply holds a verdict, or not
  std::vector<std::string> failed;  // other answers: id, and why the endpoint gave no reply
  int64_t left = 0;                 // answers that were not asked about, as the end says
  int64_t requests = 0;             // sent
  TokenUsage usage;                 // of the replies; estimated where the endpoint does not say
  int64_t strict_only = 0;  // of invalid: their last reply holds verdicts by strict_verdicts()
  int64_t next_tokens = 0;  // out of budget: the most that the next request may use
  int64_t lost_tokens = 0;  // at most, of requests whose replies did not arrive whole
  JudgingEnd end = JudgingEnd::done;
  std::exception_ptr
      failure;  // why it failed: InputError where nothing was ever answered, or Error
};

// Judges `asked`, entries without replies. Each reply is in the ledger before the next is read.
// A request that fails is sent again, later each time; while nothing is answered all requests wait,
// and it ends when that does not help. After SIGINT or SIGTERM nothing more is sent, and the
// replies in flight are waited for.
JudgingCounts judge_answers(std::vector<LedgerEntry> asked, const JudgingSettings& settings,
                            LedgerWriter& ledger);

}  // namespace rubric::judge
