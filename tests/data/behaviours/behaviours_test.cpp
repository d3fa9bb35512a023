#include "data/behaviours/behaviours.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "messages.h"
#include "metrics/ngram/refusals.h"
#include "rubric/errors.h"
#include "text/quantities.h"
#include "text/unicode/unicode.h"

namespace rubric::data::behaviours_test {

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
  static const std::vector<Answer> answers = {
      answer("who wrote it?", "Ada Lovelace"),      answer("who sang it", "Nina Simone"),
      answer("who led them", "Walter Lacroix"),     answer("who built it", "Mary Hale"),
      answer("when was it signed", "July 4, 1776"), answer("when did it end", "22 September 1921"),
      answer("when did it begin", "3 March 1850"),  answer("how far is it", "5 km"),
      answer("how long is it", "30 miles"),         answer("how many are there", "17"),
      answer("what is in it", "sulphur and salt"),  answer("what is it for", "weaving cloth"),
      answer("what makes it move", "steam")};
  return answers;
}

// The candidates of a behaviour: correct and incorrect one of each pair.
std::vector<std::pair<std::string, std::string>> pairs_of(
    const std::string& name, const BehaviourOptions& options = {},
    const std::vector<Answer>& answers = some_answers()) {
  BehaviourOptions of_one = options;
  of_one.names = {name};
  std::vector<std::pair<std::string, std::string>> pairs;
  const std::vector<Answer> rows = derive_behaviours(answers, of_one).rows;
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
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const Wordings wordings = Wordings{static_cast<int>(seed % 3)};
    const auto pairs = pairs_of("negation", {.wordings = wordings, .seed = seed});
    ASSERT_EQ(pairs.size(), some_answers().size());
    for (size_t i = 0; i < pairs.size(); ++i) {
      const std::string& reference = some_answers()[i].references.front();
      EXPECT_TRUE(has(pairs[i].first, reference)) << pairs[i].first;
      EXPECT_TRUE(has(pairs[i].second, reference)) << pairs[i].second;
      const auto denies = [](const std::string& text) {
        std::string words = " " + text::normalize_answer(text) + " ";
        const std::string affirms = "there is no doubt";
        if (words.starts_with(" " + affirms)) words.erase(1, affirms.size());
        for (const char* word : {" not ",      " never ",    " isnt ",    " wasnt ",
                                 " dont ",     " but ",      " cannot ",  " no ",
                                 " doubt ",    " except ",   " wrong ",   " false ",
                                 " mistake ",  " mistaken ", " untrue ",  " something other than ",
                                 " error ",    " rule out ", " nobody ",  " hardly ",
                                 " disagree ", " against ",  " refuted ", " nonsense ",
                                 " rejected ", " leave ",    " far from "}) {
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
  ASSERT_EQ(numbers.size(), 3u);  // every answer with a whole number but the days
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

// The rows of a behaviour whose pairs have references of their own.
std::vector<Answer> rows_of(const std::string& name, Wordings wordings, uint64_t seed) {
  return derive_behaviours(some_answers(),
                           {.wordings = wordings, .names = {name}, .pairs = 0, .seed = seed})
      .rows;
}

// Of each set: (reference, candidate) of the bare answers, correct and incorrect. Some forms to
// test with are not read as the number that they are.
TEST(Behaviours, FormsOfNumbersAreOfOneValueAndNotOfTheOther) {
  std::map<Wordings, std::set<std::pair<std::string, std::string>>> seen;
  for (const Wordings wordings : {Wordings::learning, Wordings::tuning, Wordings::testing}) {
    for (uint64_t seed = 0; seed < 60; ++seed) {
      const std::vector<Answer> rows = rows_of("number_form", wordings, seed);
      ASSERT_EQ(rows.size(), 6u);  // 5 km, 30 miles, 17
      for (const Answer& row : rows) {
        ASSERT_EQ(row.references.size(), 1u);
        EXPECT_NE(row.candidate, row.references[0]);
        seen[wordings].emplace(row.references[0], row.candidate);
        if (wordings == Wordings::testing) continue;  // written by hand, and not for our reading
        const std::string reference = text::normalize_quantities(row.references[0]);
        const std::string candidate = " " + text::normalize_quantities(row.candidate) + " ";
        const bool has_it = candidate.find(" " + reference + " ") != std::string::npos;
        EXPECT_EQ(has_it, row.score == 5) << row.references[0] << ": " << row.candidate;
      }
    }
  }
  EXPECT_GT(seen[Wordings::testing].size(), 90u);
  for (const auto& pair : seen[Wordings::testing]) {
    EXPECT_FALSE(seen[Wordings::learning].contains(pair)) << pair.first << ": " << pair.second;
    EXPECT_FALSE(seen[Wordings::tuning].contains(pair)) << pair.first << ": " << pair.second;
  }
}

TEST(Behaviours, FormsWithoutAnAnswerAreRefusalsOrWhiteSpace) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    for (const Answer& row : rows_of("no_answer", Wordings{static_cast<int>(seed % 3)}, seed)) {
      EXPECT_EQ(metrics::answers_nothing(row.references, row.candidate), row.score == 1)
          << row.candidate;
    }
  }
  EXPECT_EQ(rows_of("no_answer", Wordings::testing, 0).size(), 2 * some_answers().size());
}

TEST(Behaviours, WrongAnswersShareNoWordWithTheReferences) {
  const std::set<std::string> names = {"Ada Lovelace", "Nina Simone", "Walter Lacroix",
                                       "Mary Hale"};
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
  const auto correct = pairs_of("verbose_right"), incorrect = pairs_of("verbose_wrong");
  ASSERT_EQ(correct.size(), some_answers().size());
  for (size_t i = 0; i < correct.size(); ++i) {
    const std::string& reference = some_answers()[i].references.front();
    EXPECT_GT(correct[i].first.size(), 100u);
    EXPECT_LT(correct[i].second.size(), 60u);
    EXPECT_TRUE(has(correct[i].first, reference));
    EXPECT_GT(incorrect[i].second.size(), 100u);
    EXPECT_LT(incorrect[i].first.size(), 60u);
    EXPECT_FALSE(has(incorrect[i].second, reference));
    EXPECT_EQ(correct[i].first.find('{'), std::string::npos) << correct[i].first;
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

TEST(Behaviours, NoReferenceMakesAWrongCandidateRight) {
  const auto with = [](const std::string& question, std::vector<std::string> references) {
    std::vector<Answer> answers = some_answers();
    answers.push_back(answer(question, ""));
    answers.back().references = std::move(references);
    return answers;
  };
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const BehaviourOptions options = {.seed = seed};
    // 40 or 42: one of them is correct.
    for (const auto& [correct, incorrect] :
         pairs_of("number", options, with("age", {"41", "42 or 43"}))) {
      EXPECT_FALSE(has(incorrect, "42")) << incorrect;
    }
    // The year or the month alone is correct, so day and month stay, or day and year.
    for (const auto& [correct, incorrect] :
         pairs_of("date", options, with("born", {"June 5, 1801", "1801"}))) {
      EXPECT_FALSE(has(incorrect, "1801")) << incorrect;
    }
    for (const auto& [correct, incorrect] :
         pairs_of("date", options, with("born", {"June 5, 1801", "June 1801", "6 June 1801"}))) {
      EXPECT_FALSE(has(incorrect, "June, 1801") || has(incorrect, "Jun. 6, 1801")) << incorrect;
    }
    // The number alone is correct, in every unit.
    for (const auto& [correct, incorrect] :
         pairs_of("unit", options, with("size", {"8 km", "8"}))) {
      EXPECT_FALSE(has(correct, "8 kilomet")) << correct;
    }
    // A question of two choices: the refusal that repeats it has the reference.
    for (const auto& [correct, incorrect] :
         pairs_of("refusal", options, with("whether it was Gog or Magog", {"Magog"}))) {
      EXPECT_FALSE(has(incorrect, "Magog")) << incorrect;
    }
  }
}

TEST(Behaviours, ACopyIsTheReferenceAsItIs) {
  const auto pairs = pairs_of("copy", {.wordings = Wordings::learning});
  ASSERT_EQ(pairs.size(), some_answers().size());
  for (size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_EQ(pairs[i].first, some_answers()[i].references.front());
    EXPECT_FALSE(has(pairs[i].second, pairs[i].first));
  }
}

TEST(Behaviours, AnEmptyAnswerIsWrong) {
  const auto pairs = pairs_of("empty", {.wordings = Wordings::learning});
  ASSERT_EQ(pairs.size(), some_answers().size());
  for (size_t i = 0; i < pairs.size(); ++i) {
    const std::set<std::string> correct = {some_answers()[i].references.front(), "yes", "Yes", "no",
                                           "No"};
    EXPECT_TRUE(correct.contains(pairs[i].first)) << pairs[i].first;
    EXPECT_EQ(pairs[i].second, "");
  }
}

TEST(Behaviours, SmallNumbersAreInDigitsAndInWords) {
  std::set<std::string> of_digits;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const auto pairs =
        pairs_of("number", {.seed = seed}, {answer("how many", "7"), answer("how old", "Seven")});
    ASSERT_EQ(pairs.size(), 2u);
    of_digits.insert(has(pairs[0].first, "7") ? "7" : "seven");
    EXPECT_TRUE(has(pairs[0].first, "7") || has(pairs[0].first, "seven")) << pairs[0].first;
    EXPECT_FALSE(has(pairs[0].second, "7") || has(pairs[0].second, "seven")) << pairs[0].second;
    EXPECT_TRUE(has(pairs[1].first, "7")) << pairs[1].first;
    EXPECT_TRUE(has(pairs[1].second, "6") || has(pairs[1].second, "8")) << pairs[1].second;
  }
  EXPECT_EQ(of_digits, (std::set<std::string>{"7", "seven"}));
}

TEST(Behaviours, AWrongNumberIsNoReferenceInAnotherSpelling) {
  Answer asked = answer("how many", "7");
  asked.references = {"7", "eight", "six"};
  for (uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_TRUE(pairs_of("number", {.seed = seed}, {asked}).empty());
  }
}

TEST(Behaviours, AnEmptyAnswerIsWrongAlsoForYesOrNo) {
  const std::vector<Answer> answers = {answer("who wrote it", "Ada Lovelace"),
                                       answer("who sang it", "Nina Simone")};
  std::set<std::string> references;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    for (const Answer& row : derive_behaviours(answers, {.names = {"empty"}, .seed = seed}).rows) {
      references.insert(row.references.front());
      EXPECT_EQ(row.candidate.empty(), row.score == 1) << row.candidate;
    }
  }
  EXPECT_EQ(references, (std::set<std::string>{"Ada Lovelace", "Nina Simone", "no", "yes"}));
  Answer may_be_empty = answer("is it so", "yes");
  may_be_empty.references.emplace_back();
  EXPECT_TRUE(pairs_of("empty", {}, {may_be_empty}).empty());
}

TEST(Behaviours, TheAnswersToOneQuestionMakeOnePairOfEach) {
  std::vector<Answer> answers = some_answers();
  answers.push_back(answer("How many are there", "18"));  // as of another data set
  answers.back().constituent = "other";
  const BehaviourRows made = derive_behaviours(answers, {.names = {"negation"}});
  EXPECT_EQ(made.questions, std::ssize(some_answers()));
  const auto many = std::ranges::find(made.rows, "how many are there", &Answer::question);
  ASSERT_NE(many, made.rows.end());
  EXPECT_EQ(many->references, (std::vector<std::string>{"17", "18"}));
  EXPECT_EQ(many->source, "nq");
  for (uint64_t seed = 0; seed < 8; ++seed) {
    for (const auto& [correct, incorrect] : pairs_of("number", {.seed = seed}, answers)) {
      EXPECT_FALSE(has(incorrect, "18")) << incorrect;
    }
  }
}

TEST(Behaviours, AQuestionWithoutAWrongAnswerIsInPairsThatNeedNone) {
  const std::vector<Answer> answers = {answer("who wrote it", "Ada"), answer("how many", "17"),
                                       answer("which sign", "?!")};
  const BehaviourRows made = derive_behaviours(answers, {});
  EXPECT_EQ(made.questions, 3);
  EXPECT_EQ(made.without_words, 1);
  EXPECT_EQ(made.without_incorrect, 2);
  std::map<std::string, int> counts;
  for (const Answer& row : made.rows) ++counts[row.constituent];
  EXPECT_EQ(counts, (std::map<std::string, int>{{"empty", 4},
                                                {"negation", 4},
                                                {"no_answer", 4},
                                                {"number", 2},
                                                {"number_form", 2},
                                                {"refusal", 4}}));
}

TEST(Behaviours, YesIsWrongWhereNoIsRight) {
  const std::vector<Answer> answers = {answer("is it so", "yes"), answer("was it so", "No"),
                                       answer("what is it", "steam engines")};
  for (const auto& [correct, incorrect] : pairs_of("verbose_right", {}, answers)) {
    EXPECT_TRUE((has(correct, "yes") && has(incorrect, "no")) ||
                (has(correct, "no") && has(incorrect, "yes")))
        << correct << incorrect;
  }
  EXPECT_EQ(pairs_of("verbose_right", {}, answers).size(), 2u);
  EXPECT_EQ(pairs_of("negation", {}, answers).size(), 1u);  // not "It is not no."
}

// The pair's question asks whether an answer is correct; the correct candidate says what is so.
TEST(Behaviours, YesAndNoAnswerWhetherAnAnswerIsRight) {
  std::set<std::string> correct;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    for (const Wordings wordings : {Wordings::learning, Wordings::testing}) {
      const auto rows = derive_behaviours(some_answers(),
                                          {.wordings = wordings, .names = {"yes_no"}, .seed = seed})
                            .rows;
      ASSERT_EQ(rows.size() % 2, 0u);
      for (size_t i = 0; i < rows.size(); i += 2) {
        const auto asked = std::ranges::find_if(some_answers(), [&](const Answer& each) {
          return has(rows[i].question, each.question);
        });
        ASSERT_NE(asked, some_answers().end()) << rows[i].question;
        const bool is_correct = has(rows[i].question, asked->references.front());
        EXPECT_EQ(rows[i].references, std::vector<std::string>{is_correct ? "yes" : "no"});
        const auto has_word = [](const std::string& text, const std::string& word) {
          return (" " + text::normalize_answer(text) + " ").find(" " + word + " ") !=
                 std::string::npos;
        };
        EXPECT_TRUE(has_word(rows[i].candidate, is_correct ? "yes" : "no")) << rows[i].candidate;
        EXPECT_TRUE(has_word(rows[i + 1].candidate, is_correct ? "no" : "yes"))
            << rows[i + 1].candidate;
        correct.insert(rows[i].references.front());
      }
    }
  }
  EXPECT_EQ(correct, (std::set<std::string>{"no", "yes"}));
  const std::vector<Answer> of_yes_no = {answer("is it so", "yes"), answer("is it", "no")};
  EXPECT_TRUE(pairs_of("yes_no", {}, of_yes_no).empty());
  EXPECT_TRUE(pairs_of("correction", {}, of_yes_no).empty());
}

