#include "eval/resampling.h"

#include <gtest/gtest.h>

namespace rubric::eval {
namespace {

using Numbers = std::vector<uint32_t>;

data::ScoredRows rows_of(const std::vector<const char*>& objects) {
  data::ScoredRows rows;
  for (const char* object : objects) {
    rows.rows.push_back(Json::parse(object, "row"));
    rows.ids.push_back(rows.rows.back().find("id")->string());
  }
  return rows;
}

stats::Clusters questions_of(const data::ScoredRows& rows) {
  return RowQuestions(rows).clusters();
}

TEST(Questions, AreOfOnePassageAndQuestion) {
  const stats::Clusters questions = questions_of(rows_of({
      R"({"id": "1", "passage": "p", "question": "who?"})",
      R"({"id": "2", "passage": "p", "question": "why?"})",
      R"({"id": "3", "passage": "q", "question": "who?"})",
      R"({"id": "4", "question": "who?"})",
      R"({"id": "5", "passage": "p", "question": "who?", "constituent": "drop"})",
      R"({"id": "6", "context": "p", "question": "who?"})",
      R"({"id": "7", "context": "p", "question": "who?"})",
  }));
  EXPECT_EQ(questions.of, (Numbers{0, 1, 2, 3, 0, 4, 4}));
  EXPECT_EQ(questions.count, 5u);
}

// As `score` finds them (docs/rows.md).
TEST(Questions, AreFoundUnderTheirUsualNames) {
  const std::vector<std::vector<const char*>> files = {
      {R"({"id": "1", "Question": "who?", "article": "p"})",
       R"({"id": "2", "Question": "who?", "article": "p"})",
       R"({"id": "3", "Question": "who?", "article": "q"})"},
      {R"({"id": "1", "doc": {"question": "who?", "context": "p"}})",
       R"({"id": "2", "doc": {"question": "who?", "context": "p"}})",
       R"({"id": "3", "doc": {"question": "who?", "context": "q"}})"},
      // Several fields may be the passage or the candidate: here that is no error.
      {R"({"id": "1", "Question": "who?", "context": "p", "article": "a", "pred": "", "gold": ""})",
       R"({"id": "2", "Question": "who?", "context": "p", "article": "b", "response": ""})",
       R"({"id": "3", "Question": "who?", "context": "q", "article": "b"})"}};
  for (const auto& file : files) {
    const data::ScoredRows rows = rows_of(file);
    EXPECT_EQ(questions_of(rows).of, (Numbers{0, 0, 1})) << file[0];
    EXPECT_TRUE(RowQuestions(rows).any());
  }
}

TEST(Questions, ARowWithoutOneStandsAlone) {
  const stats::Clusters questions = questions_of(rows_of({
      R"({"id": "1", "passage": "p"})",
      R"({"id": "1", "passage": "p", "question": ""})",
      R"({"id": "1", "question": null})",
  }));
  EXPECT_EQ(questions.of, (Numbers{0, 1, 2}));
}

TEST(Questions, WithoutThemIdsSayWhatSystemsShare) {
  data::ScoredRows rows = rows_of({R"({"id": "1"})", R"({"id": "2"})", R"({"id": "1"})"});
  rows.systems = {"a", "a", "b"};
  EXPECT_EQ(questions_of(rows).of, (Numbers{0, 1, 0}));
}

}  // namespace
}  // namespace rubric::eval
