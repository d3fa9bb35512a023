// Requests for chat completions, and what the responses say.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "judge/endpoint/http_requests.h"
#include "judge/ledger/entry.h"
#include "judge/request.h"

namespace rubric::judge {

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

// Where a judge is asked: an endpoint that speaks OpenAI's chat completions, hosted or one's own
// (vLLM, llama.cpp).

struct Endpoint {
  std::string url;  // of its chat completions
  std::string key;  // sent as a bearer token and shown nowhere; "": none
};

// "https://host/v1", "http://localhost:8000" and the whole ".../v1/chat/completions" all name the
// last. Throws InputError for what is no URL of http or https, and for one with a user, a password
// or a query, as it is shown in messages.
std::string chat_completions_url(const std::string& endpoint);

// The key in the environment variable `variable`. "" is OPENAI_API_KEY, which may be unset and is
// sent over https alone: it must not leave in clear for a server that needs none. Throws InputError
// when a variable that is named is not set, and for a key that is no one word.
std::string endpoint_key(const std::string& url, const std::string& variable);

// The headers of a request, lines such as "Content-Type: application/json"; the key is in one.
std::vector<std::string> request_headers(const Endpoint& endpoint);

// The text with "(the key)" in the place of the key: some servers quote it. A key of less than 12
// characters is no secret ("EMPTY") and stays.
std::string without_key(std::string text, const std::string& key);

// How many tokens a request takes, as far as one can tell without the judge's tokenizer.

// About how many tokens a text has: one for four ASCII characters, one for every other character.
int64_t estimated_tokens(std::string_view text);

// The same of messages, each with a few tokens around it.
int64_t estimated_tokens(const std::vector<Message>& messages);

// The most that a reply may have by the parameters' max_tokens or max_completion_tokens; 1024, as
// in the paper, where they have neither. Throws InputError where that is no whole number from 1 to
// 10 million.
int64_t most_reply_tokens(const std::string& parameters);

}  // namespace rubric::judge