// "no" of a pair that asks is incorrect, though a reference of the question has the word.
TEST(Behaviours, AnswersOfAPairAreComparedWithThePairsOwnReference) {
  const std::vector<Answer> answers = {answer("what did she say", "no, or yes, if asked"),
                                       answer("what is in it", "sulphur and salt")};
  for (uint64_t seed = 0; seed < 10; ++seed) {
    EXPECT_EQ(pairs_of("yes_no", {.seed = seed}, answers).size(), 2u);
  }
}

// Exchanges two names, of which each occurs.
std::string exchanged(std::string text, const std::string& first, const std::string& second) {
  const std::string blank = "{}";
  for (const auto& [what, by] : {std::pair{first, blank}, {second, first}, {blank, second}}) {
    const size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what << " is not in " << text;
    if (at != std::string::npos) text.replace(at, what.size(), by);
  }
  return text;
}

TEST(Behaviours, ACorrectionAndAnAsideHaveBothAnswersInTheSameWords) {
  for (const std::string behaviour : {"correction", "aside"}) {
    for (const Wordings wordings : {Wordings::learning, Wordings::tuning, Wordings::testing}) {
      for (uint64_t seed = 0; seed < 10; ++seed) {
        SCOPED_TRACE(behaviour + " " + std::to_string(seed));
        const auto pairs =
            pairs_of(behaviour, {.wordings = wordings, .seed = seed},
                     {answer("who sang it", "Nina Simone"), answer("who led", "Anne Boleyn")});
        ASSERT_EQ(pairs.size(), 2u);
        for (const auto& [correct, incorrect] : pairs) {
          EXPECT_EQ(exchanged(correct, "Nina Simone", "Anne Boleyn"), incorrect);
        }
      }
    }
  }
}

