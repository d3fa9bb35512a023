// Verdicts in replies, as the authors' code reads them and by aspect.
#include "judge/verdicts/verdicts.h"

#include <string>

#include <gtest/gtest.h>

#include "cases.h"

namespace rubric::judge::verdicts_test {

const std::optional<Verdicts> kNone;
const std::optional<Verdicts> kFirst = Verdicts{true, false, false, false};

// "ADAD": agrees, disagrees, agrees, disagrees; "" for none.
std::string letters(const std::optional<Verdicts>& verdicts) {
  std::string letters;
  if (!verdicts) return letters;
  for (const bool agrees : *verdicts) letters += agrees ? 'A' : 'D';
  return letters;
}

TEST(Verdicts, OfAReplyAsEachParserReadsIt) {
  const auto expect_read = [](const std::string& table, auto parser) {
    for (const auto& [reply, read] :
         cases<std::string, std::string>("judge/verdicts/replies.json", table)) {
      EXPECT_EQ(letters(parser(reply)), read) << table << ": " << reply;
    }
  };
  expect_read("verdicts of both", published_verdicts);
  expect_read("verdicts of both", strict_verdicts);
  expect_read("published verdicts", published_verdicts);
  expect_read("strict verdicts", strict_verdicts);
}

TEST(PublishedVerdicts, AreNoneWhereTheyAreNamedInAnotherOrder) {
  const std::string names[] = {"correct", "helpful", "irrelevant", "extraneous"};
  const auto reply = [&](const std::string& order, const char* between, const char* after) {
    std::string text;
    for (const char digit : order) {
      const auto aspect = static_cast<size_t>(digit - '1');
      text += names[aspect] + between + (aspect < 2 ? "Agree" : "Disagree") + after;
    }
    return text;
  };
  for (const auto& [between, after] : std::vector<std::pair<const char*, const char*>>{
           {": ", "\n"}, {"='", "', "}, {" | ", " |\n"}, {">", "</x>"}, {"\\\": \\\"", "\\\", "}}) {
    EXPECT_EQ(published_verdicts(reply("1234", between, after)),
              (Verdicts{true, true, false, false}));
    EXPECT_EQ(published_verdicts(reply("4321", between, after)), std::nullopt);
    EXPECT_EQ(published_verdicts(reply("1243", between, after)), std::nullopt);
  }
  EXPECT_EQ(published_verdicts("4. Disagree\n3. Disagree\n2. Agree\n1. Agree"), std::nullopt);
  EXPECT_EQ(published_verdicts("<extraneous>Disagree</extraneous><irrelevant>Disagree</irrelevant>"
                               "<helpful>Disagree</helpful><correct>Agree</correct>"),
            std::nullopt);
  EXPECT_EQ(
      published_verdicts("<correct>Agree</correct><helpful>Disagree</helpful>"
                         "<irrelevant>Disagree</irrelevant><extraneous>Disagree</extraneous>"),
      kFirst);
}

TEST(StrictVerdicts, OfASentence) {
  for (const auto& [says, read] :
       cases<std::string, std::string>("judge/verdicts/replies.json", "first strict verdict")) {
    const auto verdicts = strict_verdicts("1. " + says + "\n2. Disagree\n3. Disagree\n4. Disagree");
    EXPECT_EQ(verdicts ? ((*verdicts)[0] ? "agrees" : "disagrees") : "none", read) << says;
  }
}

TEST(StrictVerdicts, AreNoneUnlessTheHeadingsAreOneToFour) {
  const std::string four = "1. Agree\n2. Disagree\n3. Disagree\n4. Disagree\n";
  EXPECT_EQ(strict_verdicts(four), kFirst);
  EXPECT_EQ(strict_verdicts(four + "5. Agree\n"), kNone);
  EXPECT_EQ(strict_verdicts(four + four), kNone);
}

// A megabyte of what could be looked through again and again.
TEST(StrictVerdicts, ReadLongReplies) {
  const std::string end = "\n1. Agree\n2. Disagree\n3. Disagree\n4. Disagree";
  constexpr size_t kLong = 1 << 20;
  std::string agreeing;
  while (agreeing.size() < kLong) agreeing += "we agree ";
  EXPECT_EQ(strict_verdicts(std::string(kLong, ' ') + end), kFirst);
  EXPECT_EQ(strict_verdicts(std::string(kLong, '*') + end), kFirst);
  EXPECT_EQ(strict_verdicts(std::string(kLong, '1') + end), kFirst);
  EXPECT_EQ(strict_verdicts(agreeing + end), kFirst);
  EXPECT_EQ(strict_verdicts(agreeing + end + std::string(kLong, ' ') + agreeing), kFirst);
}

}  // namespace rubric::judge::verdicts_test
