// From the sample to the table through the programs: what `score` writes, `evaluate` reads.
#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "eval/report/table.h"
#include "measured.h"
#include "paths.h"

namespace rubric::cli::sample_test {

const std::string kSample = std::string(source_folder()) + "/samples/mocha/";

struct EvaluateSample : testing::Test {
  EvaluateSample() {
    score("test.json", "scored.json");
    score("minimal_pairs.json", "pairs.json");
  }

  void score(const std::string& name, const std::string& output) const {
    done(run({"score", "bleu1,rouge_l", "--strip", "?.!", "--input", kSample + name, "--output",
              folder_.file(output)}));
  }

  Outcome evaluate(const std::vector<std::string>& more) const {
    return run(joined({"evaluate", "mocha", "--data", kSample + "test.json", "--scores",
                       folder_.file("scored.json")},
                      more));
  }

  Json results(const std::vector<std::string>& more) const {
    return printed_json(evaluate(joined({"--format", "json"}, more)));
  }

  std::vector<std::string> with_pairs() const {
    return {"--minimal-pairs", kSample + "minimal_pairs.json", "--pair-scores",
            folder_.file("pairs.json")};
  }

  TemporaryFolder folder_;
};

TEST_F(EvaluateSample, AgreesInEveryFormat) {
  const Json json = results(with_pairs());
  std::vector<double> values;  // in every format
  for (const std::string source : {"", "spanpicker"}) {
    for (const char* const statistic : {"pearson", "spearman", "kendall"}) {
      values.push_back(
          value_of(json, statistic, {.metric = "bleu1", .group = "quoref", .source = source}));
    }
  }
  const std::pair<const char*, const char*> kMarks[] = {{"text", "constituent  "},
                                                        {"markdown", "| constituent |"},
                                                        {"csv", ",group,"},
                                                        {"latex", "\\begin{tabular}"}};
  for (const auto& [format, mark] : kMarks) {
    std::vector<std::string> arguments = with_pairs();
    arguments.insert(arguments.end(), {"--format", format});
    const Outcome outcome = done(evaluate(arguments));
    expect_contains(outcome.out, mark);
    for (const double value : values) {
      expect_contains(outcome.out, std::string(format) == "csv" ? eval::format_exact(value)
                                                                : eval::format_fixed(value, 3));
    }
    expect_contains(outcome.err, "mocha|metric:bleu1,rouge_l|data:");
  }
  for (const auto& [name, pairs] : Json::parse_file(kSample + "minimal_pairs.json").object()) {
    measured(json, "minimal_pair_accuracy", {.metric = "bleu1", .group = name});
  }
}

TEST_F(EvaluateSample, OneConstituentHasTheValuesItHasAmongAll) {
  const Json all = results({"--metric", "rouge_l"});
  const Json one = results({"--metric", "rouge_l", "--constituent", "drop"});
  EXPECT_FALSE(holds(one.dump(), "quoref"));
  const Keys drop{.metric = "rouge_l", .group = "drop"};
  const double pearson = value_of(one, "pearson", drop);
  EXPECT_EQ(pearson, value_of(all, "pearson", drop));
  EXPECT_EQ(pearson, value_of(one, "pearson", {.metric = "rouge_l"}));
  expect_message(evaluate({"--constituent", "dorp"}), 2, {"\"dorp\"", "did you mean drop?"});
}

TEST_F(EvaluateSample, RowsAndNestingGiveTheSameValues) {
  const Json data = Json::parse_file(kSample + "test.json");
  std::string rows;
  for (const auto& [constituent, instances] : data.object()) {
    for (const auto& [id, instance] : instances.object()) {
      Json row = instance;
      row["id"] = id;
      row["constituent"] = constituent;
      rows += row.dump() + "\n";
    }
  }
  write_file(folder_.file("rows.jsonl"), rows);
  // A name that would be MOCHA's: rows are known by their first line.
  for (const std::string name : {"scored_rows.jsonl", "scored_rows.json"}) {
    ASSERT_EQ(run({"score", "bleu1,rouge_l", "--strip", "?.!", "--input",
                   folder_.file("rows.jsonl"), "--output", folder_.file(name)})
                  .code,
              0);
    const Outcome outcome = done(run({"evaluate", "mocha", "--data", kSample + "test.json",
                                      "--scores", folder_.file(name), "--format", "csv"}));
    EXPECT_EQ(outcome.out, evaluate({"--format", "csv"}).out);
  }
}

TEST_F(EvaluateSample, TheReportsFolderIsCheckedFirst) {
  expect_message(evaluate({"--report", folder_.file("absent/report.html")}), 2,
                 {"--report", "mkdir -p"});
  EXPECT_EQ(evaluate({"--report", folder_.file("report.html")}).code, 0);
  const std::string report = read_file(folder_.file("report.html"));
  expect_says(report, {"mocha|metric:bleu1,rouge_l|data:", "<td class=\"left\">spanpicker</td>",
                       "<details>\n<summary>Williams&#39; test"});
  expect_contains(report, "<g class=\"point\" data-rows=\"");  // a constituent's answers
  expect_contains(report, "id=\"rows\">{\"header\":[\"id\", \"constituent\", \"question\"");
}

}  // namespace rubric::cli::sample_test