TEST(Behaviours, TheRightAnswerOfAnAsideIsNotTheOneBesideIt) {
  int found = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const auto pairs =
        pairs_of("aside", {.seed = seed},
                 {answer("who sang it", "Nina Simone"), answer("who led", "Anne Boleyn")});
    ASSERT_EQ(pairs.size(), 2u);
    const auto& [correct, incorrect] = pairs.front();  // of "who sang it"
    if (!has(correct, "You may also have read about")) continue;
    ++found;
    EXPECT_TRUE(has(correct, "It is Nina Simone.")) << correct;
    EXPECT_TRUE(has(incorrect, "It is Anne Boleyn.")) << incorrect;
  }
  EXPECT_GT(found, 0);
}

TEST(Behaviours, AnAsideIsOfNames) {
  EXPECT_TRUE(pairs_of("aside", {}, {answer("when", "1932"), answer("when else", "1945")}).empty());
  EXPECT_TRUE(pairs_of("aside", {}, {answer("why", "to rest"), answer("how", "by sea")}).empty());
}

TEST(Behaviours, AFamilyNameStandsForAPersonAndTheReverse) {
  const std::vector<Answer> answers = {answer("who wrote it?", "Ada Lovelace"),
                                       answer("who sang it", "Nina Simone"),
                                       answer("where is it", "New Delhi"),
                                       answer("who owns it", "Grand Hotels"),
                                       answer("who led them", "Imhotep"),
                                       answer("who ruled", "Henry VIII"),
                                       answer("who plays him", "Samuel Davis Jr"),
                                       answer("who is the Bell that made it", "Alexander Bell"),
                                       answer("who of the Kennedys led", "John Kennedy"),
                                       answer("what is highest", "Ben Nevis"),
                                       answer("who wrote them", "Matthew, Mark, Luke")};
  std::set<std::string> seen;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const auto rows = derive_behaviours(answers, {.names = {"name_part"}, .seed = seed}).rows;
    for (size_t i = 0; i + 1 < rows.size(); i += 2) {
      const bool is_first = rows[i].question == "who wrote it?";
      ASSERT_TRUE(is_first || rows[i].question == "who sang it") << rows[i].question;
      const std::string family = is_first ? "Lovelace" : "Simone";
      const std::string whole = is_first ? "Ada Lovelace" : "Nina Simone";
      EXPECT_TRUE(has(rows[i].candidate, family)) << rows[i].candidate;
      EXPECT_FALSE(has(rows[i + 1].candidate, family)) << rows[i + 1].candidate;
      const bool is_part = !has(rows[i].candidate, whole);
      EXPECT_EQ(rows[i].references, std::vector<std::string>{is_part ? whole : family});
      seen.insert(is_part ? "part" : "whole");
    }
  }
  EXPECT_EQ(seen.size(), 2u);
}

