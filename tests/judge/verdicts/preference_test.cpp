// Which of two answers a reply prefers, and what is asked.
#include <gtest/gtest.h>

#include "judge/verdicts/verdicts.h"

namespace rubric::judge {
namespace {

const std::optional<Preference> kA = Preference::a, kB = Preference::b, kTie = Preference::tie;

TEST(ReadPreference, OfTheWholeReply) {
  for (const char* reply : {"A", " A\n", "A.", "**A**", "[[A]]", "\"A\"", "(A)", "`A`", "### A\r\n",
                            "Answer A", "**Answer A**", "answer A."}) {
    EXPECT_EQ(read_preference(reply), kA) << reply;
  }
  for (const char* reply : {"B", "**B**", "[[B]]", "**[B]**."}) {
    EXPECT_EQ(read_preference(reply), kB) << reply;
  }
  for (const char* reply : {"Tie", "Tie.", "tie", "TIE", "**Tie**\n"}) {
    EXPECT_EQ(read_preference(reply), kTie) << reply;
  }
}

TEST(ReadPreference, OfTheLastLineOrBehindTheLastColon) {
  EXPECT_EQ(read_preference("I prefer A\nA"), kA);
  EXPECT_EQ(read_preference("A is short.\nB is right.\n\n**B**\n\n"), kB);
  EXPECT_EQ(read_preference("Both say the same.\r\nTie\r\n"), kTie);
  EXPECT_EQ(read_preference("Answer: A"), kA);
  EXPECT_EQ(read_preference("A or B: **B**."), kB);
  EXPECT_EQ(read_preference("B is long, so the better answer is: Answer A"), kA);
  EXPECT_EQ(read_preference("**Final verdict:** Tie"), kTie);
  EXPECT_EQ(read_preference("First:\nA is right.\nVerdict: [[A]]"), kA);
  EXPECT_EQ(read_preference("Better: none of them\nTie"), kTie);
}

TEST(ReadPreference, NothingElseIsOne) {
  for (const char* reply : {"",
                            " \n",
                            "**",
                            "AB",
                            "A B",
                            "A/B",
                            "A and B",
                            "a",
                            "b",
                            "A tie",
                            "Both",
                            "Neither",
                            "I prefer A",
                            "A is better than B",
                            "A\nbecause it is short",
                            "Answer A is better",
                            "Answer A is short.\nAnswer B: A",
                            "I cannot decide. The vitamin is: A",
                            "Grade: A",
                            "Worse answer: A",
                            "Not the better answer: A",
                            "The passage says: \"A\"",
                            "I prefer A because of one thing: B",
                            "The better is A, as it is right. Compared with: B",
                            "A:",
                            "Tied",
                            "C",
                            "Agree",
                            "\xE0\xB8\x81"}) {
    EXPECT_EQ(read_preference(reply), std::nullopt) << reply;
  }
}

// In one pass, also where there is nothing but what may stand around a preference.
TEST(ReadPreference, OfAMegabyte) {
  constexpr size_t kMegabyte = 1 << 20;
  const std::string words(kMegabyte, 'A'), stars(kMegabyte, '*');
  EXPECT_EQ(read_preference(words), std::nullopt);
  EXPECT_EQ(read_preference(stars), std::nullopt);
  EXPECT_EQ(read_preference(std::string(kMegabyte, '\n')), std::nullopt);
  EXPECT_EQ(read_preference(words + "\nB"), kB);
  EXPECT_EQ(read_preference(stars + "B" + stars), kB);
  EXPECT_EQ(read_preference("Tie" + std::string(kMegabyte, '\n')), kTie);
}

TEST(PreferenceMessages, HaveTheAnswersInTheOrderGiven) {
  data::Answer asked;
  asked.passage = "They gave up 308 points.";
  asked.question = "How many?";
  asked.candidate = "in neither place";
  const std::vector<Message> messages =
      preference_messages("Choose!", asked, "308.", "It is \"308\".");
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0].role, "system");
  EXPECT_EQ(messages[0].content, "Choose!");
  EXPECT_EQ(messages[1].role, "user");
  EXPECT_EQ(messages[1].content,
            "Passage: They gave up 308 points.\nQuestion: How many?\n"
            "Answer A: \"308.\"\nAnswer B: \"It is \"308\".\"\n");
}

TEST(PreferenceName, IsWhatAReplySays) {
  for (const Preference preference : {Preference::a, Preference::b, Preference::tie}) {
    EXPECT_EQ(read_preference(preference_name(preference)), preference);
  }
  EXPECT_STREQ(preference_name(Preference::tie), "Tie");
}

}  // namespace
}  // namespace rubric::judge
