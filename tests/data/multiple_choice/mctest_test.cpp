#include "data/multiple_choice/mctest.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::mctest_test {

const std::string kQuestion = "\tone: Who?\ta\tb\tc\td";
const std::string kStory = "s.0\tAuthor: x\tIt rained.\\newline\\newlineThen\\tabnot." + kQuestion +
                           "\tmultiple: Why, one: or two?\te\tf\\newlineg\th\ti" + kQuestion +
                           kQuestion;

struct McTest : testing::Test {
  std::filesystem::path files(const std::string& tsv, const std::string& ans) const {
    folder_.write("mc.ans", ans);
    return folder_.write("mc.tsv", tsv);
  }

  void expect_error(const std::string& tsv, const std::string& ans,
                    const std::vector<std::string>& parts) const {
    expect_says(input_error([&] { read_mctest(files(tsv, ans)); }), parts);
  }

  TemporaryFolder folder_;
};

TEST_F(McTest, ReadsFourQuestionsAStory) {
  const ChoiceSet set = read_mctest(files(kStory + "\r\n", "C\tA\tD\tB\r\n"));
  ASSERT_EQ(set.questions.size(), 4u);
  EXPECT_TRUE(set.dropped.empty());
  const ChoiceQuestion& first = set.questions[0];
  EXPECT_EQ(first.id, "s.0#1");
  EXPECT_EQ(first.source, "mctest/mc.tsv");
  EXPECT_EQ(first.passage, "It rained.  Then not.");
  EXPECT_EQ(first.question, "Who?");
  EXPECT_EQ(first.correct, std::vector<std::string>{"c"});
  EXPECT_EQ(first.incorrect, (std::vector<std::string>{"a", "b", "d"}));
  EXPECT_EQ(set.questions[1].question, "Why, one: or two?");
  EXPECT_EQ(set.questions[1].correct, std::vector<std::string>{"e"});
  EXPECT_EQ(set.questions[1].incorrect, (std::vector<std::string>{"f g", "h", "i"}));
  EXPECT_EQ(set.questions[3].correct, std::vector<std::string>{"b"});
}

TEST_F(McTest, ErrorsNameFileAndLine) {
  const std::string good = "A\tB\tC\tD\n";
  expect_error(kStory + "\n" + kStory + "\n", good, {"1 line of answers to 2 stories", "mc.ans"});
  expect_error(kStory, good + good, {"2 lines of answers to 1 story"});
  expect_error(kStory + "\ns.1\tx\tstory" + kQuestion, good + good,
               {"mc.tsv:2", "expected 23 tab-separated columns, found 8"});
  expect_error(kStory, "A\tB\tC\n", {"mc.ans:1", "expected 4 tab-separated columns, found 3"});
  for (const std::string letter : {"E", "a", "", "AB", "@"}) {
    expect_error(kStory + "\n" + kStory, good + "A\tB\t" + letter + "\tD\n",
                 {"mc.ans:2", "\"" + letter + "\" is not one of the 4 options"});
  }
  expect_error("", "", {"there are no questions", "mc.tsv"});
  expect_error("\xFF", good, {"not UTF-8", "mc.tsv"});
  const std::filesystem::path tsv = files(kStory, good);
  std::filesystem::remove(folder_.path() / "mc.ans");
  expect_contains(input_error([&] { read_mctest(tsv); }), "mc.ans");
}

TEST(McTestRealData, HasFourOptionsAndOneAnswerAQuestion) {
  const char* data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  const std::filesystem::path folder = std::filesystem::path(data) / "mctest";
  // The stories of each split, as published; four questions each.
  for (const auto& [name, stories] : {std::pair("mc160.train", 70),
                                      {"mc160.dev", 30},
                                      {"mc160.test", 60},
                                      {"mc500.train", 300},
                                      {"mc500.dev", 50},
                                      {"mc500.test", 150}}) {
    const ChoiceSet set = read_mctest(folder / (name + std::string(".tsv")));
    EXPECT_EQ(std::ssize(set.questions), 4 * stories) << name;
    for (const ChoiceQuestion& question : set.questions) {
      EXPECT_EQ(question.correct.size(), 1u);
      EXPECT_EQ(question.incorrect.size(), 3u);
      EXPECT_FALSE(holds(question.question, "multiple:") || holds(question.question, "one:"));
      EXPECT_FALSE(holds(question.passage + question.question, "\\")) << question.id;
    }
  }
  const ChoiceQuestion first = read_mctest(folder / "mc160.train.tsv").questions[0];
  EXPECT_EQ(first.question, "What was the hardest thing for Tom and his friends to fix?");
  EXPECT_EQ(first.correct, std::vector<std::string>{"Window"});
  EXPECT_TRUE(first.passage.starts_with("Tom had to fix some things around the house."));
}

}  // namespace rubric::data::mctest_test
