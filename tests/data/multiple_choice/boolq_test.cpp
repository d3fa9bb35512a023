#include "data/multiple_choice/boolq.h"

#include <gtest/gtest.h>

#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::boolq_test {

const std::string kRow =
    R"({"question": "is it so", "title": "T", "answer": true, "passage": "It is."})";

TEST(BoolQ, TheAnswersAreYesAndNo) {
  const TemporaryFolder folder;
  const std::string no = R"({"question": "or not", "answer": false, "passage": "No."})";
  const ChoiceSet set = read_boolq(folder.write("dev.jsonl", kRow + "\n\n" + no + "\n"));
  ASSERT_EQ(set.questions.size(), 2u);
  EXPECT_EQ(set.questions[0].source, "boolq/dev.jsonl");
  EXPECT_EQ(set.questions[0].passage, "It is.");
  EXPECT_EQ(set.questions[0].question, "is it so");
  EXPECT_EQ(set.questions[0].correct, std::vector<std::string>{"yes"});
  EXPECT_EQ(set.questions[0].incorrect, std::vector<std::string>{"no"});
  EXPECT_EQ(set.questions[1].id, "3");  // its line
  EXPECT_EQ(set.questions[1].correct, std::vector<std::string>{"no"});
}

TEST(BoolQ, ErrorsNameFileAndLine) {
  const TemporaryFolder folder;
  const std::pair<std::string, std::vector<std::string>> kCases[] = {
      {kRow + "\n{\"question\": ", {"not valid JSON", "dev.jsonl:2"}},
      {kRow + "\n{\"question\": \"q\", \"answer\": \"yes\", \"passage\": \"p\"}",
       {"\"answer\" must be true or false", "dev.jsonl:2"}},
      {R"({"question": "q", "answer": true})", {"\"passage\" is missing", "dev.jsonl:1"}},
      {"\n", {"there are no questions", "dev.jsonl"}}};
  for (const auto& [text, parts] : kCases) {
    const auto file = folder.write("dev.jsonl", text);
    const std::string message = input_error([&] { read_boolq(file); });
    for (const std::string& part : parts) expect_contains(message, part);
  }
}

}  // namespace rubric::data::boolq_test
