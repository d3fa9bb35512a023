#include "data/behaviours/behaviours.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "messages.h"
#include "rubric/errors.h"
#include "text/unicode/unicode.h"

namespace rubric::data {
namespace {

Answer answer(const std::string& question, const std::string& reference,
              const std::string& candidate = "", std::optional<double> score = std::nullopt) {
  return {.id = question,
          .constituent = "nq",
          .source = "",
          .passage = "",
          .question = question,
          .candidate = candidate,
          .references = {reference},
          .score = score,
          .ratings = {}};
}

const std::vector<Answer>& some_answers() {
  static const std::vector<Answer> answers = {answer("who wrote it?", "Ada Lovelace"),
                                              answer("who sang it", "Nina Simone"),
                                              answer("who led them", "Toussaint Louverture"),
                                              answer("who built it", "Imhotep"),
                                              answer("when was it signed", "July 4, 1776"),
                                              answer("when did it end", "22 September 1921"),
                                              answer("when did it begin", "3 March 1850"),
                                              answer("how far is it", "5 km"),
                                              answer("how long is it", "30 miles"),
                                              answer("how many are there", "17"),
                                              answer("what is in it", "sulphur and salt"),
                                              answer("what is it for", "weaving cloth"),
                                              answer("what makes it move", "steam")};
  return answers;
}

// The candidates of a behaviour: right and wrong one of each pair.
std::vector<std::pair<std::string, std::string>> pairs_of(
    const std::string& name, const BehaviourOptions& options = {},
    const std::vector<Answer>& answers = some_answers()) {
  BehaviourOptions of_one = options;
  of_one.names = {name};
  std::vector<std::pair<std::string, std::string>> pairs;
  const std::vector<Answer> rows = derive_behaviours(answers, of_one);
  EXPECT_EQ(rows.size() % 2, 0u);
  for (size_t i = 0; i + 1 < rows.size(); i += 2) {
    EXPECT_EQ(rows[i].constituent, name);
    EXPECT_EQ(rows[i].score, 5);
    EXPECT_EQ(rows[i + 1].score, 1);
    EXPECT_EQ(rows[i].question, rows[i + 1].question);
    EXPECT_NE(rows[i].id, rows[i + 1].id);
    pairs.emplace_back(rows[i].candidate, rows[i + 1].candidate);
  }
  return pairs;
}

bool has(const std::string& text, const std::string& part) {
  return text::normalize_answer(text).find(text::normalize_answer(part)) != std::string::npos;
}

TEST(Behaviours, ANegationHasTheReferenceAndAWordThatDenies) {
  for (const Wordings wordings : {Wordings::learning, Wordings::testing}) {
    const auto pairs = pairs_of("negation", {.wordings = wordings});
    ASSERT_EQ(pairs.size(), some_answers().size());
    for (size_t i = 0; i < pairs.size(); ++i) {
      const std::string& reference = some_answers()[i].references.front();
      EXPECT_TRUE(has(pairs[i].first, reference)) << pairs[i].first;
      EXPECT_TRUE(has(pairs[i].second, reference)) << pairs[i].second;
      const auto denies = [](const std::string& text) {
        const std::string words = " " + text::normalize_answer(text) + " ";
        for (const char* word : {" not ", " never ", " isnt ", " wasnt ", " dont ", " but "}) {
          if (words.find(word) != std::string::npos) return true;
        }
        return false;
      };
      EXPECT_FALSE(denies(pairs[i].first)) << pairs[i].first;
      EXPECT_TRUE(denies(pairs[i].second)) << pairs[i].second;
    }
  }
}

TEST(Behaviours, NumbersDatesAndUnitsAreOffInTheSameWords) {
  const auto numbers = pairs_of("number");
  ASSERT_EQ(numbers.size(), 6u);  // every answer with a whole number, days too
  EXPECT_TRUE(has(numbers.back().first, "17"));
  EXPECT_TRUE(has(numbers.back().second, "16") || has(numbers.back().second, "18"));
  const auto dates = pairs_of("date");
  ASSERT_EQ(dates.size(), 3u);
  EXPECT_TRUE(has(dates[0].first, "the 4th of July, 1776")) << dates[0].first;
  EXPECT_FALSE(has(dates[0].second, "the 4th of July, 1776") ||
               has(dates[0].second, "Jul. 4, 1776"))
      << dates[0].second;
  const auto units = pairs_of("unit");
  ASSERT_EQ(units.size(), 2u);
  EXPECT_TRUE(has(units[0].first, "5 kilomet")) << units[0].first;
  EXPECT_TRUE(has(units[1].first, "30 mi")) << units[1].first;
  EXPECT_FALSE(has(units[1].second, "30 mi")) << units[1].second;
}

TEST(Behaviours, WrongAnswersShareNoWordWithTheReferences) {
  const std::set<std::string> names = {"Ada Lovelace", "Nina Simone", "Toussaint Louverture",
                                       "Imhotep"};
  const auto entities = pairs_of("entity");
  ASSERT_EQ(entities.size(), 4u);
  for (size_t i = 0; i < entities.size(); ++i) {
    const std::string& reference = some_answers()[i].references.front();
    EXPECT_TRUE(has(entities[i].first, reference));
    EXPECT_FALSE(has(entities[i].second, reference));
    EXPECT_TRUE(std::ranges::any_of(names, [&](const std::string& name) {
      return has(entities[i].second, name);
    })) << entities[i].second;
  }
}

TEST(Behaviours, ManyWordsAroundRightAndWrongAnswers) {
  const auto right = pairs_of("verbose_right"), wrong = pairs_of("verbose_wrong");
  ASSERT_EQ(right.size(), some_answers().size());
  for (size_t i = 0; i < right.size(); ++i) {
    const std::string& reference = some_answers()[i].references.front();
    EXPECT_GT(right[i].first.size(), 100u);
    EXPECT_LT(right[i].second.size(), 60u);
    EXPECT_TRUE(has(right[i].first, reference));
    EXPECT_GT(wrong[i].second.size(), 100u);
    EXPECT_LT(wrong[i].first.size(), 60u);
    EXPECT_FALSE(has(wrong[i].second, reference));
    EXPECT_EQ(right[i].first.find('{'), std::string::npos) << right[i].first;
  }
}

TEST(Behaviours, ChoicesHaveTheReferenceAndRefusalsDoNot) {
  const auto several = pairs_of("several"), refusals = pairs_of("refusal");
  for (size_t i = 0; i < several.size(); ++i) {
    const std::string& reference = some_answers()[i].references.front();
    EXPECT_TRUE(has(several[i].second, reference)) << several[i].second;
    EXPECT_GT(several[i].second.size(), reference.size() + 4);
    EXPECT_EQ(several[i].second.find('{'), std::string::npos) << several[i].second;
    EXPECT_TRUE(has(refusals[i].first, reference));
    EXPECT_FALSE(has(refusals[i].second, reference));
  }
}

TEST(Behaviours, ParaphrasesAreJudgedAnswersInOtherWords) {
  std::vector<Answer> answers = some_answers();
  answers.push_back(answer("who wrote it?", "Ada Lovelace", "the countess", 5));
  answers.push_back(answer("who wrote it?", "Ada Lovelace", "Ada, the countess", 5));  // half
  answers.push_back(answer("who wrote it?", "Ada Lovelace", "Babbage", 1));
  answers.push_back(answer("who sang it", "Nina Simone", "her", 5));  // no wrong one
  EXPECT_EQ(pairs_of("paraphrase", {}, answers),
            (std::vector<std::pair<std::string, std::string>>{{"the countess", "Babbage"}}));
}

TEST(Behaviours, TrainingAndTestingShareNoWordingButTheBareAnswer) {
  std::set<std::string> seen;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    for (const auto& [right, wrong] :
         pairs_of("refusal", {.wordings = Wordings::learning, .seed = seed})) {
      seen.insert({right, wrong});
    }
  }
  for (uint64_t seed = 0; seed < 20; ++seed) {
    for (const auto& [right, wrong] : pairs_of("refusal", {.seed = seed})) {
      EXPECT_FALSE(seen.contains(right)) << right;
      EXPECT_FALSE(seen.contains(wrong)) << wrong;
    }
  }
}

TEST(Behaviours, AreAFunctionOfQuestionsAndSeed) {
  const auto candidates = [](uint64_t seed) {
    std::vector<std::string> texts;
    for (const Answer& row : derive_behaviours(some_answers(), {.seed = seed})) {
      texts.push_back(row.id + row.constituent + row.candidate);
    }
    return texts;
  };
  EXPECT_EQ(candidates(1), candidates(1));
  EXPECT_NE(candidates(1), candidates(2));
}

TEST(Behaviours, AtMostSoManyPairsOfEach) {
  const std::vector<Answer> rows = derive_behaviours(some_answers(), {.pairs = 2});
  std::map<std::string, int> counts;
  for (const Answer& row : rows) ++counts[row.constituent];
  EXPECT_EQ(counts.size(), 10u);  // no candidate was judged
  for (const auto& [name, count] : counts) EXPECT_EQ(count, 4) << name;
}

TEST(Behaviours, AnAnswerWithoutQuestionIsRefused) {
  std::vector<Answer> answers = some_answers();
  answers.push_back(answer(" ", "Ada"));
  answers.back().id = "last";
  try {
    derive_behaviours(answers, {});
    FAIL() << "accepted";
  } catch (const InputError& error) {
    expect_contains(error.what(), "nq/last");
  }
}

TEST(Behaviours, UnknownAndRepeatedNamesAreRefused) {
  for (const std::vector<std::string>& names :
       {std::vector<std::string>{"negatoin"}, {"date", "date"}}) {
    try {
      derive_behaviours(some_answers(), {.names = names});
      FAIL() << "accepted " << names.front();
    } catch (const InputError& error) {
      expect_contains(error.what(), names.size() == 1 ? "negation" : "twice");
    }
  }
}

}  // namespace
}  // namespace rubric::data
