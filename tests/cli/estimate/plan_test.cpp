// `plan`: numbers of labels, which scipy gave, and what labels drawn from real data take.
#include <cstdlib>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/random.h"
#include "measured.h"
#include "paths.h"

namespace rubric::cli::plan_test {

struct PlanCommand : testing::Test {
  PlanCommand() {
    fixture_ = Json::parse_file(std::string(fixtures_folder()) + "/stats/plan.json");
    std::string rows;
    for (const Json& row : fixture_.find("rows")->array()) rows += row.dump() + "\n";
    folder_.write("pilot.jsonl", rows);
  }
  Outcome plan(std::vector<std::string> options, const std::string& file = "pilot.jsonl") const {
    options.insert(options.begin(),
                   {"rubric", "plan", "--all", folder_.file(file), "--human", "verdict"});
    return run(options);
  }
  Json json_of(std::vector<std::string> options) const {
    options.insert(options.end(), {"--format", "json"});
    const Outcome outcome = done(plan(options));
    return Json::parse(outcome.out, "stdout");
  }
  TemporaryFolder folder_;
  Json fixture_;
};

void expect_questions(const Json& plan, const std::string& statistic, const Keys& keys,
                      const Json& expected) {
  SCOPED_TRACE(statistic + " " + keys.system + " " + keys.metric);
  EXPECT_EQ(value_of(plan, statistic, keys), expected.number());
}

// From labels alone, then with each metric.
void expect_all(const Json& plan, const std::string& statistic, Keys keys,
                const std::vector<std::string>& metrics, const Json& expected) {
  keys.source = "labels";
  expect_questions(plan, statistic, keys, expected.array().at(0));
  keys.source = "both";
  for (size_t m = 0; m < metrics.size(); ++m) {
    keys.metric = metrics[m];
    expect_questions(plan, statistic, keys, expected.array().at(m + 1));
  }
}

// Of a larger population: what `estimate` says where all answers have labels is not true here.
TEST_F(PlanCommand, APilotWithoutOtherAnswersIsAsGoodAsOthers) {
  std::string rows = "id,f1,verdict\n";
  for (int i = 0; i < 12; ++i) {
    rows += std::to_string(i) + "," + std::to_string(i % 5) + "," + std::to_string(i % 2) + "\n";
  }
  folder_.write("labelled.csv", rows);
  const Outcome outcome =
      done(plan({"--metric", "f1", "--width", "0.1", "--population", "1500"}, "labelled.csv"));
  const std::string said = outcome.out + outcome.err;
  expect_contains(said, "12 labels of 12 questions: below");
  EXPECT_EQ(said.find("every answer has a label"), std::string::npos);
}

TEST_F(PlanCommand, NumbersAreScipys) {
  const Json json = json_of({"--system", "system", "--metric", "good,weak", "--difference", "0.25",
                             "--width", "0.1", "--population", "1500"});
  const Json& expected = *fixture_.find("expected");
  const std::vector<std::string> metrics = {"good", "weak"};
  for (const char* system : {"one", "two"}) {
    expect_all(json, "questions_for_width", {.system = system}, metrics,
               *expected.find("mean")->find(system));
    EXPECT_EQ(value_of(json, "labels_per_question", {.system = system}), 1);
  }
  const Keys pair{.system = "one", .against = "two"};
  expect_all(json, "questions_for_difference", pair, metrics, *expected.find("difference"));
  EXPECT_EQ(value_of(json, "labels_per_question", pair), 2);
  for (const std::string& metric : metrics) {
    expect_all(json, "correlation_questions_for_width", {.metric = metric}, {metric},
               *expected.find("correlation")->find(metric));
  }
  expect_questions(json, "correlation_questions_for_difference",
                   {.metric = "good", .against = "weak", .source = "labels"},
                   *expected.find("correlation_difference"));
  std::map<std::string, int> seen;
  for (const Json& one : json.find("measurements")->array()) {
    const std::string statistic = one.find("statistic")->string();
    const bool is_alone = one.find("source") != nullptr && one.find("source")->string() == "labels";
    if (!is_alone || !holds(statistic, "questions_for")) continue;
    ++seen[statistic + (one.find("against") != nullptr ? ", pair" : "")];
  }
  const std::map<std::string, int> all = {{"questions_for_width", 2},
                                          {"questions_for_width, pair", 1},
                                          {"questions_for_difference, pair", 1},
                                          {"correlation_questions_for_width", 2},
                                          {"correlation_questions_for_difference, pair", 1}};
  EXPECT_EQ(seen, all);
}

TEST_F(PlanCommand, ALargerPopulationTakesMoreLabels) {
  const auto alone = [&](const std::string& questions) {
    const Json json = json_of(
        {"--system", "system", "--metric", "good", "--width", "0.1", "--population", questions});
    return value_of(json, "questions_for_width", {.system = "one", .source = "labels"});
  };
  EXPECT_LT(alone("600"), alone("1500"));
  EXPECT_LE(alone("0"), 80);  // as many as the pilot has
}

// A power of two changes no digit of the labels, of the scores or of the width.
TEST_F(PlanCommand, ValuesOfAnySizeTakeAsManyLabels) {
  const auto planned = [&](double unit) {
    std::string rows;
    for (Json row : fixture_.find("rows")->array()) {
      for (const char* const field : {"verdict", "good", "weak"}) {
        row[field] = row.find(field)->number() * unit;
      }
      rows += row.dump() + "\n";
    }
    folder_.write("pilot.jsonl", rows);
    std::string counts;
    const Json json = json_of(
        {"--system", "system", "--metric", "good,weak", "--width", Json(0.1 * unit).dump()});
    for (const Json& one : json.find("measurements")->array()) {
      if (!one.find("statistic")->string().starts_with("correlation")) counts += one.dump() + "\n";
    }
    return counts;
  };
  const std::string counts = planned(1);
  EXPECT_NE(counts, "");
  EXPECT_EQ(planned(0x1p-600), counts);
}

TEST_F(PlanCommand, AllQuestionsLeaveNoSamplingError) {
  const auto notes = [&](const std::string& width) {
    return json_of(
               {"--system", "system", "--metric", "good", "--width", width, "--population", "600"})
        .dump();
  };
  expect_contains(notes("0.0001"), "600 questions are all that there are");
  EXPECT_FALSE(holds(notes("0.1"), "all that there are"));
}

TEST_F(PlanCommand, TablesSayWhatItTakes) {
  const Outcome outcome =
      done(plan({"--system", "system", "--metric", "good", "--difference", "0.25", "--population",
                 "1500", "--report", folder_.file("page.html")}));
  const std::string sentence =
      "Until a true difference of 0.25 is found with 80% power by a two-sided test at 5% (mean of "
      "one – that of two), it takes ";
  expect_contains(outcome.out, sentence);
  expect_contains(read_file(folder_.file("page.html")), sentence);
  expect_contains(outcome.err, "plan|human:verdict|metric:good|all:");
  const Outcome csv = plan({"--system", "system", "--metric", "good", "--difference", "0.25",
                            "--population", "1500", "--format", "csv"});
  expect_contains(csv.out, "\n,one,two,,labels,,,,questions_for_difference,232,");
  expect_contains(csv.out, "\ngood,one,two,,both,,,,questions_for_difference,53,");
}

// Squares of scores that are all 1 but for rounding tell nothing of the correlation.
TEST_F(PlanCommand, ScoresOfTwoValuesTellNoMoreOfTheirCorrelation) {
  std::string rows = "id,f1,verdict\n";
  for (int i = 0; i < 40; ++i) {
    rows += std::to_string(i) + (i % 2 == 0 ? ",0.1," : ",0.7,") +
            std::to_string(i % 2 + (i * 7 % 11) / 5.0) + "\n";
  }
  folder_.write("two_values.csv", rows);
  const Json json = Json::parse(
      plan({"--width", "0.1", "--population", "3000", "--format", "json"}, "two_values.csv").out,
      "stdout");
  const auto questions = [&](const std::string& source) {
    return value_of(json, "correlation_questions_for_width", {.metric = "f1", .source = source});
  };
  EXPECT_EQ(questions("both"), questions("labels"));
}

// `choose --budget` counts the answers of all systems.
TEST_F(PlanCommand, TheBudgetOfChooseIsNamed) {
  std::string rows = "id,system,f1,verdict\n";
  for (int i = 0; i < 120; ++i) {
    rows += std::to_string(i / 3) + "," + std::to_string(i % 3) + "," + std::to_string(i * 7 % 11) +
            "," + std::to_string(i / 3 * 5 % 7 % 2) + "\n";
  }
  folder_.write("three.csv", rows);
  const std::string out =
      plan({"--system", "system", "--metric", "f1", "--width", "0.2", "--population", "900"},
           "three.csv")
          .out;
  const size_t takes = out.find("it takes ");
  ASSERT_NE(takes, std::string::npos);
  const int questions = std::stoi(out.substr(takes + 9));
  expect_contains(out.substr(takes),
                  "`rubric choose --budget " + std::to_string(3 * questions) + "`");
}

// Of several systems the pair that takes the most is named, with the source that takes least.
TEST_F(PlanCommand, TheSentenceIsAboutAllPairs) {
  std::string rows = "id,system,good,noise,verdict\n";
  for (int q = 0; q < 60; ++q) {
    const int right[] = {q % 2, q % 2, q % 3 > 0};
    for (int s = 0; s < 3; ++s) {
      const int good = right[s] != (q % 19 == s), noise = (q * 7 + s * 3) % 11;
      rows += std::to_string(q) + "," + std::string(1, static_cast<char>('a' + s)) + "," +
              std::to_string(good) + "," + std::to_string(noise) + "," + std::to_string(right[s]) +
              "\n";
    }
  }
  folder_.write("three.csv", rows);
  const Outcome outcome = done(
      plan({"--system", "system", "--difference", "0.1", "--population", "3000"}, "three.csv"));
  for (const char* part :
       {"which takes the most of 3), it takes ", " with labels and good, `rubric choose --budget ",
        "`; with labels alone", "--budget of `rubric choose --system` counts",
        "the power is that of one test at 5%"}) {
    expect_contains(outcome.out, part);
  }
  // Of a width the means and the differences are told, each with what takes most.
  const Outcome width = done(plan({"--system", "system", "--width", "0.1"}, "three.csv"));
  expect_contains(width.out, ", which takes the most of 3), it takes ");
  expect_contains(width.out, " – that of c, which takes the most of 3), it takes ");
  EXPECT_EQ(width.out.find("the power is that of one test"), std::string::npos);
  EXPECT_EQ(outcome.out.find("(mean of a – that of b, which"), std::string::npos);
  for (const char* option : {"--difference", "--width"}) {
    expect_message(plan({"--system", "system", option, "5"}, "three.csv"), 2,
                   {"is 5, and labels are from 0 to 1", "it can be 1 at most"});
  }
}

TEST_F(PlanCommand, WhatCannotBePlannedIsRefused) {
  expect_message(plan({}), 2, {"nothing is said of what to plan for", "--difference", "--width"});
  expect_message(plan({"--width", "0"}), 2, {"--width is 0", "above 0"});
  expect_message(plan({"--difference", "-1"}), 2, {"--difference is -1"});
  expect_message(plan({"--difference", "much"}), 2, {"\"much\" is not a number"});
  expect_message(plan({"--width", "1", "--population", "3"}), 2, {"--population is 3"});
  expect_message(
      plan({"--width", "1", "--population", "11", "--system", "system", "--metric", "good"}), 2,
      {"--population is 11, and the pilot has labels of "});
  std::string few = "id,f1,verdict\n", one = few;
  for (int i = 0; i < 40; ++i) {
    few += std::to_string(i) + ",1," + (i < 9 ? std::to_string(i % 2) : "") + "\n";
    one += std::to_string(i) + "," + std::to_string(i % 7) + "," + std::to_string(i % 2) + "\n";
  }
  folder_.write("few.csv", few);
  expect_message(plan({"--width", "1"}, "few.csv"), 2, {"only 9 labels"});
  folder_.write("one.csv", one);
  expect_message(plan({"--difference", "0.1"}, "one.csv"), 2,
                 {"one system and one metric leave no difference"});
  // Of one system there are differences of correlations, and widths of correlations.
  std::string two = "id,f1,em,verdict\n";
  for (int i = 0; i < 40; ++i) {
    two += std::to_string(i) + "," + std::to_string(i % 7) + "," + std::to_string(i % 5) + "," +
           std::to_string((i * 3 % 7) / 100.0) + "\n";
  }
  folder_.write("two.csv", two);
  expect_message(plan({"--difference", "3"}, "two.csv"), 2,
                 {"is 3, and correlations are from -1 to 1: it can be 2"});
  EXPECT_EQ(plan({"--width", "0.2"}, "two.csv").code, 0);
}

// The answers of a system, in random order with `seed`: so the first n are a random draw.
std::vector<Json> shuffled(std::vector<Json> rows, uint64_t seed) {
  for (size_t i = rows.size(); i > 1; --i) {
    std::swap(rows[i - 1], rows[below(random_bits(seed, Purpose::shuffle, i), i)]);
  }
  return rows;
}

// The interval at the planned budget is as wide as was asked, on answers whose labels are all
// known: plans from pilots of 100 labels, and estimates from as many labels as each says, drawn
// anew.
TEST_F(PlanCommand, RealAnswersTakeAsManyLabelsAsArePlanned) {
  const char* const data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  const std::string evouna = std::string(data) + "/evouna/";
  ASSERT_EQ(run({"rubric", "score", "f1,recall", "--input", evouna + "NQ.json", "--join",
                 evouna + "pedants_nq.jsonl", "--on", "id=row,constituent=system", "--output",
                 folder_.file("scored.jsonl")})
                .code,
            0);
  std::map<std::string, std::vector<Json>> systems;
  LineReader lines(folder_.file("scored.jsonl"));
  for (std::string line; lines.next(line);) {
    Json row = Json::parse(line, lines.where());
    systems[row.require_string("constituent", "")].push_back(
        Json::Object{{"id", *row.find("id")},
                     {"scores", *row.find("scores")},
                     {"verdict", row.find("score")->number() > 1 ? 1 : 0}});
  }
  constexpr double kWidth = 0.06;
  constexpr uint64_t kPilots = 6;
  constexpr size_t kAnswers = 1000, kPilotLabels = 100;
  std::vector<double> all;  // mean half widths, as shares of what was asked
  for (const std::string system : {"fid", "gpt35", "newbing"}) {
    std::vector<Json> rows = shuffled(systems.at(system), kAnswers);
    rows.resize(kAnswers);
    // With the first `labels` rows of a draw alone labelled.
    const auto result = [&](const std::string& command, const std::string& metric, uint64_t draw,
                            size_t labels, std::vector<std::string> options) {
      std::vector<Json> drawn = shuffled(rows, draw);
      std::string text;
      for (size_t i = 0; i < drawn.size(); ++i) {
        if (i >= labels) drawn[i]["verdict"] = Json();
        text += drawn[i].dump() + "\n";
      }
      folder_.write("drawn.jsonl", text);
      options.insert(options.begin(),
                     {"rubric", command, "--all", folder_.file("drawn.jsonl"), "--human", "verdict",
                      "--metric", metric, "--format", "json"});
      const Outcome outcome = done(run(options));
      return Json::parse(outcome.out, "stdout");
    };
    for (const std::string metric : {"f1", "pedants"}) {
      double alone = 0, with = 0;
      for (uint64_t pilot = 0; pilot < kPilots; ++pilot) {
        const Json planned =
            result("plan", metric, 2 * pilot, kPilotLabels, {"--width", Json(kWidth).dump()});
        const auto add = [&](double& sum, const Keys& keys) {
          const double questions = value_of(planned, "questions_for_width", keys);
          const Json estimated = result("estimate", metric, 2 * pilot + 1,
                                        static_cast<size_t>(questions), {"--resamples", "1"});
          Keys by_t = keys;
          by_t.method = "t";
          const Json& mean = measured(estimated, "mean", by_t);
          sum += (mean.find("high")->number() - mean.find("low")->number()) / 2 / kWidth / kPilots;
        };
        if (metric == "f1") add(alone, {.source = "labels"});
        add(with, {.metric = metric, .source = "both"});
      }
      if (metric == "f1") {
        EXPECT_NEAR(alone, 1, 0.07) << system;
      }
      EXPECT_NEAR(with, 1, 0.25) << system << " " << metric;  // six pilots vary by a tenth
      all.push_back(with);
    }
  }
  EXPECT_NEAR(std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size()), 1,
              0.1);
}

}  // namespace rubric::cli::plan_test
