#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/text/ascii.h"
#include "judge/request.h"
#include "judge/verdicts/verdicts.h"

namespace rubric::judge::default_prompt_test {

// The lines of a text that begin with a number.
std::vector<std::string> numbered_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty() && line[0] >= '0' && line[0] <= '9') lines.push_back(line);
  }
  return lines;
}

// A judge may repeat each before its verdict: they hold neither of the words that are counted.
TEST(DefaultPrompt, HasFourCriteriaThatMayBeRepeated) {
  const std::string prompt = read_judge_prompt(default_judge_prompt());
  const std::vector<std::string> criteria = numbered_lines(prompt);
  ASSERT_EQ(criteria.size(), kAspects.size());
  std::string reply;
  for (const std::string& criterion : criteria) {
    EXPECT_EQ(ascii_lower(criterion).find("agree"), std::string::npos) << criterion;
    reply += criterion + "\n" + (criterion[0] == '1' ? "Agree" : "Disagree") + "\n\n";
  }
  EXPECT_EQ(published_verdicts(reply), (Verdicts{true, false, false, false})) << reply;
  EXPECT_EQ(strict_verdicts(reply), (Verdicts{true, false, false, false})) << reply;
  for (const char* word : {"\"1. Agree\"", "\"1. Disagree\"", "exactly four lines"}) {
    EXPECT_NE(prompt.find(word), std::string::npos) << word;
  }
}

TEST(DefaultPrompt, OfPreferencesNamesTheThreeReplies) {
  const std::string prompt = read_judge_prompt(default_preference_prompt());
  EXPECT_NE(prompt.find("A, B, or Tie"), std::string::npos);
  EXPECT_TRUE(numbered_lines(prompt).empty());
}

}  // namespace rubric::judge::default_prompt_test
