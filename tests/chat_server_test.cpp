// The tests' own server, by libcurl.
#include "chat_server.h"

#include <atomic>
#include <thread>

#include <curl/curl.h>
#include <gtest/gtest.h>

namespace rubric::chat_server_test {

using std::chrono::milliseconds;

struct Answered {
  CURLcode code = CURLE_OK;
  long status = 0;
  std::string body;
};

// A client with a connection that is kept from request to request.
class Client {
 public:
  explicit Client(const ChatServer& server) : url_(server.url() + "/chat/completions") {}
  ~Client() { curl_easy_cleanup(curl_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  Answered post(const std::string& body, milliseconds patience = milliseconds(20'000)) {
    Answered answered;
    const auto write = +[](char* bytes, size_t size, size_t count, void* to) {
      static_cast<std::string*>(to)->append(bytes, size * count);
      return size * count;
    };
    curl_easy_setopt(curl_, CURLOPT_URL, url_.c_str());
    curl_easy_setopt(curl_, CURLOPT_POSTFIELDS, body.data());
    curl_easy_setopt(curl_, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
    curl_easy_setopt(curl_, CURLOPT_WRITEFUNCTION, write);
    curl_easy_setopt(curl_, CURLOPT_WRITEDATA, &answered.body);
    curl_easy_setopt(curl_, CURLOPT_TIMEOUT_MS, static_cast<long>(patience.count()));
    curl_easy_setopt(curl_, CURLOPT_EXPECT_100_TIMEOUT_MS, 60'000L);
    curl_easy_setopt(curl_, CURLOPT_NOSIGNAL, 1L);
    answered.code = curl_easy_perform(curl_);
    curl_easy_getinfo(curl_, CURLINFO_RESPONSE_CODE, &answered.status);
    curl_easy_getinfo(curl_, CURLINFO_NUM_CONNECTS, &connects_);
    return answered;
  }
  bool connected_anew() const { return connects_ > 0; }  // for the last request

 private:
  std::string url_;
  CURL* curl_ = curl_easy_init();
  long connects_ = 0;
};

const std::string kBody(100, 'b');

ChatHandler fault(ChatFault kind) {
  return [kind](const ChatRequest&) { return ChatReply{.body = kBody, .fault = kind}; };
}

TEST(ChatServer, AnswersWhatTheHandlerSays) {
  ChatServer server(
      [](const ChatRequest& request) {
        EXPECT_EQ(request.path, "/v1/chat/completions");
        EXPECT_EQ(request.headers.at("content-length"), std::to_string(request.body.size()));
        return ChatReply{.status = request.number == 1 ? 429 : 200, .body = request.body + "!"};
      },
      {.keeps_bodies = true});
  Client client(server);
  EXPECT_EQ(client.post("one").body, "one!");
  EXPECT_TRUE(client.connected_anew());
  const Answered second = client.post("");
  EXPECT_EQ(second.status, 429);
  EXPECT_EQ(second.body, "!");
  EXPECT_FALSE(client.connected_anew());
  EXPECT_EQ(server.requests(), 2);
  EXPECT_EQ(server.most_in_flight(), 1);
  EXPECT_EQ(server.bodies(), (std::vector<std::string>{"one", ""}));
}

// curl sends the head of a large request first and waits for "100 Continue".
TEST(ChatServer, TakesAndGivesMegabytes) {
  const ChatServer server([](const ChatRequest& request) {
    EXPECT_EQ(request.headers.at("expect"), "100-continue");
    return ChatReply{.body = request.body};
  });
  const std::string megabytes(5 << 20, 'm');
  EXPECT_EQ(Client(server).post(megabytes).body, megabytes);
}

TEST(ChatServer, RightRepliesInOtherForms) {
  for (const ChatFault kind : {ChatFault::chunked, ChatFault::trickle}) {
    const ChatServer server(fault(kind));
    Client client(server);
    EXPECT_EQ(client.post("a").body, kBody);
    EXPECT_EQ(client.post("b").body, kBody);
    EXPECT_FALSE(client.connected_anew());
  }
}

TEST(ChatServer, Faults) {
  const std::vector<std::pair<ChatFault, CURLcode>> faults = {
      {ChatFault::reset, CURLE_RECV_ERROR},
      {ChatFault::close, CURLE_GOT_NOTHING},
      {ChatFault::half_close, CURLE_PARTIAL_FILE},
      {ChatFault::truncate, CURLE_PARTIAL_FILE},
      {ChatFault::chunked_cut, CURLE_PARTIAL_FILE}};
  for (const auto& [kind, code] : faults) {
    const ChatServer server(fault(kind));
    const Answered answered = Client(server).post("a");
    EXPECT_EQ(answered.code, code) << curl_easy_strerror(answered.code);
    const bool has_half = code == CURLE_PARTIAL_FILE;
    EXPECT_EQ(answered.body, kBody.substr(0, has_half ? kBody.size() / 2 : 0));
  }
}

TEST(ChatServer, AStallHoldsUpNobodyElse) {
  const ChatServer server([](const ChatRequest& request) {
    return ChatReply{.body = kBody,
                     .fault = request.number == 0 ? ChatFault::stall : ChatFault::none};
  });
  Client stalled(server), other(server);
  EXPECT_EQ(stalled.post("a", milliseconds(50)).code, CURLE_OPERATION_TIMEDOUT);
  EXPECT_EQ(other.post("b").body, kBody);
  EXPECT_EQ(server.most_in_flight(), 1);  // who has gone waits no more
}

TEST(ChatServer, RepliesWaitTheirTimeTogether) {
  constexpr int kClients = 16;
  std::atomic<int> come = 0;
  ChatServer server([&](const ChatRequest&) {
    ++come;
    return ChatReply{.body = kBody, .delay = milliseconds(300)};
  });
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::thread> clients;
  for (int i = 0; i < kClients; ++i) {
    clients.emplace_back([&] { EXPECT_EQ(Client(server).post("a").body, kBody); });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_GE(std::chrono::steady_clock::now() - start, milliseconds(300));
  EXPECT_EQ(server.requests(), kClients);
  EXPECT_LE(server.most_in_flight(), kClients);
  EXPECT_GT(server.most_in_flight(), 1);
}

TEST(ChatCompletion, IsJsonAsEndpointsWriteIt) {
  const Json reply = Json::parse(chat_completion("Agree", "length", 7, 3), "");
  const Json& choice = reply.require_array("choices", "")[0];
  EXPECT_EQ(choice.find("message")->require_string("content", ""), "Agree");
  EXPECT_EQ(choice.require_string("finish_reason", ""), "length");
  EXPECT_EQ(reply.find("usage")->require_integer("prompt_tokens", ""), 7);
  EXPECT_EQ(reply.find("usage")->require_integer("completion_tokens", ""), 3);
  const Json filtered = Json::parse(chat_completion(Json(), "content_filter"), "");
  EXPECT_TRUE(filtered.find("choices")->array()[0].find("message")->find("content")->is_null());
  const Json error = Json::parse(chat_error("rate_limit", "too many"), "");
  EXPECT_EQ(error.find("error")->require_string("message", ""), "too many");
}

}  // namespace rubric::chat_server_test