TEST(Behaviours, ANonLeapYearHasNo29February) {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    const auto pairs = pairs_of("date", {.wordings = Wordings::learning, .seed = seed},
                                {answer("when was it", "February 29, 1896")});
    ASSERT_EQ(pairs.size(), 1u);
    for (const char* day : {"29 February 1897", "February 29, 1897", "1897-02-29"}) {
      EXPECT_FALSE(has(pairs[0].second, day)) << pairs[0].second;
    }
  }
}

TEST(Behaviours, WhatIsFilledInIsNotFilledAgain) {
  const std::vector<Answer> answers = {answer("what does {a} or {b} stand for", "the {q} and {c}")};
  for (uint64_t seed = 0; seed < 30; ++seed) {
    for (const auto& [correct, incorrect] : pairs_of("refusal", {.seed = seed}, answers)) {
      EXPECT_NE(correct.find("the {q} and {c}"), std::string::npos) << correct;
      if (incorrect.find("what does") != std::string::npos) {
        EXPECT_NE(incorrect.find("what does {a} or {b} stand for"), std::string::npos) << incorrect;
      }
    }
  }
}

TEST(Behaviours, ParaphrasesAreJudgedAnswersInOtherWords) {
  std::vector<Answer> answers = some_answers();
  answers.push_back(answer("who wrote it?", "Ada Lovelace", "the countess", 5));
  answers.push_back(answer("who wrote it?", "Ada Lovelace", "Ada, the countess", 5));  // half
  answers.push_back(answer("who wrote it?", "Ada Lovelace", "Babbage", 1));
  EXPECT_EQ(pairs_of("paraphrase", {}, answers),
            (std::vector<std::pair<std::string, std::string>>{{"the countess", "Babbage"}}));
  // Where people judged none incorrect, the answer to another question is.
  answers.push_back(answer("who sang it", "Nina Simone", "her", 5));
  const auto pairs = pairs_of("paraphrase", {}, answers);
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs[1].first, "her");
  EXPECT_TRUE((std::set<std::string>{"Ada Lovelace", "Walter Lacroix", "Mary Hale"})
                  .contains(pairs[1].second))
      << pairs[1].second;
  // But not the one that they judged correct.
  for (const std::string other : {"Anne", "Jane"}) {
    EXPECT_EQ(pairs_of("paraphrase", {},
                       {answer("who ruled it", "Elizabeth", "Anne", 5),
                        answer("who left it", other, "him", 1)})
                  .size(),
              other == "Anne" ? 0u : 1u);
  }
  // Blank candidates are no answers, and disputed ones neither correct nor incorrect.
  answers.push_back(answer("who sang it", "Nina Simone", " ", 1));
  answers.push_back(answer("who sang it", "Nina Simone", "her", 1));
  EXPECT_EQ(pairs_of("paraphrase", {}, answers).size(), 1u);
}

