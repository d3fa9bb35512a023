#include <gtest/gtest.h>

#include "data/derivations/readers.h"
#include "data/reading.h"

namespace rubric::data::hotpotqa_test {

struct Hotpotqa : Reading<read_hotpotqa> {
  // A question with these two fields.
  static std::string question(const std::string& facts, const std::string& context) {
    return R"([{"_id": "q", "question": "?", "answer": "a", "supporting_facts": )" + facts +
           ", \"context\": " + context + "}]";
  }
};

TEST_F(Hotpotqa, ReadsFactsAndArticles) {
  const auto questions = read(question(R"([["T", 1]])", R"([["T", ["One.", "Two."]], ["U", []]])"));
  ASSERT_EQ(questions.size(), 1u);
  EXPECT_EQ(questions[0].id, "q");
  EXPECT_EQ(questions[0].answer, "a");
  ASSERT_EQ(questions[0].supporting_facts.size(), 1u);
  EXPECT_EQ(questions[0].supporting_facts[0].title, "T");
  EXPECT_EQ(questions[0].supporting_facts[0].sentence, 1);
  ASSERT_EQ(questions[0].articles.size(), 2u);
  EXPECT_EQ(questions[0].articles[0].sentences, (std::vector<std::string>{"One.", "Two."}));
}

TEST_F(Hotpotqa, NamesWhatIsWrong) {
  expect_contains(error("{}"), "the file is an object, not a list");
  expect_contains(error("[{}]"), "question 1");
  expect_contains(error(question("[[\"T\"]]", "[]")), "has 1 part, not 2");
  expect_contains(error(question("[[\"T\", -1]]", "[]")), "not a whole number from 0");
  expect_contains(error(question("[[\"T\", 0.5]]", "[]")), "not a whole number from 0");
  expect_contains(error(question("[]", "[[\"T\", \"One.\"]]")), "article 1");
  const std::string one = question("[]", "[]").substr(1, question("[]", "[]").size() - 2);
  expect_contains(error("[" + one + ", " + one + "]"), "two questions have this \"_id\"");
}

}  // namespace rubric::data::hotpotqa_test
