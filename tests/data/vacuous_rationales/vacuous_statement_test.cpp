#include <cstdlib>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "data/rows/rows.h"
#include "data/vacuous_rationales/english.h"
#include "data/vacuous_rationales/vacuous_rationales.h"
#include "text/unicode/unicode.h"

namespace rubric::data {
namespace {

struct Case {
  const char *question, *answer, *statement;
};

void expect_statements(StatementRule rule, const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    const Statement statement = vacuous_statement(one.question, one.answer);
    EXPECT_EQ(statement.text, one.statement);
    EXPECT_STREQ(name_of(statement.rule), name_of(rule)) << one.question;
  }
}

// As the paper has them, but that no rule finds the article that an answer lacks.
TEST(VacuousStatement, ThePapersExamples) {
  expect_statements(StatementRule::object,
                    {{"What might a person see at the scene of a brutal killing?", "a bloody mess",
                      "A person might see a bloody mess at the scene of a brutal killing."}});
  expect_statements(StatementRule::place,
                    {{"Where can personal mushrooms be kept fresh?", "the refrigerator",
                      "Personal mushrooms can be kept fresh in the refrigerator."}});
}

TEST(VacuousStatement, BlanksAreFilled) {
  expect_statements(
      StatementRule::blank,
      {{"A gardener needs ____ to dig.", "a spade", "A gardener needs a spade to dig."},
       {"Rain falls from a ___?", "cloud", "Rain falls from a cloud."}});
}

TEST(VacuousStatement, AWhWordInItsPlaceIsReplaced) {
  expect_statements(
      StatementRule::end,
      {{"Too much sun gave her what?", "a headache", "Too much sun gave her a headache."},
       {"The cat likes to hide where?", "the cellar", "The cat likes to hide in the cellar."},
       {"The train came from where?", "the north", "The train came from the north."},
       {"A long walk can cause what sort of pain?", "blisters",
        "A long walk can cause blisters."}});
  expect_statements(StatementRule::inside, {{"He put the what on the table, then left?", "lamp",
                                             "He put the lamp on the table, then left."},
                                            {"The new lamp helped what get warm?", "the room",
                                             "The new lamp helped the room get warm."}});
}

TEST(VacuousStatement, TheAnswerStandsForTheSubject) {
  expect_statements(
      StatementRule::subject,
      {{"What helps a plant grow?", "water", "Water helps a plant grow."},
       {"Who might repair a roof?", "a roofer", "A roofer might repair a roof."},
       {"What town is known for its bridges?", "élan", "Élan is known for its bridges."},
       {"Which old bird has two nests?", "the stork", "The stork has two nests."},
       {"What broke the window?", "a ball", "A ball broke the window."},
       {"What fell down?", "a tree", "A tree fell down."},
       {"What saw cuts metal?", "a hacksaw", "A hacksaw cuts metal."},
       {"Which rose smells best?", "the tea rose", "The tea rose smells best."},
       {"Who took the boat to the island?", "Ada", "Ada took the boat to the island."},
       {"Which bird sang?", "the thrush", "The thrush sang."},
       {"How many people can sit on it?", "three", "Three people can sit on it."}});
}

TEST(VacuousStatement, TheAnswerIsBehindIs) {
  expect_statements(
      StatementRule::identity,
      {{"What is the opposite of dark?", "bright", "The opposite of dark is bright."},
       {"What's a tool used by painters?", "a brush", "A tool used by painters is a brush."},
       {"\"What's a tool used by painters?\"", "a brush", "A tool used by painters is a brush."},
       {"What is a room that is warm and which could be small?", "a sauna",
        "A room that is warm and which could be small is a sauna."},
       {"Where is a good place to keep a boat?", "a harbour",
        "A good place to keep a boat is a harbour."},
       {"Where is the bridge?", "town", "The bridge is in town."}});
}

TEST(VacuousStatement, SubjectAndVerbChangePlaces) {
  expect_statements(
      StatementRule::object,
      {{"What does the baker usually carry?", "bread", "The baker usually carries bread."},
       {"What did she buy at the market?", "plums", "She bought plums at the market."},
       {"What would you need to do to win a race?", "train",
        "You would need to train to win a race."},
       {"What are nails kept in?", "a box", "Nails are kept in a box."},
       {"What do hens have that is soft?", "down", "Hens have down that is soft."},
       {"What is he doing when he shuts his eyes?", "resting",
        "He is resting when he shuts his eyes."},
       {"The shop was closed, what did he want to find?", "a key",
        "The shop was closed, he wanted to find a key."},
       {"It was late. What could Anna hear, if she listened?", "an owl",
        "It was late. Anna could hear an owl, if she listened."}});
}

TEST(VacuousStatement, PlacesAndManners) {
  expect_statements(
      StatementRule::place,
      {{"Where do bears hibernate in winter?", "a den", "Bears hibernate in winter in a den."},
       {"Where would he go to swim?", "the lake", "He would go to the lake to swim."},
       {"Where in a house might a mouse live?", "a wall",
        "A mouse might live in a wall in a house."},
       {"If you own a cow where do you keep it?", "a barn",
        "If you own a cow, you keep it in a barn."},
       {"In what month does the snow melt?", "April", "The snow melts in April."}});
  expect_statements(StatementRule::manner,
                    {{"Why would a child cry?", "hunger", "A child would cry because of hunger."},
                     {"Why do people run?", "they are late", "People run because they are late."},
                     {"Why does she sing?", "feel better", "She sings to feel better."},
                     {"How could a sailor send a message?", "waving",
                      "A sailor could send a message by waving."}});
}

TEST(VacuousStatement, QuestionsThatNameTheirAnswers) {
  expect_statements(
      StatementRule::polar,
      {{"Can a fish climb a tree?", "no", "No, a fish can not climb a tree."},
       {"Does she like tea?", "yes", "Yes, she likes tea."},
       {"Does she like tea?", "no", "No, she does not like tea."},
       {"Would it melt faster or slower in the sun?", "faster", "It would melt faster in the sun."},
       {"Would it melt faster or slower in the sun?", "slower", "It would melt slower in the sun."},
       {"Is it very hot or cold?", "very hot", "It is very hot."}});
}

TEST(VacuousStatement, StatementsThatLackTheirEnd) {
  expect_statements(
      StatementRule::open,
      {{"He was tired so he", "slept", "He was tired so he slept."},
       {"To bake bread you will need some?", "flour", "To bake bread you will need some flour."},
       {"You can buy stamps here.", "the post office", "You can buy stamps in the post office."}});
}

TEST(VacuousStatement, WhatNoRuleFitsIsQuestionAndAnswer) {
  expect_statements(StatementRule::plain,
                    {{"Old quarrels", "noise", "Old quarrels noise."},
                     {"Should I worry?", "lose sleep", "Should I worry? lose sleep."},
                     {"?", "x", "? x."},
                     {"…", "a.m.", "… a.m."}});
}

// Every question of CoS-E v1.0's two parts becomes a sentence that holds the answer, seldom by the
// fallback.
TEST(VacuousStatement, RealQuestions) {
  const char* const data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  int64_t questions = 0, plain = 0;
  const auto read_row = [&](const Json& row, const std::string& where) {
    const Json& question = row.require("question", where);
    const std::string& stem = question.require_string("stem", where);
    for (const Json& choice : question.require_array("choices", where)) {
      const std::string answer = to_text(split_words(choice.require_string("text", where)));
      const Statement statement = vacuous_statement(stem, answer);
      EXPECT_NE(text::lower_case(statement.text).find(text::lower_case(answer)), std::string::npos)
          << stem << " " << statement.text;
      EXPECT_NE(statement.text.find_last_of(".!?"), std::string::npos);
      ++questions;
      plain += statement.rule == StatementRule::plain ? 1 : 0;
    }
    return true;
  };
  for (const char* const part : {"train", "dev"}) {
    visit_rows(std::string(data) + "/cose/v1.0/" + part + "_rand_split.jsonl", InputFormat::kJsonl,
               read_row);
  }
  EXPECT_EQ(questions, 3 * 8560);
  EXPECT_LT(plain, questions / 100);
}

// What the T5-3B converter wrote for the same questions.
TEST(VacuousStatement, PublishedStatements) {
  const char* const data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  int64_t statements = 0, equal = 0;
  const auto read_row = [&](const Json& row, const std::string& where) {
    const Statement statement = vacuous_statement(row.require_string("question_text", where),
                                                  row.require_string("answer_text", where));
    EXPECT_NE(statement.rule, StatementRule::plain);
    equal += statement.text == row.require_string("question_statement_text", where) ? 1 : 0;
    ++statements;
    return true;
  };
  for (const char* const part : {"train", "dev", "test"}) {
    visit_rows(std::string(data) + "/rev_ecqa_sample/" + part + ".jsonl.predictions",
               InputFormat::kJsonl, read_row);
  }
  EXPECT_EQ(statements, 15);
  EXPECT_GE(equal, 4);  // most of the others lack an article
}

}  // namespace
}  // namespace rubric::data
