// `evaluate mocha` on files whose values are known.
#include <cmath>

#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "measured.h"

namespace rubric::cli::mocha_test {

struct EvaluateMocha : testing::Test {
  EvaluateMocha() {
    folder_.write("data.json", instances({"1", "2", "4", "5"}, ""));
    folder_.write("predictions.json", R"({"drop": {"i0": {"pred_score": 1},
      "i1": {"pred_score": 3}, "i2": {"pred_score": 2}, "i3": {"pred_score": 4}}})");
    folder_.write("scores.jsonl",
                  R"({"id": "i0", "constituent": "drop", "scores": {"lerc": 1, "bleu1": 0.1}}
{"id": "i1", "scores": {"lerc": 3, "bleu1": 0.2}}
{"id": "i2", "scores": {"lerc": 2, "bleu1": 0.3}}
{"id": "i3", "scores": {"lerc": 4, "bleu1": null}}
)");
    folder_.write("pairs.json", R"({"drop": {"m": {"context": "p", "question": "q",
      "reference": "r", "candidate1": "a", "candidate2": "b", "score1": 5, "score2": 1}}})");
    folder_.write("pair_predictions.json",
                  R"({"drop": {"m": {"pred_score1": 2, "pred_score2": 2}}})");
    folder_.write("pair_scores.json",
                  R"({"drop": {"m": {"scores1": {"lerc": 2}, "scores2": {"lerc": 1}}}})");
  }

  // One constituent of MOCHA with the given human scores; each instance has `more` members.
  static std::string instances(const std::vector<std::string>& scores, const std::string& more) {
    std::string text = "{\"drop\": {";
    for (size_t i = 0; i < scores.size(); ++i) {
      text += (i > 0 ? ", \"i" : "\"i") + std::to_string(i) +
              R"(": {"context": "p", "question": "q", "reference": "r", "candidate": "c",
                 "metadata": {"source": "bert"}, "score": )" +
              scores[i] + more + "}";
    }
    return text + "}}";
  }

  std::string path(const std::string& name) const { return folder_.file(name); }

  // Of `evaluate mocha --data data.json …`
  Outcome evaluate(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"evaluate", "mocha", "--data", path("data.json")});
    return run(arguments);
  }

  std::string printed(const std::vector<std::string>& arguments) const {
    const Outcome outcome = done(evaluate(arguments));
    return outcome.out;
  }

  Json results(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--format", "json"});
    return Json::parse(printed(arguments), "stdout");
  }

  void expect_error(const std::vector<std::string>& arguments, const std::string& part) const {
    expect_message(evaluate(arguments), 2, {part});
  }

  TemporaryFolder folder_;
};

const double kPearson = 5 / std::sqrt(10.0 * 5.0);  // of 1 2 4 5 and 1 3 2 4

TEST_F(EvaluateMocha, InstancesAndPredictionsMayBeRows) {
  const std::string header = "constituent,id,source,reference,candidate,score\n";
  const std::string rows =
      "drop,i0,bert,r,c,1\ndrop,i1,bert,r,c,2\ndrop,i2,bert,r,c,4\ndrop,i3,bert,r,c,5\n";
  folder_.write("rows.csv", header + rows);
  folder_.write("predictions.tsv", "id\tpred_score\ni0\t1\ni1\t3\ni2\t2\ni3\t4\n");
  const auto evaluate_rows = [&] {
    return run({"evaluate", "mocha", "--data", path("rows.csv"), "--predictions",
                path("predictions.tsv"), "--format", "csv"});
  };
  const Outcome outcome = done(evaluate_rows());
  EXPECT_EQ(outcome.out, printed({"--predictions", path("predictions.json"), "--format", "csv"}));
  folder_.write("rows.csv", header + rows + "drop,i2,bert,r,c,5\n");
  expect_message(evaluate_rows(), 2, {"two instances have this id", "rows.csv: record drop/i2"});
  folder_.write("rows.csv", header + rows + ",i4,bert,r,c,5\n");
  expect_message(evaluate_rows(), 2, {"the row names no constituent", "rows.csv: record i4"});
}

