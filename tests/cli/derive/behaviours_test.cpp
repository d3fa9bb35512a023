// `derive behaviours`: answers in, pairs out.
#include "data/behaviours/behaviours.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "measured.h"

namespace rubric::cli::behaviours_test {

struct BehavioursCommand : testing::Test {
  Outcome derive(const std::string& input, const std::vector<std::string>& more = {}) const {
    return run(joined(
        {"rubric", "derive", "behaviours", "--input", input, "--output", folder_.file("out.jsonl")},
        more));
  }
  TemporaryFolder folder_;
};

TEST_F(BehavioursCommand, WritesPairsAndCountsThem) {
  const std::string input = folder_.write(
      "rows.csv", "question,reference,prediction\nhow many,17,4\nhow old,23,9\nhow tall,180,170\n");
  const Json counts = printed_json(
      derive(input, {"--behaviour", "number,date", "--format", "json", "--seed", "3"}));
  EXPECT_EQ(value_of(counts, "pairs", {.group = "number"}), 3);
  EXPECT_EQ(value_of(counts, "pairs", {.group = "date"}), 0);
  const std::string rows = read_file(folder_.file("out.jsonl"));
  expect_says(rows, {R"("constituent": "number")", R"("reference": "17", "candidate": )"});
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 6);
}

TEST_F(BehavioursCommand, CopiedRowsAreWarnedOf) {
  const std::string input = folder_.write(
      "rows.csv", "question,reference,prediction\nhow many,17,4\nhow old,23,9\nhow many,17,4\n");
  const Outcome outcome = done(derive(input, {"--behaviour", "number"}));
  expect_contains(outcome.err, "1 row is a copy of an earlier one in every field: " + input + ":4");
}

TEST_F(BehavioursCommand, HasThreeSetsOfWordings) {
  const std::string input =
      folder_.write("rows.csv", "question,reference,prediction\nwho wrote it,Ada Lovelace,Bob\n");
  data::Answer answer;
  answer.question = "who wrote it";
  answer.references = {"Ada Lovelace"};
  std::set<std::string> candidates;
  for (const auto& [name, wordings] : {std::pair("learning", data::Wordings::learning),
                                       {"tuning", data::Wordings::tuning},
                                       {"testing", data::Wordings::testing}}) {
    ASSERT_EQ(derive(input, {"--behaviour", "negation", "--wordings", name}).code, 0);
    const std::string candidate =
        data::derive_behaviours(std::vector{answer}, {.wordings = wordings, .names = {"negation"}})
            .rows.front()
            .candidate;
    expect_contains(read_file(folder_.file("out.jsonl")), candidate);
    candidates.insert(candidate);
  }
  EXPECT_EQ(candidates.size(), 3u);
}

TEST_F(BehavioursCommand, SaysWhichQuestionsHaveNoWrongAnswer) {
  const Outcome outcome = done(derive(
      folder_.write("rows.csv",
                    "question,reference,prediction\nhow many,17,4\nwho,Ada,Bob\nwhich,?,!\n"),
      {"--format", "csv"}));
  expect_says(outcome.out, {",questions,3,", ",without_words,1,", ",without_incorrect,2,"});
}

TEST_F(BehavioursCommand, RefusesWhatItCannotUse) {
  const std::string one = folder_.write("one.csv", "question,reference,candidate\nwhy,so,no\n");
  const auto refused = [&](const std::string& message, const std::vector<std::string>& more) {
    const Outcome outcome = derive(one, more);
    EXPECT_EQ(outcome.code, 2);
    expect_contains(outcome.err, message);
    EXPECT_FALSE(std::filesystem::exists(folder_.file("out.jsonl")));
  };
  refused("no question suits any of the rules", {"--behaviour", "entity"});
  refused("did you mean number?", {"--behaviour", "numbers"});
  refused("no value of --wordings called \"tests\"", {"--wordings", "tests"});
  refused("--each", {"--each", "-1"});
}

}  // namespace rubric::cli::behaviours_test
