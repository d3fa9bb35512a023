#include "judge/endpoint/completions.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/error.h"
#include "core/text/utf8.h"

namespace rubric {
namespace {

// The member at the end of the path, where all are objects; else null.
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

std::optional<Json> parsed(const std::string& body) {
  try {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    const bool has_mark = body.starts_with(kByteOrderMark);
    return Json::parse(std::string_view(body).substr(has_mark ? kByteOrderMark.size() : 0),
                       "the response");
  } catch (const InputError&) {
    return std::nullopt;
  }
}

// What the server says of the error, in one line.
std::string server_message(const std::string& body, const std::optional<Json>& json) {
  std::string text;
  if (json) {
    for (const Json* said : {member(*json, {"error", "message"}), json->find("error"),
                             json->find("message"), json->find("detail")}) {
      if (text.empty()) text = text_or_empty(said);
    }
  }
  if (text.empty()) text = body;
  constexpr size_t kShown = 300;
  const bool is_long = text.size() > kShown;
  text = repair_utf8(std::string_view(text).substr(0, kShown)) + (is_long ? "…" : "");
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < ' ' || c == 0x7F; }, ' ');
  return text;
}

// Endpoints say it in "code", in "type" or in both.
bool is_error(const std::optional<Json>& json, std::string_view name) {
  return json && (text_or_empty(member(*json, {"error", "code"})) == name ||
                  text_or_empty(member(*json, {"error", "type"})) == name);
}

std::optional<int64_t> token_count(const Json& usage, const char* name) {
  constexpr double kMost = 1e7;  // more is no count of tokens
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

CompletionOutcome failed(CompletionFailure failure, std::string message) {
  return {std::nullopt, failure, std::move(message)};
}

// A text, a list of parts with texts, or null: "" there. Nothing for anything else.
std::optional<std::string> content_of(const Json& message) {
  const Json* const content = message.find("content");
  if (content == nullptr || content->is_null()) return "";
  if (content->is_string()) return content->string();
  if (!content->is_array()) return std::nullopt;
  std::string text;
  for (const Json& part : content->array()) text += text_or_empty(part.find("text"));
  return text;
}

CompletionOutcome parse_completion(const std::string& body, const std::optional<Json>& json) {
  const size_t begin = body.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (begin != body.npos && body[begin] != '{') {
    return failed(CompletionFailure::unreachable,
                  "the endpoint answers with something that is no chat completion: " +
                      server_message(body, json));
  }
  if (!json) return failed(CompletionFailure::transient, "the response is cut off or no JSON");
  const Json* const choices = json->find("choices");
  if (choices == nullptr || !choices->is_array()) {
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
    if (!content) return failed(CompletionFailure::transient, "the first choice holds no text");
    reply.content = *content;
    reply.finish_reason = text_or_empty(choice.find("finish_reason"));
  }
  return {reply, {}, ""};
}

CompletionFailure failure_of(int status, const std::optional<Json>& json) {
  if (is_error(json, "insufficient_quota")) return CompletionFailure::fatal;
  constexpr std::array kTransient = {408, 409, 425, 429};
  if (status >= 500 || std::ranges::count(kTransient, status) > 0)
    return CompletionFailure::transient;
  constexpr std::array kRefused = {400, 413, 422};
  if (std::ranges::count(kRefused, status) > 0) return CompletionFailure::refused;
  return CompletionFailure::fatal;
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
        response.error);
  }
  const std::optional<Json> json = parsed(response.body);
  constexpr int kOk = 200;
  if (response.status == kOk) return parse_completion(response.body, json);
  if (is_error(json, "content_filter")) return {Completion{"", "content_filter", {}}, {}, ""};
  return failed(failure_of(response.status, json),
                "HTTP " + std::to_string(response.status) +
                    (response.location.empty() ? "" : ", a redirection to " + response.location) +
                    ": " + server_message(response.body, json));
}

std::string completion_advice(int status) {
  switch (status) {
    case 0:
    case 200:
      return "see whether --endpoint is right and the server runs";
    case 400:
    case 422:
      return "see what it says; --parameters replaces what is sent beside model and messages";
    case 401:
    case 403:
      return "see whether the key is right: --key-variable names the variable that holds it";
    case 404:
      return "see whether --endpoint and --judge are right";
    case 429:
      return "see what the account may use";
    default:
      return "see whether --endpoint is right";
  }
}

}  // namespace rubric
