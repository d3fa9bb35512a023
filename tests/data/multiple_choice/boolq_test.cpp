#include "data/multiple_choice/boolq.h"

#include <gtest/gtest.h>

#include "data/reading.h"

namespace rubric::data::boolq_test {

struct BoolQ : Reading<read_boolq> {
  BoolQ() : Reading("dev.jsonl") {}
};

const std::string kRow =
    R"({"question": "is it so", "title": "T", "answer": true, "passage": "It is."})";

TEST_F(BoolQ, TheAnswersAreYesAndNo) {
  const std::string no = R"({"question": "or not", "answer": false, "passage": "No."})";
  const ChoiceSet set = read(kRow + "\n\n" + no + "\n");
  ASSERT_EQ(set.questions.size(), 2u);
  EXPECT_EQ(set.questions[0].source, "boolq/dev.jsonl");
  EXPECT_EQ(set.questions[0].passage, "It is.");
  EXPECT_EQ(set.questions[0].question, "is it so");
  EXPECT_EQ(set.questions[0].correct, std::vector<std::string>{"yes"});
  EXPECT_EQ(set.questions[0].incorrect, std::vector<std::string>{"no"});
  EXPECT_EQ(set.questions[1].id, "3");  // its line
  EXPECT_EQ(set.questions[1].correct, std::vector<std::string>{"no"});
}

TEST_F(BoolQ, ErrorsNameFileAndLine) {
  expect_error(kRow + "\n{\"question\": ", {"not valid JSON", "dev.jsonl:2"});
  expect_error(kRow + "\n{\"question\": \"q\", \"answer\": \"yes\", \"passage\": \"p\"}",
               {"\"answer\" must be true or false", "dev.jsonl:2"});
  expect_error(R"({"question": "q", "answer": true})", {"\"passage\" is missing", "dev.jsonl:1"});
  expect_error("\n", {"there are no questions", "dev.jsonl"});
}

}  // namespace rubric::data::boolq_test
