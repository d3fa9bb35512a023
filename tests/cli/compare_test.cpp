// `compare` on systems whose differences are known.
#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/json.h"

namespace rubric {
namespace {

class Compare : public testing::Test {
 protected:
  Compare() {
    write("a.jsonl", {0.9, 0.8, 0.7, 0.6, 0.5});
    write("b.jsonl", {0.5, 0.7, 0.6, 0.6, 0.1});
    write("c.jsonl", {0.9, 0.8, 0.7, 0.6, 0.5});
  }
  // Rows in reversed order, so that only ids tell which belong together.
  void write(const std::string& name, const std::vector<double>& scores, size_t first_id = 0) {
    std::string lines;
    for (size_t i = scores.size(); i-- > 0;) {
      const Json row(Json::Object{{"id", "q" + std::to_string(first_id + i)},
                                  {"scores", Json(Json::Object{{"f1", scores[i]}})}});
      lines = name == "b.jsonl" ? lines + row.dump() + "\n" : row.dump() + "\n" + lines;
    }
    folder_.write(name, lines);
  }
  Outcome compare(const std::vector<std::string>& files, std::vector<std::string> options) const {
    std::vector<std::string> arguments = {"compare"};
    for (const std::string& file : files) arguments.push_back(folder_.file(file));
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run(arguments);
  }
  TemporaryFolder folder_;
};

TEST_F(Compare, RecordsAreMatchedById) {
  const Outcome outcome = compare({"a.jsonl", "b.jsonl"}, {"--metric", "f1", "--format", "json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out, "stdout");
  EXPECT_NEAR(json.find("systems")->find("a")->find("mean")->number(), 0.7, 1e-12);
  const Json& pair = json.find("comparisons")->array().at(0);
  EXPECT_NEAR(pair.find("difference")->number(), 0.2, 1e-12);
  // Of the 32 exchanges of .4 .1 .1 0 .4 the two of the zero keep the sum, and so do their mirrors.
  EXPECT_NEAR(pair.find("p_permutation")->number(), 4.0 / 32, 1e-12);
  EXPECT_GT(pair.find("ci95")->array()[0].number(), 0);  // paired: each system alone varies more
}

TEST_F(Compare, SystemsThatAreTheSameDoNotDiffer) {
  const Outcome outcome = compare({"a.jsonl", "c.jsonl", "b.jsonl"}, {"--metric", "f1"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  expect_contains(outcome.out, "a – c    0.000 [0.000, 0.000]");
  expect_contains(outcome.out, "p of each test: Holm-corrected over all 3 comparisons");
  expect_contains(outcome.err, "compare|metric:f1|a:");
}

// p of scipy's fixture, over the exchanges of whole questions.
TEST_F(Compare, RowsOfOneQuestionAreDrawnAndExchangedTogether) {
  const Json fixture = Json::parse_file(std::string(RUBRIC_FIXTURES) + "/stats/questions.json");
  for (const char* metric : {"first", "second"}) {
    std::string lines;
    for (Json row : fixture.find("rows")->array()) {
      const Json score = *row.find("scores")->find(metric);
      row["f1"] = score;
      lines += row.dump() + "\n";
    }
    folder_.write(std::string(metric) + ".jsonl", lines);
  }
  const std::vector<std::string> files = {"first.jsonl", "second.jsonl"};
  const Json json =
      Json::parse(compare(files, {"--metric", "f1", "--format", "json"}).out, "stdout");
  EXPECT_EQ(json.find("questions")->number(), 8);
  const Json& pair = json.find("comparisons")->array().at(0);
  EXPECT_NEAR(pair.find("p_permutation")->number(), fixture.find("p_of_means")->number(), 1e-12);
  const std::string text = compare(files, {"--metric", "f1"}).out;
  expect_contains(text, "22 rows of 8 questions, resampled and exchanged by question");
  expect_contains(text, "10000 resamples and 10000 exchanges");
}

TEST_F(Compare, EveryFormatHoldsTheDifference) {
  for (const char* format : {"text", "markdown", "latex", "csv"}) {
    const Outcome outcome = compare({"a.jsonl", "b.jsonl"}, {"--metric", "f1", "--format", format});
    expect_contains(outcome.out, "0.200");
  }
}

TEST_F(Compare, BadInputIsNamed) {
  write("shifted.jsonl", {0.9, 0.8, 0.7, 0.6, 0.5}, 2);
  const auto expect = [&](const std::vector<std::string>& files, const std::string& metric,
                          const std::vector<std::string>& parts) {
    expect_message(compare(files, {"--metric", metric}), 2, parts);
  };
  expect({"a.jsonl", "shifted.jsonl"}, "f1", {"2 ids of ", "are not in this file: q0, q1"});
  expect({"a.jsonl"}, "f1", {"two systems or more"});
  expect({"a.jsonl", "a.jsonl"}, "f1", {"one file is named twice"});
  expect({"a.jsonl", "b.jsonl"}, "em", {"no row has a score \"em\""});
  folder_.write("twice.jsonl",
                "{\"id\": 1, \"scores\": {\"f1\": 1}}\n{\"id\": 1, \"scores\": {\"f1\": 1}}\n");
  expect({"a.jsonl", "twice.jsonl"}, "f1", {"the id \"1\" stands twice"});
  expect_message(compare({"a.jsonl", "b.jsonl"}, {}), 2, {"metric"});
}

}  // namespace
}  // namespace rubric
