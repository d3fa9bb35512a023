// The judge's endpoint, which speaks OpenAI's chat completions: requests, responses, URL and key,
// and estimates of token counts.
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

// The body of a request; `parameters` is a JSON object on one line.
std::string completion_request(const std::string& judge, const std::string& parameters,
                               const std::vector<Message>& messages);

// Why there is no reply, and whether a retry may help.
enum class CompletionFailure {
  transient,    // retry: a rate limit, an overloaded server, a truncated response
  refused,      // no retry of this request; others may succeed
  denied,       // any other status: refused if another request succeeds (a flagged prompt), else
                // fatal (a wrong URL)
  unreachable,  // no server speaks this interface there
  fatal,        // no request can succeed: a wrong key, an unknown model, no credit
};

struct Completion {
  // Where there is no text, the refusal, or "<think>" and what the model thought; "" without these.
  std::string content;
  std::string finish_reason;  // kRefusal of a refusal; "" if the response has none
  std::optional<TokenUsage> usage;
};

struct CompletionOutcome {
  std::optional<Completion> reply;
  CompletionFailure failure = CompletionFailure::transient;
  std::string message;  // what went wrong, with the server's message
  // HTTP's or, of an error in a response of status 200, the one that it reports; 0: no response.
  int status = 0;
};

// Parses a response; its body may be any bytes.
CompletionOutcome read_completion(const HttpResponse& response);

// An endpoint that speaks OpenAI's chat completions, hosted or local (vLLM, llama.cpp).
struct Endpoint {
  std::string url;  // the full URL of the chat completions
  std::string key;  // sent as bearer token, never shown; "": none
};

// The advice for an endpoint that answers only with this HTTP status; 0: no response.
std::string completion_advice(int status, const Endpoint& endpoint);

// Completes "https://host/v1", "http://localhost:8000" or ".../v1/chat/completions" to a URL of the
// last form; keeps "?api-version=…", which Azure wants. Throws InputError for anything other than
// an http or https URL, and for a URL with user, password or another query, because messages show
// the URL.
std::string chat_completions_url(const std::string& endpoint);

// The key in the environment variable `variable`. "" means OPENAI_API_KEY, which may be unset and
// is sent only over https: it must not be sent in clear text to a server that needs no key. Throws
// InputError when a named variable is not set, and for a key that is not one word.
std::string endpoint_key(const std::string& url, const std::string& variable);

// The header lines of a request, such as "Content-Type: application/json"; one contains the key,
// and of a URL with "?api-version=" a second, "api-key", which Azure reads.
std::vector<std::string> request_headers(const Endpoint& endpoint);

// Replaces the key in a text by "(the key)", because some servers quote it. A key of less than 12
// characters ("EMPTY") is not secret and stays.
std::string without_key(std::string text, const std::string& key);

// An estimate of the tokens of a text without the judge's tokenizer: one for four ASCII characters,
// one for each other character.
int64_t estimated_tokens(std::string_view text);

// The same for messages, with a few tokens around each.
int64_t estimated_tokens(const std::vector<Message>& messages);

// The maximum tokens of a reply: max_tokens or max_completion_tokens of the parameters, else 1024
// as in the paper. Throws InputError when it is not an integer from 1 to 10 million.
int64_t most_reply_tokens(const std::string& parameters);

}  // namespace rubric::judge