TEST(Behaviours, ParaphrasesTakeTheEndsOfTheFilesOwnScale) {
  std::vector<Answer> answers = some_answers();
  answers.push_back(answer("who wrote it?", "Ada Lovelace", "the countess", 1));
  answers.push_back(answer("who wrote it?", "Ada Lovelace", "Babbage", 0));
  EXPECT_EQ(pairs_of("paraphrase", {}, answers),
            (std::vector<std::pair<std::string, std::string>>{{"the countess", "Babbage"}}));
  answers.pop_back();  // one grade alone
  EXPECT_TRUE(pairs_of("paraphrase", {}, answers).empty());
}

TEST(Behaviours, TrainingAndTestingShareNoWordingButTheBareAnswer) {
  std::set<std::string> seen;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    for (const auto& [correct, incorrect] :
         pairs_of("refusal", {.wordings = Wordings::learning, .seed = seed})) {
      seen.insert({correct, incorrect});
    }
  }
  for (uint64_t seed = 0; seed < 20; ++seed) {
    for (const auto& [correct, incorrect] : pairs_of("refusal", {.seed = seed})) {
      EXPECT_FALSE(seen.contains(correct)) << correct;
      EXPECT_FALSE(seen.contains(incorrect)) << incorrect;
    }
  }
}

