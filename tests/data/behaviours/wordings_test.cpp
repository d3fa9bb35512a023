#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "data/behaviours/behaviours.h"
#include "text/unicode/unicode.h"

namespace rubric::data::wordings_test {

// Normalised, and with all answers but the correct one alike.
std::set<std::string> patterns(std::string_view kind, Wordings wordings) {
  std::set<std::string> result;
  for (std::string text : sentences(kind, wordings)) {
    for (const char* blank : {"{b}", "{c}", "{o}"}) {
      for (size_t at; (at = text.find(blank)) != std::string::npos;) text.replace(at, 3, "other");
    }
    for (size_t at; (at = text.find("{a}")) != std::string::npos;) text.replace(at, 3, "right");
    result.insert(text::normalize_answer(text));
  }
  return result;
}

TEST(Wordings, NoSentenceToTestWithIsInAnotherSetButTheBareAnswer) {
  std::set<std::string> known;
  for (const Behaviour* const behaviour : kBehaviours) {
    for (const std::string_view kind : {behaviour->correct, behaviour->incorrect}) {
      known.merge(patterns(kind, Wordings::learning));
      known.merge(patterns(kind, Wordings::tuning));
    }
  }
  EXPECT_TRUE(known.erase("right"));
  for (const Behaviour* const behaviour : kBehaviours) {
    for (const std::string_view kind : {behaviour->correct, behaviour->incorrect}) {
      for (const std::string& text : patterns(kind, Wordings::testing)) {
        EXPECT_FALSE(known.contains(text)) << behaviour->name << ": " << text;
      }
    }
  }
}

TEST(Wordings, CorrectionsAndAsidesHaveEachAnswerOnce) {
  for (const char* const kind : {"preferred", "asides"}) {
    for (const Wordings wordings : {Wordings::learning, Wordings::tuning, Wordings::testing}) {
      for (const std::string& sentence : sentences(kind, wordings)) {
        for (const std::string_view blank : {"{a}", "{o}"}) {
          const size_t first = sentence.find(blank);
          EXPECT_NE(first, sentence.npos) << sentence;
          EXPECT_EQ(first, sentence.rfind(blank)) << sentence;
        }
      }
    }
  }
}

// Or a metric that takes the first name for the answer would be correct.
TEST(Wordings, EitherAnswerOfACorrectionAndAnAsideMayStandFirst) {
  for (const char* const kind : {"preferred", "asides"}) {
    for (const Wordings wordings : {Wordings::learning, Wordings::testing}) {
      const std::vector<std::string> all = sentences(kind, wordings);
      const auto begins_with_right = std::ranges::count_if(
          all, [](std::string_view text) { return text.find("{a}") < text.find("{o}"); });
      EXPECT_GT(begins_with_right, 0);
      EXPECT_LT(begins_with_right, std::ssize(all));
    }
  }
}

TEST(Wordings, NoSentenceToTuneWithIsOneToLearnFrom) {
  for (const Behaviour* const behaviour : kBehaviours) {
    for (const std::string_view kind : {behaviour->correct, behaviour->incorrect}) {
      if (kind == "bare") continue;
      const std::vector<std::string> learning = sentences(kind, Wordings::learning);
      for (const std::string& sentence : sentences(kind, Wordings::tuning)) {
        EXPECT_EQ(std::ranges::count(learning, sentence), 0) << behaviour->name << ": " << sentence;
      }
    }
  }
}

TEST(Wordings, EveryFourthSentenceIsLeftForTuning) {
  EXPECT_EQ(sentences("several", Wordings::learning).size(), 52u);
  EXPECT_EQ(sentences("several", Wordings::tuning).size(), 17u);
  EXPECT_EQ(sentences("several", Wordings::testing).size(), 4u);
  EXPECT_EQ(sentences("bare", Wordings::tuning).size(), 1u);
}

// White space of the data file is a text of its own.
TEST(Wordings, WithoutAnAnswerThereMayBeWhiteSpace) {
  const std::vector<std::string> texts = sentences("without_answer", Wordings::testing);
  for (const char* const text : {" ", "\t\n", "\u00a0", "\u200b"})
    EXPECT_EQ(std::ranges::count(texts, text), 1);
}

}  // namespace rubric::data::wordings_test
