#include <gtest/gtest.h>

#include "eval/rev/rev.h"
#include "eval/rev/rev_example.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::eval::rev_pairs_test {

std::string row(const std::string& id, const std::string& more = "",
                const std::string& question = "where?") {
  return R"({"id": ")" + id + R"(", "question": ")" + question +
         R"(", "choices": ["a", "b"], "label": "a", "rationale": "r")" + more + "}\n";
}

struct ReadRevPairs : testing::Test {
  std::vector<RevPairs> read(const std::vector<std::pair<std::string, std::string>>& contents) {
    std::vector<RevFile> files;
    for (const auto& [kind, content] : contents) {
      files.emplace_back(kind, folder_.write(std::to_string(files.size()) + ".jsonl", content));
    }
    return read_rev_pairs(files);
  }
  std::string error(const std::vector<std::pair<std::string, std::string>>& contents) {
    return input_error([&] { read(contents); });
  }

  TemporaryFolder folder_;
};

TEST_F(ReadRevPairs, FilesOfOneKindAreItsSeeds) {
  const auto pairs =
      read({{"gold", row("1")}, {"x_yr", row("1")}, {"gold", row("1")}, {"gold", row("1")}});
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs[0].kind, "gold");
  EXPECT_EQ(pairs[0].seeds.size(), 3u);
  EXPECT_EQ(pairs[1].seeds.size(), 1u);
}

TEST_F(ReadRevPairs, NamesIdsThatOneFileAloneHas) {
  const std::string message =
      error({{"gold", row("1") + row("2") + row("3")}, {"x_yr", row("1") + row("4") + row("2")}});
  expect_says(message, {"two files hold different ids",
                        "0.jsonl alone has 1: \"3\"; x_yr=", "1.jsonl alone has 1: \"4\""});
  expect_contains(error({{"gold", row("1")}, {"gold", row("1") + row("2")}}), "alone has 1: \"2\"");
}

TEST_F(ReadRevPairs, RefusesAnotherOrder) {
  const std::string message = error({{"gold", row("1") + row("2")}, {"gold", row("2") + row("1")}});
  expect_says(message, {"different orders", "0.jsonl:1: 1 and ", "1.jsonl:1: 2"});
}

TEST_F(ReadRevPairs, RowsOfOneIdAreOfOneQuestion) {
  expect_contains(error({{"gold", row("1")}, {"x_yr", row("1", "", "when?")}}),
                  "rows of one id differ in question");
  const std::string gold_a = R"(, "gold": "a")", gold_b = R"(, "gold": "b")";
  expect_contains(error({{"gold", row("1", gold_a)}, {"x_yr", row("1", gold_b)}}),
                  "rows of one id differ in gold");
  EXPECT_EQ(read({{"gold", row("1", gold_a)}, {"x_yr", row("1")}}).size(), 2u);
  expect_contains(
      error({{"gold", row("1")}, {"x_yr", row("1", gold_a)}, {"x_ry", row("1", gold_b)}}),
      "1.jsonl:1: 1 and ");
  const std::string choices = row("1");
  expect_contains(
      error({{"gold", choices},
             {"x_yr", std::string(choices).replace(choices.find("\"b\""), 3, "\"c\"")}}),
      "rows of one id differ in choices");
}

TEST_F(ReadRevPairs, CommonRowsAreThoseOfAllFiles) {
  const std::string scored = R"(, "scores": {"rev": 1})";
  const std::vector<RevFile> files = {
      {"gold", folder_.write("a.jsonl", row("1", scored) + row("2", scored) + row("3", scored))},
      {"x_yr", folder_.write("b.jsonl", row("2", scored) + row("3"))},
      {"x_yr", folder_.write("c.jsonl", row("1", scored) + row("2", scored))}};
  const auto pairs = read_rev_pairs(files, RowsWanted::common);
  ASSERT_EQ(pairs.size(), 2u);
  ASSERT_EQ(pairs[1].seeds.size(), 2u);
  EXPECT_EQ(pairs[0].seeds[0].size(), 1u);
  EXPECT_EQ(pairs[1].seeds[1][0].id, "2");
  EXPECT_EQ(pairs[0].left_out, (std::vector<std::set<std::string>>{{"1", "3"}}));
  EXPECT_EQ(pairs[1].left_out, (std::vector<std::set<std::string>>{{"3"}, {"1"}}));
  expect_contains(input_error([&] { read_rev_pairs(files); }), "1 of 2 rows have no scores.rev");
}

// One row, though it cannot be read in one of the files: it counts once.
TEST_F(ReadRevPairs, ARowThatCannotBeReadKeepsItsId) {
  const std::string scored = R"(, "scores": {"rev": 1})";
  const std::string bad = R"({"id": "2", "question": "q", "rationale": ""})"
                          "\n";
  const std::vector<RevFile> files = {
      {"gold", folder_.write("a.jsonl", row("1", scored) + bad)},
      {"x_yr", folder_.write("b.jsonl", row("1", scored) + row("2", scored))}};
  for (const RevPairs& pairs : read_rev_pairs(files, RowsWanted::common)) {
    EXPECT_EQ(pairs.left_out, (std::vector<std::set<std::string>>{{"2"}}));
  }
}

TEST_F(ReadRevPairs, SeedsHaveTheSameFigures) {
  const std::string scored = R"(, "scores": {"rev": 1})";
  expect_contains(error({{"gold", row("1", scored)}, {"gold", row("1")}}),
                  "the seeds of gold do not all have what REV is made of");
  EXPECT_EQ(read({{"gold", row("1", scored)}, {"x_yr", row("1")}}).size(), 2u);
}

TEST(QuestionsOf, RowsOfOnePremiseAndHypothesisBelongTogether) {
  std::vector<data::ScoredRationale> rows(4);
  for (data::ScoredRationale& row : rows) row.premise = "p";
  rows[1].hypothesis = "h";
  rows[3].hypothesis = "h";
  EXPECT_EQ(rationale_questions(rows).of, (std::vector<uint32_t>{0, 1, 0, 1}));
}

}  // namespace rubric::eval::rev_pairs_test
