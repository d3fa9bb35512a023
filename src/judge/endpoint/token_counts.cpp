#include "judge/endpoint/token_counts.h"

#include "core/error.h"
#include "core/json/json.h"

namespace rubric {

int64_t estimated_tokens(std::string_view text) {
  constexpr int64_t kAsciiPerToken = 4;
  int64_t ascii = 0, others = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) ++ascii;
    if (byte >= 0xC0) ++others;  // the first byte of a character
  }
  return (ascii + kAsciiPerToken - 1) / kAsciiPerToken + others;
}

int64_t estimated_tokens(const std::vector<Message>& messages) {
  constexpr int64_t kAround = 4;  // what marks a message's beginning, role and end
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

}  // namespace rubric
