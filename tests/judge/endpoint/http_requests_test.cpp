// Requests to a server that misbehaves.
#include "judge/endpoint/http_requests.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "chat_server.h"
#include "messages.h"

namespace rubric::judge::http_requests_test {

using std::chrono::milliseconds;
using std::chrono::seconds;

// All responses to as many requests, by request.
std::vector<HttpResponse> ask(HttpRequests& http, size_t requests) {
  std::vector<HttpResponse> responses;
  size_t sent = 0;
  while (responses.size() < requests) {
    for (; sent < requests && http.in_flight() < 4; ++sent) {
      http.post(sent, "body " + std::to_string(sent));
    }
    for (HttpResponse& response : http.wait(milliseconds(100))) {
      responses.push_back(std::move(response));
    }
  }
  std::ranges::sort(responses, {}, &HttpResponse::request);
  return responses;
}

HttpResponse ask_once(const ChatReply& reply, seconds timeout = seconds(10)) {
  ChatServer server([&](const ChatRequest&) { return reply; });
  HttpRequests http(server.url(), {}, timeout, 4);
  return ask(http, 1).front();
}

ChatReply with_fault(ChatFault fault) {
  ChatReply reply;
  reply.body = chat_completion("1. Agree");
  reply.fault = fault;
  return reply;
}

TEST(HttpRequestsTest, EachResponseIsOfItsRequest) {
  ChatServer server([](const ChatRequest& request) {
    ChatReply reply;
    reply.body = request.body + " " + request.headers.at("x-key");
    reply.delay = milliseconds(request.number % 3 * 5);
    return reply;
  });
  HttpRequests http(server.url(), {"X-Key: k"}, seconds(10), 4);
  const auto responses = ask(http, 100);
  for (size_t i = 0; i < responses.size(); ++i) {
    EXPECT_EQ(responses[i].request, i);
    EXPECT_EQ(responses[i].status, 200);
    EXPECT_EQ(responses[i].body, "body " + std::to_string(i) + " k");
  }
  EXPECT_EQ(server.most_in_flight(), 4);
  EXPECT_EQ(http.in_flight(), 0);
}

TEST(HttpRequestsTest, WhatIsCutOffIsNoResponse) {
  for (const ChatFault fault :
       {ChatFault::reset, ChatFault::close, ChatFault::truncate, ChatFault::chunked_cut}) {
    const HttpResponse response = ask_once(with_fault(fault));
    EXPECT_EQ(response.status, 0) << static_cast<int>(fault);
    EXPECT_NE(response.error, "");
    EXPECT_FALSE(response.is_unreachable);
  }
  for (const ChatFault fault : {ChatFault::half_close, ChatFault::stall}) {
    const HttpResponse response = ask_once(with_fault(fault), seconds(1));
    EXPECT_EQ(response.status, 0) << static_cast<int>(fault);
  }
  for (const ChatFault fault : {ChatFault::none, ChatFault::chunked, ChatFault::trickle}) {
    const HttpResponse response = ask_once(with_fault(fault));
    EXPECT_EQ(response.status, 200) << static_cast<int>(fault);
    EXPECT_EQ(response.body, chat_completion("1. Agree"));
  }
}

// A handle whose request failed serves the next one.
TEST(HttpRequestsTest, GoesOnBehindFailures) {
  ChatServer server([](const ChatRequest& request) {
    return with_fault(request.number % 3 == 0 ? ChatFault::reset : ChatFault::none);
  });
  HttpRequests http(server.url(), {}, seconds(10), 4);
  const auto responses = ask(http, 60);
  EXPECT_EQ(std::ranges::count(responses, 200, &HttpResponse::status), 40);
}

// libcurl sends a request again when an open connection turns out to be closed; it must not here.
TEST(HttpRequestsTest, SendsNoRequestTwice) {
  ChatServer server([](const ChatRequest& request) {
    return with_fault(request.number % 3 == 0 ? ChatFault::close : ChatFault::none);
  });
  HttpRequests http(server.url(), {}, seconds(10), 4);
  const auto responses = ask(http, 60);
  EXPECT_EQ(server.requests(), 60);
  EXPECT_EQ(std::ranges::count(responses, 200, &HttpResponse::status), 40);
}

TEST(HttpRequestsTest, TooLongAResponseIsNone) {
  ChatReply reply;
  reply.body.assign((size_t{4} << 20) + 1, 'x');
  EXPECT_EQ(ask_once(reply).error, "a response of more than 4 MiB");
  reply.body.pop_back();
  EXPECT_EQ(ask_once(reply).body.size(), size_t{4} << 20);
}

TEST(HttpRequestsTest, RetryAfterIsInSecondsMillisecondsOrADate) {
  const auto retry_after = [](const HttpHeaders& headers) {
    ChatReply reply;
    reply.status = 429;
    reply.headers = headers;
    return ask_once(reply).retry_after;
  };
  EXPECT_EQ(retry_after({}), std::nullopt);
  EXPECT_EQ(retry_after({{"Retry-After", "7"}}), seconds(7));
  EXPECT_EQ(retry_after({{"Retry-After", "7"}, {"retry-after-ms", "250"}}), milliseconds(250));
  EXPECT_EQ(retry_after({{"Retry-After", "9223372036854775807"}}), std::chrono::hours(24));
  EXPECT_EQ(retry_after({{"retry-after-ms", "9223372036854775807"}}), std::chrono::hours(24));
  EXPECT_EQ(retry_after({{"Retry-After", "0"}}), std::nullopt);
  EXPECT_EQ(retry_after({{"Retry-After", "soon"}}), std::nullopt);
  EXPECT_EQ(retry_after({{"Retry-After", "-7"}}), std::nullopt);
  const auto date = retry_after({{"Retry-After", "Fri, 31 Dec 2060 23:59:59 GMT"}});
  EXPECT_EQ(date, std::chrono::hours(24));
}

TEST(HttpRequestsTest, TellsWhatIsNotThere) {
  const auto ask_url = [](const std::string& url) {
    HttpRequests http(url, {}, seconds(10), 1);
    return ask(http, 1).front();
  };
  for (const char* url : {"http://127.0.0.1:1/v1", "http://host.invalid/v1"}) {
    const HttpResponse response = ask_url(url);
    EXPECT_EQ(response.status, 0);
    EXPECT_TRUE(response.is_unreachable) << url << ": " << response.error;
  }
}

// A redirection is a response like any other: a key must not follow it.
TEST(HttpRequestsTest, FollowsNoRedirection) {
  ChatReply reply;
  reply.status = 307;
  reply.headers = {{"Location", "http://127.0.0.1:1/"}};
  const HttpResponse response = ask_once(reply);
  EXPECT_EQ(response.status, 307);
  EXPECT_EQ(response.location, "http://127.0.0.1:1/");
}

}  // namespace rubric::judge::http_requests_test
