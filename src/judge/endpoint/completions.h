// Requests for chat completions, and what the responses say.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/endpoint/http_requests.h"
#include "judge/ledger/entry.h"
#include "judge/request.h"

namespace rubric {

// The body of a request; `parameters` is an object in one line.
std::string completion_request(const std::string& judge, const std::string& parameters,
                               const std::vector<Message>& messages);

// Where there is no reply: is it worth another try?
enum class CompletionFailure {
  transient,    // yes: a limit, an overloaded server, a response that was cut off
  refused,      // no, this request is not answered; others may be
  unreachable,  // nobody there speaks this interface, or no longer
  fatal,        // no request will be: a wrong key, an unknown model, nothing left to pay with
};

struct Completion {
  std::string content;        // "" where a filter stopped it or there are no choices
  std::string finish_reason;  // "" where the response has none
  std::optional<TokenUsage> usage;
};

struct CompletionOutcome {
  std::optional<Completion> reply;
  CompletionFailure failure = CompletionFailure::transient;
  std::string message;  // what went wrong, with what the server says of it
};

// Takes any bytes for a response.
CompletionOutcome read_completion(const HttpResponse& response);

// What to do about an endpoint that answers with nothing but this status; 0: with none.
std::string completion_advice(int status);

}  // namespace rubric
