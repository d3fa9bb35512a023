// Verdicts in replies, as the authors' code reads them and by aspect.
#include "judge/verdicts/verdicts.h"

#include <string>

#include <gtest/gtest.h>

namespace rubric::judge {
namespace {

const std::optional<Verdicts> kNone;
const std::optional<Verdicts> kFirst = Verdicts{true, false, false, false};
const std::optional<Verdicts> kOdd = Verdicts{true, false, true, false};

// What both parsers read in a reply that is written as the prompt asks.
TEST(Verdicts, OfAPlainReply) {
  const std::string reply =
      "1. The answer is correct. Do you agree or disagree?\nAgree. It says 308.\n\n"
      "2. It adds relevant information. Do you agree or disagree?\nDisagree\n\n"
      "3. It adds irrelevant information. Do you agree or disagree?\nAgree\n\n"
      "4. It adds what is not in the passage. Do you agree or disagree?\nDisagree.";
  EXPECT_EQ(published_verdicts(reply), kOdd);
  EXPECT_EQ(strict_verdicts(reply), kOdd);
}

TEST(PublishedVerdicts, AreFourWordsWhereverTheyStand) {
  EXPECT_EQ(published_verdicts("Agree Disagree Agree Disagree"), kOdd);
  EXPECT_EQ(published_verdicts("AgreeDisagreeAgreementDisagreed"), kOdd);
  EXPECT_EQ(published_verdicts("agree disagree Agree Disagree DISAGREE Agree Disagree"), kOdd);
}

TEST(PublishedVerdicts, AreNoneUnlessThereAreFour) {
  EXPECT_EQ(published_verdicts(""), kNone);
  EXPECT_EQ(published_verdicts("Agree Agree Agree"), kNone);
  EXPECT_EQ(published_verdicts("Agree Agree Agree Agree Disagree"), kNone);
  EXPECT_EQ(published_verdicts("1. agree 2. disagree 3. agree 4. disagree"), kNone);
  EXPECT_EQ(published_verdicts("Agree Agree Agree Agre"), kNone);
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

TEST(StrictVerdicts, ReadMarkdown) {
  EXPECT_EQ(strict_verdicts("### Evaluation\n\n"
                            "1. **Correct concerning the reference.**\n   - **Agree**: it is.\n"
                            "2. **Relevant information.**\n   - **Disagree**: none.\n"
                            "3. **Irrelevant information.**\n   - *agree*\n"
                            "4. **Not in the passage.**\n   - __DISAGREE__\n"),
            kOdd);
  EXPECT_EQ(strict_verdicts("| # | verdict |\n|---|---|\n| 1 | Agree |\n| 2 | Disagree |\n"
                            "| 3 | Disagree |\n| 4 | Disagree |"),
            kFirst);
  EXPECT_EQ(strict_verdicts("**Q1:** Agree\r\n**Q2:** Disagree\r\nQuestion 3: Agree\r\n"
                            "Criterion 4) Disagree\r\n"),
            kOdd);
  EXPECT_EQ(strict_verdicts("## 1\nAgree\n## 2\nDisagree\n## 3\nAgree\n## 4\nDisagree"), kOdd);
  EXPECT_EQ(strict_verdicts("1). Correct. **Agree.** It is.\n2). Relevant. **Disagree.**\n"
                            "3). Irrelevant. **Disagree.**\n4). Foreign. **Disagree.** No."),
            kFirst);
}

TEST(StrictVerdicts, ReadAllOnOneLine) {
  EXPECT_EQ(strict_verdicts("1. Agree, 2. Disagree, 3. Agree, 4. Disagree"), kOdd);
  EXPECT_EQ(strict_verdicts("Sure! Q1: agree; Q2: disagree; Q3: agree; Q4: disagree"), kOdd);
}

TEST(StrictVerdicts, ReadProse) {
  EXPECT_EQ(strict_verdicts("1. It says 308, so I agree with the statement.\n"
                            "2. There is nothing more, hence I do not agree.\n"
                            "3. I can't agree.\n4. I’d disagree here."),
            kFirst);
}

// A criterion that is repeated before its verdict may end in a "not" of its own.
TEST(StrictVerdicts, ANotOfTheCriterionDeniesNothing) {
  EXPECT_EQ(strict_verdicts("| 1 | Correct or not | Agree |\n2. Relevant or not - Disagree\n"
                            "| 3 | Irrelevant or not | Disagree |\n4. I do **not** agree."),
            kFirst);
}

std::string first_of(const std::string& says) {
  const auto verdicts = strict_verdicts("1. " + says + "\n2. Disagree\n3. Disagree\n4. Disagree");
  return verdicts ? std::string((*verdicts)[0] ? "agrees" : "disagrees") : "none";
}

TEST(StrictVerdicts, ANegationMayHaveTwoAdverbs) {
  for (const char* says :
       {"I do not fully agree.", "I don't completely agree", "I don’t really quite agree",
        "I can't really agree", "I hardly agree", "Hardly agree.", "I cannot agree", "Not agree",
        "We do *not* **entirely** agree", "I do not at all agree", "I can scarcely agree",
        "I do not agree, I rather disagree", "It is not correct, hence I disagree",
        "I do not necessarily completely agree", "Here I\nnever fully agree"}) {
    EXPECT_EQ(first_of(says), "disagrees") << says;
  }
  for (const char* says :
       {"Correct or not. Agree", "It is not only correct: agree", "Correct or not\nAgree",
        "Not wrong, so I agree", "It is not wrong: really agree",
        "It is not merely right; I fully agree", "I do not fully disagree",
        "Nothing is wrong and I wholly agree", "I can knot fully agree",
        "It is not in the passage – I agree", "Not in the passage - I agree",
        "It is hard to tell. I agree", "It does not say 308.5, so I agree",
        "I am unable to find a fault. Agree", "It is hard\nI agree"}) {
    EXPECT_EQ(first_of(says), "agrees") << says;
  }
}

// Inside a sentence whose denial is not understood a word is no verdict, and one that opens a
// sentence still is.
TEST(StrictVerdicts, AnotherDenialLeavesNoVerdict) {
  for (const char* says :
       {"I am unable to agree", "I refuse to agree.", "I fail to agree", "It is hard to agree",
        "I don't think I agree", "I don’t think that I agree", "I would not say I agree",
        "In no way do I agree", "I cannot say whether I disagree", "I not only agree, it is 308",
        "It is not bad that I agree", "It does not say 308.5 and I agree",
        "I agree that it says so, but do not think I agree",
        "It is not clear, so I can't say I agree"}) {
    EXPECT_EQ(first_of(says), "none") << says;
  }
  EXPECT_EQ(first_of("Agree. I would not say I disagree."), "agrees");
  EXPECT_EQ(first_of("I would not say I agree.\nDisagree"), "disagrees");
}

// The paper's parser finds five words here, or four of which one belongs to no aspect.
TEST(StrictVerdicts, AVerdictThatOpensASentenceCountsBeforeWordsInside) {
  EXPECT_EQ(strict_verdicts("1. Agree. Those who Disagree overlook the number.\n2. Disagree\n"
                            "3. Disagree\n4. Disagree"),
            kFirst);
  EXPECT_EQ(strict_verdicts("I Agree to judge this.\n1. Agree\n2. Disagree\n3. Disagree\n"
                            "4. Disagree"),
            kFirst);
  EXPECT_EQ(strict_verdicts("1. Agree/Disagree: Agree\n2. Agree or disagree? Disagree\n"
                            "3. **Agree** or **Disagree**: Disagree\n4. Disagree"),
            kFirst);
}

TEST(StrictVerdicts, AreNoneWhereAnAspectSaysNeitherOrBoth) {
  EXPECT_EQ(strict_verdicts(""), kNone);
  EXPECT_EQ(strict_verdicts("Agree Disagree Disagree Disagree"), kNone);
  EXPECT_EQ(strict_verdicts("1. Agree\n2. Disagree\n3. Disagree\n"), kNone);
  EXPECT_EQ(strict_verdicts("1. Agree\n2. Disagree\n3. Disagree\n4. Unclear"), kNone);
  EXPECT_EQ(strict_verdicts("1. Agree\nDisagree\n2. Disagree\n3. Disagree\n4. Disagree"), kNone);
  EXPECT_EQ(strict_verdicts("1. I agree, and I disagree\n2. Disagree\n3. Disagree\n4. Disagree"),
            kNone);
}

TEST(StrictVerdicts, AreNoneUnlessTheHeadingsAreOneToFour) {
  const std::string four = "1. Agree\n2. Disagree\n3. Disagree\n4. Disagree\n";
  EXPECT_EQ(strict_verdicts(four), kFirst);
  EXPECT_EQ(strict_verdicts(four + "5. Agree\n"), kNone);
  EXPECT_EQ(strict_verdicts(four + four), kNone);
  EXPECT_EQ(strict_verdicts("2. Agree\n1. Disagree\n3. Disagree\n4. Disagree\n"), kNone);
}

TEST(StrictVerdicts, NumbersInsideLinesAreNoHeadings) {
  EXPECT_EQ(strict_verdicts("1. Agree. It has 2.5 million, as week 3. said.\n2. Disagree\n"
                            "3. Disagree\n2015. was the year.\n4. Disagree"),
            kFirst);
  EXPECT_EQ(strict_verdicts("1. Agree\n2. Disagree\n3. Disagree\n4. Disagree\n10. of these 11.\n"),
            kFirst);
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

}  // namespace
}  // namespace rubric::judge
