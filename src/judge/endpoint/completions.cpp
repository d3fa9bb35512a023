#include "judge/endpoint/completions.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include <curl/curl.h>

#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/text/ascii.h"
#include "core/text/utf8.h"
#include "judge/verdicts/reply.h"

namespace rubric::judge {

namespace {

// The member at the end of the path if all others are objects; else nullptr.
const Json* member(const Json& json, std::initializer_list<const char*> path) {
  const Json* at = &json;
  for (const char* name : path) {
    at = at == nullptr ? nullptr : at->find(name);
  }
  return at;
}

std::string text_or_empty(const Json* json) {
  return json != nullptr && json->is_string() ? json->string() : "";
}

std::optional<Json> parsed(std::string_view body) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (body.starts_with(kByteOrderMark)) body.remove_prefix(kByteOrderMark.size());
  return parsed_json(body);
}

// The start of a text, on one line.
std::string one_line(std::string text) {
  constexpr size_t kShown = 300;
  const bool is_long = text.size() > kShown;
  text = repair_utf8(std::string_view(text).substr(0, kShown)) + (is_long ? "…" : "");
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < ' ' || c == 0x7F; }, ' ');
  return text;
}

// The server's error message on one line.
std::string server_message(const std::string& body, const std::optional<Json>& json) {
  std::string text;
  if (json) {
    for (const Json* said : {member(*json, {"error", "message"}), json->find("error"),
                             json->find("message"), json->find("detail")}) {
      if (text.empty()) text = text_or_empty(said);
    }
  }
  return one_line(text.empty() ? body : std::move(text));
}

// Endpoints name the error in "code", in "type" or in both.
bool is_error(const Json& error, std::string_view name) {
  return text_or_empty(error.find("code")) == name || text_or_empty(error.find("type")) == name;
}

std::optional<int64_t> token_count(const Json& usage, const char* name) {
  constexpr double kMost = 1e7;  // more is not a plausible count
  const Json* const count = usage.find(name);
  if (count == nullptr || !count->is_number()) return std::nullopt;
  if (!(count->number() >= 0 && count->number() <= kMost)) return std::nullopt;
  return static_cast<int64_t>(count->number());
}

std::optional<TokenUsage> usage_of(const Json& json) {
  const Json* const usage = json.find("usage");
  if (usage == nullptr) return std::nullopt;
  const auto prompt = token_count(*usage, "prompt_tokens");
  const auto completion = token_count(*usage, "completion_tokens");
  if (!prompt || !completion) return std::nullopt;
  return TokenUsage{*prompt, *completion};
}

constexpr int kOk = 200;

CompletionOutcome failed(CompletionFailure failure, std::string message, int status = kOk) {
  return {std::nullopt, failure, std::move(message), status};
}

// A content filter's refusal is the endpoint's reply to this answer.
CompletionOutcome filtered() {
  return {Completion{"", kFiltered, {}}, {}, "", kOk};
}

// Accepts a text, a list of parts with texts, or null (""); nullopt for anything else. Parts of
// another type than text are the model's thinking, or no text at all.
std::optional<std::string> content_of(const Json& message) {
  const Json* const content = message.find("content");
  if (content == nullptr || content->is_null()) return "";
  if (content->is_string()) return content->string();
  if (!content->is_array()) return std::nullopt;
  std::string text;
  for (const Json& part : content->array()) {
    const std::string type = text_or_empty(part.find("type"));
    if (type.empty() || type == "text" || type == "output_text")
      text += text_or_empty(part.find("text"));
  }
  return text;
}

// The message's "refusal", or that of one of its parts; "" if the model did not refuse.
std::string refusal_of(const Json& message) {
  std::string refusal = text_or_empty(message.find("refusal"));
  const Json* const content = message.find("content");
  if (content == nullptr || !content->is_array()) return refusal;
  for (const Json& part : content->array()) refusal += text_or_empty(part.find("refusal"));
  return refusal;
}

// The model's thinking, where a server puts it beside the content; "" if there is none.
std::string thinking_of(const Json& message) {
  const std::string thinking = text_or_empty(message.find("reasoning_content"));
  return thinking.empty() ? text_or_empty(message.find("reasoning")) : thinking;
}

// The failure that an error stands for: HTTP's status, or the code in an error's object.
CompletionFailure failure_of(int status, const Json& error) {
  if (is_error(error, "insufficient_quota")) return CompletionFailure::fatal;
  constexpr std::array kTransient = {408, 409, 425, 429};
  if (status >= 500 || std::ranges::count(kTransient, status) > 0) {
    return CompletionFailure::transient;
  }
  constexpr std::array kRefused = {400, 413, 422, 451};
  if (std::ranges::count(kRefused, status) > 0) return CompletionFailure::refused;
  constexpr std::array kOfAccount = {401, 402};
  if (std::ranges::count(kOfAccount, status) > 0) return CompletionFailure::fatal;
  return CompletionFailure::denied;
}

