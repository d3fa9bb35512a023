#include "data/multiple_choice/race.h"

#include <gtest/gtest.h>

#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::race_test {

const std::string kArticle =
    R"({"answers": ["C", "A", "B", "A"], "article": "Text.", "id": "high1.txt",
        "options": [["a", "b", "c", "d"], ["e", "f", "g", "h"], ["i", "j"], ["k", "l", "m"]],
        "questions": ["Who came?", "They left because _ .", "Was it?", "How?"]})";

struct Race : testing::Test {
  void expect_error(const std::string& text, const std::vector<std::string>& parts) const {
    folder_.write("train/high/7.txt", text);
    expect_says(input_error([&] { read_race(folder_.path() / "train"); }), parts);
  }

  TemporaryFolder folder_;
};

TEST_F(Race, KeepsTwoWrongOptionsAndCountsWhatItDrops) {
  folder_.write("train/middle/2.txt", kArticle);
  folder_.write("train/high/1.txt", kArticle);
  folder_.write("train/.DS_Store", "not an article");
  for (const std::string name : {"train", "train/"}) {
    const ChoiceSet set = read_race(folder_.file(name));
    ASSERT_EQ(set.questions.size(), 4u);
    const ChoiceQuestion& first = set.questions[0];
    EXPECT_EQ(first.id, "high/1.txt#1");
    EXPECT_EQ(first.source, "race/train");
    EXPECT_EQ(first.passage, "Text.");
    EXPECT_EQ(first.question, "Who came?");
    EXPECT_EQ(first.correct, std::vector<std::string>{"c"});
    EXPECT_EQ(first.incorrect, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(set.questions[1].id, "high/1.txt#4");
    EXPECT_EQ(set.questions[1].incorrect, (std::vector<std::string>{"l", "m"}));
    EXPECT_EQ(set.questions[2].id, "middle/2.txt#1");
    const Dropped expected = {{"RACE questions without \"?\"", 2},
                              {"RACE questions with fewer than 2 wrong options", 2}};
    EXPECT_EQ(set.dropped, expected);
  }
  EXPECT_EQ(read_race(folder_.path() / "train" / "middle").questions[0].id, "2.txt#1");
}

TEST_F(Race, ErrorsNameFileAndQuestion) {
  expect_error("{\"article\":\n \"x\",", {"not valid JSON", "high/7.txt:2"});
  expect_error(R"({"article": "x", "questions": [], "options": []})",
               {"\"answers\" is missing", "high/7.txt"});
  expect_error(R"({"article": "x", "questions": ["a?", "b?"], "options": [[]], "answers": ["A"]})",
               {"2 questions, 1 list of options and 1 answer", "high/7.txt"});
  expect_error(R"({"article": "x", "questions": ["?"], "options": [["a"]], "answers": ["B"]})",
               {"\"B\" is not one of the 1 option", "high/7.txt: question 1"});
  expect_error(R"({"article": "x", "questions": ["?"], "options": ["ab"], "answers": ["A"]})",
               {"\"options\"", "question 1"});
  expect_error(R"({"article": "x", "questions": ["?"], "options": [["a"]], "answers": [1]})",
               {"\"answers\" lists a number", "high/7.txt"});
  expect_error(R"({"article": "x", "questions": [], "options": [], "answers": []})",
               {"there are no questions"});
  folder_.write("train/high/notes.md", "");
  expect_error(kArticle, {"not an article of RACE", "notes.md"});
}

TEST_F(Race, AFolderWithoutArticlesIsRefused) {
  std::filesystem::create_directory(folder_.path() / "empty");
  expect_contains(input_error([&] { race_files(folder_.path() / "empty"); }), "no article");
  expect_contains(input_error([&] { race_files(folder_.path() / "absent"); }), "cannot read");
}

}  // namespace rubric::data::race_test
