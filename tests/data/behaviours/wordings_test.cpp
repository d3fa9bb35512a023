#include "data/behaviours/wordings.h"

#include <set>
#include <string>

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
  for (const Behaviour* const behaviour : kBehaviours) {
    for (const WordingSets& sets : {behaviour->right, behaviour->wrong}) {
      const auto learning = patterns(sets, Wordings::learning),
                 tuning = patterns(sets, Wordings::tuning),
                 testing = patterns(sets, Wordings::testing);
      ASSERT_FALSE(learning.empty() || tuning.empty() || testing.empty()) << behaviour->name;
      for (const std::string& text : testing) {
        EXPECT_TRUE(text == "right" || !(learning.contains(text) || tuning.contains(text)))
            << behaviour->name << ": " << text;
      }
    }
  }
}

TEST(Wordings, DenialsStandBesideTheSentencesThatTheyDeny) {
  for (const Wordings wordings : {Wordings::learning, Wordings::tuning, Wordings::testing}) {
    EXPECT_EQ(kAffirmed.of(wordings).size(), kNegated.of(wordings).size());
  }
}

}  // namespace
}  // namespace rubric::data