TEST_F(EvaluateMocha, BlanksAtTheEndsOfIdsDoNotCount) {
  const std::string plain = printed({"--predictions", path("predictions.json"), "--format", "csv"});
  folder_.write("blanks.json", R"({"drop ": {"i0": {"pred_score": 1},
      " i1": {"pred_score": 3}, "i2 ": {"pred_score": 2}, "i3": {"pred_score": 4}}})");
  folder_.write("blanks.tsv", "id\tpred_score\ni0 \t1\ni1\t3\ni2\t2\n i3\t4\n");
  std::string data = instances({"1", "2", "4", "5"}, "");
  data.replace(data.find("\"i2\""), 4, "\"i2 \"");
  folder_.write("data_blanks.json", data);
  for (const std::string file : {"data.json", "data_blanks.json"}) {
    for (const std::string predictions : {"predictions.json", "blanks.json", "blanks.tsv"}) {
      const Outcome outcome = run({"evaluate", "mocha", "--data", path(file), "--predictions",
                                   path(predictions), "--format", "csv"});
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      EXPECT_EQ(outcome.out, plain) << file << " " << predictions;
    }
  }
  folder_.write("blanks.json", R"({"drop": {"i0": {"pred_score": 1}, "i0 ": {"pred_score": 2}}})");
  expect_error({"--predictions", path("blanks.json")}, "occurs twice, but for blanks");
}

TEST_F(EvaluateMocha, PredictionFile) {
  const Json json = results({"--predictions", path("predictions.json")});
  Keys keys{.metric = "prediction", .group = "drop"};
  EXPECT_NEAR(value_of(json, "pearson", keys), kPearson, 1e-12);
  EXPECT_NEAR(value_of(json, "spearman", keys), 0.8, 1e-12);
  EXPECT_NEAR(value_of(json, "kendall", keys), 2.0 / 3, 1e-12);
  EXPECT_EQ(measured(json, "pearson", keys).find("n")->number(), 4);
  keys.source = "bert";
  EXPECT_NEAR(value_of(json, "pearson", keys), kPearson, 1e-12);
}

TEST_F(EvaluateMocha, ScoredRowsMatchByIdAndCountWhatIsMissing) {
  const Json json = results({"--scores", path("scores.jsonl")});
  EXPECT_NEAR(value_of(json, "pearson", {.metric = "lerc"}), kPearson, 1e-12);
  EXPECT_EQ(value_of(json, "missing", {.metric = "bleu1", .group = "drop"}), 1);
}

TEST_F(EvaluateMocha, MetricsAreAList) {
  const std::string scores = path("scores.jsonl");
  const Json two = results({"--scores", scores, "--metric", "bleu1, lerc"});
  for (const char* const metric : {"bleu1", "lerc"}) measured(two, "pearson", {.metric = metric});
  expect_error({"--scores", scores, "--metric", "lerc,"}, "a name in \"lerc,\" is empty");
  expect_error({"--scores", scores, "--metric", "lerc,lerc"}, "lerc is named twice");
}

TEST_F(EvaluateMocha, ScoresInMochasNesting) {
  folder_.write("scored.json", instances({"1", "2", "4", "5"}, R"(, "scores": {"em": 1})"));
  const Json json = results({"--scores", path("scored.json")});
  EXPECT_TRUE(measured(json, "pearson", {.metric = "em"}).find("value")->is_null());  // constant
  EXPECT_EQ(json.find("notes")->array().size(), 1u);
}

TEST_F(EvaluateMocha, TextShowsIntervalsPairsAndMissing) {
  const std::string text =
      printed({"--scores", path("scores.jsonl"), "--metric", "lerc,bleu1", "--minimal-pairs",
               path("pairs.json"), "--pair-scores", path("pair_scores.json")});
  expect_contains(text, "constituent");
  EXPECT_LT(text.find("lerc"), text.find("bleu1"));  // in the order asked for
  expect_says(text, {"0.707 [", "Accuracy on minimal pairs, in percent", "100.0  ",
                     "bleu1: the minimal pairs are not scored",
                     "bleu1: 1 of 4 predictions missing, counted as 0 (drop 1)"});
}

TEST_F(EvaluateMocha, PairPredictionsTie) {
  const Json json =
      results({"--predictions", path("predictions.json"), "--minimal-pairs", path("pairs.json"),
               "--pair-predictions", path("pair_predictions.json")});
  EXPECT_EQ(value_of(json, "minimal_pair_accuracy", {.metric = "prediction"}), 0.5);
}

