// Where a judge is asked, and with which key.
#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "judge/endpoint/completions.h"
#include "messages.h"

namespace rubric::judge::endpoint_test {

TEST(ChatCompletionsUrl, FollowsFromAnyFormOfTheEndpoint) {
  const std::string local = "http://localhost:8000/v1/chat/completions";
  for (const char* given :
       {"http://localhost:8000", "http://localhost:8000/", "http://localhost:8000/v1",
        "http://localhost:8000/v1/", "http://localhost:8000/v1/chat/completions"}) {
    EXPECT_EQ(chat_completions_url(given), local) << given;
  }
  EXPECT_EQ(chat_completions_url("https://h/openai/v1"), "https://h/openai/v1/chat/completions");
  const std::string azure =
      "https://h/openai/deployments/gpt/chat/completions?api-version=2024-06-01";
  EXPECT_EQ(chat_completions_url(azure), azure);
  EXPECT_EQ(chat_completions_url("https://h/openai/deployments/gpt?api-version=2024-06-01"), azure);
}

TEST(ChatCompletionsUrl, WhatIsNoneIsRefused) {
  for (const char* given : {"localhost", "localhost:8000/v1", "ftp://h/v1", "file:///etc/passwd",
                            "http://", "http://h/a b", "http://h\n/v1", "https://[::1/v1"}) {
    expect_contains(input_error([&] { chat_completions_url(given); }),
                    "not a URL of http or https");
  }
  for (const char* given : {"https://user:secret@h/v1", "https://user@h/v1"}) {
    const std::string refused = input_error([&] { chat_completions_url(given); });
    expect_contains(refused, "holds a user or a password");
    EXPECT_FALSE(holds(refused, "secret"));
  }
  for (const char* given : {"https://h/v1?key=k", "https://h/v1?api-version=1&key=k",
                            "https://h/v1?key=k&api-version=1"}) {
    expect_contains(input_error([&] { chat_completions_url(given); }), "has a query");
  }
}

TEST(RequestHeaders, HoldTheKeyAsTheServerReadsIt) {
  const std::string bearer = "Authorization: Bearer secret", azure = "api-key: secret";
  const auto count = [](const Endpoint& endpoint, const std::string& line) {
    return std::ranges::count(request_headers(endpoint), line);
  };
  const std::string url = "https://h/v1/chat/completions";
  EXPECT_EQ(count({url, "secret"}, bearer), 1);
  EXPECT_EQ(count({url, "secret"}, azure), 0);
  EXPECT_EQ(count({url + "?api-version=2024-06-01", "secret"}, bearer), 1);
  EXPECT_EQ(count({url + "?api-version=2024-06-01", "secret"}, azure), 1);
  EXPECT_EQ(request_headers({url + "?api-version=1", ""}), request_headers({url, ""}));
}

struct EndpointKey : testing::Test {
  void SetUp() override { setenv("OPENAI_API_KEY", "sk-standard", 1); }
  void TearDown() override {
    unsetenv("OPENAI_API_KEY");
    unsetenv("RUBRIC_TEST_KEY");
  }
};

TEST_F(EndpointKey, TheStandardOneIsSentOverHttpsAlone) {
  EXPECT_EQ(endpoint_key("https://h/v1", ""), "sk-standard");
  EXPECT_EQ(endpoint_key("http://h/v1", ""), "");
  EXPECT_EQ(endpoint_key("http://h/v1", "OPENAI_API_KEY"), "sk-standard");
  unsetenv("OPENAI_API_KEY");
  EXPECT_EQ(endpoint_key("https://h/v1", ""), "");
}

TEST_F(EndpointKey, ANamedOneMustBeSetToOneWord) {
  expect_contains(input_error([] { endpoint_key("https://h/v1", "RUBRIC_TEST_KEY"); }),
                  "RUBRIC_TEST_KEY");
  for (const char* bad : {"secret\n", "secret\r\nHost: x", "two secrets"}) {
    setenv("RUBRIC_TEST_KEY", bad, 1);
    const std::string refused =
        input_error([] { endpoint_key("https://h/v1", "RUBRIC_TEST_KEY"); });
    expect_contains(refused, "contains a space or a line end");
    EXPECT_FALSE(holds(refused, "secret"));
  }
}

}  // namespace rubric::judge::endpoint_test
