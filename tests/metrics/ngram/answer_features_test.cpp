// Each feature's values, computed by hand from its definition.
#include "metrics/ngram/answer_features.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "cases.h"
#include "messages.h"

namespace rubric::metrics::answer_features_test {

constexpr const char* kCases = "metrics/ngram/answer_features.json";

std::map<std::string, double> features_of(const data::Answer& answer) {
  const std::vector<std::string> names = names_of(kAnswerFeatures);
  std::vector<float> values;
  append_features(answer, require_features(names, ""), values);
  EXPECT_EQ(values.size(), names.size());
  std::map<std::string, double> by_name;
  for (size_t i = 0; i < names.size(); ++i) by_name[names[i]] = values.at(i);
  return by_name;
}

data::Answer answer(const std::string& question, const std::vector<std::string>& references,
                    const std::string& candidate) {
  data::Answer answer;
  answer.question = question;
  answer.references = references;
  answer.candidate = candidate;
  return answer;
}

TEST(AnswerFeatures, AreThoseOfTheDefinitions) {
  // Candidate: 8 words after normalisation; nearest reference: "14 july 1789", of which 2 are
  // there.
  const auto values =
      features_of(answer("When did the Bastille fall, which day of July?", {"1790", "14 July 1789"},
                         "The Bastille did fall on July 14, not later."));
  EXPECT_NEAR(values.at("f1"), 2 * (2. / 8) * (2. / 3) / (2. / 8 + 2. / 3), 1e-6);
  EXPECT_NEAR(values.at("recall"), 2. / 3, 1e-6);
  EXPECT_EQ(values.at("contains"), 0);
  EXPECT_NEAR(values.at("new_words"), 1. / 2, 1e-6);  // 14 of {14, 1789}; july is in the question
  // " 14", "14 ", "4 j", " ju", "jul", "uly", "ly ", "y 1", " 17", "178", "789", "89 ": of these
  // " 14", "14 ", " ju", "jul", "uly", "ly ", "y 1" are in "bastille did fall on july 14 not
  // later".
  EXPECT_NEAR(values.at("characters"), 7. / 12, 1e-6);
  EXPECT_NEAR(values.at("missing_numbers"), 1. / 2, 1e-6);
  EXPECT_EQ(values.at("has_numbers"), 1);
  EXPECT_NEAR(values.at("question_words"), 4. / 8, 1e-6);  // bastille, did, fall, july
  EXPECT_NEAR(values.at("candidate_length"), std::log2(9.) / 9, 1e-6);
  EXPECT_NEAR(values.at("reference_length"), std::log2(4.) / 9, 1e-6);
  EXPECT_NEAR(values.at("references"), std::log2(3.) / 9, 1e-6);
}

TEST(AnswerFeatures, AContainedAliasIsSeen) {
  const auto values = features_of(
      answer("Who?", {"Robert Zimmerman", "Bob Dylan"}, "It was written by Bob Dylan in 1963."));
  EXPECT_EQ(values.at("contains"), 1);
  EXPECT_EQ(values.at("recall"), 1);
  EXPECT_EQ(values.at("characters"), 1);
  EXPECT_EQ(values.at("has_numbers"), 0);
  EXPECT_EQ(values.at("missing_numbers"), 0);
}

TEST(AnswerFeatures, StayBetweenBoundsWhereNothingIsLeft) {
  const std::string long_text = [] {
    std::string text;
    for (int i = 0; i < 600; ++i) text += "word ";
    return text;
  }();
  for (const data::Answer& hard :
       {answer("", {""}, ""), answer("", {"the", "!"}, "."), answer("a", {}, "x"),
        answer("", {"ab"}, "é"), answer(long_text, {long_text}, long_text)}) {
    for (const auto& [name, value] : features_of(hard)) {
      EXPECT_TRUE(value >= 0 && value <= 1) << name << " " << value;
    }
  }
  EXPECT_EQ(features_of(answer("", {""}, "abc")).at("recall"), 0);
}

TEST(AnswerFeatures, CountWordsAsTheMetricsOfTheirNamesDo) {
  struct Case {
    std::vector<std::string> references;
    std::string candidate;
    double f1, recall, contains;
  };
  for (const auto& [references, candidate, f1, recall, contains] :
       {Case{{"New York New York", "the"}, "it is New York", 4. / 8, 1. / 2, 0},
        Case{{""}, "", 1, 0, 0}, Case{{"Los Angeles", "L.A."}, "la, in California", 2. / 4, 1, 1},
        Case{{"no"}, "no no", 2. / 3, 1, 1}}) {
    const auto values = features_of(answer("", references, candidate));
    EXPECT_NEAR(values.at("f1"), f1, 1e-6) << candidate;
    EXPECT_NEAR(values.at("recall"), recall, 1e-6) << candidate;
    EXPECT_EQ(values.at("contains"), contains) << candidate;
  }
}

TEST(AnswerFeatures, SmallNumbersInWordsAreThoseInDigits) {
  const auto values = features_of(answer("", {"the seven dwarfs"}, "7 dwarfs"));
  for (const char* name : {"f1", "recall", "contains", "new_words", "characters", "has_numbers"}) {
    EXPECT_EQ(values.at(name), 1) << name;
  }
  EXPECT_EQ(values.at("missing_numbers"), 0);
  EXPECT_EQ(features_of(answer("", {"7"}, "Eight")).at("missing_numbers"), 1);
  EXPECT_EQ(features_of(answer("", {"Twelve"}, "it is 12.")).at("contains"), 1);
}

// Of questions, references and candidates alike.
TEST(AnswerFeatures, NumbersAndDaysAreComparedInOneForm) {
  const auto values = features_of(
      answer("Who came on 1 May?", {"15 April 1912"}, "1912-04-15, not the 1st of May"));
  EXPECT_EQ(values.at("contains"), 1);
  EXPECT_EQ(values.at("missing_numbers"), 0);
  EXPECT_NEAR(values.at("question_words"), 2. / 6, 1e-6);  // 1, may of 15 april 1912 not 1 may
  EXPECT_EQ(features_of(answer("", {"half a million"}, "500,000")).at("f1"), 1);
}

// Numbers of the same digits are others, and one number in two forms is the same.
TEST(AnswerFeatures, NumbersAreComparedByTheirValue) {
  for (const auto& [reference, same, other] :
       cases<std::string, std::string, std::string>(kCases, "same and other values")) {
    const auto right = features_of(answer("How many?", {reference}, same));
    const auto wrong = features_of(answer("How many?", {reference}, other));
    for (const char* name : {"f1", "recall", "contains", "characters"}) {
      EXPECT_EQ(right.at(name), 1) << name << ": " << reference << ", " << same;
    }
    EXPECT_EQ(right.at("missing_numbers"), 0) << reference << ", " << same;
    EXPECT_EQ(wrong.at("contains"), 0) << reference << ", " << other;
    EXPECT_GT(wrong.at("missing_numbers"), 0) << reference << ", " << other;
    EXPECT_GT(wrong.at("wrong_numbers"), 0) << reference << ", " << other;
  }
}

// A text that has the reference's words as they are written, or not, and its numbers by their
// value.
TEST(AnswerFeatures, AnotherFormIsToldFromAnotherValueOfTheSameDigits) {
  for (const auto& [references, candidate, other_form, other_value] :
       cases<std::vector<std::string>, std::string, double, double>(kCases, "forms and values")) {
    const auto values = features_of(answer("When?", references, candidate));
    EXPECT_EQ(values.at("other_form"), other_form) << candidate;
    EXPECT_EQ(values.at("other_value"), other_value) << candidate;
  }
}

TEST(AnswerFeatures, TheNearestReferenceIsTheOneOfTheSameNumber) {
  const auto values = features_of(answer("How many?", {"-5", "5"}, "5"));
  EXPECT_EQ(values.at("missing_numbers"), 0);
  EXPECT_EQ(values.at("references"), static_cast<float>(std::log2(3.) / 9));
  EXPECT_EQ(features_of(answer("", {"314", "3.14"}, "3.14")).at("missing_numbers"), 0);
}

TEST(AnswerFeatures, TextsWithoutWordsAreComparedWithArticlesAndPunctuation) {
  for (const auto& [reference, candidate, is_right] :
       cases<std::string, std::string, bool>(kCases, "without words")) {
    const auto values = features_of(answer("Which?", {reference}, candidate));
    EXPECT_EQ(values.at("contains"), is_right) << candidate;
    if (!is_right) continue;
    for (const char* name : {"f1", "recall", "new_words", "characters"}) {
      EXPECT_EQ(values.at(name), 1) << name << ": " << reference << ", " << candidate;
    }
  }
  EXPECT_EQ(features_of(answer("Which?", {"A"}, "It is A.")).at("contains"), 1);
}

TEST(AnswerFeatures, AnEmptyCandidateAndARefusalAnswerNothing) {
  const auto answers_nothing = [](const std::vector<std::string>& references,
                                  const std::string& candidate) {
    return features_of(answer("Who?", references, candidate)).at("no_answer") == 1;
  };
  for (const auto& [candidate, is_none] : cases<std::string, bool>(kCases, "no answer")) {
    EXPECT_EQ(answers_nothing({"Ada Lovelace"}, candidate), is_none) << candidate;
    if (!is_none) continue;
    EXPECT_FALSE(answers_nothing({""}, candidate)) << candidate;
    EXPECT_FALSE(answers_nothing({"Ada Lovelace", " "}, candidate)) << candidate;
  }
  // A reference may say so by a word that is no refusal as a candidate.
  for (const char* const reference :
       {"It cannot be determined", "no answer", "Not given", "unknown", "Unknown.", "It's unknown",
        "Not known", "null", "Sorry, but unclear"}) {
    EXPECT_FALSE(answers_nothing({reference}, "N/A")) << reference;
    EXPECT_FALSE(answers_nothing({"Ada", reference}, "I don't know.")) << reference;
  }
  // "none" answers "how many?".
  for (const char* const reference :
       {"Unknown Pleasures", "the unknown soldier", "Nothing Else", "none", "nothing"}) {
    EXPECT_TRUE(answers_nothing({reference}, "I don't know.")) << reference;
  }
  EXPECT_FALSE(answers_nothing({"Ada Lovelace"}, "unknown"));
  EXPECT_TRUE(answers_nothing({"unknown"}, " "));
  EXPECT_TRUE(answers_nothing({"It cannot be determined"}, ""));
  EXPECT_FALSE(answers_nothing({}, ""));
}

// As a copy of a reference has the features that this reference alone gives.
TEST(AnswerFeatures, NoAnswerIsComparedWithReferencesThatAreNone) {
  for (const auto& [nothing, candidate] : {std::pair("", ""), {"No answer", "I don't know"}}) {
    const auto alone = features_of(answer("", {nothing}, candidate));
    for (const std::vector<std::string>& references :
         {std::vector<std::string>{nothing, "Fleming"}, {"Fleming", nothing}}) {
      EXPECT_EQ(features_of(answer("", references, candidate)), alone) << candidate;
    }
  }
}

TEST(AnswerFeatures, ANumberIsWrongWhereOneIsMissing) {
  const auto wrong = [](const std::string& question, const std::vector<std::string>& references,
                        const std::string& candidate) {
    return features_of(answer(question, references, candidate)).at("wrong_numbers");
  };
  EXPECT_EQ(wrong("When?", {"1945"}, "It ended in 1944."), 1);
  EXPECT_EQ(wrong("When?", {"1945"}, "May 8, 1945"), 0);  // says more
  EXPECT_EQ(wrong("When?", {"May 8, 1945"}, "1945"), 0);  // says less
  EXPECT_EQ(wrong("When?", {"1945"}, "in the spring"), 0);
  EXPECT_EQ(wrong("Who?", {"Ada Lovelace"}, "Ada, born in 1815"), 0);
  EXPECT_EQ(wrong("When did World War 2 end?", {"1945"}, "World War 2 ended in 1944."), 0.5);
  EXPECT_EQ(wrong("How many?", {"3 of 8", "8"}, "8 of 4"), 0);       // the nearest is "8"
  EXPECT_EQ(wrong("How many?", {"3 of 10", "8 men"}, "3 of 8"), 0);  // 8 is another reference's
  EXPECT_EQ(wrong("How many?", {"3 of 10", "9 men"}, "3 of 8"), 0.5);
  EXPECT_EQ(wrong("How many?", {"three of 10"}, "three of nine"), 0.5);
}

TEST(AnswerFeatures, AShortReferenceIsSeenInALongCandidate) {
  EXPECT_EQ(features_of(answer("", {"7"}, "after 7 days")).at("characters"), 1);
  EXPECT_EQ(features_of(answer("", {"no"}, "no way")).at("characters"), 1);
  EXPECT_EQ(features_of(answer("", {"7"}, "after 17 days")).at("characters"), 0);
}

// Nothing of one candidate is left for the next.
TEST(AnswerFeatures, AreTheSameForSeveralCandidatesOfOneAnswer) {
  const std::vector<std::string> names = names_of(kAnswerFeatures);
  const auto features = require_features(names, "");
  data::Answer each =
      answer("When, in July?", {"1790", "the 14 July 1789", "July 14", "july, 14"}, "");
  const ComparedReferences references(each, features);
  for (const std::string candidate : {"in 1790", "", "on July 14, not 1789", "in 1790"}) {
    each.candidate = candidate;
    std::vector<float> values, alone;
    references.append_features(candidate, values);
    append_features(each, features, alone);
    EXPECT_EQ(values, alone) << candidate;
  }
}

TEST(AnswerFeatures, OfAnotherVersionAreRefused) {
  const int64_t other = kFeaturesVersion + 1;
  EXPECT_EQ(input_error([&] { require_features_version(other, "rubric.yaml"); }),
            error_lines("the model reads features of version " + std::to_string(other) +
                            ", this rubric computes version " + std::to_string(kFeaturesVersion),
                        "rubric.yaml",
                        "train the model again, or score with the rubric that trained it"));
  EXPECT_EQ(input_error([] { require_features_version(kFeaturesVersion, ""); }), "accepted");
}

TEST(AnswerFeatures, AreChosenByName) {
  std::vector<float> values;
  const std::vector<std::string> names = {"contains", "f1"};
  append_features(answer("", {"dog"}, "the dog"), require_features(names, "head.features"), values);
  EXPECT_EQ(values, (std::vector<float>{1, 1}));
  append_features(answer("", {"dog"}, "cat"), require_features(names, "head.features"), values);
  EXPECT_EQ(values, (std::vector<float>{1, 1, 0, 0}));
  const auto told = [](const std::vector<std::string>& wrong) {
    return input_error([&] { require_features(wrong, "head.features"); });
  };
  expect_says(told({"recal"}), {"there is no feature called \"recal\"", "head.features"});
  expect_contains(told({"f1", "f1"}), "the feature \"f1\" is listed twice");
}

}  // namespace rubric::metrics::answer_features_test
