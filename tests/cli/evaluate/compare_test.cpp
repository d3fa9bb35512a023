// `compare` on systems whose differences are known.
#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/json/json.h"
#include "paths.h"

namespace rubric::cli {
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
    std::vector<std::string> arguments = {"rubric", "compare"};
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
  const Json fixture = Json::parse_file(std::string(fixtures_folder()) + "/stats/questions.json");
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

TEST_F(Compare, AFieldMayNameTheSystems) {
  const std::string rows =
      "constituent,id,kind,f1\n"
      "a,1,x,0.9\na,2,x,0.8\na,3,y,0.7\nb,1,x,0.5\nb,2,x,0.7\nb,3,y,0.6\nb,4,y,1\n";
  folder_.write("all.csv", rows);
  const std::vector<std::string> options = {"--metric", "f1",   "--system", "constituent",
                                            "--group",  "kind", "--format", "json"};
  const Outcome outcome = compare({"all.csv"}, options);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out, "stdout");
  EXPECT_EQ(json.find("n")->number(), 3);
  EXPECT_NEAR(json.find("systems")->find("b")->find("mean")->number(), 0.6, 1e-12);
  EXPECT_EQ(json.find("note")->string(), "1 records are not of every system and left out: y / 4");
  const Json& x = *json.find("groups")->find("x");
  EXPECT_EQ(x.find("n")->number(), 2);
  EXPECT_NEAR(x.find("comparisons")->array()[0].find("difference")->number(), 0.25, 1e-12);
  EXPECT_EQ(json.find("groups")->find("y")->find("n")->number(), 1);
  // Holm over the comparisons of all rows and of both groups: three of two systems.
  std::vector<std::pair<double, double>> p;  // as drawn, corrected
  for (const Json* of : {&json, &x, json.find("groups")->find("y")}) {
    const Json& pair = of->find("comparisons")->array()[0];
    p.emplace_back(pair.find("p_permutation")->number(), pair.find("p_permutation_holm")->number());
  }
  std::ranges::sort(p);
  EXPECT_LT(p[0].first, 1.0 / 3);
  EXPECT_DOUBLE_EQ(p[0].second, 3 * p[0].first);
  for (const char* format : {"text", "csv"}) {
    const Outcome other = compare({"all.csv"}, {"--metric", "f1", "--system", "constituent",
                                                "--group", "kind", "--format", format});
    expect_contains(other.out + other.err, "left out: y / 4");
    expect_contains(other.out, "0.250");
  }
}

// As `score --constituent NAME` leaves them where the constituents are systems.
TEST_F(Compare, AFieldMayNameTheSystemsOfSeveralFiles) {
  folder_.write("x.csv", "constituent,id,f1\nfid,1,0.5\nfid,2,0.5\n");
  folder_.write("y.csv", "constituent,id,f1\ngpt4,1,1\ngpt4,2,0.5\n");
  expect_message(compare({"x.csv", "y.csv"}, {"--metric", "f1"}), 2,
                 {"fid / 1", "give --system FIELD"});
  const Outcome outcome =
      compare({"x.csv", "y.csv"}, {"--metric", "f1", "--system", "constituent"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  expect_contains(outcome.out, "fid – gpt4");
  expect_contains(outcome.out, "-0.250");
  folder_.write("z.csv", "constituent,id,f1\nfid,1,0\n");
  expect_message(compare({"x.csv", "z.csv"}, {"--metric", "f1", "--system", "constituent"}), 2,
                 {"a second score of fid for the id 1", "z.csv"});
  expect_message(compare({"x.csv"}, {"--metric", "f1", "--system", "constituent"}), 2,
                 {"all rows are of one system, fid"});
  folder_.write("z.csv", "constituent,id,f1\nmine,9,0\n");
  expect_message(compare({"x.csv", "z.csv"}, {"--metric", "f1", "--system", "constituent"}), 2,
                 {"no record is of every system (fid, mine)"});
}

TEST_F(Compare, ConstituentsAreFiguredAlone) {
  for (const char* name : {"one.csv", "two.csv"}) {
    const std::string score = std::string(name) == "one.csv" ? "1" : "0";
    folder_.write(name, "constituent,id,f1\ndrop,1," + score + "\nquoref,1,0.5\n");
  }
  const Outcome outcome = compare({"one.csv", "two.csv"},
                                  {"--metric", "f1", "--group", "constituent", "--format", "csv"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  expect_contains(outcome.out, "one,difference,,two,0.500000,");
  expect_contains(outcome.out, "one,difference,drop,two,1.000000,");
  expect_contains(outcome.out, "one,difference,quoref,two,0.000000,");
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
  expect({"a.jsonl", "twice.jsonl"}, "f1", {"the id \"1\" occurs twice"});
  expect_message(compare({"a.jsonl", "b.jsonl"}, {}), 2, {"metric"});
}

}  // namespace
}  // namespace rubric::cli
