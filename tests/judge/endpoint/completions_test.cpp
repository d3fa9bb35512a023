// What responses of chat completions say, whatever bytes they are.
#include "judge/endpoint/completions.h"

#include <gtest/gtest.h>

#include "cases.h"
#include "chat_reply.h"
#include "judge/verdicts/reply.h"
#include "messages.h"

namespace rubric::judge::completions_test {

CompletionOutcome read(int status, const std::string& body) {
  HttpResponse response;
  response.status = status;
  response.body = body;
  return read_completion(response);
}

// The kind of failure; a reply is none.
std::string kind(int status, const std::string& body) {
  const CompletionOutcome outcome = read(status, body);
  if (outcome.reply) return "reply";
  switch (outcome.failure) {
    case CompletionFailure::transient:
      return "transient";
    case CompletionFailure::refused:
      return "refused";
    case CompletionFailure::denied:
      return "denied";
    case CompletionFailure::unreachable:
      return "unreachable";
    default:
      return "fatal";
  }
}

TEST(CompletionRequest, HasModelMessagesAndParameters) {
  EXPECT_EQ(completion_request("gpt", R"({"temperature": 0.2, "max_tokens": 16})",
                               {{"system", "Judge!"}, {"user", "\"308\"\n"}}),
            R"({"model": "gpt", "messages": [{"role": "system", "content": "Judge!"}, )"
            R"({"role": "user", "content": "\"308\"\n"}], "temperature": 0.2, "max_tokens": 16})");
}

TEST(ReadCompletion, GivesReplyReasonAndUsage) {
  const auto outcome = read(200, chat_completion("1. Agree \u0e04", "stop", 300, 40));
  ASSERT_TRUE(outcome.reply);
  EXPECT_EQ(outcome.reply->content, "1. Agree \u0e04");
  EXPECT_EQ(outcome.reply->finish_reason, "stop");
  EXPECT_EQ(outcome.reply->usage->prompt, 300);
  EXPECT_EQ(outcome.reply->usage->completion, 40);
}

TEST(ReadCompletion, WithoutATextIsAnEmptyReply) {
  for (const std::string& body :
       {chat_completion(Json(), "content_filter"), std::string(R"({"choices": []})"),
        std::string(R"({"choices": [{"message": {"content": []}}], "usage": null})"),
        std::string(R"({"choices": [{"message": {}}]})")}) {
    const auto outcome = read(200, body);
    ASSERT_TRUE(outcome.reply) << body;
    EXPECT_EQ(outcome.reply->content, "");
  }
  EXPECT_EQ(read(200, chat_completion(Json(), "content_filter")).reply->finish_reason,
            "content_filter");
  // OpenAI's refusal is a member of the message, or a part of its content.
  for (const char* const message :
       {R"({"content": null, "refusal": "I can't."})",
        R"({"content": [{"type": "refusal", "refusal": "I can't."}]})"}) {
    const auto refused =
        read(200, std::string(R"({"choices": [{"finish_reason": "stop", "message": )") + message +
                      "}]}");
    ASSERT_TRUE(refused.reply);
    EXPECT_EQ(refused.reply->content, "I can't.");
    EXPECT_EQ(refused.reply->finish_reason, "refusal");
  }
  EXPECT_EQ(read(200, R"({"choices": [{"message": {"content": "a", "refusal": null}}]})")
                .reply->finish_reason,
            "");
  for (const std::string reason : {"content_filter", "SAFETY", "refusal"}) {
    const auto refused =
        read(200, R"({"choices": [{"message": null, "finish_reason": ")" + reason +
                      R"("}], "usage": {"prompt_tokens": 9, )" + R"("completion_tokens": 0}})");
    ASSERT_TRUE(refused.reply) << reason;
    EXPECT_EQ(refused.reply->content, "");
    EXPECT_EQ(refused.reply->finish_reason, reason);
    ASSERT_TRUE(refused.reply->usage);
    EXPECT_EQ(refused.reply->usage->prompt, 9);
  }
  // A model that only thought: no parser reads a verdict in its thinking.
  for (const char* const name : {"reasoning_content", "reasoning"}) {
    const auto thought = read(200, std::string(R"({"choices": [{"message": {"content": "", ")") +
                                       name + R"(": "Agree Agree Agree Agree"}}]})");
    EXPECT_EQ(thought.reply->content, "<think>Agree Agree Agree Agree");
    EXPECT_TRUE(ends_in_thinking(thought.reply->content));
  }
  // Azure refuses with a status instead.
  const auto azure = read(400, chat_error("content_filter", "The prompt was filtered"));
  ASSERT_TRUE(azure.reply);
  EXPECT_EQ(azure.reply->finish_reason, "content_filter");
}

