// A server of OpenAI-compatible chat completions whose replies, and their faults, a test decides.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "chat_reply.h"

namespace rubric {

struct ChatRequest {
  int64_t number = 0;  // 0, 1, 2, … as they arrive
  std::string path;
  std::map<std::string, std::string> headers;  // by lower-case name
  std::string body;
};

// Called on the server's thread, one request at a time; must not throw.
using ChatHandler = std::function<ChatReply(const ChatRequest&)>;

struct ChatServerSettings {
  uint16_t port = 0;          // 0: the system chooses
  bool keeps_bodies = false;  // of the requests, for bodies()
};

// Serves on 127.0.0.1 from the constructor's end to the destructor: one thread for all connections
// and all replies that wait for their time.
class ChatServer {
 public:
  explicit ChatServer(ChatHandler handler, ChatServerSettings settings = {});
  ~ChatServer();
  ChatServer(const ChatServer&) = delete;
  ChatServer& operator=(const ChatServer&) = delete;

  std::string url() const;  // "http://127.0.0.1:PORT/v1"

  // At any time, from any thread.
  int64_t requests() const;        // that have come as a whole
  int64_t most_in_flight() const;  // the most that waited for their replies at one time
  int64_t in_flight() const;       // whose reply is not yet written
  std::vector<std::string> bodies() const;

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace rubric
