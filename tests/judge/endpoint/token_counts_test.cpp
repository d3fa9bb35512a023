// Estimates of tokens.
#include <gtest/gtest.h>

#include "judge/endpoint/completions.h"
#include "messages.h"

namespace rubric::judge::token_counts_test {

TEST(EstimatedTokens, FourAsciiCharactersOrOneOther) {
  EXPECT_EQ(estimated_tokens(""), 0);
  EXPECT_EQ(estimated_tokens("word"), 1);
  EXPECT_EQ(estimated_tokens("words"), 2);
  EXPECT_EQ(estimated_tokens("ไทย"), 3);
  EXPECT_EQ(estimated_tokens("word ไทย"), 5);
  EXPECT_EQ(estimated_tokens(std::vector<Message>{{"system", "word"}, {"user", "ไทย"}}), 12);
}

TEST(MostReplyTokens, AreWhatTheParametersSay) {
  EXPECT_EQ(most_reply_tokens(R"({"temperature": 0.2, "max_tokens": 16})"), 16);
  EXPECT_EQ(most_reply_tokens(R"({"max_completion_tokens": 2000})"), 2000);
  EXPECT_EQ(most_reply_tokens("{}"), 1024);
  for (const char* bad : {R"({"max_tokens": "16"})", R"({"max_tokens": 1.5})",
                          R"({"max_tokens": -1})", R"({"max_tokens": null})"}) {
    expect_contains(input_error([&] { most_reply_tokens(bad); }), "max_tokens");
  }
}

}  // namespace rubric::judge::token_counts_test
