// Where a judge is asked: an endpoint that speaks OpenAI's chat completions, hosted or one's own
// (vLLM, llama.cpp).
#pragma once

#include <string>
#include <vector>

namespace rubric {

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

}  // namespace rubric