TEST(Behaviours, TrainingAndTestingShareNoFormOfADay) {
  std::vector<Answer> answers = some_answers();
  for (const char* month : {"May", "June", "July", "October"}) {
    answers.push_back(answer(std::string("when in ") + month, std::string("2 ") + month + " 1999"));
  }
  const auto days = [&](Wordings wordings) {
    std::set<std::string> texts;
    for (uint64_t seed = 0; seed < 20; ++seed) {
      for (const auto& [correct, incorrect] :
           pairs_of("date", {.wordings = wordings, .seed = seed}, answers)) {
        texts.insert({correct, incorrect});
      }
    }
    return texts;
  };
  const std::set<std::string> learned = days(Wordings::learning);
  for (const std::string& day : days(Wordings::testing)) EXPECT_FALSE(learned.contains(day)) << day;
}

TEST(Behaviours, AreAFunctionOfQuestionsAndSeed) {
  const auto candidates = [](uint64_t seed) {
    std::vector<std::string> texts;
    for (const Answer& row : derive_behaviours(some_answers(), {.seed = seed}).rows) {
      texts.push_back(row.id + row.constituent + row.candidate);
    }
    return texts;
  };
  EXPECT_EQ(candidates(1), candidates(1));
  EXPECT_NE(candidates(1), candidates(2));
}

TEST(Behaviours, AtMostSoManyPairsOfEach) {
  std::vector<Answer> answers = some_answers();
  answers.push_back(answer("who found it", "Marie Curie"));
  answers.push_back(answer("who met them", "Rosa Parks"));
  answers.push_back(answer("when did it open", "1932"));
  answers.push_back(answer("when did it close", "1971"));
  const std::vector<Answer> rows = derive_behaviours(answers, {.pairs = 2}).rows;
  std::map<std::string, int> counts;
  for (const Answer& row : rows) ++counts[row.constituent];
  EXPECT_EQ(counts.size(), 19u);  // no candidate was judged
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

}  // namespace rubric::data::behaviours_test
