#include "data/multiple_choice/multirc.h"

#include <gtest/gtest.h>

#include "data/reading.h"

namespace rubric::data::multirc_test {

struct MultiRC : Reading<read_multirc> {
  MultiRC() : Reading("dev.json") {}
};

std::string file_of(const std::string& questions) {
  return R"({"data": [{"id": "News/1.txt", "paragraph": {"text": )"
         R"("<b>Sent 1: </b>It rained.<br><b>Sent 2: </b>It stopped.<br>", "questions": [)" +
         questions + "]}}]}";
}

const std::string kRight = R"({"text": "rain", "isAnswer": true, "scores": {}})";
const std::string kWrong = R"({"text": "snow", "isAnswer": false})";

std::string question_of(const std::string& answers) {
  return R"({"question": "What fell?", "idx": "0", "answers": [)" + answers + "]}";
}

TEST_F(MultiRC, KeepsQuestionsWithBothKindsOfAnswers) {
  const ChoiceSet set =
      read(file_of(question_of(kRight) + "," + question_of(kWrong + "," + kWrong) + "," +
                   question_of("") + "," + question_of(kRight + "," + kWrong + "," + kRight)));
  ASSERT_EQ(set.questions.size(), 1u);
  const ChoiceQuestion& question = set.questions[0];
  EXPECT_EQ(question.id, "News/1.txt#4");
  EXPECT_EQ(question.source, "multirc/dev.json");
  EXPECT_EQ(question.passage, "It rained. It stopped.");
  EXPECT_EQ(question.question, "What fell?");
  EXPECT_EQ(question.correct, (std::vector<std::string>{"rain", "rain"}));
  EXPECT_EQ(question.incorrect, std::vector<std::string>{"snow"});
  const Dropped expected = {
      {"MultiRC questions without both a correct and an incorrect answer", 3}};
  EXPECT_EQ(set.dropped, expected);
}

TEST_F(MultiRC, OnlySentenceMarkupIsStripped) {
  EXPECT_EQ(without_sentence_markup("<b>Sent 12: </b>A.<br>"), "A.");
  EXPECT_EQ(without_sentence_markup("<b>Sent: </b>A <b>b</b><br>B"), "<b>Sent: </b>A <b>b</b> B");
  EXPECT_EQ(without_sentence_markup("<b>Sent 1"), "<b>Sent 1");
  EXPECT_EQ(without_sentence_markup("<br><br>"), "");
}

TEST_F(MultiRC, ErrorsNameFileParagraphQuestionAndAnswer) {
  const std::pair<std::string, std::vector<std::string>> kCases[] = {
      {"{\"data\":\n [", {"not valid JSON", "dev.json:2"}},
      {"[]", {"expected an object", "dev.json"}},
      {R"({"data": [{"paragraph": {}}]})", {"\"id\" is missing", "dev.json: paragraph 1"}},
      {R"({"data": [{"id": "x", "paragraph": {"text": "t"}}]})",
       {"\"questions\" is missing", "dev.json: \"x\""}},
      {file_of(R"({"question": "q"})"),
       {"\"answers\" is missing", "dev.json: \"News/1.txt\", question 1"}},
      {file_of(question_of(kRight) + "," + question_of(kRight + R"(, {"text": "a"})")),
       {"\"isAnswer\" is missing", "\"News/1.txt\", question 2, answer 2"}},
      {file_of(question_of(R"({"text": "a", "isAnswer": 1})")), {"must be true or false"}},
      {R"({"data": []})", {"there are no questions", "dev.json"}}};
  for (const auto& [text, parts] : kCases) expect_error(text, parts);
}

}  // namespace rubric::data::multirc_test
