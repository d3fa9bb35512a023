// Replies that no judge would send: both parsers read any bytes, and long ones.
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cases.h"
#include "judge/verdicts/verdicts.h"

namespace rubric::judge::verdicts_fuzz_test {

constexpr int kReplies = 3000;

// What the parsers look for, so that a random row of them gets somewhere.
const std::vector<std::string> kParts = {
    "Agree", "Disagree", "agree", "DISAGREE", "1",   "2",    "3",  "4",
    "5",     "0",        ".",     ":",        ")",   "|",    "#",  "*",
    "__",    "\n",       "\r\n",  " ",        " ",   "/",    "or", "not",
    "fully", "n’t",      "q",     "Quest",    "ion", "\xff", "é",  std::string(1, '\0')};

size_t count(const std::string& text, const std::string& word) {
  size_t found = 0;
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++found;
  return found;
}

void expect_sound(const std::string& reply) {
  EXPECT_EQ(published_verdicts(reply).has_value(),
            count(reply, "Agree") + count(reply, "Disagree") == kAspects.size())
      << reply;
  EXPECT_EQ(strict_verdicts(reply), strict_verdicts("\n" + reply + "\n")) << reply;
}

TEST(VerdictsOfAnything, RandomBytes) {
  std::mt19937 random(1);
  for (int i = 0; i < kReplies; ++i) {
    std::string reply(random() % 200, '\0');
    for (char& c : reply) c = static_cast<char>(random());
    expect_sound(reply);
  }
}

TEST(VerdictsOfAnything, RandomWords) {
  std::mt19937 random(2);
  int read = 0;
  for (int i = 0; i < kReplies; ++i) {
    std::string reply;
    for (auto left = random() % 60; left > 0; --left) reply += kParts[random() % kParts.size()];
    expect_sound(reply);
    read += published_verdicts(reply) ? 1 : 0;
  }
  EXPECT_GT(read, 0);
}

// Between the four headings, where everything is looked at.
TEST(VerdictsOfAnything, RandomWordsBelowHeadings) {
  std::mt19937 random(3);
  int read = 0;
  for (int i = 0; i < kReplies; ++i) {
    std::string reply;
    for (const char* heading : {"1. ", "\n2) ", "\n**Q3:** ", "\n| 4 | "}) {
      reply += heading;
      for (auto left = random() % 6; left > 0; --left) reply += kParts[random() % kParts.size()];
    }
    expect_sound(reply);
    read += strict_verdicts(reply) ? 1 : 0;
  }
  EXPECT_GT(read, 0);
}

std::string repeated(const std::string& part, size_t size) {
  std::string text;
  while (text.size() < size) text += part;
  return text;
}

// A parser that looks back at every character would take hours.
TEST(VerdictsOfAnything, LongRepliesAreRead) {
  std::vector<std::string> parts = {"\xff"};
  for (const auto& [part] : cases<std::string>("judge/verdicts/replies.json", "repeated parts")) {
    parts.push_back(part);
  }
  for (const std::string& part : parts) {
    const std::string text = repeated(part, 1 << 17);
    expect_sound(text + "\n1. " + text + "agree\n2. " + text + "\n3. Agree\n4. Agree" + text);
  }
}

}  // namespace rubric::judge::verdicts_fuzz_test
