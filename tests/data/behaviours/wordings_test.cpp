#include "data/behaviours/wordings.h"

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "text/unicode/unicode.h"

namespace rubric::data {
namespace {

// Normalised, and with all answers but the right one alike.
std::set<std::string> patterns(const WordingSets& sets, Wordings wordings) {
  std::set<std::string> result;
  for (const std::string_view sentence : sets.of(wordings)) {
    std::string text(sentence);
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
    for (const WordingSets& sets : {behaviour->right, behaviour->wrong}) {
      known.merge(patterns(sets, Wordings::learning));
      known.merge(patterns(sets, Wordings::tuning));
    }
  }
  EXPECT_TRUE(known.erase("right"));
  for (const Behaviour* const behaviour : kBehaviours) {
    for (const WordingSets& sets : {behaviour->right, behaviour->wrong}) {
      for (const std::string& text : patterns(sets, Wordings::testing)) {
        EXPECT_FALSE(known.contains(text)) << behaviour->name << ": " << text;
      }
    }
  }
}

TEST(Wordings, CorrectionsAndAsidesHaveEachAnswerOnce) {
  for (const WordingSets& sets : {kPreferred, kAsides}) {
    for (const std::span sentences : {sets.learning, sets.testing}) {
      for (const std::string_view sentence : sentences) {
        for (const std::string_view blank : {"{a}", "{o}"}) {
          const size_t first = sentence.find(blank);
          EXPECT_NE(first, sentence.npos) << sentence;
          EXPECT_EQ(first, sentence.rfind(blank)) << sentence;
        }
      }
    }
  }
}

// Or a metric that takes the first name for the answer would be right.
TEST(Wordings, EitherAnswerOfACorrectionAndAnAsideMayStandFirst) {
  for (const WordingSets& sets : {kPreferred, kAsides}) {
    for (const Wordings wordings : {Wordings::learning, Wordings::testing}) {
      const std::vector<std::string_view> sentences = sets.of(wordings);
      const auto begins_with_right = std::ranges::count_if(
          sentences, [](std::string_view text) { return text.find("{a}") < text.find("{o}"); });
      EXPECT_GT(begins_with_right, 0);
      EXPECT_LT(begins_with_right, std::ssize(sentences));
    }
  }
}

TEST(Wordings, NoSentenceToTuneWithIsOneToLearnFrom) {
  for (const Behaviour* const behaviour : kBehaviours) {
    for (const WordingSets& sets : {behaviour->right, behaviour->wrong}) {
      if (sets.learning.size() == 1) continue;  // the bare answer
      const std::vector<std::string_view> learning = sets.of(Wordings::learning),
                                          tuning = sets.of(Wordings::tuning);
      EXPECT_EQ(learning.size() + tuning.size(), sets.learning.size()) << behaviour->name;
      for (const std::string_view sentence : tuning) {
        EXPECT_EQ(std::ranges::count(learning, sentence), 0) << behaviour->name << ": " << sentence;
      }
    }
  }
}

TEST(Wordings, EveryFourthSentenceIsLeftForTuning) {
  EXPECT_EQ(kSeveralAnswers.of(Wordings::tuning).size(), std::size(kSeveralLearning) / 4);
  EXPECT_EQ(kSeveralAnswers.of(Wordings::learning).size(),
            std::size(kSeveralLearning) - std::size(kSeveralLearning) / 4);
  EXPECT_EQ(kBare.of(Wordings::tuning).size(), 1u);
}

}  // namespace
}  // namespace rubric::data
