#include "judge/endpoint/endpoint.h"

#include <algorithm>
#include <memory>
#include <string_view>

#include <curl/curl.h>

#include "core/error.h"
#include "core/files/files.h"

namespace rubric {
namespace {

constexpr const char* kAdvice = "give one such as --endpoint https://api.openai.com/v1";

using Url = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;

// A part of the URL; "" where it has none.
std::string part_of(const Url& url, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(url.get(), part, &text, 0) != CURLUE_OK) return "";
  const std::unique_ptr<char, decltype(&curl_free)> owner(text, &curl_free);
  return text;
}

bool has_blank(const std::string& text) {
  return std::ranges::any_of(text, [](unsigned char c) { return c <= ' ' || c == 0x7F; });
}

}  // namespace

std::string chat_completions_url(const std::string& endpoint) {
  const Url url(curl_url(), &curl_url_cleanup);
  const std::string where = "--endpoint";
  const bool is_url = !has_blank(endpoint) &&
                      curl_url_set(url.get(), CURLUPART_URL, endpoint.c_str(), 0) == CURLUE_OK;
  const std::string scheme = part_of(url, CURLUPART_SCHEME);
  if (!is_url || (scheme != "http" && scheme != "https")) {
    throw InputError("the endpoint is no URL of http or https", where, kAdvice);
  }
  if (!part_of(url, CURLUPART_USER).empty() || !part_of(url, CURLUPART_PASSWORD).empty()) {
    throw InputError("the endpoint's URL holds a user or a password", where,
                     "leave them out: a key comes from an environment variable (--key-variable)");
  }
  if (!part_of(url, CURLUPART_QUERY).empty()) {
    throw InputError("the endpoint's URL has a query, which would be shown in messages", where,
                     "leave it out: a key comes from an environment variable (--key-variable)");
  }
  std::string path = part_of(url, CURLUPART_PATH);
  while (path.ends_with('/')) path.pop_back();
  if (!path.ends_with("/chat/completions")) {
    path += path.empty() ? "/v1/chat/completions" : "/chat/completions";
  }
  curl_url_set(url.get(), CURLUPART_PATH, path.c_str(), 0);
  curl_url_set(url.get(), CURLUPART_FRAGMENT, nullptr, 0);
  return part_of(url, CURLUPART_URL);
}

std::string endpoint_key(const std::string& url, const std::string& variable) {
  const bool is_named = !variable.empty();
  if (!is_named && !url.starts_with("https:")) return "";
  const std::string name = is_named ? variable : "OPENAI_API_KEY";
  std::string key = environment(name.c_str());
  if (key.empty() && is_named) {
    throw InputError("the environment variable with the key is not set", name,
                     "export it, or name another with --key-variable");
  }
  if (has_blank(key)) {
    throw InputError("the key holds a blank or a line end", name, "set it to the key alone");
  }
  return key;
}

std::vector<std::string> request_headers(const Endpoint& endpoint) {
  std::vector<std::string> headers = {"Content-Type: application/json", "Expect:"};
  if (!endpoint.key.empty()) headers.push_back("Authorization: Bearer " + endpoint.key);
  return headers;
}

std::string without_key(std::string text, const std::string& key) {
  constexpr size_t kShortestSecret = 12;
  constexpr std::string_view kInstead = "(the key)";
  if (key.size() < kShortestSecret) return text;
  for (size_t at = 0; (at = text.find(key, at)) != text.npos; at += kInstead.size()) {
    text.replace(at, key.size(), kInstead);
  }
  return text;
}

}  // namespace rubric