// Whether the value of "error" reports one; some servers always send null, false, 0, "", [] or {}.
bool is_reported(const Json* error) {
  if (error == nullptr || error->is_null()) return false;
  constexpr std::array<std::string_view, 5> kNone = {"false", "0", "\"\"", "[]", "{}"};
  return std::ranges::count(kNone, error->dump()) == 0;
}

// The error that a response of status 200 reports at its top level or in its first choice; nullptr
// if it reports none. A member "error" of the message is the model's text.
const Json* reported_error(const Json& json) {
  const Json* const top = json.find("error");
  if (is_reported(top)) return top;
  const Json* const choices = json.find("choices");
  const bool has_choice = choices != nullptr && choices->is_array() && !choices->array().empty();
  if (!has_choice) return nullptr;
  const Json& choice = choices->array().front();
  const Json* const error = choice.find("error");
  if (is_reported(error)) return error;
  const Json* const reason = choice.find("finish_reason");
  return text_or_empty(reason) == "error" ? reason : nullptr;
}

// What endpoints call errors that have a status of HTTP.
constexpr std::pair<std::string_view, int> kErrorNames[] = {
    {"invalid_api_key", 401},         {"authentication_error", 401}, {"permission_error", 403},
    {"model_not_found", 404},         {"not_found_error", 404},      {"invalid_request_error", 400},
    {"context_length_exceeded", 400},
};

// The status that an error's object reports: OpenRouter, among others, sends that of the model's
// server as the code, as a number or a text. nullopt where it reports none.
std::optional<int> reported_status(const Json& error) {
  for (const Json* const code : {error.find("code"), error.find("status"), &error}) {
    if (code == nullptr) continue;
    const auto status =
        code->is_number() ? std::optional(code->number()) : parse_number(text_or_empty(code));
    if (status && *status >= 400 && *status < 600) return static_cast<int>(*status);
  }
  for (const auto& [name, status] : kErrorNames) {
    if (is_error(error, name)) return status;
  }
  return std::nullopt;
}

CompletionOutcome reported_failure(const Json& error) {
  if (is_error(error, kFiltered)) return filtered();
  constexpr int kRetried = 500;
  const std::optional<int> status = reported_status(error);
  std::string message = text_or_empty(error.find("message"));
  if (message.empty()) message = error.is_string() ? error.string() : error.dump();
  return failed(failure_of(status.value_or(kRetried), error),
                "the response reports an error: " + one_line(std::move(message)),
                status.value_or(kOk));
}

CompletionOutcome parse_completion(const std::string& body, const std::optional<Json>& json) {
  const size_t begin = body.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (begin != body.npos && body[begin] != '{') {
    return failed(CompletionFailure::unreachable,
                  "the endpoint answers with something that is not a chat completion: " +
                      server_message(body, json));
  }
  if (!json) return failed(CompletionFailure::transient, "the response is truncated or not JSON");
  if (const Json* const error = reported_error(*json)) return reported_failure(*error);
  const Json* const choices = json->find("choices");
  if (choices == nullptr) {
    return failed(CompletionFailure::unreachable,
                  "the endpoint answers with JSON that is not a chat completion: " +
                      server_message(body, json));
  }
  if (!choices->is_array()) {
    return failed(CompletionFailure::transient,
                  "the response has no choices: " + server_message(body, json));
  }
  Completion reply;
  reply.usage = usage_of(*json);
  if (!choices->array().empty()) {
    const Json& choice = choices->array().front();
    const Json* const message = choice.find("message");
    const bool has_message = message != nullptr && message->is_object();
    const auto content = has_message ? content_of(*message) : std::nullopt;
    reply.finish_reason = text_or_empty(choice.find("finish_reason"));
    if (!content && is_refused(reply.finish_reason)) return {reply, {}, "", kOk};
    if (!content) {
      return failed(CompletionFailure::transient,
                    "the first choice holds no text: " + server_message(body, json));
    }
    reply.content = *content;
    if (std::string refusal = refusal_of(*message); reply.content.empty() && !refusal.empty()) {
      reply.content = std::move(refusal);
      reply.finish_reason = kRefusal;
    }
    // A model that only thought: the reply ends inside its thinking.
    if (std::string thinking = thinking_of(*message); reply.content.empty() && !thinking.empty()) {
      reply.content = "<think>" + thinking;
    }
  }
  return {reply, {}, "", kOk};
}

constexpr const char* kAdvice = "give one such as --endpoint https://api.openai.com/v1";

using Url = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;

// A part of the URL; "" if it is missing.
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

std::string completion_request(const std::string& judge, const std::string& parameters,
                               const std::vector<Message>& messages) {
  Json body;
  body["model"] = judge;
  body["messages"] = to_json(messages);
  const Json object = Json::parse(parameters, "parameters");
  for (const auto& [name, value] : object.object()) body[name] = value;
  return body.dump();
}

