// Which of two answers a reply prefers, and what is asked.
#include <gtest/gtest.h>

#include "cases.h"
#include "judge/verdicts/verdicts.h"

namespace rubric::judge::preference_test {

TEST(ReadPreference, OfAReply) {
  for (const auto& [reply, name] :
       cases<std::string, std::string>("judge/verdicts/replies.json", "preference")) {
    const std::optional<Preference> read = read_preference(reply);
    EXPECT_EQ(read ? preference_name(*read) : "", name) << reply;
  }
}

// In one pass, also where there is nothing but what may stand around a preference.
TEST(ReadPreference, OfAMegabyte) {
  constexpr size_t kMegabyte = 1 << 20;
  const std::string words(kMegabyte, 'A'), stars(kMegabyte, '*');
  EXPECT_EQ(read_preference(words), std::nullopt);
  EXPECT_EQ(read_preference(stars), std::nullopt);
  EXPECT_EQ(read_preference(std::string(kMegabyte, '\n')), std::nullopt);
  EXPECT_EQ(read_preference(words + "\nB"), Preference::b);
  EXPECT_EQ(read_preference(stars + "B" + stars), Preference::b);
  EXPECT_EQ(read_preference("Tie" + std::string(kMegabyte, '\n')), Preference::tie);
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

}  // namespace rubric::judge::preference_test
