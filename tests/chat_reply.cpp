#include "chat_reply.h"

namespace rubric {

Delivery delivery(const ChatReply& reply) {
  const std::string half = reply.body.substr(0, reply.body.size() / 2);
  HttpHeaders headers = reply.headers;
  headers.emplace_back("Content-Type", "application/json");
  const auto framed = [&](const std::string& name, const std::string& value) {
    headers.emplace_back(name, value);
    return reply_head(reply.status, headers);
  };
  const auto sized = [&] { return framed("Content-Length", std::to_string(reply.body.size())); };
  const auto chunked = [&] { return framed("Transfer-Encoding", "chunked"); };
  switch (reply.fault) {
    case ChatFault::reset:
      return {"", Delivery::Then::reset};
    case ChatFault::close:
      return {"", Delivery::Then::close};
    case ChatFault::half_close:
      return {sized() + half, Delivery::Then::shut_down};
    case ChatFault::truncate:
      return {sized() + half, Delivery::Then::close};
    case ChatFault::chunked:
      return {chunked() + chunks(reply.body) + std::string(kLastChunk)};
    case ChatFault::chunked_cut:
      return {chunked() + chunks(half), Delivery::Then::close};
    case ChatFault::trickle:
      return {sized() + reply.body, Delivery::Then::keep, true};
    default:
      return {sized() + reply.body};
  }
}

std::string chat_completion(const Json& content, const std::string& finish_reason,
                            int64_t prompt_tokens, int64_t completion_tokens) {
  const Json message(Json::Object{{"role", "assistant"}, {"content", content}});
  const Json choice(
      Json::Object{{"index", 0}, {"message", message}, {"finish_reason", finish_reason}});
  const Json usage(Json::Object{{"prompt_tokens", prompt_tokens},
                                {"completion_tokens", completion_tokens},
                                {"total_tokens", prompt_tokens + completion_tokens}});
  return Json(Json::Object{{"id", "chatcmpl-test"},
                           {"object", "chat.completion"},
                           {"model", "test"},
                           {"choices", Json::Array{choice}},
                           {"usage", usage}})
      .dump();
}

std::string chat_error(const std::string& code, const std::string& message) {
  const Json error(Json::Object{{"message", message}, {"type", code}, {"code", code}});
  return Json(Json::Object{{"error", error}}).dump();
}

}  // namespace rubric