CompletionOutcome read_completion(const HttpResponse& response) {
  if (response.status == 0) {
    return failed(
        response.is_unreachable ? CompletionFailure::unreachable : CompletionFailure::transient,
        response.error, response.status);
  }
  const std::optional<Json> json = parsed(response.body);
  if (response.status == kOk) return parse_completion(response.body, json);
  const Json* const error = json ? json->find("error") : nullptr;
  const Json none;
  if (error != nullptr && is_error(*error, kFiltered)) return filtered();
  return failed(failure_of(response.status, error == nullptr ? none : *error),
                "HTTP " + std::to_string(response.status) +
                    (response.location.empty() ? "" : ", a redirection to " + response.location) +
                    ": " + server_message(response.body, json),
                response.status);
}

std::string completion_advice(int status, const Endpoint& endpoint) {
  switch (status) {
    case 0:
    case 200:
      return "see whether --endpoint is right and the server runs";
    case 400:
    case 413:
    case 422:
    case 451:
      return "see what it says; --parameters replaces what is sent beside model and messages";
    case 401:
    case 403:
      if (endpoint.key.empty()) {
        return endpoint.url.starts_with("https:")
                   ? "no key was sent, as OPENAI_API_KEY is not set: export it, or name the "
                     "variable that holds the key with --key-variable"
                   : "no key was sent: to an http address one is sent only where its variable is "
                     "named, such as --key-variable OPENAI_API_KEY";
      }
      return "see whether the key is right: --key-variable names the variable that holds it";
    case 404:
      return "see whether --endpoint and --judge are right";
    case 402:
    case 429:
      return "see what the account may use";
    default:
      return "see whether --endpoint is right";
  }
}

std::string chat_completions_url(const std::string& endpoint) {
  const Url url(curl_url(), &curl_url_cleanup);
  const std::string where = "--endpoint";
  const bool is_url = !has_blank(endpoint) &&
                      curl_url_set(url.get(), CURLUPART_URL, endpoint.c_str(), 0) == CURLUE_OK;
  const std::string scheme = part_of(url, CURLUPART_SCHEME);
  if (!is_url || (scheme != "http" && scheme != "https")) {
    throw InputError("the endpoint is not a URL of http or https", where, kAdvice);
  }
  if (!part_of(url, CURLUPART_USER).empty() || !part_of(url, CURLUPART_PASSWORD).empty()) {
    throw InputError("the endpoint's URL holds a user or a password", where,
                     "leave them out: a key comes from an environment variable (--key-variable)");
  }
  const std::string query = part_of(url, CURLUPART_QUERY);
  if (!query.empty() && (!query.starts_with("api-version=") || query.find('&') != query.npos)) {
    throw InputError(
        "the endpoint's URL has a query other than api-version, which would be shown in messages",
        where, "leave it out: a key comes from an environment variable (--key-variable)");
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
    throw InputError("the key contains a space or a line end", name, "set it to the key alone");
  }
  return key;
}

std::vector<std::string> request_headers(const Endpoint& endpoint) {
  std::vector<std::string> headers = {"Content-Type: application/json", "Expect:"};
  if (endpoint.key.empty()) return headers;
  headers.push_back("Authorization: Bearer " + endpoint.key);
  if (endpoint.url.find("?api-version=") != endpoint.url.npos) {
    headers.push_back("api-key: " + endpoint.key);
  }
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

int64_t estimated_tokens(std::string_view text) {
  constexpr int64_t kAsciiPerToken = 4;
  int64_t ascii = 0, others = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) ++ascii;
    if (byte >= 0xC0) ++others;  // first byte of a character
  }
  return (ascii + kAsciiPerToken - 1) / kAsciiPerToken + others;
}

int64_t estimated_tokens(const std::vector<Message>& messages) {
  constexpr int64_t kAround = 4;  // tokens for a message's start, role and end
  int64_t tokens = 0;
  for (const Message& message : messages) tokens += estimated_tokens(message.content) + kAround;
  return tokens;
}

int64_t most_reply_tokens(const std::string& parameters) {
  const Json json = Json::parse(parameters, "--parameters");
  for (const char* name : {"max_tokens", "max_completion_tokens"}) {
    if (json.find(name) == nullptr) continue;
    const int64_t most = json.require_integer(name, "--parameters");
    constexpr int64_t kMost = 10'000'000;
    if (most >= 1 && most <= kMost) return most;
    throw InputError("the parameter " + json_quote(name) + " is " + std::to_string(most),
                     "--parameters", "it must be 1 to " + std::to_string(kMost));
  }
  constexpr int64_t kPaper = 1024;
  return kPaper;
}

}  // namespace rubric::judge