TEST(ReadCompletion, TakesPartsAndAByteOrderMark) {
  EXPECT_EQ(read(200, R"({"choices": [{"message": {"content": [{"type": "text", "text": "a"}, 7, )"
                      R"({"text": "b"}]}}]})")
                .reply->content,
            "ab");
  EXPECT_EQ(read(200, R"({"choices": [{"message": {"content": [{"type": "thinking", "text": "a"}, )"
                      R"({"type": "output_text", "text": "b"}]}}]})")
                .reply->content,
            "b");
  EXPECT_EQ(
      read(200, R"({"choices": [{"message": {"content": [{"type": "reasoning_text", "text": "a"}, )"
                R"({"type": "text", "text": "b"}, {"type": "summary_text", "text": "c"}]}}]})")
          .reply->content,
      "b");
  EXPECT_EQ(read(200, "\xEF\xBB\xBF" + chat_completion("a")).reply->content, "a");
}

TEST(ReadCompletion, UsageThatIsNoneIsLeftOut) {
  for (const char* usage :
       {R"({"prompt_tokens": -1, "completion_tokens": 2})", R"({"prompt_tokens": 3})", "7", "null",
        R"({"prompt_tokens": "3", "completion_tokens": 2})",
        R"({"prompt_tokens": 1e9, "completion_tokens": 2})"}) {
    const auto outcome =
        read(200, std::string(R"({"choices": [{"message": {"content": "x"}}], "usage": )") + usage +
                      "}");
    ASSERT_TRUE(outcome.reply) << usage;
    EXPECT_FALSE(outcome.reply->usage) << usage;
  }
}

TEST(ReadCompletion, TellsTheKindOfFailure) {
  for (const auto& [status, body, expected] :
       cases<int, std::string, std::string>("judge/endpoint/completions.json", "kinds")) {
    EXPECT_EQ(kind(status, body), expected) << body;
  }
}

TEST(ReadCompletion, TellsWhatMayBeTriedAgain) {
  for (const int status : {408, 409, 425, 429, 500, 502, 503, 504, 529}) {
    EXPECT_EQ(kind(status, chat_error("busy", "later")), "transient") << status;
  }
  for (const int status : {400, 413, 422, 451}) EXPECT_EQ(kind(status, "{}"), "refused") << status;
  for (const int status : {201, 204, 301, 307, 403, 404, 405, 410, 415, 418, 431}) {
    EXPECT_EQ(kind(status, "{}"), "denied") << status;
  }
  for (const int status : {401, 402}) EXPECT_EQ(kind(status, "{}"), "fatal") << status;
  EXPECT_EQ(kind(429, chat_error("insufficient_quota", "pay")), "fatal");
  const std::string whole = chat_completion("1. Agree");
  EXPECT_EQ(kind(200, whole), "reply");
  for (size_t size = 1; size < whole.size(); ++size) {
    EXPECT_EQ(kind(200, whole.substr(0, size)), "transient") << size;
  }
  EXPECT_EQ(kind(200, std::string(100'000, '[')), "unreachable");
  EXPECT_EQ(kind(200, R"({"choices": )" + std::string(100'000, '[')), "transient");
  HttpResponse none;
  none.error = "Connection reset";
  EXPECT_EQ(read_completion(none).failure, CompletionFailure::transient);
  EXPECT_EQ(read_completion(none).message, "Connection reset");
  none.is_unreachable = true;
  EXPECT_EQ(read_completion(none).failure, CompletionFailure::unreachable);
}

TEST(ReadCompletion, AReportedErrorIsNoReply) {
  EXPECT_EQ(read(200, R"({"choices": [{"error": {"code": 502, "message": "no\nhost"}}]})").message,
            "the response reports an error: no host");
  EXPECT_EQ(read(200, R"({"error": {"code": 401}})").status, 401);
  EXPECT_EQ(read(200, R"({"choices": [{"error": {"code": 404}}]})").status, 404);
  EXPECT_EQ(read(200, R"({"error": {"message": "busy"}})").status, 200);
  EXPECT_EQ(read(403, "{}").status, 403);
  // A filter's refusal is a reply, whatever the status.
  for (const char* name : {"code", "type"}) {
    const auto filtered =
        read(200, std::string(R"({"error": {")") + name + R"(": "content_filter"}})");
    ASSERT_TRUE(filtered.reply);
    EXPECT_EQ(filtered.reply->finish_reason, "content_filter");
  }
}

TEST(ReadCompletion, QuotesTheServerInOneShortLine) {
  EXPECT_EQ(read(404, chat_error("model_not_found", "no model\nof that name")).message,
            "HTTP 404: no model of that name");
  EXPECT_EQ(read(404, R"({"detail": "Not Found"})").message, "HTTP 404: Not Found");
  EXPECT_EQ(read(502, "<html>\x1b[31mBad\xff gateway").message,
            "HTTP 502: <html> [31mBad\uFFFD gateway");
  EXPECT_LT(read(500, std::string(1 << 20, 'x')).message.size(), 400u);
}

}  // namespace rubric::judge::completions_test
