#include "data/rationales/readers.h"

#include <gtest/gtest.h>

#include "messages.h"

namespace rubric::data::readers_test {

const std::string kAskedQuestion =
    R"({"answerKey": "B", "id": "q1", "question": {"question_concept": "boat", "choices": )"
    R"([{"label": "A", "text": "hill"}, {"text": "harbour", "label": "B"}], "stem": "Where?"}})";

RationaleExample read(const std::string& from = "", const std::string& to = "") {
  std::string text = kAskedQuestion;
  text.replace(text.find(from), from.size(), to);
  return keyed_question(Json::parse(text, "x"), "f:1");
}

TEST(KeyedQuestion, TheKeyIsAChoicesLetter) {
  const RationaleExample found = read();
  EXPECT_EQ(found.record.id, "q1");
  EXPECT_EQ(found.record.question, "Where?");
  EXPECT_EQ(found.record.choices, (std::vector<std::string>{"hill", "harbour"}));
  EXPECT_EQ(found.record.label, "harbour");
  EXPECT_EQ(found.record.gold, "harbour");
  EXPECT_EQ(found.where, "f:1");
  EXPECT_EQ(found.problem, "");
}

TEST(KeyedQuestion, AWrongKeyIsTheExamplesProblem) {
  EXPECT_EQ(read("\"B\", \"id\"", "\"C\", \"id\"").problem,
            "the answerKey \"C\" is not the letter of a choice");
  EXPECT_EQ(read("\"B\", \"id\"", "\"\", \"id\"").problem, "there is no answerKey");
  EXPECT_EQ(read("\"answerKey\": \"B\", ", "").problem, "there is no answerKey");
  EXPECT_EQ(read("\"label\": \"A\"", "\"label\": \"B\"").problem,
            "two choices have the letter \"B\"");
}

TEST(KeyedQuestion, RefusesAnotherForm) {
  const auto error = [](const std::string& from, const std::string& to) {
    return input_error([&] { read(from, to); });
  };
  expect_contains(error("\"id\"", "\"i\""), "\"id\"");
  expect_says(error("\"stem\"", "\"s\""), {"\"stem\"", "f:1: q1"});
  expect_contains(error("\"choices\"", "\"c\""), "\"choices\"");
  expect_contains(error("\"text\": \"hill\"", "\"text\": 1"), "\"text\"");
  expect_contains(error("{\"label\": \"A\", \"text\": \"hill\"}", "\"hill\""),
                  "expected an object, found a string");
  expect_contains(input_error([] {
                    keyed_question(Json::parse(R"({"id": "q", "question": "Who?"})", "x"), "f:1");
                  }),
                  "the field \"question\" must be an object, it is a string");
}

}  // namespace rubric::data::readers_test