TEST_F(EvaluateMocha, PairPredictionsBelongToTheOneMetric) {
  std::vector<std::string> arguments = {"--scores",           path("scores.jsonl"),
                                        "--minimal-pairs",    path("pairs.json"),
                                        "--pair-predictions", path("pair_predictions.json")};
  expect_error(arguments, "name one with --metric");
  arguments.insert(arguments.end(), {"--metric", "lerc"});
  const Json json = results(arguments);
  EXPECT_NEAR(value_of(json, "pearson", {.metric = "lerc"}), kPearson, 1e-12);
  EXPECT_EQ(value_of(json, "minimal_pair_accuracy", {.metric = "lerc"}), 0.5);
}

TEST_F(EvaluateMocha, PairsThatAreNotScoredAreNeverSilent) {
  const std::vector<std::string> pairs = {"--scores",        path("scores.jsonl"),
                                          "--minimal-pairs", path("pairs.json"),
                                          "--pair-scores",   path("pair_scores.json")};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), pairs.begin(), pairs.end());
    return more;
  };
  expect_error(with({"--metric", "bleu1"}), "no minimal pair is scored by bleu1");
  const Outcome csv = evaluate(with({"--format", "csv"}));
  expect_contains(csv.out,
                  "\nbleu1,,,drop,,,,,minimal_pair_accuracy,,,,,,,,,1,the minimal pairs are not "
                  "scored\n");
  expect_contains(csv.out, "\nlerc,,,drop,,,,,minimal_pair_accuracy,1,,,,,,,,1,\n");
  expect_contains(csv.err, "bleu1: the minimal pairs are not scored");
  folder_.write("data.json", R"({"drop": {"i0": {"context": "p", "question": "q", "reference": "r",
      "candidate": "c", "metadata": {}, "score": 1}}, "quoref": {"j0": {"context": "p",
      "question": "q", "reference": "r", "candidate": "c", "metadata": {}, "score": 2}}})");
  expect_contains(evaluate(with({"--constituent", "quoref"})).out,
                  "no minimal pair belongs to the chosen constituents");
}

TEST_F(EvaluateMocha, MetricsAreTestedAndAnnotatorsCompared) {
  folder_.write("data.json", R"({"drop": {
      "i0": {"context": "p", "question": "q", "reference": "r", "candidate": "c", "score": 1,
             "metadata": {"scores": [1, 1]}},
      "i1": {"context": "p", "question": "q", "reference": "r", "candidate": "c", "score": 2,
             "metadata": {"scores": [2, 2]}},
      "i2": {"context": "p", "question": "q", "reference": "r", "candidate": "c", "score": 4,
             "metadata": {"scores": [4, 4]}},
      "i3": {"context": "p", "question": "q", "reference": "r", "candidate": "c", "score": 5,
             "metadata": {"scores": [5, 5]}}}})");
  const Json json = results({"--scores", path("scores.jsonl")});
  EXPECT_EQ(value_of(json, "krippendorff_alpha", {.metric = "human", .group = "drop"}), 1);
  measured(json, "difference",
           {.metric = "bleu1", .against = "lerc", .group = "drop", .method = "williams"});
  const std::string text = printed({"--scores", path("scores.jsonl")});
  expect_says(text, {"Williams' test of Pearson's r", "Krippendorff's alpha"});
  folder_.write("data.json", R"({"drop": {"i0": {"context": "p", "question": "q", "reference": "r",
      "candidate": "c", "score": 1, "metadata": {"scores": [1, "2"]}}}})");
  expect_error({"--scores", path("scores.jsonl")}, "\"metadata.scores\" must be a list of numbers");
}

