// What a test's server answers: chat completions as OpenAI's interface has them, and how they are
// delivered.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "core/json/json.h"
#include "http_text.h"

namespace rubric {

// How a reply goes wrong, or goes its own way.
enum class ChatFault {
  none,
  reset,        // the connection is reset instead of a reply (RST)
  close,        // it is closed instead of a reply
  half_close,   // half of the body, then no more is sent (FIN); the connection stays
  truncate,     // half of the body, then the connection is closed
  chunked,      // Transfer-Encoding: chunked in small pieces, which is right
  chunked_cut,  // so, but for the second half; then the connection is closed
  stall,        // nothing ever comes; the connection stays
  trickle       // right, but one byte every two milliseconds
};

struct ChatReply {
  int status = 200;
  HttpHeaders headers = {};  // besides Content-Type and what frames the body
  std::string body;
  std::chrono::milliseconds delay{0};  // from the request's last byte
  ChatFault fault = ChatFault::none;
};

// What a reply is on the wire, and what becomes of the connection behind it.
struct Delivery {
  enum class Then { keep, shut_down, close, reset };
  std::string bytes;
  Then then = Then::keep;
  bool trickles = false;
};

Delivery delivery(const ChatReply& reply);  // of any fault but a stall

// The body of a reply with one choice; `content` is a text or null.
std::string chat_completion(const Json& content, const std::string& finish_reason = "stop",
                            int64_t prompt_tokens = 100, int64_t completion_tokens = 20);

// The body of a reply that says what went wrong.
std::string chat_error(const std::string& code, const std::string& message);

}  // namespace rubric