TEST_F(EvaluateMocha, PartsOfMochaKeepTheAnnotatorsAgreement) {
  std::string text;
  for (const std::string score : {"1", "2", "4", "5"}) {
    text += (text.empty() ? "" : ", ") + ("\"" + score) +
            R"(": {"context": "p", "question": "q", "reference": "r", "candidate": "c", )"
            R"("metadata": {"scores": [1, )" +
            score + R"(]}, "score": )" + score + "}";
  }
  folder_.write("data.json", "{\"drop\": {" + text + "}}");
  folder_.write("predictions.csv", "id,pred_score\n1,1\n2,3\n4,2\n5,4\n");
  ASSERT_EQ(run({"rubric", "split", "--input", path("data.json"), "--output", path("parts"),
                 "--shares", "all=1"})
                .code,
            0);
  const Json nested = results({"--predictions", path("predictions.csv")});
  const Json of_rows =
      printed_json(run({"evaluate", "mocha", "--data", path("parts/all.jsonl"), "--predictions",
                        path("predictions.csv"), "--format", "json"}));
  EXPECT_EQ(measured(of_rows, "krippendorff_alpha", {.metric = "human", .group = "drop"}).dump(),
            measured(nested, "krippendorff_alpha", {.metric = "human", .group = "drop"}).dump());
}

TEST_F(EvaluateMocha, SameSeedSameIntervals) {
  const std::vector<std::string> arguments = {
      "--predictions", path("predictions.json"), "--seed", "3", "--resamples", "100"};
  EXPECT_EQ(printed(arguments), printed(arguments));
}

TEST_F(EvaluateMocha, WritesTheReport) {
  printed({"--predictions", path("predictions.json"), "--report", path("report.html")});
  const std::string html = read_file(path("report.html"));
  expect_says(html, {"<p class=\"title\">Spearman&#39;s rho</p>",
                     "<p class=\"title\">Kendall&#39;s tau-b</p>",
                     "mocha|metric:prediction|data:", "<td class=\"left\">drop</td>"});
}

TEST_F(EvaluateMocha, TheReportReplacesNoInput) {
  const std::vector<std::string> inputs = {"--predictions",      "predictions.json",
                                           "--minimal-pairs",    "pairs.json",
                                           "--pair-predictions", "pair_predictions.json"};
  std::vector<std::string> arguments = inputs;
  for (size_t i = 1; i < inputs.size(); i += 2) arguments[i] = path(inputs[i]);
  for (const std::string name :
       {"data.json", "predictions.json", "pairs.json", "pair_predictions.json"}) {
    const std::string before = read_file(path(name));
    std::vector<std::string> all = arguments;
    all.insert(all.end(), {"--report", path("./" + name)});
    expect_error(all, "would replace " + path(name));
    EXPECT_EQ(read_file(path(name)), before);
  }
}

TEST_F(EvaluateMocha, CsvWarnsOfWhatIsMissing) {
  const Outcome outcome =
      evaluate({"--scores", path("scores.jsonl"), "--metric", "bleu1", "--format", "csv"});
  expect_contains(outcome.out, "\nbleu1,,,drop,,,,,pearson,");
  expect_contains(outcome.err, "bleu1: 1 of 4 predictions missing");
}

TEST_F(EvaluateMocha, BadFilesAreNamed) {
  expect_error({"--predictions", path("absent.json")}, "absent.json");
  folder_.write("broken.json", "{\"drop\": ");
  expect_error({"--predictions", path("broken.json")}, "not valid JSON");
  folder_.write("unscored.jsonl", "{\"id\": 1}\n");
  expect_error({"--scores", path("unscored.jsonl")}, "\"scores\" is missing");
  folder_.write("data.json", instances({"7"}, ""));
  expect_error({"--predictions", path("predictions.json")}, "\"drop\" / \"i0\"");
}

TEST_F(EvaluateMocha, BadOptionsAreNamed) {
  const std::string scores = path("scores.jsonl"), predictions = path("predictions.json");
  expect_error({"--scores", scores, "--metric", "lrec"}, "did you mean lerc?");
  expect_error({"--score", scores}, "did you mean --scores?");
  expect_error({}, "either --predictions or --scores");
  expect_error({"--predictions", predictions, "--metric", "lerc"}, "leave --metric out");
  expect_error({"--predictions", predictions, "--minimal-pairs", path("pairs.json")}, "two files");
  expect_error({"--predictions", predictions, "--resamples", "0"}, "from 1 to");
  expect_error({"--predictions", predictions, "--seed", "-1"}, "seed");
  expect_error({"--predictions", predictions, "--format", "xml"},
               "no value of --format called \"xml\"");
}

}  // namespace rubric::cli::mocha_test
